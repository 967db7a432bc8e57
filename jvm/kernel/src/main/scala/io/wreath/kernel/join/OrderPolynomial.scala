package io.wreath.kernel.join

import java.util.function.LongUnaryOperator

/**
 * How many ways there are to bind several variables that have the same `n` candidates and are
 * compared with nothing but each other: a sum of binomials, c(1) * C(n, 1) + … + c(k) * C(n, k),
 * where c(j) is the number of ways to use just j given candidates, all of them.
 *
 * {{{
 *   x            n                    x < y < z    C(n, 3)
 *   x < y        C(n, 2)              x <= y       C(n, 1) + C(n, 2)
 *   x <> y       2 * C(n, 2)          x, y         C(n, 1) + 2 * C(n, 2), that is n * n
 * }}}
 * Thread-safety: immutable.
 */
final private[wreath] class OrderPolynomial private (coefficients: Array[Long])
    extends LongUnaryOperator
    with Serializable {

  /** Whether it is `n` itself, of one variable. */
  val isIdentity: Boolean = coefficients.sameElements(Seq(1L))

  /** Throws ArithmeticException if the number exceeds a Long. */
  override def applyAsLong(n: Long): Long =
    if (isIdentity) n
    else {
      var total = 0L
      var choose = 1L // C(n, j)
      var j = 1
      while (j <= coefficients.length && choose > 0) {
        // C(n, j - 1) * (n - j + 1) is divisible by j.
        choose = if (n < j) 0L else Math.multiplyExact(choose, n - j + 1) / j
        total = Math.addExact(total, Math.multiplyExact(coefficients(j - 1), choose))
        j += 1
      }
      total
    }
}

private[wreath] object OrderPolynomial {

  /** Variables for which all ways are tried: 6^6 of them. */
  final val MaxVariables = 6

  /** @param holds whether places in ascending order, one for each variable, fulfil the comparisons */
  def of(variables: Int)(holds: IndexedSeq[Int] => Boolean): OrderPolynomial = {
    if (variables < 1 || variables > MaxVariables) {
      throw new IllegalArgumentException(
        s"1 to $MaxVariables variables can be counted at once, but not $variables.")
    }
    def places(j: Int, left: Int): Iterator[Vector[Int]] =
      if (left == 0) Iterator(Vector.empty)
      else for (rest <- places(j, left - 1); p <- (0 until j).iterator) yield rest :+ p
    new OrderPolynomial(Array.tabulate(variables) { i =>
      val used = i + 1
      places(used, variables).count(p => p.distinct.size == used && holds(p)).toLong
    })
  }
}
