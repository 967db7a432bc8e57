package io.wreath.spark.analysis.desugaring

import org.apache.spark.sql.catalyst.plans.logical.{AnalysisHelper, LogicalPlan, Project}
import org.apache.spark.sql.catalyst.rules.Rule

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
      resolve(m.copy(child = AnalysisHelper.allowInvokingTransformsInAnalyzer {
        SharedRows.in(m.child)
      }))
    case m @ UnresolvedGraphMatch(clause, _, _, _) if clause.isCall =>
      m.graph match {
        case tables: PatternTables => refuseMissingColumns(m, tables)
        case _ =>
      }
      m
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
