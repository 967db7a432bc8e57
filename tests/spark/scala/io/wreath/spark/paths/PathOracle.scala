package io.wreath.spark.paths

import io.wreath.kernel.path.RegularPath._
import io.wreath.kernel.path.{PathMode, RegularPath}
import io.wreath.spark.logical.{EdgeDirection, PathSelector}

/** An edge with both its ends; `id` tells it from all others, of whatever table. */
final case class OracleEdge(id: Int, relation: Int, source: Int, target: Int, weight: Int)

/** @param least an edge's weight must be above it */
final case class OracleStep(relation: Int, direction: EdgeDirection, least: Option[Int])

final case class OraclePath(vertices: Vector[Int], edges: Vector[Int], weight: Int) {
  def length: Int = edges.size
  def target: Int = vertices.last
}

/** All paths of a small graph, written out: what a path is and nothing of how one is found. */
final class PathOracle(edges: Seq[OracleEdge], steps: Seq[OracleStep], mostEdges: Int) {

  private def from(v: Int, step: OracleStep): Seq[(OracleEdge, Int)] =
    edges.filter(e => e.relation == step.relation && step.least.forall(e.weight > _)).flatMap {
      e =>
        val there = if (e.source == v) Seq(e -> e.target) else Nil
        val back = if (e.target == v) Seq(e -> e.source) else Nil
        step.direction match {
          case EdgeDirection.Right => there
          case EdgeDirection.Left => back
          case EdgeDirection.Either => (there ++ back).distinct
        }
    }

  private def extended(begun: Set[OraclePath], path: RegularPath): Set[OraclePath] = path match {
    case Step(i) =>
      for {
        p <- begun if p.length < mostEdges
        (e, next) <- from(p.target, steps(i))
      } yield OraclePath(p.vertices :+ next, p.edges :+ e.id, p.weight + e.weight)
    case Sequence(parts @ _*) => parts.foldLeft(begun)(extended)
    case Choice(parts @ _*) => parts.flatMap(extended(begun, _)).toSet
    case Repeat(part, times) =>
      val least = (0 until times.least).foldLeft(begun)((now, _) => extended(now, part))
      var (all, now, count) = (least, least, times.least)
      while (count < times.most && now.nonEmpty) {
        now = extended(now, part).diff(all)
        all = all ++ now
        count += 1
      }
      all
  }

  private def isAllowed(path: OraclePath, mode: PathMode): Boolean = mode match {
    case PathMode.Walk => true
    case PathMode.Trail => path.edges.distinct == path.edges
    case PathMode.Acyclic => path.vertices.distinct == path.vertices
    case PathMode.Simple =>
      path.vertices.init.distinct == path.vertices.init &&
      (path.vertices.distinct == path.vertices || path.vertices.head == path.vertices.last)
  }

  /** All that the mode allows. */
  def paths(source: Int, path: RegularPath, mode: PathMode): Seq[OraclePath] =
    extended(Set(OraclePath(Vector(source), Vector.empty, 0)), path)
      .filter(isAllowed(_, mode)).toSeq

  /** Of paths with the same ends. */
  def selected(paths: Seq[OraclePath], selector: PathSelector): Seq[OraclePath] = {
    import scala.math.Ordering.Implicits._
    selector match {
      case PathSelector.All => paths
      case PathSelector.Shortest(k) => paths.sortBy(p => (p.length, p.vertices)).take(k)
      case PathSelector.ShortestGroups(k) =>
        val lengths = paths.map(_.length).distinct.sorted.take(k)
        paths.filter(p => lengths.contains(p.length))
      case PathSelector.Cheapest(k) =>
        paths.sortBy(p => (p.weight, p.length, p.vertices)).take(k)
    }
  }
}
