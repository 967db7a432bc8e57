package io.wreath.spark.index

import org.apache.spark.sql.catalyst.InternalRow

import io.wreath.kernel.csr.CsrBuilder
import io.wreath.spark.WreathErrors

/**
 * Blocks of a relation, from whatever executor, to one index on the driver.
 *
 * @param name of the relation, for people
 */
final class CsrRelationBuilder(name: String, mode: CsrBroadcastMode) {

  /** The blocks' order is the rows' order of arrival. */
  def build(blocks: Array[Array[Byte]]): CsrRelation = {
    val parsed = new Array[RelationBlock](blocks.length)
    OnAllCores.foreach(blocks.length)(i => parsed(i) = RelationBlock.parse(blocks(i), mode))
    val count = parsed.iterator.map(_.count.toLong).sum
    if (count > CsrRelationBuilder.MaxRows) {
      throw WreathErrors.tooManyRows(name, count, CsrRelationBuilder.MaxRows)
    }
    mode.keyTypes.size match {
      case 1 => vertices(parsed, count.toInt)
      case 2 => edges(parsed, count.toInt)
      case n => throw new IllegalArgumentException(s"a relation with $n keys")
    }
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
        val (table, codes) = KeyMerge.merge(blocks.map(_.keys(0)) ++ blocks.map(_.keys(1)), dense)
        (Seq(table, table), codes.take(n), codes.drop(n))
      } else {
        val (sourceTable, sources) = KeyMerge.merge(blocks.map(_.keys(0)), dense)
        val (targetTable, targets) = KeyMerge.merge(blocks.map(_.keys(1)), dense)
        (Seq(sourceTable, targetTable), sources, targets)
      }
    val sources = unpack(blocks, 0, sourceCodes, count)
    val targets = unpack(blocks, 1, targetCodes, count)
    if (mode.columns.isEmpty) {
      val graph = CsrBuilder.fromCodes(sources, targets, count, tables(0).size, tables(1).size)
      new CsrRelation(graph, tables, ElementRows.none)
    } else {
      val (graph, order) =
        CsrBuilder.withOrder(sources, targets, count, tables(0).size, tables(1).size)
      new CsrRelation(graph, tables, rows(blocks, order))
    }
  }

  private def vertices(blocks: Array[RelationBlock], count: Int): CsrRelation = {
    val (table, numberCodes) =
      if (count == 0) (emptyTable(mode.keyTypes.head), Array.empty[Array[Int]])
      else KeyMerge.merge(blocks.map(_.keys(0)), KeyMerge.denseForVertices(count))
    val codes = unpack(blocks, 0, numberCodes, count)
    val order = Array.fill(table.size)(-1)
    var i = 0
    while (i < count) {
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
    if (VertexKeys.isLong(tpe)) LongKeyTable(io.wreath.kernel.csr.DenseDictionary(0L, 0))
    else BytesKeyTable(BytePages.empty)

  private def rows(blocks: Array[RelationBlock], order: Array[Int]): ElementRows =
    new ElementRows(mode.columns, BytePages.gather(blocks.map(_.columns), order))

  /** The code of one key of every row. */
  private def unpack(
      blocks: Array[RelationBlock],
      key: Int,
      codes: Array[Array[Int]],
      count: Int): Array[Int] = {
    val all = new Array[Int](count)
    val starts = blocks.scanLeft(0)(_ + _.count)
    OnAllCores.foreach(blocks.length) { b =>
      blocks(b).keys(key).numbers.unpack(all, starts(b), blocks(b).count)
      val codeOf = codes(b)
      var i = starts(b)
      while (i < starts(b + 1)) {
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
