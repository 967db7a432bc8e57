package io.wreath.kernel.dictionary

import java.util.Arrays

/**
 * Translates external ids into the dense codes that joins work on, and back.
 *
 * Order preserving: `a < b` on ids is `a < b` on codes, so comparisons need no decoding.
 * Thread-safety: immutable.
 */
trait VertexDictionary {

  /** Codes are `0 until size`. */
  def size: Int

  /** Whether the id of a code is the least id plus the code. */
  def isDense: Boolean

  /** The code of `id`, or -1 if it has none. */
  def encode(id: Long): Int

  /** How many ids are less than `id`: the code from which on they are not. */
  def lowerBound(id: Long): Int

  /** The id of `code`, which must be in `0 until size`. */
  def decode(code: Int): Long

  def sizeInBytes: Long
}

/**
 * The dictionary of ids that lie close together: the code is the distance from the least id.
 *
 * Ids of the range that occur in no edge have a code too, with empty neighbour lists.
 */
final case class DenseDictionary(min: Long, size: Int) extends VertexDictionary {

  if (size < 0 || (size > 0 && min + (size - 1) < min)) {
    throw new IllegalArgumentException(
      s"A dense dictionary of $size ids from $min on leaves the range of Long.")
  }

  override def encode(id: Long): Int = {
    // Modulo 2^64 the distance is exact even where the subtraction overflows; read as unsigned,
    // it is below `size` for the ids of the range and for no other.
    val distance = id - min
    if (distance >= 0 && distance < size) distance.toInt else -1
  }

  override def lowerBound(id: Long): Int = {
    val distance = id - min
    if (id <= min) 0 else if (distance < 0 || distance > size) size else distance.toInt
  }

  override def isDense: Boolean = true

  override def decode(code: Int): Long = min + code

  override def sizeInBytes: Long = 16L
}

/** The dictionary of ids with gaps: `ids` ascending, the code is the position. */
final class SortedDictionary(private[wreath] val ids: Array[Long]) extends VertexDictionary {

  override def size: Int = ids.length

  /** Cost: one binary search. */
  override def encode(id: Long): Int = {
    val at = Arrays.binarySearch(ids, id)
    if (at >= 0) at else -1
  }

  /** Cost: one binary search. */
  override def lowerBound(id: Long): Int = {
    val at = Arrays.binarySearch(ids, id)
    if (at >= 0) at else -1 - at
  }

  override def isDense: Boolean = false

  /** The ids by code; not to be written to. */
  def idArray: Array[Long] = ids

  override def decode(code: Int): Long = ids(code)

  override def sizeInBytes: Long = 8L * ids.length
}
