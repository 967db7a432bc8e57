package io.wreath.spark.planning

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.logical.{
  Aggregate,
  LogicalPlan,
  Repartition,
  RepartitionByExpression
}
import org.apache.spark.sql.catalyst.plans.physical.HashPartitioning
import org.apache.spark.sql.execution.exchange.{REPARTITION_BY_NUM, ShuffleExchangeExec}
import org.apache.spark.sql.execution.wreath.WreathConf
import org.apache.spark.sql.execution.{SparkPlan, SparkStrategy}
import org.apache.spark.sql.internal.SQLConf

import io.wreath.spark.WreathErrors
import io.wreath.spark.execution.paths.{PathMethod, PathSearchExec}
import io.wreath.spark.index.RelationPlan
import io.wreath.spark.logical.{PathSearch, PathSelector, WcoJoin}

/** Plans a [[PathSearch]] over the indexes that patterns over the same edges use. */
final private[wreath] case class PathSearchStrategy(session: SparkSession) extends SparkStrategy {

  override def apply(plan: LogicalPlan): Seq[SparkPlan] = plan match {
    case search: PathSearch => planned(search) :: Nil
    case _ => Nil
  }

  private def planned(search: PathSearch): SparkPlan = {
    if (!SQLConf.get.getConf(WreathConf.ENABLED)) {
      throw WreathErrors.unsupportedFeature(
        search.origin,
        s"A search for paths while ${WreathConf.ENABLED.key} is false",
        "Spark has nothing to run it by: set it to true.")
    }
    val (method, route) = PathMethod.of(search).fold(
      { case (feature, wayOut) =>
        throw WreathErrors.unsupportedFeature(search.origin, feature, wayOut)
      },
      identity)
    val relations = search.edges.map((_, 2)) ++ search.vertices.map((_, 1))
    val (modes, indexes) = relations.zip(search.said).map { case ((table, keys), said) =>
      // The form that NarrowPathSearch has made, unless Spark has changed it since.
      val plan = RelationPlan(table.output, table)
      val relation = if (plan == table) table else plan
      relation.setTagValue(WcoJoin.TableInWords, said)
      IndexPlanner.plan(relation, keys, session, planLater)
    }.unzip
    val isCollected = isSmall(search.child)
    val child = planLater(distinctWithin(search, isCollected))
    val cost = search.selector match {
      case PathSelector.Cheapest(_) => search.steps.head.cost
      case _ => None
    }
    PathSearchExec(
      search.source,
      search.target,
      route,
      search.mode,
      search.selector,
      cost,
      search.columns,
      method,
      search.edges.map(_.output),
      modes,
      search.said,
      isCollected,
      if (isCollected || isDistinct(search)) child else bySource(search, child),
      indexes)
  }

  /** Rows of one source to one task; by a number that AQE leaves alone, for few rows can be much work. */
  private def bySource(search: PathSearch, child: SparkPlan): SparkPlan =
    ShuffleExchangeExec(HashPartitioning(Seq(search.source), tasks), child, REPARTITION_BY_NUM)

  private def tasks: Int =
    session.sparkContext.defaultParallelism * PathSearchStrategy.TasksACore

  /** Whether nothing is done to the child's rows but to make them distinct, by their source among others. */
  private def isDistinct(search: PathSearch): Boolean = search.child match {
    case a: Aggregate =>
      val by = a.groupingExpressions
      by.contains(search.source) && by.forall(_.isInstanceOf[Attribute]) &&
      a.aggregateExpressions.forall(by.contains)
    case _ => false
  }

  /**
   * The child, whose distinct rows are made where they are needed. Else Spark would shuffle them once more for that, into
   * as many parts as it is set to, and could not make fewer of them, for the index beside is no stage.
   */
  private def distinctWithin(search: PathSearch, isCollected: Boolean): LogicalPlan =
    if (!isDistinct(search)) search.child
    else {
      val rows = search.child.children.head
      val parted =
        if (isCollected) Repartition(1, shuffle = true, rows)
        else RepartitionByExpression(Seq(search.source), rows, tasks)
      search.child.withNewChildren(Seq(parted))
    }

  private def isSmall(child: LogicalPlan): Boolean =
    child.maxRows.exists(_ <= PathSearchStrategy.MostRows) ||
      child.stats.sizeInBytes <= PathSearchStrategy.MostBytes
}

private[wreath] object PathSearchStrategy {

  final private val TasksACore = 4

  /** What the driver deals to tasks itself: more than that is shuffled. */
  final private val MostRows = 1L << 16
  final private val MostBytes = 1L << 21
}
