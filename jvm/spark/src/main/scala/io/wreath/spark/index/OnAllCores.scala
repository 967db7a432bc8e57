package io.wreath.spark.index

import java.util.stream.IntStream

/** Work on arrays, split over the cores of this JVM. */
private[index] object OnAllCores {

  /**
   * Runs `body` for 0 until `count`, in any order, and returns when all are done.
   *
   * @param look runs before each, and ends the work by throwing
   */
  def foreach(count: Int, look: Runnable)(body: Int => Unit): Unit =
    IntStream.range(0, count).parallel().forEach { i =>
      look.run()
      body(i)
    }
}
