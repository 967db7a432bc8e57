package io.wreath.spark.index.keys

import java.io.{DataInput, DataOutput}
import java.util.Arrays

import org.apache.spark.unsafe.Platform

import io.wreath.spark.WreathErrors
import io.wreath.spark.index.OnAllCores

/**
 * Byte strings by number, many in an array: an object for each would cost more than itself.
 *
 * They are kept in pages of [[BytePages.RecordsPerPage]] records, so that no array has to hold them
 * all. A page whose records are equally long, as rows of numbers are, needs no offsets.
 *
 * Thread-safety: immutable; the arrays handed out are not to be written to.
 *
 * @param offsets of each page's records, and the end of the last; null where they are equally long
 * @param widths of each page's records, where they are equally long
 */
final class BytePages private[index] (
    val size: Int,
    private[index] val pages: Array[Array[Byte]],
    private[index] val offsets: Array[Array[Int]],
    private[index] val widths: Array[Int]) {

  import BytePages._

  /** The array that holds a record, along with others. */
  def page(record: Int): Array[Byte] = pages(record >>> PageShift)

  /** Where in its page a record begins. */
  def from(record: Int): Int = {
    val p = record >>> PageShift
    val in = record & PageMask
    if (offsets(p) == null) in * widths(p) else offsets(p)(in)
  }

  def length(record: Int): Int = {
    val p = record >>> PageShift
    if (offsets(p) == null) widths(p)
    else offsets(p)((record & PageMask) + 1) - offsets(p)(record & PageMask)
  }

  /** A copy. */
  def get(record: Int): Array[Byte] =
    Arrays.copyOfRange(page(record), from(record), from(record) + length(record))

  /** Byte by byte, unsigned, as Spark compares strings and binaries. */
  def compare(record: Int, other: Array[Byte], otherFrom: Int, otherLength: Int): Int = {
    val begin = from(record)
    Arrays.compareUnsigned(
      page(record),
      begin,
      begin + length(record),
      other,
      otherFrom,
      otherFrom + otherLength)
  }

  def compare(record: Int, other: BytePages, otherRecord: Int): Int =
    compare(record, other.page(otherRecord), other.from(otherRecord), other.length(otherRecord))

  /** How many records are less than the given bytes. Requires: sorted records. */
  def lowerBound(bytes: Array[Byte]): Int = {
    var low = 0
    var high = size
    while (low < high) {
      val middle = (low + high) >>> 1
      if (compare(middle, bytes, 0, bytes.length) < 0) low = middle + 1 else high = middle
    }
    low
  }

  def sizeInBytes: Long =
    pages.iterator.map(_.length.toLong).sum +
      offsets.iterator.map(o => if (o == null) 0L else 4L * o.length).sum

  private[index] def writeTo(out: DataOutput): Unit = {
    out.writeInt(size)
    pages.indices.foreach { p =>
      out.writeInt(if (offsets(p) == null) widths(p) else -1)
      if (offsets(p) != null) offsets(p).foreach(out.writeInt)
      out.writeInt(pages(p).length)
      out.write(pages(p))
    }
  }
}

object BytePages {

  final private[index] val PageShift = 14

  /** Few enough that records of 100 KB fit into an array, enough that a page costs nothing. */
  final val RecordsPerPage: Int = 1 << PageShift
  final private val PageMask = RecordsPerPage - 1

  val empty: BytePages = new BytePages(0, Array.empty, Array.empty, Array.empty)

  private[index] def pageCount(records: Int): Int =
    ((records.toLong + RecordsPerPage - 1) >>> PageShift).toInt

