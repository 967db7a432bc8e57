package io.wreath.spark.execution

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.physical.{BroadcastDistribution, Distribution}
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.metric.{SQLMetric, SQLMetrics}
import org.apache.spark.sql.execution.wreath.{CsrBroadcastExchangeExec, WreathConf}

import io.wreath.kernel.join.JoinProgram
import io.wreath.kernel.partition.WorkSplitter
import io.wreath.pattern._
import io.wreath.spark.index.{CsrBroadcastMode, CsrRelation}
import io.wreath.spark.logical.WcoJoin

/**
 * Joins a pattern over an index that every executor holds.
 *
 * {{{
 *   driver    index's statistics --> variable order --> JoinProgram
 *             degrees            --> morsels of about equal cost, several per core
 *   task i    morsel i: GenericJoin binds variable by variable, each binding is a row
 * }}}
 * The order is fixed here and not at planning time, because the statistics exist only once the
 * index does. A morsel is a range of the first variable's vertices, so tasks share nothing, and
 * Spark's retries and speculation work on them as on any other task. A binding whose edges occur
 * several times is that many rows.
 *
 * @param edges the pattern, over `variables` by number
 * @param order variables that the user wants bound first; the others follow as the planner thinks
 * @param counted where rows are only counted: each task returns one row, their number
 * @param output the variables that are read above, each once, or the number of rows
 */
final private[wreath] case class BroadcastWcoJoinExec(
    edges: Seq[PatternEdge],
    variables: Seq[Attribute],
    comparisons: Seq[Comparison],
    predicates: Seq[Expression],
    order: Seq[Int],
    counted: Option[Attribute],
    output: Seq[Attribute],
    children: Seq[SparkPlan])
    extends SparkPlan {

  override def nodeName: String = "BroadcastWcoJoin"

  override def producedAttributes: AttributeSet = AttributeSet(variables ++ counted)

  override lazy val metrics: Map[String, SQLMetric] = Map(
    "numOutputRows" -> SQLMetrics.createMetric(sparkContext, "number of output rows"),
    "elementsTouched" -> SQLMetrics.createMetric(sparkContext, "list elements touched"))

  override def requiredChildDistribution: Seq[Distribution] =
    children.map(c => BroadcastDistribution(CsrBroadcastMode(c.output.map(_.dataType), Nil)))

  override protected def doExecute(): RDD[InternalRow] = {
    val relation = CsrBroadcastExchangeExec.relation(children.head)
    val program = compile(relation.value)
    val morsels = WorkSplitter.split(program, Array(relation.value.graph), morselCount)
    val evaluator = new WcoJoinEvaluator(
      relation,
      program,
      variables,
      predicates,
      if (counted.isDefined) None else Some(output),
      longMetric("numOutputRows"),
      longMetric("elementsTouched"))
    sparkContext
      .parallelize(morsels.toIndexedSeq, math.max(1, morsels.length))
      .mapPartitionsWithIndex((i, assigned) => assigned.flatMap(evaluator.run(i, _)))
  }

  private def morselCount: Int =
    sparkContext.defaultParallelism * conf.getConf(WreathConf.MORSELS_PER_CORE)

  private def compile(relation: CsrRelation): JoinProgram = {
    val pattern =
      GraphPattern(variables.size, edges.toIndexedSeq, comparisons.toIndexedSeq)
    val first = if (order.nonEmpty) order else anchors
    val statistics = PatternStatistics.of(Array(relation.graph))
    JoinProgram.compile(
      pattern,
      VariableOrderPlanner.choose(pattern, statistics, first.toIndexedSeq))
  }

  /** Variables that a condition pins to one vertex: whatever else they cost, they come first. */
  private def anchors: Seq[Int] = variables.indices.filter { v =>
    predicates.exists {
      case EqualTo(a: Attribute, _: Literal) => a.exprId == variables(v).exprId
      case EqualTo(_: Literal, a: Attribute) => a.exprId == variables(v).exprId
      case _ => false
    }
  }

  private def orderText: String = {
    val hinted = order.map(variables(_).name).mkString(", ")
    if (order.isEmpty && anchors.nonEmpty) {
      s"order ${anchors.map(variables(_).name).mkString(", ")}, then from the index's statistics"
    } else if (order.isEmpty) "order from the index's statistics"
    else if (order.size == variables.size) s"order $hinted (hinted)"
    else s"order $hinted (hinted), then from the index's statistics"
  }

  private def conditionTexts: Seq[String] =
    comparisons.map { c =>
      val op = c.op match {
        case ComparisonOp.Less => "<"
        case ComparisonOp.LessOrEqual => "<="
        case ComparisonOp.NotEqual => "<>"
        case ComparisonOp.Equal => "="
      }
      s"${variables(c.left).name} $op ${variables(c.right).name}"
    } ++ predicates.map(_.toString)

  private def argumentText: String = {
    val conditions =
      if (conditionTexts.isEmpty) "" else conditionTexts.mkString(", where [", ", ", "]")
    val count = if (counted.isDefined) ", counted" else ""
    s"${WcoJoin.describe(edges, variables)}$conditions$count, $orderText"
  }

  override def simpleString(maxFields: Int): String = s"$nodeName $argumentText"

  override def verboseStringWithOperatorId(): String =
    s"""
       |$formattedNodeName
       |Output: ${output.mkString("[", ", ", "]")}
       |Pattern: $argumentText
       |""".stripMargin

  override protected def withNewChildrenInternal(
      newChildren: IndexedSeq[SparkPlan]): BroadcastWcoJoinExec = copy(children = newChildren)
}
