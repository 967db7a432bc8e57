package io.wreath.spark.parser

/** Texts in which some code points are blanked and every other one keeps its place. */
private[parser] object Blanks {

  /** A space, or the line break itself, so that lines keep their numbers. */
  def of(codePoint: Int): Int = if (codePoint == '\n' || codePoint == '\r') codePoint else ' '

  /** The code points [from, until) with all that stands before them blanked. */
  def before(codePoints: Array[Int], from: Int, until: Int): String = {
    val kept = java.util.Arrays.copyOf(codePoints, until)
    var i = 0
    while (i < from) {
      kept(i) = of(kept(i))
      i += 1
    }
    new String(kept, 0, until)
  }
}
