package io.wreath.spark.execution

import java.math.BigInteger

import org.apache.spark.TaskContext
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.execution.wreath.Cancellation

import io.wreath.kernel.count.{EliminationFactors, EliminationRun}
import io.wreath.kernel.join.{GenericJoin, LeapfrogJoin, Morsel, MorselJoin}
import io.wreath.spark.logical.JoinGoal

/**
 * One pattern of a join in one task: a morsel to rows, to counts, or to groups with their counts. Where the loop
 * is generated, [[WcoJoinCodegen]] takes its place.
 *
 * @param pattern what was decided
 * @param input what is read
 * @param partition number of the task
 * @param told who hears what each morsel took, if anybody wants to know
 */
final private[execution] class PatternTask(
    pattern: PreparedPattern,
    input: PatternInput,
    partition: Int,
    metrics: JoinMetrics,
    told: Option[MorselWork]) {
  import pattern._

  private def predicates(conditions: Seq[Expression]): Seq[ElementPredicate] =
    conditions.map(new ElementPredicate(_, elements, partition))

  private def open(): MorselJoin = {
    val conditions =
      (predicates(boundPredicates) ++ EdgeChecks.predicates(elements)).toIndexedSeq
    val (graphs, domains, look) = (input.graphs, input.domains, Cancellation.look())
    val join: MorselJoin =
      if (isLeapfrog) {
        new LeapfrogJoin(program.pattern, program.order, graphs, conditions, domains, look)
      } else new GenericJoin(program, graphs, conditions, domains, techniques, look)
    metrics.watch(join, TaskContext.get())
    told.foreach { t =>
      TaskContext.get().addTaskCompletionListener[Unit](_ => join.morselWork.foreach(t.add))
    }
    join
  }

  /** The bindings in runs; no edge is told apart. */
  def runs: RunPattern = new RunPattern(variables, program.order.variables.last, () => open())

  /** Rows, which are vertices with keys of fixed width. */
  def runRows(morsels: Array[Morsel]): Iterator[InternalRow] =
    new RunRows(
      new BindingRuns(
        Array(runs),
        morsels.iterator.map((0, _)),
        metrics.rows,
        TaskContext.get()),
      BindingRowWriter.ofKeys(values, false, elements),
      values.indices.filter(isLast).toArray)

  private def cursorOf(join: MorselJoin, morsels: Iterator[Morsel]): BindingCursor = {
    val interrupt = Cancellation.look()
    val differing = EdgeChecks.onRows(elements)
    // The rows of a binding differ only in the edges that are read.
    val repeats = perRowEdges.filter(elements.lists(_).hasDuplicates)
    val asked = (if (repeats.isEmpty) Nil else rowPredicates) ++ lastPredicates
    val onRows: Seq[RowPredicate] = predicates(asked)
    // An edge that has one row is chosen too where it is asked for, or must differ from one that has several.
    val chosen = elementsRead ++ asked.flatMap(elements.atomsRead) ++ repeats ++
      differing.flatMap { case (i, j) => Seq(i, j) }
    val choices = new RowChoices(chosen.distinct, elements, differing, interrupt)
    val readsEdges = elementsRead.exists(elements.atoms(_).isEdge)
    val isNumber =
      isCount && lastPredicates.isEmpty && rowPredicates.isEmpty && !readsEdges
    new BindingCursor(
      join,
      morsels,
      choices,
      onRows,
      elementsRead.map(e => e -> elements.index(e).rows),
      goal == JoinGoal.Rows,
      goal == JoinGoal.Exists && !readsEdges,
      if (isNumber) new ChoiceCounts(choices, differing, elements)
      else null,
      interrupt)
  }

  /** Rows one by one. */
  def cursor(morsels: Iterator[Morsel]): BindingCursor = watched(cursorOf(open(), morsels))

  private def watched(cursor: BindingCursor): BindingCursor = {
    TaskContext.get().addTaskCompletionListener[Unit](_ => metrics.rows += cursor.taken)
    cursor
  }

  /** Rows, or the numbers of groups. A row is reused: who keeps it copies it. */
  def rows(morsels: Array[Morsel]): Iterator[InternalRow] =
    Overflow.named(input.factors.fold(joined(morsels))(groups(_, morsels)))

  /** Each vertex of the only group, or each two of two groups, that has matches, with their number. */
  private def groups(
      factors: EliminationFactors,
      morsels: Array[Morsel]): Iterator[InternalRow] = {
    val binding = new Array[Int](elements.variables.size)
    val of = values.flatMap(elements.variablesRead).distinct.toArray
    val run = eliminationRun(factors)
    rowsOf(
      new EliminatedGroups(run, of, input.storedCodes.orNull, binding, morsels.iterator),
      binding)
  }

  private def rowsOf(groups: MatchGroups, binding: Array[Int]): GroupRows =
    new GroupRows(
      groups,
      binding,
      new RowChoices(elementsRead, elements, Nil, Cancellation.look()),
      elementsRead.exists(elements.atoms(_).isEdge),
      BindingRowWriter(values, isCount, elements),
      metrics)

  private def eliminationRun(factors: EliminationFactors): EliminationRun = {
    val run = new EliminationRun(factors, Cancellation.look())
    metrics.watch(run, TaskContext.get())
    run
  }

  private def joined(morsels: Array[Morsel]): Iterator[InternalRow] = {
    val join = open()
    val writer = BindingRowWriter(values, isCount, elements)
    def opened: Iterator[Morsel] = morsels.iterator.tapEach(join.open)
    groupLevels match {
      case None => new CursorRows(watched(cursorOf(join, morsels.iterator)), writer, isCount)
      case Some(0) =>
        val total =
          if (isCount) matches(join, morsels)
          else if (opened.exists(_ => join.nextGroup(1, anyRow = true) > 0)) 1L
          else 0L
        // A group of constants that has no row is none.
        if (total == 0 && values.nonEmpty) Iterator.empty else single(writer, total)
      case Some(levels) =>
        val anyRow = goal == JoinGoal.Exists
        rowsOf(new BoundGroups(join, levels, anyRow, morsels.iterator), join.binding)
    }
  }

  /**
   * Where one number is asked for: what morsels add to it. Of what is counted by elimination only all parts
   * together are a number of matches.
   */
  def sum(morsels: Array[Morsel]): BigInteger = Overflow.orNamed(input.factors match {
    case Some(factors) =>
      val run = eliminationRun(factors)
      morsels.foldLeft(BigInteger.ZERO)((sum, m) => sum.add(run.sum(m.from, m.until)))
    case None =>
      val join = open()
      BigInteger.valueOf(
        if (groupLevels.isDefined) matches(join, morsels)
        else sumOfWeights(cursorOf(join, morsels.iterator)))
  })

  /** The row of all parts. */
  def counted(sums: Iterator[BigInteger]): Iterator[InternalRow] = {
    val total = Overflow.orNamed(input.elimination match {
      case Some(e) => EliminationRun.result(e, sums.to(Iterable))
      case None => sums.foldLeft(BigInteger.ZERO)(_ add _).longValueExact
    })
    single(BindingRowWriter(values, withCount = true, elements), total)
  }

  private def matches(join: MorselJoin, morsels: Array[Morsel]): Long =
    morsels.foldLeft(0L) { (sum, m) =>
      join.open(m)
      Math.addExact(sum, join.count())
    }

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
}
