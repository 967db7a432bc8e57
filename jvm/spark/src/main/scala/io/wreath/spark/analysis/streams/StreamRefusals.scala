package io.wreath.spark.analysis.streams

import org.apache.spark.sql.catalyst.plans.logical.Union
import org.apache.spark.sql.catalyst.trees.Origin

import io.wreath.spark.WreathErrors
import io.wreath.spark.logical._

/**
 * What a pattern over a stream cannot have yet:
 *
 *  1. quantified edges;
 *  1. an edge without a direction, or one that may be of the stream or of a table;
 *  1. a vertex that is looked up in the stream, as no edge leads to it;
 *  1. OPTIONAL MATCH;
 *  1. EXISTS and NOT EXISTS.
 *
 * All that a clause has of these is said at once, where the first of them stands.
 */
private[analysis] object StreamRefusals {

  /**
   * @param what in the user's words
   * @param wayOut what to do instead
   */
  final private case class Refusal(what: String, wayOut: String, origin: Origin)

  private val NoOtherWay = "Over a stream nothing else returns the same rows yet."

  /** The elements of a pattern in which there is nothing to refuse. */
  def check(pattern: LogicalPattern): PatternElements = (pattern.rows, of(pattern)) match {
    case (elements: PatternElements, Nil) => elements
    case (_, refusals) =>
      throw WreathErrors.unsupportedFeature(
        refusals.head.origin,
        s"${refusals.map(_.what).distinct.mkString(", ")} in a pattern over a stream",
        refusals.map(_.wayOut).distinct.mkString(" "))
  }

  private def of(pattern: LogicalPattern): List[Refusal] = {
    val rows = pattern.rows match {
      case lengths: PatternLengths =>
        List(Refusal("a quantifier", "Write the path out edge by edge.", lengths.origin))
      case elements: PatternElements => elements.elements.toList.flatMap(of)
    }
    rows ++ pattern.steps.flatMap {
      case _: PatternStep.Where => Nil
      case PatternStep.Optional(other, _, at) =>
        of(other) :+ Refusal("OPTIONAL MATCH", NoOtherWay, at)
      case PatternStep.Exists(_, _, _, at) => List(Refusal("EXISTS { … }", NoOtherWay, at))
      case PatternStep.Mark(_, _, _, at) => List(Refusal("EXISTS { … }", NoOtherWay, at))
      case s: PatternStep.Search =>
        List(Refusal("a path that is searched for", NoOtherWay, s.origin))
      case _: PatternStep.Columns | _: PatternStep.LookUp => Nil
    }
  }

  private def of(element: MatchElement): Option[Refusal] = element match {
    case edge: MatchEdge if edge.isUndirected =>
      Some(
        Refusal(
          "an edge without a direction",
          "Match over a stream of both directions.",
          edge.origin))
    case edge: MatchEdge =>
      edge.child match {
        // Spark would read the table once more for every batch.
        case u: Union if u.isStreaming && !u.children.forall(_.isStreaming) =>
          Some(
            Refusal(
              "an edge that is of a stream or of a table",
              "Name with IS a label that leaves the one or the other.",
              edge.origin))
        case _ => None
      }
    case vertex: MatchVertex if vertex.child.isStreaming =>
      Some(
        Refusal("a vertex without an edge", "Add an edge to the pattern.", vertex.origin))
    case _ => None
  }
}
