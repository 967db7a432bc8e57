package io.wreath.spark.execution

import org.apache.spark.TaskContext
import org.apache.spark.broadcast.Broadcast
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter
import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}
import org.apache.spark.sql.execution.metric.SQLMetric
import org.apache.spark.sql.execution.wreath.SparkInternals
import org.apache.spark.sql.types.DataType

import io.wreath.kernel.csr.{SortedDictionary, VertexDictionary}
import io.wreath.kernel.join.{GenericJoin, Morsel}
import io.wreath.spark.index.{JoinSpace, LongKeyTable, VertexKeys}

/**
 * One task of a join: a morsel to rows. The only file where the kernel's loop meets Spark's rows.
 *
 * @param output None where rows are only counted
 */
final private[execution] class WcoJoinEvaluator(
    elements: JoinElements,
    carried: Either[JoinInput, Broadcast[JoinInput]],
    @transient prepared: PreparedJoin,
    output: Option[Seq[Attribute]],
    numOutputRows: SQLMetric,
    elementsTouched: SQLMetric)
    extends Serializable {

  private val program = prepared.program
  private val asked = prepared.asked
  private val askedAgain = prepared.again
  private val apart = prepared.apart

  private def input: JoinInput = carried.fold(identity, _.value)

  private def space: JoinSpace = input.space

  private def predicates(conditions: Seq[Expression], partition: Int): Seq[ElementPredicate] =
    conditions.map(new ElementPredicate(_, elements, space, partition))

  private def open(partition: Int): GenericJoin = {
    val context = TaskContext.get()
    new GenericJoin(
      program,
      input.graphs,
      predicates(asked, partition).toIndexedSeq,
      input.domains,
      interrupt = () => SparkInternals.killTaskIfInterrupted(context))
  }

  /** The bindings of one morsel, for generated code; no edge is told apart. */
  def runs(partition: Int, from: Int, until: Int): BindingRuns = {
    val join = open(partition)
    join.open(Morsel(from, until))
    new BindingRuns(join, elementsTouched)
  }

  /** For generated code: the keys of vertices of one type, for this task alone. */
  def keys(tpe: DataType): VertexKeys = space.keys(tpe)

  /** Where ids are dense: the id with code 0. */
  def leastId(tpe: DataType): Long = dictionary(tpe).decode(0)

  /** Where ids have gaps: the id of each code. */
  def ids(tpe: DataType): Array[Long] = dictionary(tpe) match {
    case sorted: SortedDictionary => sorted.idArray
    case other => throw new IllegalStateException(s"$other has no table of ids")
  }

  private def dictionary(tpe: DataType): VertexDictionary = space.table(tpe) match {
    case LongKeyTable(d) => d
    case other => throw new IllegalStateException(s"$other is no table of integers")
  }

  /** Rows of one morsel, or one row with their number. The row is reused: who keeps it copies it. */
  def run(partition: Int, morsel: Morsel): Iterator[InternalRow] = {
    val join = open(partition)
    // The rows of a binding differ only in the edges that are read.
    val read = output.map(_.flatMap(elements.atomsRead).distinct).getOrElse(Nil)
    val repeats = apart.filter(a => space.graph(elements.relationOf(a)).hasDuplicates)
    val choices = new RowChoices((read ++ repeats).distinct, elements, space)
    val again = if (repeats.isEmpty) Nil else predicates(askedAgain, partition)
    output match {
      case Some(columns) =>
        join.open(morsel)
        new BindingIterator(join, choices, again, BindingRowWriter(columns, elements, space))
      case None if repeats.isEmpty => Iterator.single(count(join, morsel))
      case None => Iterator.single(countRows(join, morsel, choices, again))
    }
  }

  private def count(join: GenericJoin, morsel: Morsel): InternalRow = {
    val context = TaskContext.get()
    var total = 0L
    var from = morsel.from
    // In slices, so that a cancelled query stops between two of them.
    while (from < morsel.until) {
      SparkInternals.killTaskIfInterrupted(context)
      val until =
        math.min(morsel.until.toLong, from.toLong + WcoJoinEvaluator.VerticesBetweenChecks)
      join.open(Morsel(from, until.toInt))
      total = Math.addExact(total, join.count())
      from = until.toInt
    }
    counted(join, total)
  }

  /** Counting where parallel edges are told apart, and each has to be asked. */
  private def countRows(
      join: GenericJoin,
      morsel: Morsel,
      choices: RowChoices,
      again: Seq[ElementPredicate]): InternalRow = {
    var total = 0L
    join.open(morsel)
    while (join.next()) {
      choices.start(join.binding)
      var more = true
      while (more) {
        if (again.forall(_.accepts(join.binding, choices.rows))) {
          total = Math.addExact(total, join.weight)
        }
        more = choices.next()
      }
    }
    counted(join, total)
  }

  private def counted(join: GenericJoin, total: Long): InternalRow = {
    elementsTouched += join.elementsTouched
    numOutputRows += 1
    val writer = new UnsafeRowWriter(1)
    writer.resetRowWriter()
    writer.write(0, total)
    writer.getRow
  }

  final private class BindingIterator(
      join: GenericJoin,
      choices: RowChoices,
      again: Seq[ElementPredicate],
      writer: BindingRowWriter)
      extends Iterator[InternalRow] {

    private var row: InternalRow = _
    // How often the current row is still to be returned: parallel edges are rows of their own.
    private var repeats = 0L
    private var inBinding = false
    private var finished = false

    override def hasNext: Boolean = repeats > 0 || (!finished && advance())

    override def next(): InternalRow = {
      if (!hasNext) throw new NoSuchElementException("no more bindings")
      repeats -= 1
      numOutputRows += 1
      row
    }

    private def advance(): Boolean = {
      var found = false
      while (!found && !finished) {
        inBinding = if (inBinding) choices.next() else nextBinding()
        found = inBinding && again.forall(_.accepts(join.binding, choices.rows))
      }
      if (found) {
        row = writer.write(join.binding, choices.rows)
        repeats = join.weight
      }
      found
    }

    private def nextBinding(): Boolean = {
      finished = !join.next()
      if (finished) elementsTouched += join.elementsTouched else choices.start(join.binding)
      !finished
    }
  }
}

private[execution] object WcoJoinEvaluator {

  /** Counting may bind nothing but the first variable, and then the join does not check by itself. */
  private val VerticesBetweenChecks = 256
}
