package io.wreath.kernel.join

import scala.collection.mutable
import scala.util.Random

import io.wreath.kernel.{GraphGen, JoinCase, PropertyChecks}

/**
 * Seeds that come from elsewhere: prefixes of bindings, right ones and wrong ones. The grid: every
 * generated case x the length of the prefix x pulled, counted and only asked for x every technique.
 */
class SeededJoinSuite extends PropertyChecks {

  private def join(c: JoinCase, levels: Int, technique: String): SeededJoin = {
    val program = JoinProgram.ofPrefixes(c.pattern, c.order, levels)
    new SeededJoin(
      program,
      c.graphs,
      Vector.empty,
      Domain.of(c.pattern, c.graphs),
      TechniqueChoice.of(program, JoinTuning.named(technique)),
      JoinScratch.ofWholeJoin(() => ()),
      new Array[Int](c.pattern.variableCount),
      SeedSets.none(c.pattern.variableCount))
  }

  /** All prefixes where they are few, else those of the rows and some that are wrong. */
  private def prefixes(c: JoinCase, levels: Int): Seq[Seq[Int]] = {
    val codes = 0 until c.dictionary.size
    if (levels == 1) codes.map(Seq(_))
    else if (levels == 2 && codes.size <= 12) for (a <- codes; b <- codes) yield Seq(a, b)
    else {
      val r = new Random(levels)
      val wrong =
        if (codes.isEmpty) Nil else Seq.fill(30)(Seq.fill(levels)(r.nextInt(codes.size)))
      val right = c.expected.keys.map { row =>
        c.order.variables.take(levels).map(v => c.dictionary.encode(row(v)))
      }
      (right.toSeq ++ wrong).distinct
    }
  }

  private def takes(j: SeededJoin, prefix: Seq[Int]): Boolean = {
    val isTaken = prefix.zipWithIndex.forall { case (code, level) => j.bindSeed(level, code) }
    if (isTaken) j.take()
    isTaken
  }

  test("the rows under each prefix are the oracle's, whatever its length") {
    forAll(GraphGen.joinCase, 300) { c =>
      for (levels <- 1 to c.pattern.variableCount; technique <- JoinTuning.named.keys.toSeq) {
        val j = join(c, levels, technique)
        val found = mutable.Map.empty[Vector[Long], Long]
        prefixes(c, levels).foreach { prefix =>
          if (takes(j, prefix)) {
            j.start()
            while (j.next()) {
              val row = j.state.binding.toVector.map(c.dictionary.decode)
              assert(found.put(row, j.state.weight(j.state.levelCount)).isEmpty)
            }
          }
        }
        assert(found.toMap == c.expected, s"$levels levels, $technique")
        j.release()
      }
    }
  }

  test("what is counted under a prefix, and whether there is any, is what is pulled under it") {
    forAll(GraphGen.joinCase, 300) { c =>
      for (levels <- 1 to c.pattern.variableCount; technique <- JoinTuning.named.keys.toSeq) {
        val j = join(c, levels, technique)
        val byPrefix = c.expected.groupMapReduce { case (row, _) =>
          c.order.variables.take(levels).map(v => c.dictionary.encode(row(v))): Seq[Int]
        }(_._2)(_ + _)
        prefixes(c, levels).foreach { prefix =>
          val expected = byPrefix.getOrElse(prefix, 0L)
          val counted = if (takes(j, prefix)) j.count() else 0L
          assert(counted == expected, s"under $prefix")
          assert((takes(j, prefix) && j.any()) == (expected > 0), s"under $prefix")
        }
        j.release()
      }
    }
  }
}
