package io.wreath.kernel.trie

import io.wreath.kernel.{GraphGen, PropertyChecks}
import org.scalacheck.Gen

/**
 * What every [[TrieIterator]] must do. An implementation's suite says how it makes a trie of a set
 * of tuples, and which tuples it can hold.
 */
abstract class TrieIteratorContract extends PropertyChecks {

  type Tuples = Set[Vector[Long]]

  protected def tuples: Gen[Tuples]

  protected def trie(t: Tuples): TrieIterator

  private val cases = 500

  /** All tuples below the current level, in the order of the cursor. */
  private def walk(it: TrieIterator, level: Int): Vector[Vector[Long]] = {
    val found = Vector.newBuilder[Vector[Long]]
    it.open()
    while (!it.atEnd) {
      val key = it.key
      if (level == it.arity - 1) found += Vector(key)
      else found ++= walk(it, level + 1).map(key +: _)
      assert(it.key == key, "up must return to the key that was opened")
      it.next()
    }
    it.up()
    found.result()
  }

  private def sorted(t: Tuples): Vector[Vector[Long]] =
    t.toVector.sorted(Ordering.Implicits.seqOrdering[Vector, Long])

  test("a walk through all levels gives every tuple once, in order") {
    forAll(tuples, cases)(t => assert(walk(trie(t), 0) == sorted(t)))
  }

  test("a second walk from the root gives the same") {
    forAll(tuples, cases) { t =>
      val it = trie(t)
      assert(walk(it, 0) == walk(it, 0))
    }
  }

  test("seek goes to the least key that is not smaller, at every level") {
    forAll(Gen.zip(tuples, Gen.listOf(Gen.choose(0, 12)), Gen.long), cases) {
      case (t, picks, anything) =>
        val it = trie(t)
        var prefix = Vector.empty[Long]
        it.open()
        (0 until it.arity).foreach { level =>
          def keys = t.filter(_.startsWith(prefix)).map(_(level)).toVector.sorted
          // Keys that exist, their successors, and anything at all, ascending.
          val targets =
            picks.flatMap(p => keys.lift(p).toSeq.flatMap(k => Seq(k, k + 1))) :+ anything
          targets.sorted.foreach { target =>
            if (!it.atEnd && target >= it.key) {
              it.seek(target)
              assert(Option.when(!it.atEnd)(it.key) == keys.find(_ >= target))
            }
          }
          if (it.atEnd) {
            it.up()
            it.open()
          }
          if (!it.atEnd && level < it.arity - 1) {
            prefix = prefix :+ it.key
            it.open()
          }
        }
    }
  }

  test("seek to a smaller key stays where it is") {
    forAll(tuples, cases) { t =>
      val it = trie(t)
      it.open()
      if (!it.atEnd) {
        val first = it.key
        it.next()
        val here = Option.when(!it.atEnd)(it.key)
        if (!it.atEnd) it.seek(first)
        assert(Option.when(!it.atEnd)(it.key) == here)
      }
    }
  }

  test("seek beyond every key ends the level") {
    forAll(tuples, cases) { t =>
      val it = trie(t)
      it.open()
      if (!it.atEnd && t.map(_.head).max < Long.MaxValue) {
        it.seek(Long.MaxValue)
        assert(it.atEnd)
      }
    }
  }

  protected val pairsOfCodes: Gen[Tuples] =
    GraphGen.shape.map(_.map { case (a, b) => Vector(a.toLong, b.toLong) }.toSet)
}
