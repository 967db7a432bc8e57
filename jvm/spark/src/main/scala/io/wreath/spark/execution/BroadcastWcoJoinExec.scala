package io.wreath.spark.execution

import org.apache.spark.broadcast.Broadcast
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeSet, Expression}
import org.apache.spark.sql.catalyst.plans.physical.{BroadcastDistribution, Distribution}
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.metric.SQLMetric
import org.apache.spark.sql.execution.wreath.{
  CsrBroadcastExchangeExec,
  IndexRefusal,
  SparkInternals,
  WreathConf
}

import io.wreath.kernel.partition.WorkSplitter
import io.wreath.pattern.{Comparison, ComparisonOp}
import io.wreath.spark.index.{CsrBroadcastMode, CsrRelation, JoinSpaceCache}
import io.wreath.spark.logical.{AtomColumn, JoinAtom, JoinGoal, SparksJoins, WcoJoin}

/**
 * Joins a pattern over indexes that every executor holds.
 *
 * {{{
 *   driver    indexes                 --> one code space for ends that meet   (JoinSpace)
 *             conditions              --> ranges and bits of codes, filtered lists
 *             statistics and these    --> variable order --> JoinProgram      (JoinPreparation)
 *             degrees                 --> tasks of about equal cost       (WorkSplitter)
 *   task      its morsels: GenericJoin binds variable by variable; a binding is a row, or several
 *             where it stands for parallel edges. Columns of elements are read only now
 * }}}
 * The order is fixed here and not at planning time, because the statistics exist only once the
 * index does. Morsels are ranges of the first variable's vertices, so tasks share nothing, and
 * Spark's retries and speculation work on them as on any other task.
 *
 * @param atoms the pattern, over `variables` by number; relations are `children` by number
 * @param columns of elements that predicates or the output read
 * @param order variables that the user wants bound first; the others follow as the planner thinks
 * @param goal whether rows are asked for, or only their number or whether there are any
 * @param asJoins the same rows by Spark's joins
 * @param modes how each child is indexed
 * @param output the variables and columns that are read above, or the number of rows
 * @param isDirect whether rows leave without generated code, see [[WriteRowsDirectly]]
 */
final private[wreath] case class BroadcastWcoJoinExec(
    atoms: Seq[JoinAtom],
    variables: Seq[Attribute],
    columns: Seq[AtomColumn],
    comparisons: Seq[Comparison],
    predicates: Seq[Expression],
    order: Seq[Int],
    goal: JoinGoal,
    @transient asJoins: SparksJoins,
    modes: Seq[CsrBroadcastMode],
    output: Seq[Attribute],
    children: Seq[SparkPlan],
    isDirect: Boolean = false)
    extends SparkPlan
    with WcoJoinCodegen {

  override def nodeName: String = "BroadcastWcoJoin"

  override def producedAttributes: AttributeSet =
    AttributeSet(variables ++ columns.map(_.column) ++ goal.produced)

  override lazy val references: AttributeSet = AttributeSet(children.flatMap(_.output))

  override lazy val metrics: Map[String, SQLMetric] =
    JoinMetrics.define(sparkContext, variables.size)

  override def requiredChildDistribution: Seq[Distribution] = modes.map(BroadcastDistribution(_))

  /** Why Spark's joins ran in place of this one; known once it has run. */
  @transient
  @volatile
  private var refusal: Option[IndexRefusal] = None

  /** The order in which variables are bound; known once it has run. */
  @transient
  @volatile
  private var decided: Option[Seq[Int]] = None

  /** Whether vertices were taken by degree; known once it has run. */
  @transient
  @volatile
  private var isByDegree = false

  /** The join, ready to run, or the rows of Spark's joins where an index would not fit. */
  @transient
  private[execution] lazy val work: Either[RDD[InternalRow], WcoJoinWork] = {
    val (refused, relations) =
      children.map(CsrBroadcastExchangeExec.relation).partitionMap(identity)
    refusal = refused.headOption
    if (refusal.isDefined) Left(rowsOfJoins()) else Right(prepare(relations.toIndexedSeq))
  }

  override protected def doExecute(): RDD[InternalRow] =
    work.fold(identity, _.rows(sparkContext, rowsAreOfFixedWidth))

  /** Planned only now, for it is needed hardly ever. */
  private def rowsOfJoins(): RDD[InternalRow] = {
    logWarning(s"WcoJoin not used: ${refusal.get.reason}")
    SparkInternals.executedPlan(session, asJoins.plan).execute()
  }

  private def prepare(relations: IndexedSeq[Broadcast[CsrRelation]]): WcoJoinWork = {
    val space = JoinSpaceCache.get(
      sparkContext,
      relations,
      modes.toIndexedSeq,
      computes = atoms.exists(_.isUndirected))
    val elements = JoinElements(atoms, variables, columns, modes)
    val read = output.filterNot(o => goal.produced.exists(_.exprId == o.exprId))
    val prepared =
      new JoinPreparation(elements, space, comparisons, goal, read, order).prepare(predicates)
    decided = Some(prepared.order)
    val input = prepared.input
    isByDegree = input.isByDegree
    val cores = sparkContext.defaultParallelism
    val tasks =
      WorkSplitter.split(
        prepared.program,
        input.graphs,
        cores * conf.getConf(WreathConf.MORSELS_PER_CORE),
        input.domains,
        cores,
        conf.getConf(WreathConf.MORSEL_MIN_ELEMENTS).toDouble)
    val evaluator = new WcoJoinEvaluator(
      elements,
      // A task's own closure is read by every task anew.
      if (input.isHeavy) Right(sparkContext.broadcast(input)) else Left(input),
      prepared,
      goal,
      read,
      JoinMetrics.of(this, variables.size))
    new WcoJoinWork(evaluator, prepared, tasks)
  }

  /** Before it runs, what is known of the order; after it, how often each variable was bound. */
  private def orderText: String = {
    val hinted = order.map(variables(_).name).mkString(", ")
    if (decided.isDefined) {
      decided.get.zipWithIndex
        .map { case (v, l) =>
          val times = metrics(JoinMetrics.level(l)).value
          variables(v).name + (if (times > 0) f" ($times%,d)" else "")
        }
        .mkString("bound ", ", ", if (isByDegree) ", vertices by degree" else "")
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
    s"${WcoJoin.describeAtoms(atoms, variables)}$conditions${goal.text(output)}, $orderText"
  }

  /** Where the index did not fit, what EXPLAIN shows after the query has run. */
  private def refusalText: String =
    refusal.map(r => s", not used: ${r.reason} Spark's joins ran in its place").getOrElse("")

  override def simpleString(maxFields: Int): String = s"$nodeName $argumentText$refusalText"

  override def verboseStringWithOperatorId(): String =
    s"""
       |$formattedNodeName
       |Output: ${output.mkString("[", ", ", "]")}
       |Pattern: $argumentText$refusalText
       |""".stripMargin

  override protected def withNewChildrenInternal(
      newChildren: IndexedSeq[SparkPlan]): BroadcastWcoJoinExec = copy(children = newChildren)
}
