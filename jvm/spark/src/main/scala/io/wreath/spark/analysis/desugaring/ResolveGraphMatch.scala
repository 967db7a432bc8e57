package io.wreath.spark.analysis.desugaring

import scala.annotation.tailrec

import org.apache.spark.sql.catalyst.analysis.UnresolvedAttribute
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreeNodeTag
import org.apache.spark.sql.types.StructType

import io.wreath.spark.WreathErrors
import io.wreath.spark.analysis.streams.StreamingMatch
import io.wreath.spark.logical.{
  EdgeTable,
  LogicalPattern,
  PatternTables,
  SharedRows,
  StreamStart,
  TablesOfCall,
  UnresolvedGraphMatch,
  VertexTable
}

/**
 * Turns each GRAPH_TABLE whose edge table is known into ordinary joins, and over a stream into a
 * join of its own.
 */
private[wreath] object ResolveGraphMatch extends Rule[LogicalPlan] {

  override def apply(plan: LogicalPlan): LogicalPlan = plan.resolveOperatorsUp {
    case m: UnresolvedGraphMatch if m.childrenResolved && m.parameters.forall(_.resolved) =>
      val rows = resolve(m.copy(child = AnalysisHelper.allowInvokingTransformsInAnalyzer {
        SharedRows.in(m.child)
      }))
      if (m.clause.columns.isEmpty) rows.setTagValue(HasVertices, ())
      rows
    case m @ UnresolvedGraphMatch(clause, _, _, _) if clause.isCall =>
      m.graph match {
        case tables: PatternTables => refuseMissingColumns(m, tables)
        case _ =>
      }
      m
    case reader: UnaryNode if !reader.resolved =>
      verticesBelow(reader.child).foreach(refuseProperties(reader, _))
      reader
  }

  /** Marks the rows of a clause without COLUMNS: each column is a vertex. */
  private val HasVertices = TreeNodeTag[Unit]("wreath.vertices")

  @tailrec private def verticesBelow(plan: LogicalPlan): Option[LogicalPlan] = plan match {
    case rows if rows.getTagValue(HasVertices).isDefined => Some(rows)
    case _: Filter | _: SubqueryAlias | _: Sort => verticesBelow(plan.children.head)
    case _ => None
  }

  /** Outside the clause `a.name` is a field of column `a`, and Spark would say that it has none. */
  private def refuseProperties(reader: UnaryNode, rows: LogicalPlan): Unit = {
    def isColumn(table: String, name: String): Boolean = reader.child.output.exists(c =>
      conf.resolver(c.name, name) && c.qualifier.lastOption.exists(conf.resolver(_, table)))
    def isVertex(name: String): Boolean = rows.output.exists(c =>
      conf.resolver(c.name, name) && !c.dataType.isInstanceOf[StructType])
    reader.expressions.foreach(_.foreach {
      case a @ UnresolvedAttribute(Seq(variable, property))
          if isVertex(variable) && !isColumn(variable, property) =>
        throw WreathErrors.needsColumns(a.origin, variable, property)
      case _ =>
    })
  }

  private def resolve(m: UnresolvedGraphMatch): LogicalPlan =
    m.child match {
      case StreamStart(changes, snapshot) => overStream(m.copy(child = changes), Some(snapshot))
      case table if table.isStreaming => overStream(m, None)
      case _ =>
        refuseStreamClause(m)
        new PatternJoins(PatternJoins.isOneNode(m)).of(patternOf(m))
    }

  /** Spark would say so too, of tables and of a statement that the user has never seen. */
  private def refuseMissingColumns(m: UnresolvedGraphMatch, tables: PatternTables): Unit =
    for {
      (element, Project(_, table)) <- tables.elements.zip(tables.children) if table.resolved
      end <- element.endColumns if !table.output.exists(c => conf.resolver(c.name, end.text))
    } {
      val (name, wayOut) = element match {
        case _: VertexTable =>
          (
            TablesOfCall.Vertices,
            "Name the column that holds a vertex's key: Graph(edges, vertices, id=…).")
        case _: EdgeTable => (TablesOfCall.Edges, TablesOfCall.NameTheEnds)
      }
      throw WreathErrors.missingColumn(
        m.clause.origin,
        name,
        end.text,
        table.output.map(_.name),
        wayOut)
    }

  private def overStream(
      m: UnresolvedGraphMatch,
      snapshot: Option[LogicalPlan]): LogicalPlan = {
    if (!m.child.isStreaming) refuseStreamClause(m)
    new StreamingMatch(m, snapshot, conf.resolver).of(patternOf(m))
  }

  private def refuseStreamClause(m: UnresolvedGraphMatch): Unit = m.clause.stream.foreach { s =>
    throw WreathErrors.unsupportedFeature(
      s.origin,
      "KEY, EXPIRING or STARTING FROM after a graph that is not a stream",
      "Leave it out: a table has the edges that it has.")
  }

  private def patternOf(m: UnresolvedGraphMatch): LogicalPattern = {
    val all = (m.clause +: m.clause.shorter).map { clause =>
      clause -> new DesugarGraphMatch(m.copy(clause = clause), conf.resolver).pattern
    }
    if (all.size == 1) all.head._2 else new MotifLengths(all).pattern
  }
}
