package io.wreath.kernel.dictionary

/**
 * Codes of one dictionary as codes of another that has all its ids. Keeps the order, as both
 * dictionaries do.
 *
 * Thread-safety: immutable.
 *
 * @param codes by code, or null where the translation is just a shift
 * @param size codes of the dictionary that is translated to
 */
final class Translation private (
    private[wreath] val codes: Array[Int],
    private[wreath] val shift: Int,
    val sourceSize: Int,
    val size: Int)
    extends Serializable {

  def apply(code: Int): Int = if (codes == null) code + shift else codes(code)

  def isIdentity: Boolean = codes == null && shift == 0 && sourceSize == size

  def sizeInBytes: Long = if (codes == null) 0L else 4L * codes.length
}

object Translation {

  def identity(size: Int): Translation = shifted(0, size, size)

  /** Dense dictionaries differ in where they begin. */
  def shifted(by: Int, sourceSize: Int, size: Int): Translation =
    new Translation(null, by, sourceSize, size)

  /** Requires: `codes` strictly ascending, in `0 until size`. */
  def of(codes: Array[Int], size: Int): Translation =
    if (codes.length == size) identity(size) else new Translation(codes, 0, codes.length, size)
}
