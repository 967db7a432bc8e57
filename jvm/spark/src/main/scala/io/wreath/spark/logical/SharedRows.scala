package io.wreath.spark.logical

import scala.collection.immutable.AbstractSeq

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.analysis.MultiInstanceRelation
import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.QueryPlan
import org.apache.spark.sql.catalyst.plans.logical.statsEstimation.EstimationUtils
import org.apache.spark.sql.catalyst.plans.logical.{
  LeafNode,
  LocalRelation,
  LogicalPlan,
  Statistics
}

/**
 * Rows that the driver holds, as a pattern reads them: a leaf that refers to them.
 *
 * Spark's own leaf, a [[LocalRelation]], has its rows among its arguments, and every rule that looks at
 * a plan's expressions copies them, once for each edge of the pattern. Nothing looks into this
 * one, so a plan is as small over a million rows as over a file.
 */
final case class SharedRows(output: Seq[Attribute], rows: RowsOfDriver)
    extends LeafNode
    with MultiInstanceRelation {

  override def newInstance(): LogicalPlan = copy(output = output.map(_.newInstance()))

  override def computeStats(): Statistics =
    Statistics(
      sizeInBytes = EstimationUtils.getSizePerRow(output) * rows.size,
      rowCount = Some(rows.size))

  override def maxRows: Option[Long] = Some(rows.size)

  override protected def stringArgs: Iterator[Any] = Iterator(output)

  /** As Spark's own leaf has it, so that what was cached over that one is found over this one. */
  override protected def doCanonicalize(): LogicalPlan =
    LocalRelation(output.map(QueryPlan.normalizeExpressions(_, output)), rows.asSeq)
}

object SharedRows {

  /** The hint that asks for it around a DataFrame, before a view or a statement is made of it. */
  val Hint = "WREATH_ROWS"

  /** The plan with such a leaf for each local relation; an empty one is left to Spark's rules. */
  def in(plan: LogicalPlan): LogicalPlan = plan.transformUp {
    case l: LocalRelation if l.data.nonEmpty && !l.isStreaming =>
      SharedRows(l.output, new RowsOfDriver(l.data))
  }
}

/**
 * Rows by reference. Two are equal if they are the same rows or rows of the same content, so that a
 * DataFrame made once more from the same data is known again.
 *
 * @param rows never sent to executors as part of a plan
 */
final class RowsOfDriver(@transient val rows: Seq[InternalRow]) extends Serializable {

  val size: Int = rows.size

  /** Of some rows: those that differ elsewhere only are told apart by `equals`. */
  override lazy val hashCode: Int = {
    val step = math.max(1, size / RowsOfDriver.HashedRows)
    val some = rows match {
      case indexed: IndexedSeq[InternalRow] => (0 until size by step).iterator.map(indexed)
      case list => list.iterator.grouped(step).map(_.head)
    }
    some.foldLeft(size)(31 * _ + _.hashCode)
  }

  override def equals(other: Any): Boolean = other match {
    case that: RowsOfDriver =>
      (this eq that) || (rows eq that.rows) ||
      (size == that.size && hashCode == that.hashCode && rows == that.rows)
    case _ => false
  }

  /** The rows, compared like any others, but hashed without a look at each of them. */
  def asSeq: Seq[InternalRow] = new RowsOfDriver.AsSeq(this)
}

private object RowsOfDriver {

  private val HashedRows = 64

  final private class AsSeq(private val of: RowsOfDriver) extends AbstractSeq[InternalRow] {
    override def apply(i: Int): InternalRow = of.rows(i)

    override def length: Int = of.size

    override def iterator: Iterator[InternalRow] = of.rows.iterator

    override def hashCode: Int = of.hashCode

    override def equals(other: Any): Boolean = other match {
      case that: AsSeq => of == that.of
      case _ => of.rows == other
    }
  }
}
