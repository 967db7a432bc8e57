package io.wreath.kernel.join

import io.wreath.kernel.csr.Relation
import io.wreath.pattern.GraphPattern

/**
 * The codes that a variable may be bound to: those in `from until until` that `bits` has, where
 * `bits` is not null. Codes of the variable are `0 until size`.
 *
 * A range narrows neighbour lists by search; bits are tested candidate by candidate.
 */
final class Domain(val size: Int, val from: Int, val until: Int, val bits: Array[Long])
    extends Serializable {

  if (from < 0 || until > size || (bits != null && bits.length < ((size + 63) >>> 6))) {
    throw new IllegalArgumentException(
      s"Codes from $from until $until cannot be taken from $size codes" +
        (if (bits == null) "." else s" and ${bits.length} words of bits."))
  }

  /** Whether the range leaves anything out. */
  def isRange: Boolean = from > 0 || until < size

  def isWhole: Boolean = !isRange && bits == null

  def has(code: Int): Boolean =
    code >= from && code < until && (bits == null || (bits(code >>> 6) >>> code & 1L) != 0L)

  /** The least of these codes from `code` on, or one outside the range if there is none. */
  def next(code: Int): Int =
    if (bits == null || code >= until) code
    else {
      var z = code >>> 6
      var word = bits(z) & (-1L << code)
      while (word == 0L && z + 1 < ((until + 63) >>> 6)) {
        z += 1
        word = bits(z)
      }
      if (word == 0L) until else (z << 6) + java.lang.Long.numberOfTrailingZeros(word)
    }

  /** All of these codes, ascending. */
  def codes: Array[Int] =
    if (bits == null) Array.range(from, until)
    else {
      val found = Array.newBuilder[Int]
      var code = next(from)
      while (code < until) {
        found += code
        code = next(code + 1)
      }
      found.result()
    }

  /** The same vertices by other codes. */
  def renamed(codes: Array[Int]): Domain =
    if (isWhole) this
    else {
      val renamed = new Array[Long]((size + 63) >>> 6)
      var code = next(from)
      while (code < until) {
        renamed(codes(code) >>> 6) |= 1L << codes(code)
        code = next(code + 1)
      }
      new Domain(size, 0, size, renamed)
    }

  /** Which part of all codes is left, at most: what the range and the bits say by themselves. */
  def fraction: Double =
    if (size == 0 || from >= until) 0.0
    else if (bits == null) (until - from).toDouble / size
    else {
      var n = 0L
      var z = from >>> 6
      while (z < ((until + 63) >>> 6)) {
        n += java.lang.Long.bitCount(bits(z))
        z += 1
      }
      n.toDouble / size
    }
}

object Domain {

  def whole(size: Int): Domain = new Domain(size, 0, size, null)

  /**
   * All codes of each variable. Ends that meet in a variable must be coded alike, so their graphs
   * must agree on how many codes there are.
   */
  def of(pattern: GraphPattern, graphs: Array[_ <: Relation]): Array[Domain] =
    Array.tabulate(pattern.variableCount) { v =>
      val sizes = pattern.edges.flatMap { e =>
        val graph = graphs(e.relation)
        Seq(e.source -> graph.forward.vertexCount, e.target -> graph.reverse.vertexCount)
          .collect { case (`v`, size) => size }
      }.distinct
      if (sizes.size > 1) {
        throw new IllegalArgumentException(
          s"The ends that meet in variable $v must share a code space, but they have " +
            s"${sizes.mkString(", ")} codes.")
      }
      whole(sizes.head)
    }

  /** `domains`, which must be over all codes of each variable; null stands for them. */
  private[join] def narrowed(
      pattern: GraphPattern,
      relations: Array[_ <: Relation],
      domains: Array[Domain]): Array[Domain] = {
    val whole = of(pattern, relations)
    val narrowed = if (domains == null) whole else domains
    whole.indices.foreach { v =>
      if (narrowed(v).size != whole(v).size) {
        throw new IllegalArgumentException(
          s"Variable $v has ${whole(v).size} codes, but a domain of ${narrowed(v).size} was given.")
      }
    }
    narrowed
  }
}
