package io.wreath.spark.optimizer

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan, Project}
import org.apache.spark.sql.catalyst.rules.Rule

import io.wreath.spark.logical.{StreamingPattern, StreamingWcoJoin}

/**
 * Lets a [[StreamingWcoJoin]] decide the conditions above it, and return no column that nobody
 * reads: what is not read of an edge need not be in the index. The state has all of it all the same,
 * so that a query may read another column after a restart.
 */
private[wreath] object NarrowStreamingWcoJoin extends Rule[LogicalPlan] {

  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformUp {
    case Filter(condition, j: StreamingWcoJoin) if j.patterns.size == 1 => decide(condition, j)
    case p @ Project(list, j: StreamingWcoJoin) =>
      p.copy(child = narrowed(j, AttributeSet(list)))
    case p @ Project(list, f @ Filter(condition, j: StreamingWcoJoin)) =>
      p.copy(child = f.copy(child = narrowed(j, AttributeSet(list :+ condition))))
  }

  private def narrowed(j: StreamingWcoJoin, read: AttributeSet): LogicalPlan = {
    val kept = j.output.indices.filter(i => read.contains(j.output(i)))
    if (kept.size == j.output.size) j
    else {
      j.copy(
        patterns = j.patterns.map(p => p.copy(result = kept.map(p.result))),
        output = kept.map(j.output))
    }
  }

  private def decide(condition: Expression, j: StreamingWcoJoin): LogicalPlan = {
    val pattern = j.patterns.head
    val inside = AttributeMap(j.output.zip(pattern.result))
    val (decided, left) = ElementAtom.conjuncts(condition).partition { c =>
      c.deterministic && !SubqueryExpression.hasSubquery(c) && NeverRaises(c)
    }
    val conditions = decided
      .map(_.transform { case a: Attribute => inside.getOrElse(a, a) })
      .filterNot(isGiven(_, pattern))
    val (comparisons, predicates) =
      conditions
        .map(c => VariableComparison.of(c, variable(_, pattern)).toLeft(c))
        .partitionMap(identity)
    val join = j.copy(patterns = Seq(pattern.copy(
      comparisons = pattern.comparisons ++ comparisons,
      predicates = pattern.predicates ++ predicates)))
    left.reduceOption(And(_, _)).map(Filter(_, join)).getOrElse(join)
  }

  /** A variable is never NULL. */
  private def isGiven(c: Expression, p: StreamingPattern): Boolean = c match {
    case IsNotNull(a: Attribute) => variable(a, p).isDefined
    case _ => false
  }

  private def variable(a: Attribute, p: StreamingPattern): Option[Int] =
    Some(p.variables.indexWhere(_.exprId == a.exprId)).filter(_ >= 0)
}
