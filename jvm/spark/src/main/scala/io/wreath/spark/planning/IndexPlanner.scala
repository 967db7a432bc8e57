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
    val asked = new IndexedRelation(relation, keyCount)
    val fingerprint =
      if (SQLConf.get.getConf(WreathConf.INDEX_CACHE_ENABLED)) asked.fingerprint(session)
      else None
    val cache = CsrIndexCache.of(session.sparkContext)
    fingerprint.flatMap(cache.find(_, asked.columns)) match {
      case Some(index) =>
        (asked.mode, CachedCsrIndexExec(asked.mode, relation.output, index))
      case None =>
        val built = fingerprint.flatMap(withKnownColumns(asked, _, cache)).getOrElse(asked)
        val index = fingerprint.map(IndexKey(_, built.recipe))
        val exchange = CsrBroadcastExchangeExec(built.mode, index, planLater(built.plan))
        relation.getTagValue(WcoJoin.TableInWords).foreach(
          exchange.setTagValue(WcoJoin.TableInWords, _))
        (built.mode, exchange)
    }
  }

  /** The index of the keys, whatever columns it has, built now unless it is there. */
  def buildNow(
      relation: IndexedRelation,
      fingerprint: RelationFingerprint,
      session: SparkSession): CsrIndex = {
    val cache = CsrIndexCache.of(session.sparkContext)
    cache.peek(fingerprint, relation.columns).getOrElse {
      val child =
        QueryExecution.prepareExecutedPlan(SparkInternals.classic(session), relation.plan)
      val key = IndexKey(fingerprint, relation.recipe)
      val exchange = CsrBroadcastExchangeExec(relation.mode, Some(key), child)
      val maxBytes = SQLConf.get.getConf(WreathConf.INDEX_MAX_BYTES)
      cache.getOrBuild(fingerprint, relation.columns, maxBytes)(exchange.build())
    }
  }

  /** An index of the same keys is built again with the columns of the old one beside the new. */
  private def withKnownColumns(
      asked: IndexedRelation,
      fingerprint: RelationFingerprint,
      cache: CsrIndexCache): Option[IndexedRelation] =
    cache.recipes(fingerprint).foldLeft(Option.empty[IndexedRelation]) { (widened, recipe) =>
      widened.getOrElse(asked).withColumnsOf(recipe).orElse(widened)
    }
}
