package io.wreath.kernel.path

import scala.collection.mutable

import io.wreath.kernel.PropertyChecks
import org.scalacheck.Gen

/** Keys come out ascending, whatever is added and lowered between. */
class RadixQueueSuite extends PropertyChecks {

  test("a vertex of the least key is taken, and keys can be lowered again and again") {
    val cases =
      Gen.zip(Gen.choose(1, 8), Gen.choose(1, 62), Gen.choose(0.0, 0.6), Gen.long)
    forAll(cases, 300) { case (n, bits, takes, seed) =>
      val random = new scala.util.Random(seed)
      val queue = new RadixQueue(n)
      (0 until 3).foreach { _ =>
        val waiting = mutable.Map.empty[Int, Long]
        var last = 0L
        def key(below: Long): Long = {
          // Any number of bits, so that all buckets have their turn.
          val width = random.nextInt(bits) + 1
          last + ((random.nextLong() >>> (64 - width)) % Math.max(1L, below - last))
        }
        (0 until 200).foreach { _ =>
          val v = random.nextInt(n)
          if (waiting.nonEmpty && random.nextDouble() < takes) {
            val taken = queue.take()
            assert(waiting(taken) == waiting.values.min && queue.isTaken(taken))
            last = waiting(taken)
            waiting -= taken
          } else if (queue.isNew(v)) {
            waiting(v) = key(1L << bits)
            queue.add(v, waiting(v))
          } else if (waiting.get(v).exists(_ > last)) {
            // Little by little, so that there are many entries of one vertex.
            val lower = last + (waiting(v) - last) / 2
            waiting(v) = lower
            queue.lower(v, lower)
          }
          assert(queue.isEmpty == waiting.isEmpty)
          waiting.foreach { case (v, k) => assert(queue.key(v) == k) }
        }
        queue.clear()
        (0 until n).foreach(queue.forget)
      }
    }
  }
}
