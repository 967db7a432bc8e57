package io.wreath.spark.analysis.desugaring

import java.util.Locale

import org.apache.spark.sql.catalyst.analysis.UnresolvedAttribute
import org.apache.spark.sql.catalyst.expressions.{And, Expression}
import org.apache.spark.sql.catalyst.plans.InnerLike
import org.apache.spark.sql.catalyst.plans.logical.{
  AnalysisHelper,
  Join,
  LogicalPlan,
  UnresolvedHint
}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.wreath.WreathConf

import io.wreath.spark.logical.{JoinsWish, MatchHints, UnresolvedGraphMatch}

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

/**
 * Tells the same to joins that were not written as a pattern, once they are resolved. Their columns are not
 * variables, so that an order is not asked of them.
 */
private[wreath] object ResolvePlainJoinHint extends Rule[LogicalPlan] {

  override def apply(plan: LogicalPlan): LogicalPlan =
    if (!WreathConf.mayRewriteJoins(conf)) plan
    else
      plan.resolveOperatorsUp {
        case h @ UnresolvedHint(name, _, child) if child.resolved =>
          name.toUpperCase(Locale.ROOT) match {
            case "WCO_JOIN" => told(child, JoinsWish(isWanted = true))
            case "NO_WCO_JOIN" => told(child, JoinsWish(isWanted = false))
            case _ => h
          }
      }

  /** All joins below: also those of a DataFrame, which are analyzed already. */
  private def told(plan: LogicalPlan, wish: JoinsWish): LogicalPlan =
    AnalysisHelper.allowInvokingTransformsInAnalyzer {
      plan.transform {
        case j: Join if j.joinType.isInstanceOf[InnerLike] =>
          j.copy(condition = Some(j.condition.fold[Expression](wish)(And(_, wish))))
      }
    }
}
