package io.wreath.kernel.count

import java.util.Arrays

/**
 * The variables of a sum and what stands between each two of them, as small numbers: equal ones for equal
 * factors. Says which ways there are to rearrange the variables.
 *
 * @param marks by a first and a second variable: what weighs both, read from the first; by a variable and itself,
 *   what weighs it alone
 */
final private[count] class Arrangement(marks: Array[Array[Int]]) {
  private[this] val n = marks.length
  private[this] val colours = refined(Array.tabulate(n)(v => marks(v)(v)))

  // By place, which colour has it: what looks different is kept apart.
  private[this] val colourAt = colours.sorted

  /** Whether there are too many ways to go through, or more variables than bits. */
  private[this] val isTooMuch = n >= 64 ||
    colours.groupBy(identity).values.map(c => (1 to c.length).map(_.toLong).product).product >
    Arrangement.MostWays

  /** The place of each variable, so that sums that differ in names only are the same by place. */
  def leastPlaces: IndexedSeq[Int] =
    if (isTooMuch) 0 until n
    else {
      val best = new Array[Int](n)
      var isFound = false
      assign(new Array[Int](n), 0, 0L) { at =>
        if (!isFound || isLess(at, best)) {
          isFound = true
          System.arraycopy(at, 0, best, 0, n)
        }
      }
      placesOf(best)
    }

  /** The ways to rearrange the variables that leave all marks as they are; only one if they are too many. */
  def symmetries: Vector[IndexedSeq[Int]] =
    if (isTooMuch) Vector(0 until n)
    else {
      val found = Vector.newBuilder[IndexedSeq[Int]]
      val at = new Array[Int](n)
      def extend(v: Int, used: Long): Unit =
        if (v == n) found += at.toVector
        else {
          var u = 0
          while (u < n) {
            if ((used & 1L << u) == 0 && colours(u) == colours(v)) {
              at(v) = u
              if (isKept(at, v)) extend(v + 1, used | 1L << u)
            }
            u += 1
          }
        }
      extend(0, 0L)
      found.result()
    }

  /** Whether marks stay as they are where variables take the places of others. */
  def isKeptBy(places: IndexedSeq[Int]): Boolean = {
    val at = places.toArray
    (0 until n).forall(isKept(at, _))
  }

  private def isKept(at: Array[Int], v: Int): Boolean = {
    var u = 0
    while (u <= v && marks(v)(u) == marks(at(v))(at(u)) && marks(u)(v) == marks(at(u))(at(v)))
      u += 1
    u > v
  }

  /** All ways to fill the places from `place` on. */
  private def assign(at: Array[Int], place: Int, used: Long)(done: Array[Int] => Unit): Unit =
    if (place == n) done(at)
    else {
      var v = 0
      while (v < n) {
        if ((used & 1L << v) == 0 && colours(v) == colourAt(place)) {
          at(place) = v
          assign(at, place + 1, used | 1L << v)(done)
        }
        v += 1
      }
    }

  private def isLess(a: Array[Int], b: Array[Int]): Boolean = {
    var c = 0
    var i = 0
    while (c == 0 && i < n) {
      var j = 0
      while (c == 0 && j < n) {
        c = Integer.compare(marks(a(i))(a(j)), marks(b(i))(b(j)))
        j += 1
      }
      i += 1
    }
    c < 0
  }

  private def placesOf(at: Array[Int]): IndexedSeq[Int] = {
    val places = new Array[Int](n)
    var i = 0
    while (i < n) {
      places(at(i)) = i
      i += 1
    }
    places.toVector
  }

  /** Numbers that differ where marks do, or the numbers of what they are marked with. */
  @annotation.tailrec
  private def refined(known: Array[Int]): Array[Int] = {
    val seen = Array.tabulate(n) { v =>
      val around = new Array[Long](n)
      var u = 0
      while (u < n) {
        around(u) = marks(v)(u).toLong << 32 | known(u)
        u += 1
      }
      around(v) = -1L
      Arrays.sort(around)
      around(0) = known(v).toLong
      around
    }
    val places = seen.sorted(Arrangement.byNumbers)
    val next = seen.map(s => places.indexWhere(Arrays.equals(_, s)))
    if (next.distinct.length == known.distinct.length) next else refined(next)
  }
}

private[count] object Arrangement {

  final private val MostWays = 5040L

  private val byNumbers: Ordering[Array[Long]] = (a, b) => Arrays.compare(a, b)
}
