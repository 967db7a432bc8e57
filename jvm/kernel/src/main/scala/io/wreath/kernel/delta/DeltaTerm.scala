package io.wreath.kernel.delta

import io.wreath.kernel.join.JoinLevel

/**
 * The neighbours, in `relation` and one direction, of what `level` is bound to.
 *
 * @param isBefore whether the pattern edge ranks before the seed's, so that its list must not
 *                 have changed edges
 */
final private[delta] case class ListRef(
    level: Int,
    relation: Int,
    isForward: Boolean,
    isBefore: Boolean) {

  /** The lists, in the version that this one has to be read in. */
  def adjacency(changes: Array[GraphChange], isInsert: Boolean): VersionedAdjacency = {
    val change = changes(relation)
    val graph = if (isBefore) change.between else if (isInsert) change.after else change.before
    graph.direction(isForward)
  }
}

/** The id of a level must be above (or below) the id of an earlier `level`, or equal if allowed. */
final private[delta] case class IdBound(level: Int, isAbove: Boolean, orEqual: Boolean)

/**
 * What has to be done to bind one variable of a term. Levels are positions in the term's order;
 * all levels named here are earlier ones, or the level itself in `checks` for self-loops and in
 * `needed`.
 */
final private[delta] class DeltaLevel(
    val variable: Int,
    /** Lists to intersect, by ascending level; none for the ends of the seed. */
    val lists: Array[ListRef],
    /** Lists that must have the bound code: self-loops, and other edges between the seed's ends. */
    val checks: Array[ListRef],
    /** Lists that later levels take from this one: if any is empty, going on is of no use. */
    val needed: Array[ListRef],
    /** Comparisons of codes. */
    val onCodes: JoinLevel,
    /** Comparisons of ids, where codes do not keep their order. */
    val onIds: Array[IdBound])
    extends Serializable {

  def listCount: Int = lists.length

  /** Those of the lists that the ends of the seed give. */
  def seedLists(seedLevels: Int): Array[ListRef] = lists.filter(_.level < seedLevels)
}

/** The part of a [[DeltaProgram]] that is seeded from the changed edges of pattern edge `index`. */
final private[delta] class DeltaTerm(
    val index: Int,
    val relation: Int,
    /** Levels that the seed binds: source and target, or one for a self-loop. */
    val seedLevels: Int,
    val levels: Array[DeltaLevel],
    /** By level, the index of its lists of the seed's ends among [[SharedSets]], or -1. */
    val shared: Array[Int])
    extends Serializable {

  /** The level whose codes a [[DeltaMorsel]] may restrict: the first free one, if there is one. */
  def splitLevel: Int = Math.min(seedLevels, levels.length - 1)

  /** By level, how many of its lists come from the ends of the seed. */
  val seedListCount: Array[Int] = levels.map(_.seedLists(seedLevels).length)

  /** By level, how many of its lists come from the level just before; the rest change less often. */
  val freshLists: Array[Int] = levels.indices.map { l =>
    if (l - 1 < seedLevels) levels(l).listCount
    else levels(l).lists.count(_.level == l - 1)
  }.toArray
}
