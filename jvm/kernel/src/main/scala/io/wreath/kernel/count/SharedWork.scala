package io.wreath.kernel.count

import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.atomic.AtomicInteger
import java.util.concurrent.locks.LockSupport

import io.wreath.kernel.lists.ElementCounter

/** Does parts of some work, one after the other, in one thread. */
private[count] trait PartWorker {
  def run(part: Int, read: ElementCounter): Unit
}

/**
 * Work in parts that all tasks of a JVM do together: each takes a part, and the next, until none is left. A
 * task that is killed gives its part back, so a part may be begun twice; it must write the same then.
 *
 * Thread-safety: any number of threads may call [[finish]].
 *
 * @param workers makes what one thread needs for its parts
 */
final private[count] class SharedWork(parts: Int, workers: () => PartWorker) {
  private[this] val waiting = new ConcurrentLinkedQueue[Integer]
  private[this] val open = new AtomicInteger(parts)

  {
    var i = 0
    while (i < parts) {
      waiting.add(i)
      i += 1
    }
  }

  /** Does what nobody else does, and waits for the rest. */
  def finish(read: ElementCounter): Unit = {
    var worker: PartWorker = null
    while (open.get > 0) {
      read.worked(ElementCounter.Candidate)
      val part = waiting.poll()
      // Whoever is at the last parts may yet give them back.
      if (part == null) {
        LockSupport.parkNanos(SharedWork.PollNanos)
        read.worked(ElementCounter.BetweenChecks)
      } else {
        var isDone = false
        try {
          if (worker == null) worker = workers()
          worker.run(part, read)
          open.decrementAndGet()
          isDone = true
        } finally if (!isDone) waiting.add(part)
      }
    }
  }
}

private[count] object SharedWork {

  final private val PollNanos = 100000L

  /** Vertices that are one part. */
  final private val PartVertices = 256

  /** Work on all codes, some at a time. */
  def onCodes(codes: Int)(workers: () => CodeWorker): SharedWork =
    new SharedWork(
      (codes + PartVertices - 1) / PartVertices,
      () => {
        val one = workers()
        (part, read) => {
          val until = Math.min(codes, (part + 1) * PartVertices)
          var v = part * PartVertices
          while (v < until) {
            one.run(v, read)
            v += 1
          }
        }
      })

  /** Work that cannot be cut. */
  def whole(work: ElementCounter => Unit): SharedWork =
    new SharedWork(1, () => (_, read) => work(read))

  val nothing: SharedWork = new SharedWork(0, () => (_, _) => ())
}

/** Does something for one code. */
private[count] trait CodeWorker {
  def run(code: Int, read: ElementCounter): Unit
}
