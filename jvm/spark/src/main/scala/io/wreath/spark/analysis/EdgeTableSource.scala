package io.wreath.spark.analysis

import org.apache.spark.sql.catalyst.analysis.{Resolver, TypeCoercion}
import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, Cast, Expression, RowOrdering}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Project}

import io.wreath.spark.WreathErrors
import io.wreath.spark.logical.{MatchClause, MatchEdge, MatchMark}

/** Any table with columns src and dst: a graph of one kind of edges, whose vertices are ids. */
final private[analysis] class EdgeTableSource(
    table: LogicalPlan,
    clause: MatchClause,
    pattern: FlatPattern,
    resolver: Resolver)
    extends PatternSource {

  {
    val labels = pattern.vertices.flatMap(_.mentions).map(v => v.label -> v.origin) ++
      pattern.edges.map(e => e.pattern.label -> e.pattern.origin)
    labels.collectFirst { case (Some(label), at) =>
      throw WreathErrors.unknownLabel(at, clause.graph, label, Nil)
    }
    pattern.vertices
      .find(v => !pattern.edges.exists(e => e.source == v.name || e.target == v.name))
      .foreach { v =>
        throw WreathErrors.unsupportedFeature(
          v.origin,
          "a pattern of a single vertex over a table of edges",
          "Add an edge, or create a property graph with a vertex table.")
      }
  }

  override def vertex(i: Int, mark: MatchMark): Option[ElementScan] = None

  override def keyParts(i: Int): Seq[String] = Nil

  /**
   * The edge table once more, with columns of its own: source and target come first, then what is
   * not one of them already.
   */
  override def edge(i: Int, mark: MatchMark): ElementScan = {
    val others = table.output.filterNot(c => isEnd(c, sourceKey) || isEnd(c, targetKey))
    val columns =
      Project(
        Alias(sourceKey, "src")() +: Alias(targetKey, "dst")() +:
          others.map(c => Alias(c, c.name)()),
        table)
    val scan = MatchEdge(mark, columns.output(0), columns.output(1), columns)
    // An end that was widened to the other's type is still there as the table has it.
    val (ends, rest) = scan.output.splitAt(2)
    val properties = ends.filterNot(e => rest.exists(o => resolver(o.name, e.name))) ++ rest
    ElementScan(scan, properties.map(c => c.name -> c))
  }

  private def isEnd(column: Attribute, key: Expression): Boolean = key match {
    case a: Attribute => a.exprId == column.exprId
    case _ => false
  }

  private lazy val (sourceKey, targetKey) = {
    val source = keyColumn("src")
    val target = keyColumn("dst")
    val common = TypeCoercion
      .findTightestCommonType(source.dataType, target.dataType)
      .getOrElse(
        throw WreathErrors.keyTypeMismatch(
          clause.origin,
          clause.graph,
          source.dataType,
          target.dataType))
    def as(c: Attribute): Expression = if (c.dataType == common) c else Cast(c, common)
    (as(source), as(target))
  }

  private def keyColumn(name: String): Attribute = {
    val column = table.output
      .find(c => resolver(c.name, name))
      .getOrElse(
        throw WreathErrors.missingColumn(
          clause.origin,
          clause.graph,
          name,
          table.output.map(_.name)))
    if (!RowOrdering.isOrderable(column.dataType)) {
      throw WreathErrors.unsupportedKeyType(clause.origin, clause.graph, name, column.dataType)
    }
    column
  }
}
