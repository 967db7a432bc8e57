package io.wreath.kernel.join

/**
 * Binds the levels after the seed's, by intersecting neighbour lists. The candidates of a level are kept ([[LevelCandidates]]), which makes [[next]] resumable at any point
 * in constant memory.
 *
 * Requires: the levels of the seed bound before [[start]].
 * Not thread-safe.
 */
final private[join] class ListLevels(state: JoinState, sets: SeedSets) {
  private[this] val levels = state.levels
  private[this] val last = state.levelCount - 1
  private[this] val free = state.seedLevels

  /** What is known of each level under the current binding. */
  val known: LevelCandidates = new LevelCandidates(state, sets)
  private[this] val candidates = known.candidates
  private[this] val position = known.position
  private[this] val end = known.end

  // Where to resume; below the floor is not ours.
  private[this] var depth = 0
  private[this] var floor = free

  /** Takes the current binding of the seed's levels, which [[LevelCandidates]] knows, as the prefix. */
  def start(): Unit = startAt(free)

  /** Takes the current binding of the levels before `level` as the prefix of all that follows. */
  def startAt(level: Int): Unit = {
    floor = level
    depth = level
    known.fill(level)
  }

  /** Goes on with the binding of the free levels up to `level` as if [[startAt]] a later one had not been. */
  def resumeAt(level: Int): Unit = {
    floor = free
    depth = level
  }

  /** Advances to the next binding of all levels. */
  def next(): Boolean = advance(last)

  // Candidates of the last level that had to be checked one by one.
  private[this] var checked = Array.emptyIntArray

  /**
   * Advances to the next binding of all levels but the last, of which there must be two or more,
   * and fills the last. Not to be mixed with [[next]] under one seed.
   */
  def nextPrefix(): Boolean = {
    val more = advance(last - 1)
    if (more) known.fill(last)
    more
  }

  /** What the last level can be bound to under the current prefix; maybe nothing. */
  def takeRun(run: BindingRun): Unit =
    if (state.isPlain(last) && !levels(last).isSkipping && candidates(last) != null) {
      run.set(candidates(last), position(last), end(last))
    } else checkInto(run)

  private def checkInto(run: BindingRun): Unit = {
    if (checked.length < end(last) - position(last)) {
      checked = new Array[Int](Math.max(end(last) - position(last), 2 * checked.length))
    }
    var n = 0
    while (step(last)) {
      checked(n) = state.codes(last)
      n += 1
    }
    run.set(checked, 0, n)
  }

  /** Advances to the next binding of the levels up to `target`. */
  def advance(target: Int): Boolean = {
    var level = Math.min(depth, target)
    while (level >= floor) {
      if (!step(level)) level -= 1
      else if (level == target) {
        depth = level
        return true
      } else {
        level += 1
        known.fill(level)
      }
    }
    depth = 0
    false
  }

  /** Binds `level` to its next candidate that passes all checks. */
  def step(level: Int): Boolean = {
    val from = candidates(level)
    val until = end(level)
    var i = position(level)
    var found = false
    while (!found && i < until) {
      val code = if (from == null) i else from(i)
      i += 1
      found = state.accepts(level, code) && state.bind(level, code)
      if (!found) state.passOver()
    }
    position(level) = i
    known.touch(level)
    found
  }
}
