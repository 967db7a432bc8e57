package io.wreath.spark.analysis.streams

import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Project}

import io.wreath.spark.logical.{MatchEdge, MatchElement, MatchVertex, StaticTable}

/**
 * The tables beside a stream that the elements of a pattern read, each once: source, target, then the
 * properties. A vertex is an edge from itself to itself.
 */
final private[analysis] class StaticTables(elements: Seq[MatchElement]) {

  private val first: Seq[MatchElement] =
    elements.distinctBy(e => (e.getClass, e.child.canonicalized))

  def indexOf(element: MatchElement): Int = first.indexWhere { e =>
    e.getClass == element.getClass && e.child.canonicalized == element.child.canonicalized
  }

  def plans: Seq[LogicalPlan] = first.map {
    case v: MatchVertex =>
      Project(
        Seq("source", "target").map(Alias(v.key, _)()) ++ StaticTables.propertiesOf(v),
        v.child)
    case e => e.child
  }

  /** One for each of the plans. */
  def tables: Seq[StaticTable] = first.map { e =>
    StaticTable(
      e.mark.said,
      s"${e.mark.table} (${e.ends.map(_.name).mkString(", ")})",
      e.isInstanceOf[MatchVertex])
  }
}

private[analysis] object StaticTables {

  /** All columns but the ends, which come first. */
  def propertiesOf(element: MatchElement): Seq[Attribute] = element match {
    case e: MatchEdge => e.child.output.drop(2)
    case other => other.child.output.drop(1)
  }
}
