package io.wreath.spark.planning

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.wreath._
import org.apache.spark.sql.execution.{QueryExecution, SparkPlan}
import org.apache.spark.sql.internal.SQLConf

import io.wreath.spark.index._

/** Where a relation's index comes from. */
private[spark] object IndexPlanner {

  /**
   * A leaf where the index is there; else an exchange that builds it when the query runs. With it
   * comes its mode: the columns that are asked for, in their order, and maybe others.
   *
   * @param relation its keys first, then the columns that are read beside them
   * @param keyCount 2 for edges, 1 for vertices
   * @param planLater plans the relation itself, should it have to be read
   */
  def plan(
      relation: LogicalPlan,
      keyCount: Int,
      session: SparkSession,
      planLater: LogicalPlan => SparkPlan): (CsrBroadcastMode, SparkPlan) = {
    val mode = modeOf(relation, keyCount)
    val fingerprint =
      if (SQLConf.get.getConf(WreathConf.INDEX_CACHE_ENABLED)) {
        RelationFingerprint.of(relation, session)
      } else {
        None
      }
    val index = fingerprint.flatMap(CsrIndexCache.of(session.sparkContext).find) match {
      case Some(index) => CachedCsrIndexExec(mode, relation.output, index)
      case None => CsrBroadcastExchangeExec(mode, fingerprint, planLater(relation))
    }
    (mode, index)
  }

  /** The index itself, built now unless it is there. */
  def buildNow(
      relation: LogicalPlan,
      keyCount: Int,
      fingerprint: RelationFingerprint,
      session: SparkSession): CsrIndex = {
    val cache = CsrIndexCache.of(session.sparkContext)
    cache.peek(fingerprint).getOrElse {
      val child = QueryExecution.prepareExecutedPlan(SparkInternals.classic(session), relation)
      val exchange =
        CsrBroadcastExchangeExec(modeOf(relation, keyCount), Some(fingerprint), child)
      val maxBytes = SQLConf.get.getConf(WreathConf.INDEX_MAX_BYTES)
      cache.getOrBuild(fingerprint, maxBytes)(exchange.build())
    }
  }

  private def modeOf(relation: LogicalPlan, keyCount: Int): CsrBroadcastMode =
    CsrBroadcastMode(
      relation.output.take(keyCount).map(_.dataType),
      relation.output.drop(keyCount).map(a => IndexedColumn(a.name, a.dataType)))
}
