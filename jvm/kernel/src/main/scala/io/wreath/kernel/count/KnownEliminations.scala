package io.wreath.kernel.count

import java.util.{Collections, LinkedHashMap, Map => JavaMap}

import io.wreath.kernel.csr.Relation
import io.wreath.kernel.join.{Domain, Use}
import io.wreath.kernel.lists.Pieces
import io.wreath.pattern.{GraphPattern, PatternStatistics}

/**
 * What searches for sums have found, so that the next like query does not search. A key is all that a search
 * reads, so what is found here is what it would find.
 *
 * Thread-safety: any number of threads may ask; two may search for the same at once.
 */
object KnownEliminations {

  final private case class Key(
      pattern: GraphPattern,
      traits: IndexedSeq[RelationTraits],
      statistics: PatternStatistics,
      domains: IndexedSeq[Option[Int]],
      fractions: IndexedSeq[Double],
      below: Option[BelowMoments],
      groups: Seq[Int],
      most: Double,
      conditions: MatchConditions)

  final private val MostKept = 64

  /** Of more sums the search takes less than the count. */
  final private val MostSums = 256

  private type Found = Either[String, Elimination]

  private[this] val kept: JavaMap[Key, Found] = Collections.synchronizedMap(
    new LinkedHashMap[Key, Found](MostKept, 0.75f, true) {
      override def removeEldestEntry(eldest: JavaMap.Entry[Key, Found]): Boolean = size > MostKept
    })

  /** As [[Elimination.of]]. */
  def of(
      pattern: GraphPattern,
      graphs: Array[_ <: Relation],
      domains: Array[Domain],
      below: Option[BelowMoments],
      groups: Seq[Int],
      most: Double,
      conditions: MatchConditions = MatchConditions.none,
      interrupt: Runnable = Pieces.NoInterrupt): Either[String, Elimination] = {
    val key = Key(
      pattern,
      Elimination.traits(graphs, interrupt),
      PatternStatistics.of(graphs, interrupt),
      Elimination.numbers(domains),
      domains.toVector.map(_.fraction),
      below,
      groups,
      most,
      conditions)
    Option(kept.get(key)).getOrElse {
      val found =
        Elimination.of(
          pattern,
          graphs,
          domains,
          below,
          groups,
          Use.WhenWorth,
          most,
          conditions,
          interrupt)
      if (found.forall(_.size <= MostSums)) kept.put(key, found)
      found
    }
  }
}
