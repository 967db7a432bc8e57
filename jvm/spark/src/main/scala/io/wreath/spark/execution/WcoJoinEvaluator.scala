package io.wreath.spark.execution

import org.apache.spark.TaskContext
import org.apache.spark.broadcast.Broadcast
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter
import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}
import org.apache.spark.sql.execution.metric.SQLMetric
import org.apache.spark.sql.execution.wreath.SparkInternals

import io.wreath.kernel.join.{GenericJoin, JoinProgram, Morsel}
import io.wreath.spark.index.CsrRelation

/** One task of a join: a morsel to rows. The only file where the kernel's loop meets Spark's rows. */
final private[execution] class WcoJoinEvaluator(
    relation: Broadcast[CsrRelation],
    program: JoinProgram,
    variables: Seq[Attribute],
    predicates: Seq[Expression],
    output: Option[Seq[Attribute]],
    numOutputRows: SQLMetric,
    elementsTouched: SQLMetric)
    extends Serializable {

  /** Rows of one morsel, or one row with their number. The row is reused: who keeps it copies it. */
  def run(partition: Int, morsel: Morsel): Iterator[InternalRow] = {
    val index = relation.value
    val context = TaskContext.get()
    val keys = index.keys(0, variables.head.dataType)
    val vertices = index.graph.vertexCount
    val bound =
      predicates.map(CatalystPredicate(_, variables, keys, vertices, partition)).toIndexedSeq
    val join = new GenericJoin(
      program,
      Array(index.graph),
      bound,
      interrupt = () => SparkInternals.killTaskIfInterrupted(context))
    output match {
      case Some(columns) =>
        join.open(morsel)
        val read = columns.map(o => variables.indexWhere(_.exprId == o.exprId))
        new BindingIterator(join, new BindingRowWriter(read, keys))
      case None => Iterator.single(count(join, morsel))
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
    elementsTouched += join.elementsTouched
    numOutputRows += 1
    val writer = new UnsafeRowWriter(1)
    writer.resetRowWriter()
    writer.write(0, total)
    writer.getRow
  }

  final private class BindingIterator(join: GenericJoin, writer: BindingRowWriter)
      extends Iterator[InternalRow] {

    private var row: InternalRow = _
    // How often the current binding is still to be returned: parallel edges are rows of their own.
    private var repeats = 0L
    private var finished = false

    override def hasNext: Boolean = repeats > 0 || (!finished && advance())

    override def next(): InternalRow = {
      if (!hasNext) throw new NoSuchElementException("no more bindings")
      repeats -= 1
      numOutputRows += 1
      row
    }

    private def advance(): Boolean = {
      finished = !join.next()
      if (finished) elementsTouched += join.elementsTouched
      if (!finished) {
        row = writer.write(join.binding)
        repeats = join.weight
      }
      !finished
    }
  }
}

private[execution] object WcoJoinEvaluator {

  /** Counting may bind nothing but the first variable, and then the join does not check by itself. */
  private val VerticesBetweenChecks = 256
}