  /** The same records in another order: `order(i)` says which of `parts`, end to end, comes i-th. */
  def gather(parts: Array[BytePages], order: Array[Int], look: Runnable): BytePages = {
    val starts = parts.scanLeft(0)(_ + _.size)
    val count = pageCount(order.length)
    val pages = new Array[Array[Byte]](count)
    val offsets = new Array[Array[Int]](count)
    val widths = new Array[Int](count)
    OnAllCores.foreach(count, look) { p =>
      val first = p << PageShift
      val n = Math.min(RecordsPerPage, order.length - first)
      val ends = new Array[Int](n + 1)
      val partOf = new Array[Int](n)
      var total = 0L
      var i = 0
      while (i < n) {
        val at = Arrays.binarySearch(starts, order(first + i))
        // Empty parts begin where the next one does: the last of those that begin there has it.
        var part = if (at >= 0) at else -2 - at
        while (part + 1 < parts.length && starts(part + 1) <= order(first + i)) part += 1
        partOf(i) = part
        total += parts(part).length(order(first + i) - starts(part))
        checkPage(total)
        ends(i + 1) = total.toInt
        i += 1
      }
      val bytes = new Array[Byte](total.toInt)
      i = 0
      while (i < n) {
        val part = parts(partOf(i))
        val record = order(first + i) - starts(partOf(i))
        System.arraycopy(
          part.page(record),
          part.from(record),
          bytes,
          ends(i),
          ends(i + 1) - ends(i))
        i += 1
      }
      pages(p) = bytes
      setOffsets(p, ends, n, offsets, widths)
    }
    new BytePages(order.length, pages, offsets, widths)
  }

  private[index] def readFrom(in: DataInput): BytePages = {
    val size = in.readInt()
    val count = pageCount(size)
    val pages = new Array[Array[Byte]](count)
    val offsets = new Array[Array[Int]](count)
    val widths = new Array[Int](count)
    (0 until count).foreach { p =>
      widths(p) = in.readInt()
      if (widths(p) < 0) {
        val records = Math.min(RecordsPerPage, size - (p << PageShift))
        offsets(p) = Array.fill(records + 1)(in.readInt())
      }
      pages(p) = new Array[Byte](in.readInt())
      in.readFully(pages(p))
    }
    new BytePages(size, pages, offsets, widths)
  }

  private def checkPage(bytes: Long): Unit =
    if (bytes > MaxPage) {
      throw WreathErrors.rowsTooWide(RecordsPerPage, bytes, MaxPage)
    }

  private val MaxPage: Long = Int.MaxValue - 8L

  private def setOffsets(
      p: Int,
      ends: Array[Int],
      n: Int,
      offsets: Array[Array[Int]],
      widths: Array[Int]): Unit = {
    val width = if (n == 0) 0 else ends(1)
    var uniform = true
    var i = 0
    while (uniform && i < n) {
      uniform = ends(i + 1) - ends(i) == width
      i += 1
    }
    if (uniform) widths(p) = width else offsets(p) = Arrays.copyOf(ends, n + 1)
  }

  /** Appends records, then makes them pages. Not thread-safe. */
  final class Builder {
    private val pages = Array.newBuilder[Array[Byte]]
    private val offsets = Array.newBuilder[Array[Int]]
    private val widths = Array.newBuilder[Int]
    private var current = new Array[Byte](1 << 10)
    private val ends = new Array[Int](RecordsPerPage + 1)
    private var inPage = 0
    private var count = 0
    private var bytes = 0L

    def size: Int = count

    /** Of all records so far. */
    def sizeInBytes: Long = bytes

    def append(record: Array[Byte], from: Int, length: Int): Unit =
      append(record, Platform.BYTE_ARRAY_OFFSET.toLong + from, length)

    /** The same from wherever Spark keeps a row or a string. */
    def append(base: AnyRef, offset: Long, length: Int): Unit = {
      if (inPage == RecordsPerPage) closePage()
      val end = ends(inPage).toLong + length
      if (end > current.length) {
        checkPage(end)
        current =
          Arrays.copyOf(current, Math.min(MaxPage, Math.max(end, 2L * current.length)).toInt)
      }
      Platform.copyMemory(
        base,
        offset,
        current,
        Platform.BYTE_ARRAY_OFFSET.toLong + ends(inPage),
        length.toLong)
      inPage += 1
      ends(inPage) = end.toInt
      count += 1
      bytes += length
    }

    def result(): BytePages = {
      if (inPage > 0) closePage()
      new BytePages(count, pages.result(), offsets.result(), widths.result())
    }

    private def closePage(): Unit = {
      pages += Arrays.copyOf(current, ends(inPage))
      val (o, w) = (new Array[Array[Int]](1), new Array[Int](1))
      setOffsets(0, ends, inPage, o, w)
      offsets += o(0)
      widths += w(0)
      inPage = 0
    }
  }
}
