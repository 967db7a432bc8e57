package io.wreath.spark.optimizer

import org.apache.spark.sql.catalyst.expressions.{And, PredicateHelper}
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

import io.wreath.spark.logical.PathSearch

/** Asks what can be asked of the rows that begin paths before the paths are searched for. */
private[wreath] object PushBelowPathSearch extends Rule[LogicalPlan] with PredicateHelper {

  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case f @ Filter(condition, search: PathSearch) =>
      val (below, above) = splitConjunctivePredicates(condition).partition { c =>
        c.deterministic && c.references.nonEmpty &&
        c.references.subsetOf(search.child.outputSet)
      }
      if (below.isEmpty) f
      else {
        val narrowed = search.copy(child = Filter(below.reduce(And(_, _)), search.child))
        above.reduceOption(And(_, _)).fold[LogicalPlan](narrowed)(Filter(_, narrowed))
      }
  }
}
