package io.wreath.spark.optimizer

import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeSet}
import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, LogicalPlan, Project}
import org.apache.spark.sql.catalyst.rules.Rule

import io.wreath.spark.index.RelationPlan
import io.wreath.spark.logical.PathSearch

/**
 * Leaves out of a search for paths what nobody reads of them, and reads its tables in the form by which an
 * index is known.
 *
 * The form is made here and not when the search is planned: AQE knows what a finished stage stands for by the node of
 * the logical plan that it was planned from.
 */
private[wreath] object NarrowPathSearch extends Rule[LogicalPlan] {

  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformDown {
    case p @ Project(list, s: PathSearch) => p.copy(child = narrowed(s, AttributeSet(list)))
    case a @ Aggregate(_, _, s: PathSearch, _) =>
      a.copy(child = narrowed(s, a.references))
    case s: PathSearch => withTables(s)
  }

  private def narrowed(search: PathSearch, read: AttributeSet): PathSearch = {
    def left(a: Option[Attribute]) = a.filter(read.contains)
    val c = search.columns
    val columns =
      c.copy(left(c.target), left(c.length), left(c.cost), left(c.vertices), left(c.edges))
    if (columns == c) search else search.copy(columns = columns)
  }

  private def withTables(search: PathSearch): PathSearch = {
    def table(t: LogicalPlan) = {
      val plan = RelationPlan(t.output, t)
      if (plan == t) t else plan
    }
    val made = search.copy(edges = search.edges.map(table), vertices = search.vertices.map(table))
    if (made.fastEquals(search)) search else made
  }
}
