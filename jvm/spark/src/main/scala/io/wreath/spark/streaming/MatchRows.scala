package io.wreath.spark.streaming

import java.util.{LinkedHashMap => JLinkedHashMap}

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter
import org.apache.spark.sql.execution.wreath.Cancellation

import io.wreath.kernel.delta.DeltaGenericJoin
import io.wreath.kernel.lists.ElementCounter

/** The rows of the match that a join stands at. One per task; rows are reused. */
sealed private[streaming] trait MatchRows {

  /** The join stands at another match. */
  def start(): Unit

  /** The match's next row, null after the last. */
  def next(): InternalRow
}

private[streaming] object MatchRows {

  /** @param changes by relation */
  def apply(
      p: CompiledPattern,
      join: DeltaGenericJoin,
      changes: Array[VersionChange],
      partition: Int): MatchRows =
    if (p.readsRows) new PropertyRows(p, join, changes, partition)
    else {
      val change = changes.head
      val places = p.result.map {
        case a: Attribute => p.columns.indexWhere(_.exprId == a.exprId)
        case _ => -1
      }
      if (places.contains(-1) || p.onRows.nonEmpty)
        new ComputedRows(p, join, change.after.ids, partition)
      else new PlainRows(places.toArray, p.variables.size, join, change.after.ids)
    }

  def conditions(p: CompiledPattern, partition: Int): Seq[BasePredicate] = p.onRows.map { c =>
    val predicate = Predicate.create(c, p.columns)
    predicate.initialize(partition)
    predicate
  }
}

/** A row of ids and the diff, as they are. */
final private class PlainRows(
    places: Array[Int],
    variables: Int,
    join: DeltaGenericJoin,
    ids: StreamIds)
    extends MatchRows {

  private val writer = new UnsafeRowWriter(places.length)
  private var isDue = false

  writer.resetRowWriter()

  override def start(): Unit = isDue = true

  override def next(): InternalRow =
    if (!isDue) null
    else {
      isDue = false
      writer.reset()
      var i = 0
      while (i < places.length) {
        if (places(i) == variables) writer.write(i, join.weight)
        else ids.write(writer, i, join.binding(places(i)))
        i += 1
      }
      writer.getRow
    }
}

/** A row of expressions over ids and the diff. */
final private class ComputedRows(
    p: CompiledPattern,
    join: DeltaGenericJoin,
    ids: StreamIds,
    partition: Int)
    extends MatchRows {

  private val variables = p.variables.size
  private val values = new GenericInternalRow(variables + 1)
  private val result = UnsafeProjection.create(p.result, p.columns)
  private val conditions = MatchRows.conditions(p, partition)
  private var isDue = false

  result.initialize(partition)

  override def start(): Unit = isDue = true

  override def next(): InternalRow =
    if (!isDue) null
    else {
      isDue = false
      var v = 0
      while (v < variables) {
        values.update(v, ids.value(join.binding(v)))
        v += 1
      }
      values.update(variables, join.weight)
      if (conditions.forall(_.eval(values))) result(values) else null
    }
}

/**
 * Rows of a match whose edges' properties are read: one for each way to take a row for each edge. Where
 * edges have to differ, one that is taken is not there for the others.
 *
 * The join says that a match has changed. What its rows were and what they are is looked up, and
 * the difference returned: a row that is there before and after is not mentioned, and none comes
 * with both signs.
 */
