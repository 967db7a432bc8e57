package io.wreath.spark.planning

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan}
import org.apache.spark.sql.execution.wreath.WreathConf
import org.apache.spark.sql.execution.{SparkPlan, SparkStrategy}
import org.apache.spark.sql.internal.SQLConf

import io.wreath.spark.execution.{BroadcastWcoJoinExec, WcoJoinDeclinedExec}
import io.wreath.spark.logical.{WcoJoin, WcoJoinDeclined}

/**
 * Picks the operator of a [[WcoJoin]]:
 *
 *  1. Broadcast: the index of each relation is taken from [[CsrIndexCache]] if an earlier query
 *     built it, else built when the query runs and sent to every executor. It is the only way so
 *     far; graphs larger than one machine's memory will be a second case here.
 *  1. Where the optimizer declined, Spark's own joins run, under a node that says why; those that
 *     were not written as a pattern, just as they would without it.
 */
final private[wreath] case class WcoJoinStrategy(session: SparkSession) extends SparkStrategy {

  override def apply(plan: LogicalPlan): Seq[SparkPlan] = plan match {
    case j: WcoJoin =>
      val (modes, indexes) = j.relations.zipWithIndex.map { case (relation, r) =>
        IndexPlanner.plan(relation, j.keyCount(r), session, planLater, j.isAsked)
      }.unzip
      val join = BroadcastWcoJoinExec(
        j.patterns,
        j.lengths,
        j.goal,
        j.asJoins,
        modes,
        j.output,
        indexes)
      join :: Nil
    case WcoJoinDeclined(reason, isWish, child) =>
      WcoJoinDeclinedExec(reason, isWish, planLater(child)) :: Nil
    case join: Join if WreathConf.mayRewriteJoins(SQLConf.get) =>
      WcoJoin.Declined.of(join).toSeq.map { reason =>
        // Without the tag, or it would be planned like this for ever.
        WcoJoinDeclinedExec(reason, isWish = true, planLater(join.copy()))
      }
    case _ => Nil
  }
}
