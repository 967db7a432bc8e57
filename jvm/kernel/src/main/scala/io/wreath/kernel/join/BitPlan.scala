package io.wreath.kernel.join

import io.wreath.pattern.ComparisonOp

/**
 * How a program runs on bit rows, if it can: when every variable after the first lies in the same
 * list of the first one, all further intersections stay inside that neighbourhood.
 *
 * Parallel edges to the first variable, self-loops and comparisons do not stand in the way: they
 * become masks and ranges. A comparison that holds between both ends of every row is even a gain,
 * for the rows are then built without the bits it excludes and need no range at all: over edges in
 * both directions, a clique with `a < b < c < d` runs like one over edges that ascend.
 */
final private[wreath] class BitPlan(
    // The list of level 0 that holds all other variables, and whether these must all come after
    // the vertex of level 0, or all before it.
    val relation: Int,
    val forward: Boolean,
    val side: Int,
    // The distinct (relation, direction) pairs between the others: one bit matrix each, with all
    // bits (side 0), or only those after (1) or before (-1) the vertex of the row.
    val matrixRelation: Array[Int],
    val matrixForward: Array[Boolean],
    val matrixSide: Array[Int],
    private[join] val levels: Array[BitLevel])
    extends Serializable {

  /** Whether each level ANDs one more row of the only matrix, and asks for nothing else. */
  val isChain: Boolean = matrixRelation.length == 1 && levels.indices.drop(1).forall { level =>
    val l = levels(level)
    l.rowLevel.sameElements(1 until level) && !l.hasMask && !l.isBounded
  }
}

/** One level of a [[BitPlan]]; level 0 has none. */
final private[join] class BitLevel(
    // Rows to AND: row of what `rowLevel(i)` is bound to in matrix `rowMatrix(i)`, by level.
    val rowLevel: Array[Int],
    val rowMatrix: Array[Int],
    // Lists of level 0 beside the common one, by index into the level's lists.
    val maskList: Array[Int],
    val hasMask: Boolean,
    /** How many of the rows come from levels before the previous one. */
    val rowsBeforePrevious: Int,
    /** Whether these rows are just the rows of the previous level, so that its AND can serve. */
    val extendsPrevious: Boolean,
    // The bounds of the JoinLevel that are not built into the rows or the neighbourhood.
    val lowerLevel: Array[Int],
    val lowerShift: Array[Int],
    val upperLevel: Array[Int],
    val upperShift: Array[Int])
    extends Serializable {

  def isBounded: Boolean = lowerLevel.length + upperLevel.length > 0
}

private[join] object BitPlan {

  def of(program: JoinProgram): Option[BitPlan] = {
    val levels = program.levels
    val shared = levels.tail
      .map(l => lists(l).collect { case (0, relation, forward) => (relation, forward) }.toSet)
      .reduceOption(_ intersect _)
      .getOrElse(Set.empty)
    shared.toVector.sorted.headOption.map { case common =>
      val isBelow = strictlyBelow(program)
      val later = levels.indices.drop(1)
      def side(pairs: Seq[(Int, Int)]): Int =
        if (pairs.forall { case (a, b) => isBelow(a)(b) }) 1
        else if (pairs.forall { case (a, b) => isBelow(b)(a) }) -1
        else 0
      val rows = for {
        level <- later
        (from, relation, forward) <- lists(levels(level)) if from > 0
      } yield (relation, forward) -> (from, level)
      val matrices = rows.map(_._1).distinct.toVector
      val sides = matrices.map(m => side(rows.collect { case (`m`, ends) => ends }))
      val commonSide = side(later.map(level => (0, level)))

      val compiled = new Array[BitLevel](levels.length)
      later.foreach { level =>
        def builtIn(from: Int, sought: Int): Boolean =
          if (from == 0) commonSide == sought
          else rows.exists { case (m, ends) =>
            ends == (from, level) && sides(matrices.indexOf(m)) == sought
          }
        compiled(level) =
          compileLevel(levels(level), level, common, matrices, compiled(level - 1), builtIn)
      }
      new BitPlan(
        common._1,
        common._2,
        commonSide,
        matrices.map(_._1).toArray,
        matrices.map(_._2).toArray,
        sides.toArray,
        compiled)
    }
  }

  /** (level it hangs off, relation, forward) of each list of a level. */
  private def lists(l: JoinLevel): Seq[(Int, Int, Boolean)] =
    l.listLevel.indices.map(i => (l.listLevel(i), l.listRelation(i), l.listForward(i)))

  /** By levels i and j, whether the comparisons imply that i is bound to less than j. */
  private def strictlyBelow(program: JoinProgram): Array[Array[Boolean]] = {
    val n = program.levelCount
    val levelOf = program.order.variables.zipWithIndex.toMap
    // 0: nothing is known, 1: at most, 2: less.
    val known = Array.fill(n, n)(0)
    def learn(a: Int, b: Int, what: Int): Unit = known(a)(b) = Math.max(known(a)(b), what)
    program.pattern.comparisons.foreach { c =>
      val (left, right) = (levelOf(c.left), levelOf(c.right))
      c.op match {
        case ComparisonOp.Less => learn(left, right, 2)
        case ComparisonOp.LessOrEqual => learn(left, right, 1)
        case ComparisonOp.Equal => learn(left, right, 1); learn(right, left, 1)
        case ComparisonOp.NotEqual =>
      }
    }
    for (via <- 0 until n; a <- 0 until n; b <- 0 until n) {
      if (known(a)(via) > 0 && known(via)(b) > 0) {
        learn(a, b, Math.max(known(a)(via), known(via)(b)))
      }
    }
    known.map(_.map(_ == 2))
  }

  private def compileLevel(
      l: JoinLevel,
      level: Int,
      common: (Int, Boolean),
      matrices: Vector[(Int, Boolean)],
      previous: BitLevel,
      builtIn: (Int, Int) => Boolean): BitLevel = {
    def key(i: Int): (Int, Boolean) = (l.listRelation(i), l.listForward(i))
    val rows = l.listLevel.indices.filter(l.listLevel(_) > 0)
    val rowLevel = rows.map(l.listLevel(_)).toArray
    val rowMatrix = rows.map(i => matrices.indexOf(key(i))).toArray
    val masks = l.listLevel.indices.filter(i => l.listLevel(i) == 0 && key(i) != common).toArray
    val hasMask = masks.length > 0 || l.loopRelation.length > 0
    val before = rowLevel.count(_ < level - 1)
    val extendsPrevious = previous != null && !hasMask && !previous.hasMask &&
      rowLevel.take(before).sameElements(previous.rowLevel) &&
      rowMatrix.take(before).sameElements(previous.rowMatrix)
    // What is strictly above or below satisfies any bound on that side, `<=` included.
    val lower = l.lowerLevel.indices.filterNot(i => builtIn(l.lowerLevel(i), 1))
    val upper = l.upperLevel.indices.filterNot(i => builtIn(l.upperLevel(i), -1))
    new BitLevel(
      rowLevel,
      rowMatrix,
      masks,
      hasMask,
      before,
      extendsPrevious,
      lower.map(l.lowerLevel(_)).toArray,
      lower.map(l.lowerShift(_)).toArray,
      upper.map(l.upperLevel(_)).toArray,
      upper.map(l.upperShift(_)).toArray)
  }
}
