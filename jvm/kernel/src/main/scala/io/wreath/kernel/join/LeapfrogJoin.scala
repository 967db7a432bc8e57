package io.wreath.kernel.join

import io.wreath.kernel.csr.Relation
import io.wreath.kernel.lists.{Adjacency, ElementCounter, GallopingSearch}
import io.wreath.kernel.trie.{CsrTrieIterator, TrieIterator}
import io.wreath.pattern.{ComparisonOp, GraphPattern, VariableOrder}

/**
 * Enumerates or counts the bindings of a pattern by Leapfrog Triejoin: the baseline of [[GenericJoin]], over
 * the same indexes and morsels, with the same rows.
 *
 * An edge is a trie of two columns. What a variable may be bound to besides, its domain and the range of a
 * morsel, is a trie of one. Comparisons, self-loops and predicates are asked as soon as their
 * variables are bound, and multiplicities are looked up when a binding is complete. Nothing is counted
 * without being bound.
 *
 * Requires and interrupts as [[GenericJoin]].
 */
final class LeapfrogJoin(
    pattern: GraphPattern,
    order: VariableOrder,
    relations: Array[_ <: Relation],
    predicates: IndexedSeq[BindingPredicate] = Vector.empty,
    domains: Array[Domain] = null,
    interrupt: Runnable = () => ())
    extends MorselJoin {

  private[this] val variableAt = order.variables.toArray
  override val levelCount: Int = variableAt.length
  private[this] val levelOf = order.variables.zipWithIndex.toMap
  private[this] val allowed = Domain.narrowed(pattern, relations, domains)
  private[this] val confined = variableAt.map(v => new CodesTrie(allowed(v)))

  private[this] val atoms = {
    val edges = pattern.edges.filter(e => e.source != e.target).map { e =>
      val forward = levelOf(e.source) < levelOf(e.target)
      val columns = if (forward) Vector(e.source, e.target) else Vector(e.target, e.source)
      (e.relation, forward, columns)
    }.distinct
    edges.map { case (relation, forward, columns) =>
      TrieAtom(new CsrTrieIterator(relations(relation).direction(forward)), columns)
    } ++ variableAt.indices.map(l => TrieAtom(confined(l), Vector(variableAt(l))))
  }

  // By level, what is asked once it is bound.
  private[this] val compared = byLevel(pattern.comparisons)(c => Seq(c.left, c.right))
  private[this] val loops: Array[Array[Adjacency]] =
    byLevel(pattern.edges.filter(e => e.source == e.target))(e => Seq(e.source))
      .map(_.map(e => relations(e.relation).forward).toArray)
  private[this] val asked = byLevel(predicates)(_.variables)

  private def byLevel[A](all: IndexedSeq[A])(variables: A => Seq[Int]): Array[IndexedSeq[A]] =
    Array.tabulate(levelCount)(l => all.filter(a => variables(a).map(levelOf).max == l))

  private[this] val weighing =
    pattern.edges.filter(e => !e.matchesOnce && relations(e.relation).hasDuplicates).toArray

  override val binding: Array[Int] = new Array[Int](levelCount)
  override val run: BindingRun = new BindingRun
  private[this] val single = new Array[Int](1)

  // What the tries stand at: groups look one binding ahead.
  private[this] val current = new Array[Int](levelCount)
  private[this] var isAhead = false
  private[this] val bound = new Array[Long](levelCount)
  private[this] val read = new ElementCounter(interrupt)

  private[this] val join = new LeapfrogTriejoin(atoms, order, level => accepts(level))

  private def accepts(level: Int): Boolean = {
    val code = join.binding(variableAt(level)).toInt
    current(variableAt(level)) = code
    read.add(1)
    read.worked(ElementCounter.Candidate)
    val passes =
      compared(level).forall(c => LeapfrogJoin.holds(current(c.left), c.op, current(c.right))) &&
        loops(level).forall(LeapfrogJoin.position(_, code, code) >= 0) &&
        asked(level).forall(_.accepts(current))
    if (passes) bound(level) += 1
    passes
  }

  override def open(m: Morsel): Unit = {
    if (m.until > allowed(variableAt(0)).size) {
      throw new IllegalArgumentException(
        s"$m leaves the codes 0 until ${allowed(variableAt(0)).size}.")
    }
    join.restart()
    isAhead = false
    confined(0).confine(m.from, m.until)
    if (levelCount > 1) confined(1).confine(m.secondFrom, m.secondUntil)
  }

  override def next(): Boolean = {
    val found = join.next()
    if (found) show()
    found
  }

  private def show(): Unit = System.arraycopy(current, 0, binding, 0, levelCount)

  /** Each binding is a run of its own. */
  override def nextRun(): Boolean = {
    val found = next()
    if (found) {
      single(0) = binding(variableAt(levelCount - 1))
      run.set(single, 0, 1)
    }
    found
  }

  override def weight: Long = weightOf(binding)

  private def weightOf(codes: Array[Int]): Long = {
    var product = 1L
    var i = 0
    while (i < weighing.length) {
      val e = weighing(i)
      val lists = relations(e.relation).forward
      val source = codes(e.source)
      val times = lists.multiplicities(source)
      if (times != null) {
        val at = LeapfrogJoin.position(lists, source, codes(e.target))
        product = Math.multiplyExact(product, times(at).toLong)
      }
      i += 1
    }
    product
  }

  override def count(): Long = {
    var total = 0L
    while (join.next()) total = Math.addExact(total, weightOf(current))
    total
  }

  override def nextGroup(levels: Int, anyRow: Boolean): Long = {
    if (levels < 1 || levels > levelCount) {
      throw new IllegalArgumentException(s"$levels of the $levelCount variables cannot be bound.")
    }
    if (!isAhead) isAhead = join.next()
    if (!isAhead) 0L
    else {
      show()
      if (anyRow) {
        join.leave(levels)
        isAhead = false
        1L
      } else {
        var rows = 0L
        while (isAhead && isOfGroup(levels)) {
          rows = Math.addExact(rows, weightOf(current))
          isAhead = join.next()
        }
        rows
      }
    }
  }

  private def isOfGroup(levels: Int): Boolean = {
    var same = true
    var l = 0
    while (l < levels) {
      if (current(variableAt(l)) != binding(variableAt(l))) same = false
      l += 1
    }
    same
  }

  override def elementsTouched: Long = read.elements

  override def seeks: Long = 0L

  override def bindingsAt(level: Int): Long = bound(level)
}

