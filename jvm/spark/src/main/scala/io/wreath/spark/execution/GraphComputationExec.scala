package io.wreath.spark.execution

import java.util.concurrent.TimeUnit

import scala.collection.immutable.ListMap

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeSet}
import org.apache.spark.sql.catalyst.plans.physical.{BroadcastDistribution, Distribution}
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.metric.{SQLMetric, SQLMetrics}
import org.apache.spark.sql.execution.wreath.CsrBroadcastExchangeExec

import io.wreath.spark.WreathErrors
import io.wreath.spark.index.{CsrBroadcastMode, JoinSpaceCache}
import io.wreath.spark.logical.VertexValue

/**
 * Computes a value for each vertex, in one task, over the indexes that every executor holds.
 *
 * @param modes how each child is indexed: the edges, then the vertices if there is a table of them
 */
final private[wreath] case class GraphComputationExec(
    value: VertexValue,
    modes: Seq[CsrBroadcastMode],
    output: Seq[Attribute],
    children: Seq[SparkPlan])
    extends SparkPlan {

  override def nodeName: String = "GraphComputation"

  override def producedAttributes: AttributeSet = AttributeSet(output)

  override lazy val references: AttributeSet = AttributeSet(children.flatMap(_.output))

  override def requiredChildDistribution: Seq[Distribution] = modes.map(BroadcastDistribution(_))

  override lazy val metrics: Map[String, SQLMetric] = ListMap(
    "numOutputRows" -> SQLMetrics.createMetric(sparkContext, "number of output rows"),
    "computeTime" -> SQLMetrics.createTimingMetric(sparkContext, "time to compute"))

  override protected def doExecute(): RDD[InternalRow] = {
    val relations = children.map { child =>
      CsrBroadcastExchangeExec.relation(child)
        .fold(refusal => throw WreathErrors.needsIndex(value.function, refusal.reason), identity)
    }
    val space =
      JoinSpaceCache.get(
        sparkContext,
        relations.toIndexedSeq,
        modes.toIndexedSeq,
        computes = false)
    val (rows, time) = (longMetric("numOutputRows"), longMetric("computeTime"))
    val (computed, tpe) = (value, output.head.dataType)
    sparkContext.parallelize(Seq(0), 1).mapPartitions { _ =>
      val start = System.nanoTime()
      val values = new VertexValues(computed, space.fold(identity, _.value), tpe)
      time += TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start)
      values.rows.map { row =>
        rows += 1
        row
      }
    }
  }

  override def simpleString(maxFields: Int): String = s"$nodeName $text"

  override def verboseStringWithOperatorId(): String =
    s"""
       |$formattedNodeName
       |Output: ${output.mkString("[", ", ", "]")}
       |Computed: $text
       |""".stripMargin

  private def text: String = value match {
    case VertexValue.Component => "components, by Afforest"
    case VertexValue.Itself => "the vertices"
    case VertexValue.Rank(damping, iterations) =>
      s"PageRank, damping $damping, $iterations iterations"
  }

  override protected def withNewChildrenInternal(
      newChildren: IndexedSeq[SparkPlan]): GraphComputationExec = copy(children = newChildren)
}
