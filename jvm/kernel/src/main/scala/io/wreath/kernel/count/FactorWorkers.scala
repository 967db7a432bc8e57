package io.wreath.kernel.count

import java.util.Arrays

import io.wreath.kernel.csr.Csr
import io.wreath.kernel.lists.{ElementCounter, GallopingSearch}

/** Asks a condition of each code, as all `places` of what it reads. */
final private[count] class PassedWorker(test: CodeTest, places: Int, passed: Array[Long])
    extends CodeWorker {
  private[this] val codes = new Array[Int](places)

  override def run(v: Int, read: ElementCounter): Unit = {
    Arrays.fill(codes, v)
    passed(v) = if (test.accepts(codes)) 1L else 0L
    read.worked(ElementCounter.Candidate)
  }
}

/** Sums over the neighbours of each code. */
final private[count] class AlongWorker(
    edges: Made[EdgeNumbers],
    inner: Option[Made[Array[Long]]],
    sums: Array[Long])
    extends CodeWorker {

  private[this] var e: EdgeNumbers = _
  private[this] var numbers: Array[Long] = _

  override def run(v: Int, read: ElementCounter): Unit = {
    if (e == null) {
      e = edges.get(read)
      numbers = inner.map(_.get(read)).orNull
    }
    val from = e.lists.from(v)
    val until = e.lists.until(v)
    sums(v) =
      if (numbers == null && e.weights == null) (until - from).toLong
      else {
        var sum = 0L
        var i = from
        while (i < until) {
          val weight = if (e.weights == null) 1L else e.weights(i)
          val n = if (numbers == null) 1L else numbers(e.lists.neighbours(i))
          sum = Math.addExact(sum, Math.multiplyExact(weight, n))
          i += 1
        }
        read.add(until - from)
        sum
      }
    read.worked(1L)
  }
}

/**
 * Sums, for each edge of some lists, over what both of its ends have as a neighbour: the row of one is laid
 * out by code, and that of the other looked up in it.
 *
 * @param isMirrored whether an edge and its opposite have the same sum
 */
final private[count] class ClosingWorker(
    lists: Csr,
    isMirrored: Boolean,
    codes: Int,
    fromEdges: Made[EdgeNumbers],
    backEdges: Made[EdgeNumbers],
    inner: Option[Made[Array[Long]]],
    weights: Array[Long])
    extends CodeWorker {

  private[this] var from: EdgeNumbers = _
  private[this] var back: EdgeNumbers = _
  private[this] var numbers: Array[Long] = _
  private[this] val laid = new Array[Long](codes)

  override def run(a: Int, read: ElementCounter): Unit = {
    if (from == null) {
      from = fromEdges.get(read)
      back = backEdges.get(read)
      numbers = inner.map(_.get(read)).orNull
    }
    val first = if (isMirrored) Math.max(lists.after(a) - 1, lists.from(a)) else lists.from(a)
    val until = lists.until(a)
    if (first < until && from.lists.degree(a) > 0) {
      lay(a)
      var i = first
      while (i < until) {
        val b = lists.neighbours(i)
        if (!isMirrored || b >= a) {
          val sum = if (back.weights == null) met(b) else weighed(b)
          read.add(back.lists.degree(b))
          weights(i) = sum
          // Nobody else writes there.
          if (isMirrored && b != a) {
            val own = GallopingSearch.find(lists.neighbours, lists.from(b), lists.until(b), a)
            weights(own) = sum
          }
        }
        i += 1
      }
      clear(a)
    }
    read.worked(1L)
  }

  private def lay(a: Int): Unit = {
    val list = from.lists.neighbours
    var i = from.lists.from(a)
    val until = from.lists.until(a)
    while (i < until) {
      val v = list(i)
      val weight = if (from.weights == null) 1L else from.weights(i)
      laid(v) = if (numbers == null) weight else Math.multiplyExact(weight, numbers(v))
      i += 1
    }
  }

  private def clear(a: Int): Unit = {
    val list = from.lists.neighbours
    var i = from.lists.from(a)
    while (i < from.lists.until(a)) {
      laid(list(i)) = 0L
      i += 1
    }
  }

  private def met(b: Int): Long = {
    val list = back.lists.neighbours
    val until = back.lists.until(b)
    val values = laid
    var sum = 0L
    var i = back.lists.from(b)
    while (i < until) {
      sum = Math.addExact(sum, values(list(i)))
      i += 1
    }
    sum
  }

  private def weighed(b: Int): Long = {
    val list = back.lists.neighbours
    val until = back.lists.until(b)
    var sum = 0L
    var i = back.lists.from(b)
    while (i < until) {
      val value = laid(list(i))
      if (value != 0L) sum = Math.addExact(sum, Math.multiplyExact(value, back.weights(i)))
      i += 1
    }
    sum
  }
}