private object LeapfrogJoin {

  private def holds(left: Int, op: ComparisonOp, right: Int): Boolean = op match {
    case ComparisonOp.Less => left < right
    case ComparisonOp.LessOrEqual => left <= right
    case ComparisonOp.NotEqual => left != right
    case ComparisonOp.Equal => left == right
  }

  /** Where the list of `v` has `u`, or -1. */
  private def position(lists: Adjacency, v: Int, u: Int): Int =
    if (v >= lists.vertexCount) -1
    else GallopingSearch.find(lists.array(v), lists.from(v), lists.until(v), u)
}

/** The codes of a domain, within a range, as a trie of one column. */
final private[join] class CodesTrie(domain: Domain) extends TrieIterator {
  private[this] var from = domain.from
  private[this] var until = domain.until
  private[this] var code = 0

  /** Only where it is not open. */
  def confine(least: Int, end: Int): Unit = {
    from = Math.max(domain.from, least)
    until = Math.min(domain.until, end)
  }

  override def arity: Int = 1

  override def open(): Unit = to(from)

  override def up(): Unit = ()

  override def key: Long = code.toLong

  override def next(): Unit = to(code + 1)

  override def seek(key: Long): Unit =
    if (key > code) to(Math.min(key, until.toLong).toInt)

  override def atEnd: Boolean = code >= until

  private def to(least: Int): Unit = code = if (least >= until) until else domain.next(least)
}
