package io.wreath.spark.index

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.execution.wreath.Cancellation

import io.wreath.kernel.csr.CsrBuilder
import io.wreath.kernel.dictionary.DenseDictionary
import io.wreath.kernel.lists.Pieces
import io.wreath.spark.WreathErrors
import io.wreath.spark.index.keys.{
  BytePages,
  BytesKeyTable,
  KeyMerge,
  KeyTable,
  KeyText,
  LongKeyTable,
  VertexKeys
}

/**
 * Blocks of a relation, from whatever executor, to one index on the driver.
 *
 * @param name of the relation, for people
 */
final class CsrRelationBuilder(name: String, mode: CsrBroadcastMode) {

  /** Of the thread that builds: a cancelled query does not keep it. */
  private val look = Cancellation.look()

  /** The blocks' order is the rows' order of arrival. */
  def build(blocks: Array[Array[Byte]]): CsrRelation = {
    val (parsed, count) = parse(blocks)
    mode.keyTypes.size match {
      case 1 => vertices(parsed, count.toInt)
      case 2 => edges(parsed, count.toInt)
      case n => throw new IllegalArgumentException(s"a relation with $n keys")
    }
  }

  /**
   * An index of the same rows with the columns of `blocks` too, its lists taken over as they are. It
   * keeps its own columns if it can grow, else it has the new ones alone.
   *
   * None where the blocks are not of the same keys after all.
   */
  def extend(base: CsrRelation, blocks: Array[Array[Byte]]): Option[CsrRelation] = {
    val (parsed, count) = parse(blocks)
    val order = if (count != base.rowCount) None else orderIn(base, parsed, count.toInt)
    order.map { o =>
      val added = rows(parsed, o)
      val keeps = base.canGrow && base.rows.columns.nonEmpty
      base.withRows(if (keeps) base.rows.beside(added) else added)
    }
  }

  private def parse(blocks: Array[Array[Byte]]): (Array[RelationBlock], Long) = {
    val parsed = new Array[RelationBlock](blocks.length)
    OnAllCores.foreach(blocks.length, look)(i => parsed(i) = RelationBlock.parse(blocks(i), mode))
    val count = parsed.iterator.map(_.count.toLong).sum
    if (count > CsrRelationBuilder.MaxRows) {
      throw WreathErrors.tooManyRows(name, count, CsrRelationBuilder.MaxRows)
    }
    (parsed, count)
  }

  /** Which of the blocks' rows each row of the index is. */
  private def orderIn(
      base: CsrRelation,
      blocks: Array[RelationBlock],
      count: Int): Option[Array[Int]] = {
    val ends = mode.keyTypes.indices.map(codesIn(base, blocks, _, count))
    if (ends.exists(_.isEmpty)) None
    else {
      val codes = ends.flatten
      if (codes.size == 1) {
        val order = Array.fill(count)(-1)
        codes.head.indices.foreach(i => order(codes.head(i)) = i)
        Some(order).filterNot(_.contains(-1))
      } else {
        val (sources, targets) = (codes(0), codes(1))
        val order = CsrBuilder.orderOf(
          sources,
          targets,
          count,
          base.keyTable(0).size,
          base.keyTable(1).size,
          look)
        if (isOrderOf(base, order, sources, targets)) Some(order) else None
      }
    }
  }

  private def isOrderOf(
      base: CsrRelation,
      order: Array[Int],
      sources: Array[Int],
      targets: Array[Int]): Boolean = {
    val lists = base.graph.forward
    var isSame = true
    var row = 0
    var v = 0
    while (isSame && v < lists.vertexCount) {
      if ((v & 1023) == 0) look.run()
      var p = lists.from(v)
      while (isSame && p < lists.until(v)) {
        val end = base.firstRow(p + 1)
        while (isSame && row < end) {
          isSame = sources(order(row)) == v && targets(order(row)) == lists.neighbours(p)
          row += 1
        }
        p += 1
      }
      v += 1
    }
    isSame
  }

  /** The code that an index has for one key of every row; None where it has none for some. */
  private def codesIn(
      base: CsrRelation,
      blocks: Array[RelationBlock],
      key: Int,
      count: Int): Option[Array[Int]] =
    if (count == 0) Some(Array.empty)
    else {
      val (table, numberCodes) =
        KeyMerge.merge(blocks.map(_.keys(key)), KeyMerge.denseForEdges(count), look)
      val codes = unpack(blocks, key, numberCodes, count)
      val known = table.codesIn(base.keyTable(key), look)
      var i = 0
      while (i < count) {
        if (Pieces.isDue(i, i + 1)) look.run()
        codes(i) = known(codes(i))
        i += 1
      }
      if (codes.contains(-1)) None else Some(codes)
    }

