package io.wreath.spark.analysis.graphs

import org.apache.spark.sql.catalyst.analysis.{Resolver, TypeCoercion}
import org.apache.spark.sql.catalyst.expressions.{Attribute, Cast, Expression, RowOrdering}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.trees.Origin

import io.wreath.spark.WreathErrors

/**
 * The columns of a table of edges that hold the ends of an edge, src and dst, as values of one type.
 *
 * @param said the table in the user's words
 * @param wayOut what to do where a column is missing
 */
final private[analysis] class EdgeEnds(
    table: LogicalPlan,
    said: String,
    at: Origin,
    wayOut: String,
    resolver: Resolver) {

  lazy val (source, target) = {
    val (source, target) = (column("src"), column("dst"))
    val common = TypeCoercion
      .findTightestCommonType(source.dataType, target.dataType)
      .getOrElse(
        throw WreathErrors.keyTypeMismatch(at, said, source.dataType, target.dataType))
    def as(c: Attribute): Expression = if (c.dataType == common) c else Cast(c, common)
    (as(source), as(target))
  }

  private def column(name: String): Attribute = {
    val found = table.output
      .find(c => resolver(c.name, name))
      .getOrElse(
        throw WreathErrors.missingColumn(at, said, name, table.output.map(_.name), wayOut))
    if (!RowOrdering.isOrderable(found.dataType)) {
      throw WreathErrors.unsupportedKeyType(at, said, name, found.dataType)
    }
    found
  }
}

private[analysis] object EdgeEnds {

  val RenameColumns =
    "Rename the columns that hold an edge's ends to src and dst, in a view or a subquery."
}
