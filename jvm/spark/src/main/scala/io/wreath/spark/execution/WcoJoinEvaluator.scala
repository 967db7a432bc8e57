package io.wreath.spark.execution

import java.math.BigInteger

import org.apache.spark.TaskContext
import org.apache.spark.broadcast.Broadcast
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}
import org.apache.spark.sql.execution.metric.SQLMetric
import org.apache.spark.sql.execution.wreath.Cancellation

import io.wreath.kernel.count.{EliminationFactors, EliminationRun}
import io.wreath.kernel.join.{GenericJoin, LeapfrogJoin, Morsel, MorselJoin, TechniqueChoice}
import io.wreath.spark.index.JoinSpace
import io.wreath.spark.logical.{AtomColumn, JoinGoal}

/**
 * One pattern of a join in one task: a morsel to rows, to counts, or to groups with their counts. Where the loop
 * is generated, [[WcoJoinCodegen]] takes its place.
 *
 * @param number of the pattern in the join
 * @param carried the inputs of all of the join's patterns
 * @param values what is returned of a row, or of a group
 * @param choice how it is done, decided on the driver
 * @param isLeapfrog whether Leapfrog Triejoin is asked for
 */
final private[execution] class WcoJoinEvaluator(
    number: Int,
    elements: JoinElements,
    carried: Either[Array[JoinInput], Broadcast[Array[JoinInput]]],
    @transient prepared: PreparedJoin,
    goal: JoinGoal,
    values: Seq[Expression],
    choice: TechniqueChoice,
    isLeapfrog: Boolean,
    metrics: JoinMetrics)
    extends Serializable {

  private val program = prepared.program
  private val boundPredicates = prepared.boundPredicates
  private val lastPredicates = prepared.lastPredicates
  private val rowPredicates = prepared.rowPredicates
  private val perRowEdges = prepared.perRowEdges
  private val groupLevels = prepared.groupLevels

  private def input: JoinInput = carried.fold(identity, _.value)(number)

  def space: JoinSpace = input.space

  private def predicates(conditions: Seq[Expression], partition: Int): Seq[ElementPredicate] =
    conditions.map(new ElementPredicate(_, elements, space, partition))

  private def open(partition: Int): MorselJoin = {
    val conditions = predicates(boundPredicates, partition) ++
      EdgeChecks.predicates(elements, space)
    val all = conditions.toIndexedSeq
    val (graphs, domains, look) = (input.graphs, input.domains, Cancellation.look())
    val join: MorselJoin =
      if (isLeapfrog) {
        new LeapfrogJoin(program.pattern, program.order, graphs, all, domains, look)
      } else new GenericJoin(program, graphs, all, domains, choice, look)
    metrics.watch(join, TaskContext.get())
    join
  }

  /** By level, how it was decided to bind or to count its variable: on the driver, for EXPLAIN. */
  def techniques: Seq[String] = groupLevels match {
    case Some(levels) if goal.isInstanceOf[JoinGoal.Count] =>
      val read = boundPredicates.map(elements.variablesRead) ++
        EdgeChecks.predicates(elements, space).map(_.variables)
      choice.counts(input.graphs, read.toIndexedSeq, input.domains, levels)
    // Whether a group has any row is asked of one code after the other.
    case Some(levels) if levels > 1 => choice.lists
    case _ => choice.rows
  }

  /** Whether a column of the output is the variable that is bound last. */
  def isLast(column: Int): Boolean = variables(column) == program.order.variables.last

  /** By column of the output, its variable; only where all are variables. */
  @transient
  private lazy val variables: Array[Int] =
    values.collect { case a: Attribute => elements.variableOf(a).get }.toArray

  /** The bindings in runs; no edge is told apart. */
  def runs(partition: Int): RunPattern =
    new RunPattern(variables, program.order.variables.last, () => open(partition))

  /** Takes the rows of runs. */
  def countRows: SQLMetric = metrics.rows

  /** Rows, which are vertices with keys of fixed width. */
  def runRows(partition: Int, morsels: Array[Morsel]): Iterator[InternalRow] =
    new RunRows(
      new BindingRuns(
        Array(runs(partition)),
        morsels.iterator.map((0, _)),
        metrics.rows,
        TaskContext.get()),
      BindingRowWriter.ofKeys(values, false, elements, space),
      values.indices.filter(isLast).toArray)

  /** Elements whose columns are returned, by number. */
  @transient
  private lazy val elementsRead: Seq[Int] = values.flatMap(elements.atomsRead).distinct

  /** Where the index keeps a column. */
  def stored(column: AtomColumn): Int = elements.stored(column, space)

  /** The place of an element among those whose columns are returned. */
  def placeOf(column: AtomColumn): Int = elementsRead.indexOf(column.atom)

  private def cursorOf(
      join: MorselJoin,
      partition: Int,
      morsels: Iterator[Morsel]): BindingCursor = {
    val interrupt = Cancellation.look()
    val differing = EdgeChecks.onRows(elements, space)
    // The rows of a binding differ only in the edges that are read.
    val repeats = perRowEdges.filter(EdgeChecks.graph(_, elements, space).hasDuplicates)
    val onRows: Seq[RowPredicate] =
      predicates(if (repeats.isEmpty) Nil else rowPredicates, partition) ++
        predicates(lastPredicates, partition)
    // An edge that has one row is chosen too where it must differ from one that has several.
    val chosen = elementsRead ++ lastPredicates.flatMap(elements.atomsRead) ++ repeats ++
      differing.flatMap { case (i, j) => Seq(i, j) }
    val choices = new RowChoices(chosen.distinct, elements, space, differing, interrupt)
    val readsEdges = elementsRead.exists(elements.atoms(_).isEdge)
    val isNumber =
      goal.isInstanceOf[JoinGoal.Count] && lastPredicates.isEmpty && rowPredicates.isEmpty &&
        !readsEdges
    new BindingCursor(
      join,
      morsels,
      choices,
      onRows,
      elementsRead.map(e => e -> space.relation(elements.relationOf(e)).rows),
      goal == JoinGoal.Rows,
      goal == JoinGoal.Exists && !readsEdges,
      if (isNumber) new ChoiceCounts(choices, differing, elements)
      else null,
      interrupt)
  }

  /** Rows one by one. */
  def cursor(partition: Int, morsels: Iterator[Morsel]): BindingCursor =
    counted(cursorOf(open(partition), partition, morsels))

  private def counted(cursor: BindingCursor): BindingCursor = {
    TaskContext.get().addTaskCompletionListener[Unit](_ => metrics.rows += cursor.taken)
    cursor
  }

  /** Rows, or the numbers of groups. A row is reused: who keeps it copies it. */
  def run(partition: Int, morsels: Array[Morsel]): Iterator[InternalRow] =
    Overflow.named(made(partition, morsels))

  private def made(partition: Int, morsels: Array[Morsel]): Iterator[InternalRow] =
    input.factors.fold(joined(partition, morsels))(groups(_, morsels))

  /** Each vertex of the only group that has matches, with their number. */
  private def groups(
      factors: EliminationFactors,
      morsels: Array[Morsel]): Iterator[InternalRow] = {
    val run = eliminationRun(factors)
    val writer = BindingRowWriter(values, withCount = true, elements, space)
    val binding = new Array[Int](elements.variables.size)
    val group = variables.head
    for {
      m <- morsels.iterator
      code <- Iterator.range(m.from, m.until)
      rows = run.ofGroup(code)
      if rows > 0
    } yield {
      metrics.rows += 1
      binding(group) = code
      writer.write(binding, Array.emptyIntArray, rows)
    }
  }

  private def eliminationRun(factors: EliminationFactors): EliminationRun = {
    val run = new EliminationRun(factors, Cancellation.look())
    metrics.watch(run, TaskContext.get())
    run
  }

  private def joined(partition: Int, morsels: Array[Morsel]): Iterator[InternalRow] = {
    val join = open(partition)
    val isCount = goal.isInstanceOf[JoinGoal.Count]
    val writer = BindingRowWriter(values, isCount, elements, space)
    def opened: Iterator[Morsel] = morsels.iterator.tapEach(join.open)
    groupLevels match {
      case None =>
        val cursor = cursorOf(join, partition, morsels.iterator)
        if (isCount && values.isEmpty) single(writer, sumOfWeights(cursor))
        else new CursorRows(counted(cursor), writer, isCount)
      case Some(0) =>
        val total =
          if (isCount) opened.foldLeft(0L)((sum, _) => Math.addExact(sum, join.count()))
          else if (opened.exists(_ => join.nextGroup(1, anyRow = true) > 0)) 1L
          else 0L
        // A group of constants that has no row is none.
        if (total == 0 && values.nonEmpty) Iterator.empty else single(writer, total)
      case Some(levels) =>
        val choices =
          new RowChoices(
            elementsRead,
            elements,
            space,
            Nil,
            Cancellation.look())
        opened.flatMap(_ => new GroupIterator(join, levels, choices, writer))
    }
  }

  /**
   * Where matches are counted by elimination: what morsels add to the sums, of which only all together are a
   * number of matches.
   */
  def sums(morsels: Array[Morsel]): Option[BigInteger] = input.factors.map { factors =>
    val run = eliminationRun(factors)
    Overflow.orNamed(
      morsels.foldLeft(BigInteger.ZERO)((sum, m) => sum.add(run.sum(m.from, m.until))))
  }

  /** The row of all sums. */
  def counted(sums: Iterator[BigInteger]): Iterator[InternalRow] = {
    val total = Overflow.orNamed(
      EliminationRun.result(input.factors.get.elimination, sums.to(Iterable)))
    single(BindingRowWriter(values, withCount = true, elements, space), total)
  }

  /** Whether only the sums of all tasks together are a number. */
  val addsSums: Boolean = prepared.counting.elimination.isDefined && values.isEmpty

  /** One row, a number. */
  private def single(writer: BindingRowWriter, total: Long): Iterator[InternalRow] = {
    metrics.rows += 1
    Iterator.single(writer.write(Array.emptyIntArray, Array.emptyIntArray, total))
  }

  /** Counting where parallel edges are told apart. */
  private def sumOfWeights(cursor: BindingCursor): Long = {
    var total = 0L
    while (cursor.next()) total = Math.addExact(total, cursor.weight)
    total
  }

  /** Each group of the first variables that has rows, with their number if that is asked for. */
  final private class GroupIterator(
      join: MorselJoin,
      levels: Int,
      choices: RowChoices,
      writer: BindingRowWriter)
      extends Iterator[InternalRow] {

    private val anyRow = goal == JoinGoal.Exists
    private var count = 0L
    private var isAhead = false

    override def hasNext: Boolean = {
      if (!isAhead) {
        count = join.nextGroup(levels, anyRow)
        isAhead = true
      }
      count > 0
    }

    override def next(): InternalRow = {
      if (!hasNext) throw new NoSuchElementException("no more groups")
      isAhead = false
      metrics.rows += 1
      choices.start(join.binding)
      writer.write(join.binding, choices.rows, count)
    }
  }
}
