package io.wreath.spark.planning

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.wreath._
import org.apache.spark.sql.execution.{QueryExecution, SparkPlan}
import org.apache.spark.sql.internal.SQLConf

import io.wreath.spark.index._
import io.wreath.spark.logical.WcoJoin

/** Where a relation's index comes from. */
private[spark] object IndexPlanner {

  /**
   * A leaf where the index is there; else an exchange that builds it when the query runs. With it
   * comes its mode: the columns that are asked for, in their order.
   *
   * The exchange reads `relation` itself, and no plan made here: AQE finds what a finished stage
   * stands for by the very node that it was planned from. One that is in no logical plan is planned
   * and run again whenever AQE plans again, without end.
   *
   * @param relation its keys first, then the columns that are read beside them
   * @param keyCount 2 for edges, 1 for vertices
   * @param planLater plans the relation itself, should it have to be read
   * @param isAsked whether somebody wrote a pattern
   */
  def plan(
      relation: LogicalPlan,
      keyCount: Int,
      session: SparkSession,
      planLater: LogicalPlan => SparkPlan,
      isAsked: Boolean = true): (CsrBroadcastMode, SparkPlan) = {
    val wanted = new IndexedRelation(relation, keyCount)
    val fingerprint =
      if (SQLConf.get.getConf(WreathConf.INDEX_CACHE_ENABLED)) wanted.fingerprint(session)
      else None
    val cache = CsrIndexCache.of(session.sparkContext)
    fingerprint.flatMap(cache.find(_, wanted.columns)) match {
      case Some(index) =>
        (wanted.mode, CachedCsrIndexExec(wanted.mode, relation.output, index))
      case None =>
        val exchange =
          CsrBroadcastExchangeExec(wanted.mode, fingerprint, planLater(relation), isAsked)
        relation.getTagValue(WcoJoin.TableInWords).foreach(
          exchange.setTagValue(WcoJoin.TableInWords, _))
        (wanted.mode, exchange)
    }
  }

  /** An index with these columns, and maybe others, built and pinned now unless it is there. */
  def buildNow(
      relation: IndexedRelation,
      fingerprint: RelationFingerprint,
      session: SparkSession): CsrIndex = {
    val cache = CsrIndexCache.of(session.sparkContext)
    cache.peek(fingerprint, relation.columns).getOrElse {
      val child =
        QueryExecution.prepareExecutedPlan(SparkInternals.classic(session), relation.plan)
      val exchange = CsrBroadcastExchangeExec(relation.mode, Some(fingerprint), child)
      exchange.getOrBuild(pinned = true)
    }
  }
}
