package io.wreath.spark.execution

import org.apache.spark.broadcast.Broadcast
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeSet}
import org.apache.spark.sql.catalyst.plans.physical.{
  BroadcastDistribution,
  Distribution,
  Partitioning,
  SinglePartition
}
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.metric.SQLMetric
import org.apache.spark.sql.execution.wreath.{
  Cancellation,
  CsrBroadcastExchangeExec,
  IndexRefusal,
  SparkInternals,
  WreathConf
}

import io.wreath.kernel.join.{Domain, JoinProgram, JoinTuning, Morsel}
import io.wreath.kernel.partition.{MeasuredWork, WorkSplitter}
import io.wreath.pattern.ComparisonOp
import io.wreath.spark.index.{CsrBroadcastMode, CsrIndexCache, CsrRelation, JoinSpaceCache}
import io.wreath.spark.logical.{JoinGoal, JoinPattern, SparksJoins, WcoJoin, WcoJoinDeclined}

/**
 * Joins a pattern over indexes that every executor holds.
 *
 * {{{
 *   driver    indexes                 --> one code space for ends that meet   (JoinSpace)
 *             conditions              --> ranges and bits of codes, filtered lists
 *             statistics and these    --> variable order --> JoinProgram      (PatternPreparation)
 *             degrees                 --> tasks of about equal cost       (WorkSplitter)
 *   task      its morsels: a MorselJoin binds variable by variable; a binding is a row, or several
 *             where it stands for parallel edges. Columns of elements are read only now
 * }}}
 * The order is fixed here and not at planning time, because the statistics exist only once the
 * index does. Morsels are ranges of the first variable's vertices, so tasks share nothing, and
 * Spark's retries and speculation work on them as on any other task.
 *
 * Of several patterns each has a program of its own, and a task the morsels of any of them.
 *
 * @param patterns what is matched; relations are `children` by number
 * @param lengths of quantified edges, for EXPLAIN
 * @param goal whether rows are asked for, or only their number or whether there are any
 * @param asJoins the same rows by Spark's joins
 * @param modes how each child is indexed
 * @param output the variables and columns that are read above, or the number of rows
 * @param isDirect whether rows leave without generated code, see [[WriteRowsDirectly]]
 */
