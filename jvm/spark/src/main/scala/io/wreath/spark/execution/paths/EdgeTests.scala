package io.wreath.spark.execution.paths

import java.util.stream.IntStream

import scala.collection.mutable

import org.apache.spark.sql.catalyst.expressions.{Cast, Expression, UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.execution.wreath.Cancellation
import org.apache.spark.sql.types._

import io.wreath.kernel.path.InvalidCost
import io.wreath.spark.execution.{BindingReader, EdgeFilters, PatternElements, PresentVertices}

/** Asks conditions and costs of all edges of a table. Not thread-safe; it uses all cores itself. */
final private[paths] class EdgeTests(graph: PathGraph) {

  private val filters = new EdgeFilters
  private val known = mutable.Map.empty[(Int, Expression), Array[Long]]
  private val inside = mutable.Map.empty[Int, Array[Long]]
  private val look = Cancellation.look()

  /** The rows of edges whose ends both are vertices, a bit each. */
  def between(relation: Int, present: PresentVertices): Array[Long] =
    inside.getOrElseUpdate(relation, present.rowsBetween(relation))

  /** The rows that pass a condition, or those that do not. */
  def rows(relation: Int, condition: Expression, passes: Boolean): Array[Long] = {
    val passed = known.getOrElseUpdate(
      (relation, condition.canonicalized),
      filters.of(0, Seq(condition), graph.elements(relation)).rows)
    if (passes) passed else EdgeTests.others(passed, graph.space.relation(relation).rowCount)
  }

  /**
   * What each edge costs.
   *
   * @param rows that count, a bit each; null for all
   */
  def costs(
      relation: Int,
      cost: Expression,
      rows: Array[Long]): Either[Array[Long], Array[Double]] = {
    val index = graph.space.relation(relation)
    val count = index.rowCount.toInt
    val isLong = EdgeTests.isWhole(cost.dataType)
    val longs = if (isLong) new Array[Long](count) else null
    val doubles = if (isLong) null else new Array[Double](count)
    val cast = Cast(cost, if (isLong) LongType else DoubleType)
    val forward = graph.space.graph(relation).forward
    val pieces =
      if (count < EdgeTests.RowsWorthAThread) 1 else Runtime.getRuntime.availableProcessors
    // Made here, for other threads know no session.
    val readers = Array.fill(pieces)(new CostReader(cast, graph.elements(relation)))
    IntStream.range(0, pieces).parallel().forEach { piece =>
      val reader = readers(piece)
      val end = (forward.vertexCount.toLong * (piece + 1) / pieces).toInt
      var v = (forward.vertexCount.toLong * piece / pieces).toInt
      while (v < end) {
        var at = forward.from(v)
        val targets = forward.array(v)
        while (at < forward.until(v)) {
          var row = index.firstRow(at)
          while (row < index.firstRow(at + 1)) {
            // Often, as a cost may be anything.
            if ((row & 15) == 0) look.run()
            if (rows == null || (rows(row >>> 6) >>> row & 1L) != 0L) {
              reader.read(v, targets(at), row)
              if (reader.isNull) throw new InvalidCost(v, targets(at), "NULL")
              if (isLong) longs(row) = reader.long else doubles(row) = reader.double
            }
            row += 1
          }
          at += 1
        }
        v += 1
      }
    }
    if (isLong) Left(EdgeTests.left(longs, rows)(new Array[Long](_)))
    else Right(EdgeTests.left(doubles, rows)(new Array[Double](_)))
  }

  final private class CostReader(cost: Expression, elements: PatternElements) {
    private val read = cost.references.toSeq
    private val reader = new BindingReader(read, elements)
    private val projection = UnsafeProjection.create(Seq(cost), read)
    private val binding = new Array[Int](2)
    private val rows = new Array[Int](1)
    private var result: UnsafeRow = _

    def read(source: Int, target: Int, row: Int): Unit = {
      binding(0) = source
      binding(1) = target
      rows(0) = row
      result = projection(reader.read(binding, rows))
    }

    def isNull: Boolean = result.isNullAt(0)
    def long: Long = result.getLong(0)
    def double: Double = result.getDouble(0)
  }
}

private[paths] object EdgeTests {

  /** Rows for which a thread of its own pays. */
  final private val RowsWorthAThread = 1 << 14

  def isWhole(tpe: DataType): Boolean = tpe match {
    case ByteType | ShortType | IntegerType | LongType => true
    case _ => false
  }

  def both(one: Array[Long], other: Array[Long]): Array[Long] =
    Array.tabulate(one.length)(i => one(i) & other(i))

  private def others(rows: Array[Long], count: Long): Array[Long] = {
    val not = rows.map(~_)
    if ((count & 63) != 0) not(not.length - 1) &= (1L << (count & 63)) - 1
    not
  }

  /** The values of the rows that count, one after the other. */
  private def left[T](values: Array[T], rows: Array[Long])(make: Int => Array[T]): Array[T] =
    if (rows == null) values
    else {
      val kept = make(rows.iterator.map(java.lang.Long.bitCount).sum)
      var n = 0
      var row = 0
      while (row < values.length) {
        if ((rows(row >>> 6) >>> row & 1L) != 0L) {
          kept(n) = values(row)
          n += 1
        }
        row += 1
      }
      kept
    }
}
