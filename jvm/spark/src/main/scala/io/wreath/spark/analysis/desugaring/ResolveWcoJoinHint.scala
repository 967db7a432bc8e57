package io.wreath.spark.analysis.desugaring

import java.util.Locale

import org.apache.spark.sql.catalyst.analysis.UnresolvedAttribute
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, UnresolvedHint}
import org.apache.spark.sql.catalyst.rules.Rule

import io.wreath.spark.logical.{MatchHints, UnresolvedGraphMatch}

/**
 * Hands `WCO_JOIN(b, a, c)` (bind these variables first, in this order) and `NO_WCO_JOIN` to the
 * GRAPH_TABLEs below them. A hint with none below is left, and Spark warns of it as of any other.
 */
private[wreath] object ResolveWcoJoinHint extends Rule[LogicalPlan] {

  override def apply(plan: LogicalPlan): LogicalPlan = plan.resolveOperatorsUp {
    case h @ UnresolvedHint(name, parameters, child) if child.exists(isMatch) =>
      name.toUpperCase(Locale.ROOT) match {
        case "WCO_JOIN" => hand(child, MatchHints(order = parameters.map(variable)))
        case "NO_WCO_JOIN" => hand(child, MatchHints(declined = true))
        case _ => h
      }
  }

  private def isMatch(plan: LogicalPlan): Boolean = plan.isInstanceOf[UnresolvedGraphMatch]

  private def hand(plan: LogicalPlan, hints: MatchHints): LogicalPlan = plan.resolveOperatorsUp {
    case m: UnresolvedGraphMatch => m.copy(hints = hints)
  }

  private def variable(parameter: Any): String = parameter match {
    case a: UnresolvedAttribute => a.nameParts.mkString(".")
    case other => other.toString
  }
}