final private class PropertyRows(
    p: CompiledPattern,
    join: DeltaGenericJoin,
    changes: Array[VersionChange],
    partition: Int)
    extends MatchRows {

  private val edges = p.program.pattern.edges.toArray
  private val variables = p.variables.size
  private val diff = p.columns.size - 1

  /** Edges whose rows are taken one by one; of the others the number is enough. */
  private val named = edges.indices.filter(p.properties(_).nonEmpty).toArray
  private val counted = edges.indices.filter(p.properties(_).isEmpty).toArray

  private val isNamed = edges.indices.map(p.properties(_).nonEmpty).toArray

  /** By edge, which of its rows is taken. */
  private val chosen = new Array[Int](edges.length)

  /** Where the columns of each named edge begin. */
  private val places = named.map(e => p.properties(e).length).scanLeft(variables)(_ + _)

  private val types = named.flatMap { e =>
    val from = places(named.indexOf(e))
    p.properties(e).indices.map(i => p.columns(from + i).dataType)
  }

  private val values = new GenericInternalRow(diff + 1)
  private val conditions = MatchRows.conditions(p, partition)

  /** What is returned of a row: rows that differ elsewhere are the same to whoever reads them. */
  private val returned = p.columns.init.filter(AttributeSet(p.result).contains)
  private val key = UnsafeProjection.create(returned, p.columns)
  private val result = UnsafeProjection.create(p.result, returned :+ p.columns.last)

  private val work = new ElementCounter(Cancellation.look())

  private val sums = new JLinkedHashMap[UnsafeRow, Array[Long]]
  private var entries: java.util.Iterator[java.util.Map.Entry[UnsafeRow, Array[Long]]] = null
  private val keyed = new JoinedRow
  private val keyedDiff = new GenericInternalRow(1)

  result.initialize(partition)

  override def start(): Unit = {
    sums.clear()
    var v = 0
    while (v < variables) {
      values.update(v, changes.head.after.ids.value(join.binding(v)))
      v += 1
    }
    if (join.rowsBefore > 0) add(isAfter = false, sign = -1L)
    if (join.rowsAfter > 0) add(isAfter = true, sign = 1L)
    entries = sums.entrySet().iterator()
  }

  override def next(): InternalRow = {
    var row: InternalRow = null
    while (row == null && entries.hasNext) {
      val e = entries.next()
      if (e.getValue()(0) != 0L) {
        keyedDiff.update(0, e.getValue()(0))
        row = result(keyed(e.getKey, keyedDiff))
      }
    }
    row
  }

  private def add(isAfter: Boolean, sign: Long): Unit = {
    var factor = sign
    counted.foreach { e =>
      val change = changes(edges(e).relation).change
      val graph = if (isAfter) change.after else change.before
      // Edges whose rows are named take one each, whichever it is.
      val free = graph.forward.multiplicity(source(e), target(e)) - takenBeside(e)
      factor = Math.multiplyExact(factor, Math.max(0, free).toLong)
    }
    if (factor != 0L) choose(isAfter, 0, factor)
  }

  /** How many rows of a counted edge those take that must differ from it, named or counted before it. */
  private def takenBeside(e: Int): Int = {
    val rivals = p.program.rivals(e)
    var n = 0
    var i = 0
    while (i < rivals.length) {
      if ((isNamed(rivals(i)) || rivals(i) < e) && isOnSamePair(rivals(i), e)) n += 1
      i += 1
    }
    n
  }

  /** How often row `row` of a named edge is taken by those before it that must differ from it. */
  private def takenOf(e: Int, row: Int): Int = {
    val rivals = p.program.rivals(e)
    var n = 0
    var i = 0
    while (i < rivals.length && rivals(i) < e) {
      if (isNamed(rivals(i)) && chosen(rivals(i)) == row && isOnSamePair(rivals(i), e)) n += 1
      i += 1
    }
    n
  }

  private def isOnSamePair(a: Int, b: Int): Boolean =
    source(a) == source(b) && target(a) == target(b)

  private def rowsOf(edge: Int, isAfter: Boolean): Array[EdgeRow] = {
    val change = changes(edges(edge).relation)
    val version = if (isAfter) change.after else change.before
    version.rows.get(source(edge), target(edge))
  }

  private def choose(isAfter: Boolean, at: Int, weight: Long): Unit =
    if (at == named.length) {
      work.worked(ElementCounter.Candidate)
      if (conditions.forall(_.eval(values))) {
        val k = key(values)
        val sum = sums.get(k)
        if (sum == null) sums.put(k.copy(), Array(weight))
        else sum(0) = Math.addExact(sum(0), weight)
      }
    } else {
      val e = named(at)
      val rows = rowsOf(e, isAfter)
      var r = 0
      while (r < rows.length) {
        val row = rows(r)
        val free = row.multiplicity - takenOf(e, r)
        if (free > 0) {
          chosen(e) = r
          val columns = p.properties(e)
          var i = 0
          while (i < columns.length) {
            val tpe = types(places(at) - variables + i)
            values.update(places(at) + i, row.properties.get(columns(i), tpe))
            i += 1
          }
          choose(isAfter, at + 1, Math.multiplyExact(weight, free.toLong))
        }
        r += 1
      }
    }

  private def source(edge: Int): Int = join.binding(edges(edge).source)

  private def target(edge: Int): Int = join.binding(edges(edge).target)
}
