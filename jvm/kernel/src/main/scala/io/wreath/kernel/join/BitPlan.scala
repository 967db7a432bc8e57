package io.wreath.kernel.join

/**
 * How a program runs on bit rows, if it can: when every variable after the first lies in the same
 * list of the first one, all further intersections stay inside that neighbourhood.
 *
 * Parallel edges to the first variable, self-loops and comparisons do not stand in the way: they
 * become masks and ranges.
 */
final private[join] class BitPlan(
    // The list of level 0 that holds all other variables.
    val relation: Int,
    val forward: Boolean,
    // The distinct (relation, direction) pairs between the others: one bit matrix each.
    val matrixRelation: Array[Int],
    val matrixForward: Array[Boolean],
    val levels: Array[BitLevel])

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
    val extendsPrevious: Boolean)

private[join] object BitPlan {

  def of(program: JoinProgram): Option[BitPlan] = {
    val levels = program.levels
    val shared = levels.tail
      .map(l =>
        l.listLevel.indices
          .filter(l.listLevel(_) == 0)
          .map(i => (l.listRelation(i), l.listForward(i)))
          .toSet)
      .reduceOption(_ intersect _)
      .getOrElse(Set.empty)
    shared.toVector.sorted.headOption.map { case (relation, forward) =>
      val matrices = levels.toVector.flatMap { l =>
        l.listLevel.indices.filter(l.listLevel(_) > 0).map(i =>
          (l.listRelation(i), l.listForward(i)))
      }.distinct
      val compiled = new Array[BitLevel](levels.length)
      (1 until levels.length).foreach { level =>
        compiled(level) = compileLevel(
          levels(level),
          level,
          (relation, forward),
          matrices,
          compiled(level - 1))
      }
      new BitPlan(
        relation,
        forward,
        matrices.map(_._1).toArray,
        matrices.map(_._2).toArray,
        compiled)
    }
  }

  private def compileLevel(
      l: JoinLevel,
      level: Int,
      common: (Int, Boolean),
      matrices: Vector[(Int, Boolean)],
      previous: BitLevel): BitLevel = {
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
    new BitLevel(rowLevel, rowMatrix, masks, hasMask, before, extendsPrevious)
  }
}
