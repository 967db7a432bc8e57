package io.wreath.spark.optimizer

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.wreath.WreathConf
import org.apache.spark.sql.internal.SQLConf

import io.wreath.spark.WreathErrors
import io.wreath.spark.logical.{MatchHints, WcoJoin, WcoJoinDeclined}

/** Whether a pattern is to be a [[WcoJoin]], and what happens where it cannot be. */
private[optimizer] object JoinDecision {

  private val Hinted = "the query has the hint NO_WCO_JOIN"

  /** Whether every pattern is to be joined by index, whatever that costs. */
  def isForced: Boolean = mode == "broadcast"

  /** Whether joins that were not written as a pattern may become one. */
  def mayRewrite: Boolean = WreathConf.mayRewriteJoins(SQLConf.get)

  /** Why the user does not want one, if so. */
  def unwanted(hints: Seq[MatchHints]): Option[String] =
    if (mode == "binary") Some(s"${WreathConf.JOIN_MODE.key} is 'binary'")
    else if (hints.exists(_.declined)) Some(Hinted)
    else None

  /** Who asks for the join by name gets it, or hears from the build that it does not fit. */
  def tooLarge(join: WcoJoin): Option[String] =
    if (isForced) None
    else {
      join.relations.indices
        .flatMap(r => IndexEstimate.reasonAgainst(join.relations(r), join.keyCount(r)))
        .headOption
    }

  def decline(joins: LogicalPlan, reason: String): LogicalPlan = {
    if (isForced) throw WreathErrors.cannotUseWcoJoin("broadcast", reason)
    WcoJoinDeclined(reason, isWish = mode == "binary" || reason == Hinted, joins)
  }

  private def mode: String = SQLConf.get.getConf(WreathConf.JOIN_MODE)
}