final private[wreath] case class BroadcastWcoJoinExec(
    patterns: Seq[JoinPattern],
    lengths: Seq[String],
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
    AttributeSet(patterns.flatMap(_.produced) ++ output)

  override lazy val references: AttributeSet = AttributeSet(children.flatMap(_.output))

  private def mostVariables: Int = patterns.map(_.variables.size).max

  override lazy val metrics: Map[String, SQLMetric] =
    JoinMetrics.define(sparkContext, mostVariables)

  /** A number is one row, so that Spark adds no exchange to add it up. */
  override def outputPartitioning: Partitioning = goal match {
    case JoinGoal.Count(_) if output.sizeIs == 1 => SinglePartition
    case _ => super.outputPartitioning
  }

  override def requiredChildDistribution: Seq[Distribution] = modes.map(BroadcastDistribution(_))

  /** Why Spark's joins ran in place of this one; known once it has run. */
  @transient
  @volatile
  private var refusal: Option[IndexRefusal] = None

  /** By pattern, the order in which variables are bound; known once it has run. */
  @transient
  @volatile
  private var decided: Option[Seq[Seq[Int]]] = None

  /** By pattern and level, how candidates were found or counted; known once it has run. */
  @transient
  @volatile
  private var techniques: Seq[Seq[String]] = Nil

  /** By pattern, the variables whose lists had only the vertices that conditions left; known once it has run. */
  @transient
  @volatile
  private var confinedTo: Seq[Seq[Int]] = Nil

  /** By pattern, how matches were counted; known once it has run. */
  @transient
  @volatile
  private var choices: Seq[CountingChoice] = Nil

  private def isLeapfrog: Boolean = conf.getConf(WreathConf.JOIN_ALGORITHM) == WreathConf.LEAPFROG

  private def settings: JoinSettings =
    JoinSettings(
      // Sums of several patterns would have to be told apart.
      if (patterns.size > 1 || isLeapfrog) "enumerate"
      else conf.getConf(WreathConf.JOIN_COUNTING),
      conf.getConf(WreathConf.JOIN_TECHNIQUE),
      isLeapfrog)

  /** Whether vertices were taken by degree; known once it has run. */
  @transient
  @volatile
  private var isByDegree = false

  /** The join, ready to run, or the rows of Spark's joins where an index would not fit. */
  @transient
  private[execution] lazy val work: Either[RDD[InternalRow], PreparedJoin] = {
    val (refused, relations) =
      children.map(CsrBroadcastExchangeExec.relation).partitionMap(identity)
    refusal = refused.headOption
    if (refusal.isDefined) Left(rowsOfJoins()) else Right(prepare(relations.toIndexedSeq))
  }

  override protected def doExecute(): RDD[InternalRow] =
    work.fold(identity, _.rows(sparkContext, rowsAreOfFixedWidth))

  /** Planned only now, for it is needed hardly ever. */
  private def rowsOfJoins(): RDD[InternalRow] = {
    FallbackLog.warn(sparkContext, refusal.get.reason)
    JoinMetrics.tellOfFallback(this)
    // Declined, or a pattern would be found in the joins again.
    val joins = WcoJoinDeclined(refusal.get.reason, isWish = true, asJoins.plan)
    SparkInternals.executedPlan(session, joins).execute()
  }

  private def prepare(relations: IndexedSeq[Broadcast[CsrRelation]]): PreparedJoin = {
    val space = JoinSpaceCache.get(
      sparkContext,
      relations,
      modes.toIndexedSeq,
      computes = patterns.exists(_.atoms.exists(_.isUndirected)))
    val metrics = JoinMetrics.of(this, mostVariables)
    // Asks the block manager, so only where it matters.
    lazy val mostKept = CsrBroadcastExchangeExec.mostKept(sparkContext, conf)
    // What is kept beside an index serves ways to count that Leapfrog Triejoin does not have.
    def hasRoom(relation: Int, bytes: Long): Boolean =
      !isLeapfrog && relations(relation).value.sizeInBytes + bytes <= mostKept
    val filters = new EdgeFilters
    val (inputs, joins) = patterns.map { p =>
      val elements = new PatternElements(p.atoms, p.variables, p.columns, modes, space)
      new PatternPreparation(elements, p, goal, filters, hasRoom, settings).prepare()
    }.unzip
    inputs.zip(joins).filter(_._1.isByDegree).foreach { case (input, join) =>
      input.bytesByDegree.foreach { case (r, bytes) =>
        val isWeighed = join.counting.elimination.isDefined
        val all = if (isWeighed) 2 * bytes else bytes
        CsrIndexCache.of(sparkContext).keptBeside(relations(r), all, mostKept)
      }
    }
    CsrIndexCache.of(sparkContext).settle(relations, mostKept)
    // A task's own closure is read by every task anew.
    val carried =
      if (inputs.exists(_.isHeavy)) Right(sparkContext.broadcast(inputs.toArray))
      else Left(inputs.toArray)
    decided = Some(joins.map(_.order))
    choices = joins.map(_.counting)
    techniques = joins.map(_.techniquesByLevel)
    confinedTo = joins.map(_.confinedTo)
    isByDegree = inputs.exists(_.isByDegree)
    val told = joins.zip(inputs).map { case (join, input) =>
      // A sum is no join, and other queries do not read what one makes for itself.
      if (isLeapfrog || !input.isCommon) None
      else {
        val work = new MorselWork
        sparkContext.register(work)
        Some(likeWork(join, input, relations) -> work)
      }
    }
    val pieces = joins.zip(inputs).zip(told).map { case ((join, input), listener) =>
      val measured = listener.fold(MeasuredWork.none) { case (work, t) =>
        WorkHistory.next(relations(input.relations.head), work, t)
      }
      split(join.program, input, measured)
    }
    new PreparedJoin(
      joins.toArray,
      carried,
      metrics,
      // Where there is one task there is nothing to even out.
      told.zip(pieces).map { case (t, tasks) =>
        t.map(_._2).filter(_ => tasks.length > 1)
      }.toArray,
      PreparedJoin.deal(pieces))
  }

  private def likeWork(
      join: PreparedPattern,
      input: PatternInput,
      relations: IndexedSeq[Broadcast[CsrRelation]]): LikeWork =
    LikeWork(
      input.relations.map(relations(_).id),
      join.program.pattern,
      join.program.order,
      input.domains.toSeq.map(d => (d.from, d.until)),
      input.isByDegree,
      goal.canonicalized,
      join.groupLevels,
      settings.technique)

  private def split(
      joined: JoinProgram,
      input: PatternInput,
      measured: MeasuredWork): Array[Array[Morsel]] = {
    val cores = sparkContext.defaultParallelism
    val (program, domains) = input.factors.fold((joined, input.domains)) { f =>
      (f.walk, Array.fill(2)(Domain.whole(f.codeCount)))
    }
    // Factors are made by all tasks together: more of them than run at a time even out nothing.
    val rounds =
      if (input.factors.exists(!_.walks)) 1 else conf.getConf(WreathConf.MORSELS_PER_CORE)
    WorkSplitter.split(
      program,
      input.graphs,
      cores * rounds,
      domains,
      cores,
      conf.getConf(WreathConf.MORSEL_MIN_ELEMENTS).toDouble,
      Cancellation.look(),
      JoinTuning.named(settings.technique),
      measured)
  }

  /** Before it runs, what is known of the order; after it, how often each variable was bound. */
  private def orderText: String = {
    val first = patterns.head
    val hinted = first.order.map(first.variables(_).name).mkString(", ")
    val counted = choices.headOption.fold("")(_.text(first.variables(_).name))
    if (choices.exists(_.elimination.isDefined)) counted
    else if (decided.isDefined) {
      patterns
        .zip(decided.get)
        .zipWithIndex
        .map { case ((p, order), i) =>
          order.indices.map(l => boundText(p, order(l), l) + techniqueText(i, l)).mkString(", ")
        }
        .mkString(
          "bound ",
          " | ",
          (if (isByDegree) ", vertices by degree" else "") + confinedText) +
        (if (counted.isEmpty) "" else s", $counted")
    } else if (first.order.isEmpty) "order from the index's statistics"
    else if (patterns.size == 1 && first.order.size == first.variables.size) {
      s"order $hinted (hinted)"
    } else s"order $hinted (hinted), then from the index's statistics"
  }

  /** Numbers are kept by level: of several patterns they are one sum, which says little of each. */
  private def boundText(p: JoinPattern, variable: Int, level: Int): String = {
    val times = metrics(JoinMetrics.level(level)).value
    p.variables(variable).name +
      (if (times > 0 && patterns.size == 1) f" ($times%,d)" else "")
  }

  private def techniqueText(pattern: Int, level: Int): String =
    techniques.lift(pattern).flatMap(_.lift(level)).filter(_ != "seed").fold("")(t => s" by $t")

  /** Of several patterns, what is said of one may hold for it alone. */
  private def confinedText: String = {
    val names = patterns.zip(confinedTo).flatMap { case (p, of) => of.map(p.variables(_).name) }
    if (names.isEmpty) "" else names.distinct.mkString(", lists confined to ", ", ", "")
  }

  private def algorithmText: String = if (isLeapfrog) ", by Leapfrog Triejoin" else ""

  private def conditionsText(p: JoinPattern): String = {
    val comparisons = p.comparisons.map { c =>
      val op = c.op match {
        case ComparisonOp.Less => "<"
        case ComparisonOp.LessOrEqual => "<="
        case ComparisonOp.NotEqual => "<>"
        case ComparisonOp.Equal => "="
      }
      s"${p.variables(c.left).name} $op ${p.variables(c.right).name}"
    }
    val all = comparisons ++ (p.predicates ++ p.lastPredicates).map(_.toString)
    if (all.isEmpty) "" else all.mkString(", where [", ", ", "]")
  }

  private def argumentText(maxFields: Int): String = {
    val matched =
      WcoJoin.describe(patterns, lengths, patterns.map(conditionsText), maxFields)
    s"$matched${goal.text(output)}, $orderText$algorithmText"
  }

  /** Where the index did not fit, what EXPLAIN shows after the query has run. */
  private def refusalText: String =
    refusal.map(r => s", not used: ${r.reason} Spark's joins ran in its place").getOrElse("")

  override def simpleString(maxFields: Int): String =
    s"$nodeName ${argumentText(maxFields)}$refusalText"

  override def verboseStringWithOperatorId(): String =
    s"""
       |$formattedNodeName
       |Output: ${output.mkString("[", ", ", "]")}
       |Pattern: ${argumentText(conf.maxToStringFields)}$refusalText
       |""".stripMargin

  override protected def doCanonicalize(): SparkPlan =
    super.doCanonicalize() match {
      case j: BroadcastWcoJoinExec =>
        j.copy(
          patterns = patterns.map(_.canonicalized),
          lengths = Nil,
          goal = goal.canonicalized)
      case other => other
    }

  override protected def withNewChildrenInternal(
      newChildren: IndexedSeq[SparkPlan]): BroadcastWcoJoinExec = copy(children = newChildren)
}
