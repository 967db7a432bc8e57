package io.wreath.spark.index.keys

import io.wreath.kernel.csr.CsrBuilder
import io.wreath.kernel.dictionary.{DenseDictionary, IdMerge, SortedDictionary}
import io.wreath.spark.index.{BytesColumn, KeyColumn, LongColumn, OnAllCores}

/** Columns of keys, from many blocks, to one table of keys and the code of each row's. */
private[index] object KeyMerge {

  /**
   * The table of all keys in `columns`, and for each column the code of each of its numbers.
   *
   * @param dense says of the least and the greatest of all integers whether their distance from the
   *   least may serve as code
   * @param look runs once in a while, and ends the merge by throwing
   */
  def merge(
      columns: Array[KeyColumn],
      dense: (Long, Long) => Boolean,
      look: Runnable): (KeyTable, Array[Array[Int]]) =
    columns.headOption match {
      case Some(_: BytesColumn) =>
        mergeBytes(columns.map(_.asInstanceOf[BytesColumn].distinct), look)
      case _ => mergeLongs(columns.map(_.asInstanceOf[LongColumn]), dense, look)
    }

  private def mergeLongs(
      columns: Array[LongColumn],
      dense: (Long, Long) => Boolean,
      look: Runnable): (KeyTable, Array[Array[Int]]) = {
    val least = columns.iterator.map(_.least).min
    val greatest = columns.iterator.map(_.greatest).max
    val dictionary =
      if (dense(least, greatest)) DenseDictionary(least, (greatest - least).toInt + 1)
      else {
        OnAllCores.foreach(columns.length, look)(i => columns(i).distinct)
        new SortedDictionary(IdMerge.distinct(columns.map(_.distinct), look))
      }
    val codes = new Array[Array[Int]](columns.length)
    OnAllCores.foreach(columns.length, look)(i => codes(i) = columns(i).codes(dictionary))
    (LongKeyTable(dictionary), codes)
  }

  /** Merges all at once: a heap of columns by the first key that is not yet taken from each. */
  private[index] def mergeBytes(
      columns: Array[BytePages],
      look: Runnable): (KeyTable, Array[Array[Int]]) = {
    val codes = columns.map(c => new Array[Int](c.size))
    val next = new Array[Int](columns.length)
    val merged = new BytePages.Builder
    val order: java.util.Comparator[Integer] =
      (a, b) => columns(a).compare(next(a), columns(b), next(b))
    val heap = new java.util.PriorityQueue[Integer](math.max(1, columns.length), order)
    columns.indices.foreach(c => if (columns(c).size > 0) heap.add(c))
    var last: (BytePages, Int) = null
    while (!heap.isEmpty) {
      if ((merged.size & 1023) == 0) look.run()
      val c: Int = heap.poll()
      val (column, record) = (columns(c), next(c))
      if (last == null || column.compare(record, last._1, last._2) != 0) {
        merged.append(column.page(record), column.from(record), column.length(record))
        last = (column, record)
      }
      codes(c)(record) = merged.size - 1
      next(c) += 1
      if (next(c) < column.size) heap.add(c)
    }
    (BytesKeyTable(merged.result()), codes)
  }

  /** The dense rule of edges: what offsets cost there, see [[CsrBuilder]]. */
  def denseForEdges(count: Int)(least: Long, greatest: Long): Boolean =
    CsrBuilder.worthDense(least, greatest, count)

  /** Vertices are numbered without gaps, so that the code is the row's number too. */
  def denseForVertices(count: Int)(least: Long, greatest: Long): Boolean =
    greatest - least == count - 1L
}
