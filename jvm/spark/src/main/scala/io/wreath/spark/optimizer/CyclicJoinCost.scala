package io.wreath.spark.optimizer

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan

/**
 * Whether a pattern that nobody wrote as one is worth an index: what a plan of two tables at a time would
 * hold between its joins, against the rows that would be indexed.
 *
 * All of it is guessed from Spark's statistics. Where these say nothing, a column names each row by a
 * value of its own, as keys do, and the plan of two tables is the better one; but a table that is in a
 * cycle with itself is taken for a graph. Spark's plan stays on a tie.
 */
private[optimizer] object CyclicJoinCost {

  /** Below it Spark is done before an index is built. */
  private val FewRows = 50000.0

  /** How often a value comes in a column of a graph's edges, where nobody has counted. */
  private val GuessedFanOut = 16.0

  /** What it takes to index a row, in rows between joins. */
  private val IndexedRow = 10.0

  /** @param edges of the pattern, by number of their leaf */
  def reasonAgainst(
      leaves: IndexedSeq[PeeledLeaf],
      graph: JoinGraph,
      edges: Seq[Int]): Option[String] = {
    val relations = edges.map(leaves(_).base).distinctBy(_.canonicalized)
    val rows = leaves.map(l => IndexEstimate.guess(l.base))
    if (rows.exists(_.isEmpty)) Some("nothing is known of the size of its tables")
    else {
      val indexed = relations.flatMap(IndexEstimate.guess).sum
      val between = new CyclicJoinCost(leaves, rows.flatten, graph, edges).rowsBetween
      if (indexed < FewRows) Some(f"its tables have only about $indexed%,.0f rows")
      else if (between < IndexedRow * indexed) {
        Some(
          f"joining two tables at a time goes through about $between%,.0f rows, and " +
            f"$indexed%,.0f rows would be indexed")
      } else None
    }
  }
}

final private class CyclicJoinCost(
    leaves: IndexedSeq[PeeledLeaf],
    rows: IndexedSeq[Double],
    graph: JoinGraph,
    edges: Seq[Int]) {
  import CyclicJoinCost._

  /** Edges of tables that are in a cycle with themselves. */
  private val ofGraphs: Set[Int] = {
    val repeated = edges.groupBy(leaves(_).base.canonicalized).values.filter(_.size > 1).flatten
    CyclicCore.ofEdges(graph.tables, repeated.toSet)
  }

  /** How many values a column has. */
  private def values(leaf: Int, column: Attribute): Double =
    counted(leaves(leaf).base, column).getOrElse {
      val isOfGraph = ofGraphs(leaf) && graph.variable(leaf, column).isDefined
      if (isOfGraph) rows(leaf) / GuessedFanOut else rows(leaf)
    }.max(1)

  private def counted(table: LogicalPlan, column: Attribute): Option[Double] =
    table.stats.attributeStats.get(column).flatMap(_.distinctCount).map(_.toDouble)

  /** Of a leaf, after its conditions. */
  private val kept: IndexedSeq[Double] = leaves.indices.map { i =>
    leaves(i).conditions.map(share(i, _)).foldLeft(rows(i))(_ * _)
  }

  private val SomeShare = 1.0 / 3

  private def share(leaf: Int, condition: Expression): Double = condition match {
    case EqualTo(a: Attribute, _: Literal) => 1 / values(leaf, a)
    case EqualTo(_: Literal, a: Attribute) => 1 / values(leaf, a)
    case In(a: Attribute, list) => (list.size / values(leaf, a)).min(1)
    case InSet(a: Attribute, list) => (list.size / values(leaf, a)).min(1)
    case _: IsNotNull => 1
    case _ => SomeShare
  }

  private val distinct: IndexedSeq[Map[Int, Double]] = leaves.indices.map { i =>
    leaves(i).base.output
      .flatMap(c => graph.variable(i, c).map(_ -> values(i, c).min(kept(i)).max(1)))
      .toMap
  }

  /** Of the joins that each time take the table that leaves the fewest rows. */
  def rowsBetween: Double = {
    def step(joined: Part, left: Set[Int]): Double =
      if (left.isEmpty) 0
      else {
        val near = left.filter(t => distinct(t).keySet.exists(joined.values.contains))
        val (table, next) =
          (if (near.nonEmpty) near else left).toSeq.sorted
            .map(t => t -> joined.join(kept(t), distinct(t)))
            .minBy(_._2.rows)
        next.rows + step(next, left - table)
      }
    leaves.indices.map { start =>
      step(Part(kept(start), distinct(start)), leaves.indices.toSet - start)
    }.min
  }

  /** What is joined so far, with the number of values of each variable. */
  private case class Part(rows: Double, values: Map[Int, Double]) {

    def join(other: Double, otherValues: Map[Int, Double]): Part = {
      val shared = values.keySet.intersect(otherValues.keySet)
      val all = shared.toSeq
        .map(v => 1 / values(v).max(otherValues(v)))
        .foldLeft(rows * other)(_ * _)
      Part(
        all,
        otherValues ++ values.map { case (v, n) =>
          v -> otherValues.get(v).fold(n)(_.min(n))
        })
    }
  }
}
