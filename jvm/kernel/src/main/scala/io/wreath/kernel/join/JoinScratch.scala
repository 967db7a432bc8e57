package io.wreath.kernel.join

import io.wreath.kernel.lists.ElementCounter

/**
 * The memory that a join works in. It grows to the longest lists met, and can be handed from one join to
 * the next, such as that of the next batch of changes: small ones then cost nothing for its size.
 *
 * Not thread-safe: one instance per thread.
 *
 * @param maxMarkedCodes over more codes than this, lists are merged instead of marked
 * @param interrupt runs several times a millisecond while a join works in here, and ends it by throwing;
 *   after that the memory cannot be used
 */
final class JoinScratch private[wreath] (maxMarkedCodes: Int, interrupt: Runnable) {

  def this(interrupt: Runnable) = this(JoinScratch.MaxMarkedCodes, interrupt)

  def this() = this(() => ())

  private[this] var buffers = new Array[Array[Int]](JoinScratch.InitialSlots)
  private[this] var marks = new Array[Array[Byte]](JoinScratch.InitialSlots)

  private[wreath] val read: ElementCounter = new ElementCounter(interrupt)

  /** A buffer of at least `length` ints; what was in it may be gone. */
  private[wreath] def buffer(slot: Int, length: Int): Array[Int] = {
    if (slot >= buffers.length) buffers = java.util.Arrays.copyOf(buffers, 2 * slot + 1)
    if (buffers(slot) == null || buffers(slot).length < length) {
      buffers(slot) = new Array[Int](Math.max(length + length / 2, JoinScratch.InitialLength))
    }
    buffers(slot)
  }

  /** Whether marks, a byte a code, are worth their memory. */
  private[wreath] def hasMarksFor(codes: Int): Boolean = codes <= maxMarkedCodes

  /** Marks for that many codes. Whoever sets marks clears them when done. */
  private[wreath] def marksOf(slot: Int, codes: Int): Array[Byte] = {
    if (slot >= marks.length) marks = java.util.Arrays.copyOf(marks, 2 * slot + 1)
    if (marks(slot) == null || marks(slot).length < codes) {
      marks(slot) = new Array[Byte](codes + codes / 4)
    }
    marks(slot)
  }
}

private[wreath] object JoinScratch {

  /** Beyond this, marks leave the caches, and each thread has one such array a level. */
  final private val MaxMarkedCodes = 1 << 23
  final private val InitialSlots = 16
  final private val InitialLength = 256

  /** The memory of a whole join, which marks whatever the number of codes: lists are read over and over. */
  def ofWholeJoin(interrupt: Runnable): JoinScratch = new JoinScratch(Int.MaxValue, interrupt)
}
