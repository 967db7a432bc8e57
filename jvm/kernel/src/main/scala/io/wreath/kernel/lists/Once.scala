package io.wreath.kernel.lists

import java.util.concurrent.TimeUnit
import java.util.concurrent.locks.ReentrantLock

/**
 * A value that is made when it is first asked for. Whoever makes it, or waits for who does, looks at
 * his interrupt; a try that was ended leaves nothing, and the next one makes it.
 *
 * Thread-safety: may be asked by many threads.
 *
 * @param make gets what runs every few milliseconds, and ends it by throwing
 */
final private[wreath] class Once[T](make: Runnable => T) {

  @volatile private[this] var made: Option[T] = None
  private[this] val lock = new ReentrantLock

  def get(interrupt: Runnable): T = made.getOrElse {
    while (!lock.tryLock(Once.WaitMillis, TimeUnit.MILLISECONDS)) interrupt.run()
    try {
      if (made.isEmpty) made = Some(make(interrupt))
      made.get
    } finally lock.unlock()
  }
}

private object Once {
  final private val WaitMillis = 10L
}
