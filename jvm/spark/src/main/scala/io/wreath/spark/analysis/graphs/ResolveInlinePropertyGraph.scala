package io.wreath.spark.analysis.graphs

import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.AlwaysProcess

import io.wreath.spark.WreathErrors
import io.wreath.spark.logical.{MatchOver, UnresolvedGraphMatch, UnresolvedPropertyGraph}

/**
 * Hands the tables of each `WITH g AS PROPERTY GRAPH (…)` to the patterns over g, and removes it.
 *
 * Spark has put references to g where g is known by then, as it does with any name of a WITH.
 */
private[wreath] object ResolveInlinePropertyGraph extends Rule[LogicalPlan] {

  override def apply(plan: LogicalPlan): LogicalPlan =
    if (!hasGraph(plan)) {
      plan
    } else {
      val graphs = plan
        .collectWithSubqueries { case w: WithCTE => w.cteDefs }
        .flatten
        .flatMap(d => GraphQuery.unapply(d.child).map { case (_, g) => d.id -> checked(g) })
        .toMap
      val bound = plan.resolveOperatorsUpWithSubqueriesAndPruning(AlwaysProcess.fn) {
        case m @ MatchOver(SubqueryAlias(name, ref: CTERelationRef))
            if graphs.contains(ref.cteId) =>
          BindElementTables(m, nameOf(m, name.name), graphs(ref.cteId), conf.resolver)
        // Where Spark writes the definition itself in the place of a name.
        case m @ MatchOver(GraphQuery(name, graph)) =>
          BindElementTables(m, nameOf(m, name), checked(graph), conf.resolver)
        case WithCTE(child, definitions) if definitions.exists(d => graphs.contains(d.id)) =>
          val others = definitions.filterNot(d => graphs.contains(d.id))
          if (others.isEmpty) child else WithCTE(child, others)
      }
      bound.foreachWithSubqueries {
        case ref: CTERelationRef if graphs.contains(ref.cteId) => refuse(ref)
        case graph: UnresolvedPropertyGraph => refuse(graph)
        case _ =>
      }
      bound
    }

  /** For messages. */
  private def nameOf(m: UnresolvedGraphMatch, name: String): String =
    if (m.clause.isCall) m.clause.graph else name

  private def hasGraph(plan: LogicalPlan): Boolean = {
    var found = false
    plan.foreachWithSubqueries {
      case _: UnresolvedPropertyGraph => found = true
      case _ =>
    }
    found
  }

  private def checked(graph: UnresolvedPropertyGraph): UnresolvedPropertyGraph =
    graph.copy(graph = new CheckPropertyGraph(graph.graph, conf.resolver).checked)

  private def refuse(at: LogicalPlan): Nothing =
    throw WreathErrors.unsupportedFeature(
      at.origin,
      "a property graph as a table",
      "Match over it with GRAPH_TABLE.")

  /** `g AS (SELECT * FROM <graph>)`, as the parser writes it. */
  private object GraphQuery {
    def unapply(plan: LogicalPlan): Option[(String, UnresolvedPropertyGraph)] = plan match {
      case SubqueryAlias(name, Project(_, graph: UnresolvedPropertyGraph)) =>
        Some(name.name -> graph)
      case _ => None
    }
  }
}
