package io.wreath.spark.analysis.graphs

import org.apache.spark.sql.catalyst.analysis.{Resolver, UnresolvedAttribute, UnresolvedStar}
import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, NamedExpression}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Project}
import org.apache.spark.sql.catalyst.trees.CurrentOrigin

import io.wreath.spark.logical.{AllColumns, ElementTable, GraphName, UnresolvedPropertyGraph}

/** An element table as a plan: the columns that name vertices come first, then its properties. */
private[wreath] object ElementRelation {

  /** Unresolved; names stand where the user wrote them, and so do Spark's errors. */
  def apply(element: ElementTable): LogicalPlan =
    apply(element, UnresolvedPropertyGraph.relation(element))

  def apply(element: ElementTable, table: LogicalPlan): LogicalPlan = {
    val all = if (element.hasAllColumns) Seq(UnresolvedStar(None)) else Nil
    val listed = element.listedProperties.map { p =>
      CurrentOrigin.withOrigin(p.name.origin)(Alias(p.expression, p.name.text)())
    }
    CurrentOrigin.withOrigin(element.alias.origin) {
      Project(element.endColumns.map(column) ++ all ++ listed, table)
    }
  }

  def column(name: GraphName): NamedExpression =
    CurrentOrigin.withOrigin(name.origin)(UnresolvedAttribute(Seq(name.text)))

  /** The columns that name vertices. */
  def ends(element: ElementTable, relation: LogicalPlan): Seq[Attribute] =
    relation.output.take(element.endColumns.size)

  /** The properties, by their names. */
  def properties(
      element: ElementTable,
      relation: LogicalPlan,
      resolver: Resolver): Seq[Attribute] = {
    // A column is hidden only where no label shows it.
    val excepts = element.labels.map(_.properties).collect { case AllColumns(e) => e }
    val hidden = excepts.headOption.toSeq.flatten
      .map(_.text)
      .filter(name => excepts.forall(_.exists(e => resolver(e.text, name))))
    val shown = relation.output.drop(element.endColumns.size)
    val (columns, listed) = shown.splitAt(shown.size - element.listedProperties.size)
    val left = columns.filterNot { c =>
      (hidden ++ listed.map(_.name)).exists(resolver(_, c.name))
    }
    left ++ listed
  }
}