  private def edges(blocks: Array[RelationBlock], count: Int): CsrRelation = {
    val dense = KeyMerge.denseForEdges(count) _
    val n = blocks.length
    val (tables, sourceCodes, targetCodes) =
      if (count == 0) {
        val none = mode.keyTypes.map(emptyTable)
        val one = if (mode.keyTypes.distinct.size == 1) Seq(none.head, none.head) else none
        (one, Array.empty[Array[Int]], Array.empty[Array[Int]])
      } else if (mode.keyTypes.distinct.size == 1) {
        val (table, codes) =
          KeyMerge.merge(blocks.map(_.keys(0)) ++ blocks.map(_.keys(1)), dense, look)
        (Seq(table, table), codes.take(n), codes.drop(n))
      } else {
        val (sourceTable, sources) = KeyMerge.merge(blocks.map(_.keys(0)), dense, look)
        val (targetTable, targets) = KeyMerge.merge(blocks.map(_.keys(1)), dense, look)
        (Seq(sourceTable, targetTable), sources, targets)
      }
    val sources = unpack(blocks, 0, sourceCodes, count)
    val targets = unpack(blocks, 1, targetCodes, count)
    if (mode.columns.isEmpty) {
      val graph =
        CsrBuilder.fromCodes(sources, targets, count, tables(0).size, tables(1).size, look)
      new CsrRelation(graph, tables, ElementRows.none)
    } else {
      val (graph, order) =
        CsrBuilder.withOrder(sources, targets, count, tables(0).size, tables(1).size, look)
      new CsrRelation(graph, tables, rows(blocks, order))
    }
  }

  private def vertices(blocks: Array[RelationBlock], count: Int): CsrRelation = {
    val (table, numberCodes) =
      if (count == 0) (emptyTable(mode.keyTypes.head), Array.empty[Array[Int]])
      else KeyMerge.merge(blocks.map(_.keys(0)), KeyMerge.denseForVertices(count), look)
    val codes = unpack(blocks, 0, numberCodes, count)
    val order = Array.fill(table.size)(-1)
    var i = 0
    while (i < count) {
      if (Pieces.isDue(i, i + 1)) look.run()
      if (order(codes(i)) >= 0) {
        val tpe = mode.keyTypes.head
        throw WreathErrors.duplicateVertexKey(
          name,
          KeyText(VertexKeys(table, tpe).value(codes(i)), tpe))
      }
      order(codes(i)) = i
      i += 1
    }
    new CsrRelation(
      null,
      Seq(table),
      if (mode.columns.isEmpty) ElementRows.none else rows(blocks, order))
  }

  private def emptyTable(tpe: org.apache.spark.sql.types.DataType): KeyTable =
    if (VertexKeys.isLong(tpe)) LongKeyTable(DenseDictionary(0L, 0))
    else BytesKeyTable(BytePages.empty)

  private def rows(blocks: Array[RelationBlock], order: Array[Int]): ElementRows =
    new ElementRows(mode.columns, BytePages.gather(blocks.map(_.columns), order, look))

  /** The code of one key of every row. */
  private def unpack(
      blocks: Array[RelationBlock],
      key: Int,
      codes: Array[Array[Int]],
      count: Int): Array[Int] = {
    val all = new Array[Int](count)
    val starts = blocks.scanLeft(0)(_ + _.count)
    OnAllCores.foreach(blocks.length, look) { b =>
      blocks(b).keys(key).numbers.unpack(all, starts(b), blocks(b).count)
      val codeOf = codes(b)
      var i = starts(b)
      while (i < starts(b + 1)) {
        if (Pieces.isDue(i, i + 1)) look.run()
        all(i) = codeOf(all(i))
        i += 1
      }
    }
    all
  }
}

object CsrRelationBuilder {

  /** What a row of an edge table takes at least: its neighbour in each direction. */
  val MinBytesPerRow: Long = 2L * Integer.BYTES

  /** The largest array that a JVM is sure to give. */
  val MaxRows: Long = Int.MaxValue - 8L

  /** From rows in one place, keys first. */
  def build(name: String, mode: CsrBroadcastMode, rows: Iterator[InternalRow]): CsrRelation =
    new CsrRelationBuilder(name, mode).build(BlockEncoder.blocks(rows, mode).toArray)
}