/** The edges that are in all of some lists, weighed by all of them. */
final private[count] class CommonEdges(each: Seq[Made[EdgeNumbers]], rows: Int, columns: Int) {
  @volatile private[this] var made: EdgeNumbers = _

  def found: EdgeNumbers = made

  def find(read: ElementCounter): Unit = {
    val parts = each.map(_.get(read))
    made = parts.tail.foldLeft(parts.head)(both(_, _, read))
  }

  private def both(a: EdgeNumbers, b: EdgeNumbers, read: ElementCounter): EdgeNumbers = {
    val most = Math.min(a.lists.edgeCount, b.lists.edgeCount)
    val offsets = new Array[Int](rows + 1)
    val neighbours = new Array[Int](most)
    val isWeighed = a.weights != null || b.weights != null
    val weights = if (isWeighed) new Array[Long](most) else null
    var n = 0
    var v = 0
    while (v < rows) {
      var i = a.lists.from(v)
      var j = b.lists.from(v)
      val (iEnd, jEnd) = (a.lists.until(v), b.lists.until(v))
      read.add(iEnd - i + jEnd - j)
      while (i < iEnd && j < jEnd) {
        val x = a.lists.neighbours(i)
        val y = b.lists.neighbours(j)
        if (x == y) {
          neighbours(n) = x
          if (isWeighed) weights(n) = Math.multiplyExact(weightOf(a, i), weightOf(b, j))
          n += 1
        }
        if (x <= y) i += 1
        if (y <= x) j += 1
      }
      offsets(v + 1) = n
      v += 1
    }
    new EdgeNumbers(
      new Csr(offsets, Arrays.copyOf(neighbours, n), null),
      if (isWeighed) Arrays.copyOf(weights, n) else null,
      columns)
  }

  private def weightOf(e: EdgeNumbers, at: Int): Long =
    if (e.weights == null) 1L else e.weights(at)
}

/** Of some edges, those that lead to a greater code, or to a lesser one. */
final private[count] class OrderedEdges(of: Made[EdgeNumbers], isAscending: Boolean) {
  @volatile private[this] var made: EdgeNumbers = _

  def found: EdgeNumbers = made

  def find(read: ElementCounter): Unit = {
    val all = of.get(read)
    val rows = all.lists.vertexCount
    val offsets = new Array[Int](rows + 1)
    var v = 0
    while (v < rows) {
      offsets(v + 1) = offsets(v) + until(all.lists, v) - from(all.lists, v)
      v += 1
    }
    val neighbours = new Array[Int](offsets(rows))
    val weights = if (all.weights == null) null else new Array[Long](offsets(rows))
    v = 0
    while (v < rows) {
      val n = offsets(v + 1) - offsets(v)
      val begin = from(all.lists, v)
      System.arraycopy(all.lists.neighbours, begin, neighbours, offsets(v), n)
      if (weights != null) System.arraycopy(all.weights, begin, weights, offsets(v), n)
      read.add(n)
      v += 1
    }
    made = new EdgeNumbers(new Csr(offsets, neighbours, null), weights, all.columns)
  }

  private def from(lists: Csr, v: Int): Int = if (isAscending) lists.after(v) else lists.from(v)

  private def until(lists: Csr, v: Int): Int =
    if (isAscending) lists.until(v)
    else GallopingSearch.lowerBound(lists.neighbours, lists.from(v), lists.until(v), v)
}
