package io.wreath.kernel.join

import io.wreath.pattern.{ComparisonOp, GraphPattern, PatternEdge, VariableOrder}

/**
 * What has to be done to bind one variable, in arrays that the loops can read without search.
 *
 * "Level" is the position of a variable in the order; all levels named here are earlier ones.
 * The three `list…` arrays are parallel: a list is the neighbours, in relation `listRelation(i)`
 * and direction `listForward(i)`, of what level `listLevel(i)` is bound to. They are sorted by
 * level, so that the last one changes most often. A pattern edge that is written several times
 * is one list; `listRepeat` says how many of them weigh, and likewise `loopRepeat`.
 */
final private[wreath] class JoinLevel(
    val variable: Int,
    val listLevel: Array[Int],
    val listRelation: Array[Int],
    val listForward: Array[Boolean],
    val listRepeat: Array[Int],
    // Relations in which the vertex must have an edge to itself.
    val loopRelation: Array[Int],
    val loopRepeat: Array[Int],
    // code >= binding(lowerLevel(i)) + lowerShift(i), code < binding(upperLevel(i)) + upperShift(i)
    val lowerLevel: Array[Int],
    val lowerShift: Array[Int],
    val upperLevel: Array[Int],
    val upperShift: Array[Int],
    val notEqualLevel: Array[Int],
    // Lists that later levels take from this one: if any is empty, going on is of no use.
    val neededRelation: Array[Int],
    val neededForward: Array[Boolean])
    extends Serializable {

  def listCount: Int = listLevel.length

  /** Whether comparisons narrow the candidates to a range. */
  def isBounded: Boolean = lowerLevel.length + upperLevel.length > 0

  /** The tightest bound from below that `level` sets, if any, as a shift of its code. */
  def lowerShiftBy(level: Int): Option[Int] =
    lowerLevel.indices.filter(lowerLevel(_) == level).map(lowerShift(_)).maxOption

  /** The tightest bound from above that `level` sets, if any, as a shift of its code. */
  def upperShiftBy(level: Int): Option[Int] =
    upperLevel.indices.filter(upperLevel(_) == level).map(upperShift(_)).minOption

  /** Whether comparisons exclude single candidates. */
  def isSkipping: Boolean = notEqualLevel.length > 0

  /** The same but for the levels that it must differ from. */
  def differingFrom(levels: Array[Int]): JoinLevel =
    if (levels.length == notEqualLevel.length) this
    else
      new JoinLevel(
        variable,
        listLevel,
        listRelation,
        listForward,
        listRepeat,
        loopRelation,
        loopRepeat,
        lowerLevel,
        lowerShift,
        upperLevel,
        upperShift,
        levels,
        neededRelation,
        neededForward)
}

/**
 * A pattern and a variable order, compiled to one [[JoinLevel]] per variable.
 *
 * The first `seedLevels` levels are bound by whoever runs the program, all at once: to a code of the
 * first variable, to the ends of an edge, or to a prefix that came from elsewhere. What their lists say
 * is asked of these codes; the other levels are bound to what their lists have in common.
 *
 * Thread-safety: immutable and serializable; compiled once on the driver, run by every task.
 */
final class JoinProgram private (
    val pattern: GraphPattern,
    val order: VariableOrder,
    private[wreath] val levels: Array[JoinLevel],
    /** Whether a comparison of a variable with itself, such as `x < x`, excludes every row. */
    private[wreath] val isContradictory: Boolean,
    private[wreath] val seedLevels: Int,
    private[wreath] val isOfEdge: Boolean)
    extends Serializable {

  def levelCount: Int = levels.length

  /** Whether the seeds are codes of the first variable, so that all edges are in the lists. */
  private[wreath] def isOfCodes: Boolean = seedLevels == 1 && !isOfEdge
}

object JoinProgram {

  /**
   * @param symmetric by relation, whether each edge has its opposite. Then the direction in which the
   *   pattern writes an edge says nothing, and all of them are read forward, from the same lists
   */
  def compile(
      p: GraphPattern,
      order: VariableOrder,
      symmetric: Int => Boolean = _ => false): JoinProgram =
    compile(p, p.edges, order, symmetric, 1, isOfEdge = false)

  /** A program that is seeded with bindings of the first `levels` variables of the order. */
  def ofPrefixes(p: GraphPattern, order: VariableOrder, levels: Int): JoinProgram = {
    if (levels < 1 || levels > p.variableCount) {
      throw new IllegalArgumentException(
        s"A prefix of $levels variables cannot be taken from ${p.variableCount}.")
    }
    compile(p, p.edges, order, _ => false, levels, isOfEdge = false)
  }

  /** A program that is seeded with the ends of edges that pattern edge `seed` may be bound to. */
  def ofEdge(p: GraphPattern, order: VariableOrder, seed: Int): JoinProgram = {
    val ends = Vector(p.edges(seed).source, p.edges(seed).target).distinct
    if (order.variables.take(ends.size) != ends) {
      throw new IllegalArgumentException(s"$order does not begin with the ends of edge $seed.")
    }
    compile(p, p.edges.patch(seed, Nil, 1), order, _ => false, ends.size, isOfEdge = true)
  }

