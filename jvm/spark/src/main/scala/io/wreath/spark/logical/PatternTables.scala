package io.wreath.spark.logical

import org.apache.spark.sql.catalyst.analysis.UnresolvedRelation
import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.trees.CurrentOrigin

/**
 * The tables of a property graph that the patterns of a clause read, in the place of the graph's
 * name below [[UnresolvedGraphMatch]].
 *
 * Each is an ordinary child, so views and catalogs resolve it as they resolve any other; tables of
 * the graph that no pattern needs are not even looked up.
 *
 * @param graph its name, for messages
 * @param definition the whole graph
 * @param elements those of its tables that may be read, each once
 * @param children for each element the columns that name vertices, then its properties
 */
final case class PatternTables(
    graph: String,
    definition: PropertyGraph,
    elements: Seq[ElementTable],
    children: Seq[LogicalPlan])
    extends LogicalPlan {

  override def output: Seq[Attribute] = Nil

  override def simpleString(maxFields: Int): String =
    s"PatternTables $graph, ${elements.map(_.alias.text).mkString(", ")}"

  override protected def withNewChildrenInternal(
      newChildren: IndexedSeq[LogicalPlan]): PatternTables = copy(children = newChildren)
}

/**
 * A graph that a statement defines for itself, until the patterns over it have taken its tables.
 *
 * @param children for each of the graph's elements its table; ordinary children, so that names of the
 *   same WITH may be among them
 */
final case class UnresolvedPropertyGraph(graph: PropertyGraph, children: Seq[LogicalPlan])
    extends LogicalPlan {

  override lazy val resolved: Boolean = false

  override def output: Seq[Attribute] = Nil

  override protected def withNewChildrenInternal(
      newChildren: IndexedSeq[LogicalPlan]): UnresolvedPropertyGraph =
    copy(children = newChildren)
}

object UnresolvedPropertyGraph {

  def apply(graph: PropertyGraph): UnresolvedPropertyGraph =
    UnresolvedPropertyGraph(graph, graph.elements.map(relation))

  /** The table of one element, to be looked up. */
  def relation(element: ElementTable): LogicalPlan =
    CurrentOrigin.withOrigin(element.alias.origin)(UnresolvedRelation(element.table))
}
