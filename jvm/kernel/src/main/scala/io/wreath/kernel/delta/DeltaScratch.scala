package io.wreath.kernel.delta

import io.wreath.kernel.intersect.ElementCounter

/**
 * The memory that a [[DeltaGenericJoin]] works in. It grows to the longest lists met, and can be
 * handed from one batch's join to the next: small batches then cost nothing for its size.
 *
 * Not thread-safe: one instance per thread.
 *
 * @param maxMarkedCodes over more codes than this, lists are merged instead of marked
 * @param interrupt runs several times a millisecond while a join works in here, and ends it by throwing;
 *   after that the memory cannot be used
 */
final class DeltaScratch private[delta] (maxMarkedCodes: Int, interrupt: Runnable) {

  def this(interrupt: Runnable) = this(DeltaScratch.MaxMarkedCodes, interrupt)

  def this() = this(() => ())

  private[this] var buffers = new Array[Array[Int]](DeltaScratch.InitialSlots)
  private[this] var marks = new Array[Array[Byte]](DeltaScratch.InitialSlots)

  private[delta] val read: ElementCounter = new ElementCounter(interrupt)

  /** A buffer of at least `length` ints; what was in it may be gone. */
  private[delta] def buffer(slot: Int, length: Int): Array[Int] = {
    if (slot >= buffers.length) buffers = java.util.Arrays.copyOf(buffers, 2 * slot + 1)
    if (buffers(slot) == null || buffers(slot).length < length) {
      buffers(slot) = new Array[Int](Math.max(length + length / 2, DeltaScratch.InitialLength))
    }
    buffers(slot)
  }

  /** Whether marks, a byte a code, are worth their memory. */
  private[delta] def hasMarksFor(vertexCount: Int): Boolean = vertexCount <= maxMarkedCodes

  /** Marks for `vertexCount` codes. Whoever sets marks clears them when done. */
  private[delta] def marksOf(slot: Int, vertexCount: Int): Array[Byte] = {
    if (slot >= marks.length) marks = java.util.Arrays.copyOf(marks, 2 * slot + 1)
    if (marks(slot) == null || marks(slot).length < vertexCount) {
      marks(slot) = new Array[Byte](vertexCount + vertexCount / 4)
    }
    marks(slot)
  }
}

private object DeltaScratch {

  /** Beyond this, marks leave the caches, and each thread has one such array a level. */
  final private val MaxMarkedCodes = 1 << 23
  final private val InitialSlots = 16
  final private val InitialLength = 256
}