  private def compile(
      p: GraphPattern,
      edges: IndexedSeq[PatternEdge],
      order: VariableOrder,
      symmetric: Int => Boolean,
      seedLevels: Int,
      isOfEdge: Boolean): JoinProgram = {
    if (order.variables.size != p.variableCount) {
      throw new IllegalArgumentException(
        s"The pattern has ${p.variableCount} variables, but the order names " +
          s"${order.variables.size}.")
    }
    val levelOf = new Array[Int](p.variableCount)
    order.variables.zipWithIndex.foreach { case (v, level) => levelOf(v) = level }
    val levels = order.variables.indices
      .map(compileLevel(p, edges, order, levelOf, symmetric, seedLevels, _))
      .toArray
    val contradiction = p.comparisons.exists { c =>
      c.left == c.right && (c.op == ComparisonOp.Less || c.op == ComparisonOp.NotEqual)
    }
    new JoinProgram(p, order, levels, contradiction, seedLevels, isOfEdge)
  }

  private def compileLevel(
      p: GraphPattern,
      edges: IndexedSeq[PatternEdge],
      order: VariableOrder,
      levelOf: Array[Int],
      symmetric: Int => Boolean,
      seedLevels: Int,
      level: Int): JoinLevel = {
    val v = order.variables(level)

    // (level of the other end, relation, forward from there) -> how often the edge weighs
    val lists = edges
      .collect {
        case e if e.target == v && levelOf(e.source) < level =>
          (levelOf(e.source), e.relation, true)
        case e if e.source == v && levelOf(e.target) < level =>
          (levelOf(e.target), e.relation, symmetric(e.relation))
      }
      .distinct
      .map { case list @ (from, relation, forward) =>
        def links(near: Int, far: Int): Boolean = far == v && levelOf(near) == from
        val weighing = edges.count { e =>
          val asWritten = if (forward) links(e.source, e.target) else links(e.target, e.source)
          !e.matchesOnce && e.relation == relation &&
          (asWritten || (symmetric(relation) && links(e.target, e.source)))
        }
        (list, weighing)
      }
      .sortBy(_._1)
    val loops = edges
      .filter(e => e.source == v && e.target == v)
      .groupBy(_.relation)
      .toVector
      .map { case (relation, written) => (relation, written.count(!_.matchesOnce)) }
      .sorted
    // The seed binds its levels all at once, and asks their lists then.
    val onward = Math.max(level + 1, seedLevels)
    val needed = edges
      .collect {
        case e if e.source == v && levelOf(e.target) >= onward => (e.relation, true)
        case e if e.target == v && levelOf(e.source) >= onward =>
          (e.relation, symmetric(e.relation))
      }
      .distinct
      .sorted

    // `=` is both bounds at once, so that it narrows lists instead of filtering them.
    val lower = p.comparisons.collect {
      case c if c.right == v && levelOf(c.left) < level && c.op == ComparisonOp.Less =>
        (levelOf(c.left), 1)
      case c if c.right == v && levelOf(c.left) < level && isAtMost(c.op) =>
        (levelOf(c.left), 0)
      case c if c.left == v && levelOf(c.right) < level && c.op == ComparisonOp.Equal =>
        (levelOf(c.right), 0)
    }.distinct
    val upper = p.comparisons.collect {
      case c if c.left == v && levelOf(c.right) < level && c.op == ComparisonOp.Less =>
        (levelOf(c.right), 0)
      case c if c.left == v && levelOf(c.right) < level && isAtMost(c.op) =>
        (levelOf(c.right), 1)
      case c if c.right == v && levelOf(c.left) < level && c.op == ComparisonOp.Equal =>
        (levelOf(c.left), 1)
    }.distinct
    val notEqual = p.comparisons.collect {
      case c if c.op == ComparisonOp.NotEqual && c.left == v && levelOf(c.right) < level =>
        levelOf(c.right)
      case c if c.op == ComparisonOp.NotEqual && c.right == v && levelOf(c.left) < level =>
        levelOf(c.left)
    }.distinct

    new JoinLevel(
      v,
      lists.map(_._1._1).toArray,
      lists.map(_._1._2).toArray,
      lists.map(_._1._3).toArray,
      lists.map(_._2).toArray,
      loops.map(_._1).toArray,
      loops.map(_._2).toArray,
      lower.map(_._1).toArray,
      lower.map(_._2).toArray,
      upper.map(_._1).toArray,
      upper.map(_._2).toArray,
      notEqual.toArray,
      needed.map(_._1).toArray,
      needed.map(_._2).toArray)
  }

  private def isAtMost(op: ComparisonOp): Boolean =
    op == ComparisonOp.LessOrEqual || op == ComparisonOp.Equal
}
