package io.wreath.spark.planning

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.wreath.CsrBroadcastExchangeExec
import org.apache.spark.sql.execution.{SparkPlan, SparkStrategy}

import io.wreath.spark.execution.{BroadcastWcoJoinExec, WcoJoinDeclinedExec}
import io.wreath.spark.index.CsrBroadcastMode
import io.wreath.spark.logical.{WcoJoin, WcoJoinDeclined}

/**
 * Picks the operator of a [[WcoJoin]]:
 *
 *  1. Broadcast: the index of each relation is built once and sent to every executor. It is the
 *     only way so far; graphs larger than one machine's memory will be a second case here.
 *  1. Where the optimizer declined, Spark's own joins run, under a node that says why.
 */
private[wreath] object WcoJoinStrategy extends SparkStrategy {

  override def apply(plan: LogicalPlan): Seq[SparkPlan] = plan match {
    case j: WcoJoin =>
      val indexes = j.relations.map { relation =>
        CsrBroadcastExchangeExec(
          CsrBroadcastMode(relation.output.head.dataType),
          planLater(relation))
      }
      val join = BroadcastWcoJoinExec(
        j.edges,
        j.variables,
        j.comparisons,
        j.predicates,
        j.order,
        j.output,
        indexes)
      join :: Nil
    case WcoJoinDeclined(reason, child) => WcoJoinDeclinedExec(reason, planLater(child)) :: Nil
    case _ => Nil
  }
}
