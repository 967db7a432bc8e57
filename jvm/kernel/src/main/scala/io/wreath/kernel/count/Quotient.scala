package io.wreath.kernel.count

import scala.collection.mutable

import io.wreath.pattern.{Comparison, ComparisonOp, GraphPattern, PatternEdge}

/**
 * A pattern of which some variables are one, and some edges one row.
 *
 * @param times how often its matches count, with a sign
 * @param place by variable of the pattern, the one in its place
 * @param edges between these
 */
final private[count] case class Quotient(
    times: Long,
    place: Vector[Int],
    edges: Vector[PatternEdge]) {

  def variableCount: Int = place.max + 1

  def comparisons(of: GraphPattern): Vector[Comparison] =
    of.comparisons.map(c => Comparison(place(c.left), c.op, place(c.right))).toVector
}

/**
 * The matches whose edges differ, and have no edge where there must be none, as sums of all matches of other patterns:
 * {{{
 *   e, f are different rows     all, less those in which they are one row: their ends are the same, and the row counts once
 *   …, read either way          less those with the same ends, less those with opposite ends, and the edges from a vertex
 *                               to itself, which are among both, once more
 *   no edge (a)->(b)            all, less those that have it
 * }}}
 */
private[count] object Quotient {

  final private val MostQuotients = 1024

  /** The pattern as it is. */
  def whole(p: GraphPattern): Quotient =
    Quotient(1L, Vector.range(0, p.variableCount), p.edges.toVector)

  /** None where they are too many. */
  def of(p: GraphPattern, conditions: MatchConditions, interrupt: Runnable)(implicit
      relations: IndexedSeq[RelationTraits]): Option[Vector[Quotient]] = {
    val found = mutable.ArrayBuffer.empty[Quotient]

    def isEmpty(q: Rows): Boolean =
      q.edges.values.exists(e =>
        q.at(e.source) == q.at(e.target) && !relations(e.relation).hasSelfLoops) ||
        p.comparisons.exists { c =>
          (c.op == ComparisonOp.NotEqual || c.op == ComparisonOp.Less) &&
          q.at(c.left) == q.at(c.right)
        }

    def differing(times: Long, q: Rows, pairs: List[(Int, Int)]): Boolean = {
      interrupt.run()
      if (isEmpty(q)) true
      else
        pairs match {
          case Nil => lacking(times, q, conditions.absent.toList)
          case (i, j) :: _ if i == j => true
          case (i, j) :: rest =>
            val others = rest.map { case (a, b) =>
              (if (a == j) i else a, if (b == j) i else b)
            }
            differing(times, q, rest) &&
            q.asOne(i, j, conditions).forall { case (sign, one) =>
              differing(-sign * times, one, others)
            }
        }
    }

    def lacking(times: Long, q: Rows, absent: List[PatternEdge]): Boolean = absent match {
      case Nil =>
        found += q.made(times)
        found.size <= MostQuotients
      case e :: rest =>
        lacking(times, q, rest) && {
          val more = q.and(e.copy(matchesOnce = true))
          isEmpty(more) || lacking(-times, more, rest)
        }
    }

    val all =
      Rows(Vector.range(0, p.variableCount), p.edges.indices.map(i => i -> p.edges(i)).toMap)
    Option.when(differing(1L, all, conditions.different.toList))(found.toVector)
  }

  /**
   * @param at by variable, the least that is the same
   * @param edges that are left, by number; their ends are variables of the pattern
   */
  final private case class Rows(at: Vector[Int], edges: Map[Int, PatternEdge]) {

    def and(e: PatternEdge): Rows = copy(edges = edges + (edges.keys.max + 1 -> e))

    /** With one row in place of two, as `i`: the ways in which that may be, with their signs. */
    def asOne(i: Int, j: Int, conditions: MatchConditions): Seq[(Int, Rows)] = {
      val (e, f) = (edges(i), edges(j))
      val eitherWay = Seq(e, f).exists(x => conditions.undirected(x.relation))
      // A row that has a direction keeps it.
      val ends = if (conditions.undirected(e.relation)) f else e
      val row = ends.copy(relation = conditions.common(e.relation, f.relation))
      val one = copy(edges = edges - j + (i -> row))
      val same = one.joined(e.source, f.source).joined(e.target, f.target)
      val opposite = one.joined(e.source, f.target).joined(e.target, f.source)
      if (!eitherWay) Seq(1 -> same)
      else Seq(1 -> same, 1 -> opposite, -1 -> same.joined(e.source, e.target))
    }

    def joined(a: Int, b: Int): Rows = {
      val (low, high) = (at(a).min(at(b)), at(a).max(at(b)))
      copy(at = at.map(v => if (v == high) low else v))
    }

    def made(times: Long): Quotient = {
      val kept = at.distinct.sorted
      val place = at.map(kept.indexOf(_))
      Quotient(
        times,
        place,
        edges.toVector.sortBy(_._1).map { case (_, e) =>
          e.copy(source = place(e.source), target = place(e.target))
        })
    }
  }
}
