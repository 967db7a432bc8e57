package io.wreath.spark.index

/**
 * Whether a pickle of Python is made of values alone: numbers, text, bytes, tuples, lists and
 * dictionaries. Reading one more time then gives the same. Any other may name a function, which is
 * called whenever the pickle is read and may give something else each time.
 */
private[index] object PlainPickle {

  def isPlain(pickle: Array[Byte]): Boolean = {
    var at = 0L
    while (at >= 0 && at < pickle.length) {
      val code = pickle(at.toInt) & 0xff
      // The end, and nothing behind it.
      if (code == '.') return at == pickle.length - 1L
      at = argumentBytes(code) match {
        case unknown if unknown < 0 => -1L
        case fixed if fixed < Counted => at + 1 + fixed
        case counted =>
          val width = counted - Counted
          val length = number(pickle, at + 1, width)
          if (length < 0) -1L else at + 1 + width + length
      }
    }
    false
  }

  /** Above it, the bytes of a number that says how many bytes follow. */
  private val Counted = 100

  /** By operation; -1 for those that may call something, and for those that PySpark does not write. */
  private val argumentBytes: Array[Int] = {
    val table = Array.fill(256)(-1)
    def set(bytes: Int, codes: Int*): Unit = codes.foreach(table(_) = bytes)
    // Marks, None, True, False, empty, tuples, appending, memoizing.
    set(0, '(', '0', '1', '2', 'N', 0x88, 0x89, ')', 't', 0x85, 0x86, 0x87)
    set(0, ']', 'a', 'e', 'l', '}', 's', 'u', 'd', 0x94)
    // Small integers, the memo, the protocol.
    set(1, 'K', 'h', 'q', 0x80)
    set(2, 'M')
    set(4, 'J', 'j', 'r')
    // Floats, frames.
    set(8, 'G', 0x95)
    // Text, bytes, large integers.
    set(Counted + 1, 0x8c, 'C', 'U', 0x8a)
    set(Counted + 4, 'X', 'B', 'T', 0x8b)
    set(Counted + 8, 0x8d, 0x8e, 0x96)
    table
  }

  /** Little-endian; -1 where it is cut off or is larger than any array. */
  private def number(bytes: Array[Byte], from: Long, width: Int): Long =
    if (from + width > bytes.length) -1L
    else {
      val value = (width - 1 to 0 by -1).foldLeft(0L) { (high, i) =>
        if (high > Int.MaxValue) high else (high << 8) | (bytes((from + i).toInt) & 0xff)
      }
      if (value > Int.MaxValue) -1L else value
    }
}
