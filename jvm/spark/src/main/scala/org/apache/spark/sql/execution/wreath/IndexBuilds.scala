package org.apache.spark.sql.execution.wreath

import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.locks.{Lock, ReentrantReadWriteLock}

/**
 * The builds of indexes that this driver runs now. They share its heap, so they know of each other.
 *
 * {{{
 *   beside others  each claims what it is going to allocate. One that does not fit beside the claims
 *                  of the others gives up what it has collected
 *   alone          and is tried again when they are done; those after it wait
 * }}}
 * A query whose indexes fit one after the other is so answered by them, and two that each fit do not
 * exhaust the heap together.
 */
private[wreath] object IndexBuilds {

  private val turns = new ReentrantReadWriteLock
  private val claims = ConcurrentHashMap.newKeySet[IndexBuild]()

  def beside[T](body: IndexBuild => T): T = taking(turns.readLock)(body)

  def alone[T](body: IndexBuild => T): T = taking(turns.writeLock)(body)

  /** What builds but this one have claimed. */
  def claimedBeside(build: IndexBuild): Long = {
    var sum = 0L
    claims.forEach(c => if (c ne build) sum += c.bytes)
    sum
  }

  private def taking[T](turn: Lock)(body: IndexBuild => T): T = {
    // A cancelled query does not wait for its turn.
    turn.lockInterruptibly()
    val build = new IndexBuild
    claims.add(build)
    try body(build)
    finally {
      claims.remove(build)
      turn.unlock()
    }
  }
}

/** One of them, from its first block to its broadcast. */
final private[wreath] class IndexBuild {

  @volatile private var claimed = 0L
  @volatile private var metOthers = false

  def bytes: Long = claimed

  /** Whether others claimed something beside it, even if they are done by now. */
  def wasBesideOthers: Boolean = metOthers || IndexBuilds.claimedBeside(this) > 0

  /**
   * Says what this build is going to allocate, all in all.
   *
   * @return what others have claimed beside it
   */
  def claim(bytes: Long): Long = {
    claimed = bytes
    val others = IndexBuilds.claimedBeside(this)
    if (others > 0) metOthers = true
    others
  }
}
