package io.wreath.kernel.path

import scala.collection.mutable

import io.wreath.kernel.PropertyChecks
import org.scalacheck.Gen

/** Whatever is added and lowered between, no vertex is taken that could still get cheaper. */
class CostQueueSuite extends PropertyChecks {

  test("a vertex of the least key is taken, and keys can be lowered again and again") {
    val cases =
      Gen.zip(Gen.choose(1, 8), Gen.choose(1, 62), Gen.choose(0.0, 0.6), Gen.long)
    forAll(cases, casesOf(300, 20000)) { case (n, bits, takes, seed) =>
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
            assert(waiting(taken) == waiting.values.min && queue.wasTaken(taken))
            last = waiting(taken)
            waiting -= taken
          } else if (queue.keys(v) == CostQueue.New) {
            waiting(v) = key(1L << bits)
            queue.lower(v, waiting(v))
          } else if (waiting.get(v).exists(_ > last)) {
            // Little by little, so that there are many entries of one vertex.
            val lower = last + (waiting(v) - last) / 2
            waiting(v) = lower
            queue.lower(v, lower)
          }
          assert(queue.isEmpty == waiting.isEmpty)
          waiting.foreach { case (v, k) => assert(queue.keys(v) == k) }
        }
        queue.clear()
      }
    }
  }

  test("buckets as wide as the least cost are taken one after the other, around the ring") {
    val cases = Gen.zip(
      Gen.choose(1, 8),
      Gen.oneOf(1L, 3L, 1L << 30),
      Gen.choose(1L, 4000L),
      Gen.oneOf(true, false),
      Gen.long)
    forAll(cases, casesOf(300, 20000)) { case (n, least, times, isLong, seed) =>
      val random = new scala.util.Random(seed)
      val greatest = least * times
      val room = 200
      val graph = io.wreath.kernel.csr.CsrBuilder.fromCodes(Array(0, 0), Array(0, 1), 2, room)
      val costs =
        if (isLong) EdgeCosts.longs(graph, Array(least, greatest))
        else EdgeCosts.doubles(graph, Array(least.toDouble, greatest.toDouble))
      def bits(key: Long): Long =
        if (isLong) key else java.lang.Double.doubleToRawLongBits(key.toDouble)
      val queue = new WidthQueue(room, costs)
      (0 until 2).foreach { _ =>
        val waiting = mutable.Map(0 -> 0L)
        queue.start(0)
        while (waiting.nonEmpty) {
          val taken = queue.take()
          val cost = waiting.remove(taken).get
          assert(queue.keys(taken) == bits(cost) && queue.wasTaken(taken))
          assert(waiting.values.forall(_ > cost - least))
          // Edges from there, to some who wait and some who are new, so few at once that the ring turns.
          (0 until random.nextInt(2 * n + 1)).foreach { _ =>
            val some = waiting.keys.toVector
            val v =
              if (some.nonEmpty && random.nextBoolean()) some(random.nextInt(some.size))
              else random.nextInt(room)
            val key = cost + least + (random.nextDouble() * (greatest - least)).toLong
            val isNew = queue.keys(v) == CostQueue.New && waiting.size < n
            if (isNew || waiting.get(v).exists(_ > key)) {
              waiting(v) = key
              queue.lower(v, bits(key))
            }
          }
          assert(queue.isEmpty == waiting.isEmpty)
        }
        queue.clear()
      }
    }
  }
}
