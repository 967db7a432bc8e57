package io.wreath.spark.analysis.graphs

import scala.collection.mutable

import org.apache.spark.internal.Logging
import org.apache.spark.sql.catalyst.analysis.Resolver

import io.wreath.spark.analysis.patterns.{FlatPattern, SearchPlan}
import io.wreath.spark.logical._

/**
 * Puts the tables that the patterns of a clause need in the place of the graph.
 *
 * Which they are follows from labels and references alone, so no table is looked up before.
 */
private[analysis] object BindElementTables extends Logging {

  def apply(
      m: UnresolvedGraphMatch,
      name: String,
      graph: UnresolvedPropertyGraph,
      resolver: Resolver): UnresolvedGraphMatch = {
    val chooser = new ChooseTables(name, graph.graph, resolver)
    val used = mutable.LinkedHashSet.empty[ElementTable]

    /** Returns the tables of all variables that are known after the part. */
    def visit(whole: MatchPart, known: Names): Names = {
      val plan = SearchPlan(
        whole,
        p =>
          graph.graph.vertices.exists(_.key match {
            case Seq(column) => resolver(column.text, p)
            case _ => false
          }),
        resolver)
      val part = plan.joined
      val alternatives = FlatPattern.alternatives(part.paths, resolver)
      val chosen = chooser.choose(alternatives, known.get(_, resolver)) match {
        case Nil =>
          warn(part, name, chooser.missing(alternatives.head, known.get(_, resolver)))
          Seq(alternatives.head -> chooser.described(alternatives.head))
        case some => some
      }
      chosen.foreach { case (_, choice) =>
        used ++= choice.vertices.flatten
        used ++= choice.edges.flatten.map(_.table)
      }
      val found = known.followedBy(for {
        (pattern, choice) <- chosen
        (v, own) <- pattern.vertices.zip(choice.vertices)
        n <- v.names if known.get(n, resolver).isEmpty
      } yield n -> chooser.naming(chosen, v, own, known.get(_, resolver)))
      val all = plan.searches.foldLeft(found) { (names, search) =>
        val tables = chooser.path(search.path, names.get(search.from, resolver).get)
        used ++= tables.vertices
        used ++= tables.edgeTables
        val inner = search.path.body.vertices.flatMap(_.name) :+ search.other
        names.followedBy(
          inner.filter(n => names.get(n, resolver).isEmpty).map(_ -> tables.vertices))
      }
      whole.expressions.foreach(_.foreach {
        case PatternExists(inner) => visit(inner, all)
        case _ =>
      })
      all
    }

    (m.clause +: m.clause.shorter).foreach { clause =>
      clause.parts.foldLeft(new Names(Nil))((known, part) => visit(part, known))
    }
    val elements = graph.graph.elements.filter(used.contains)
    m.withGraph(
      PatternTables(
        name,
        graph.graph,
        elements,
        elements.map(e => ElementRelation(e, graph.children(graph.graph.elements.indexOf(e))))))
  }

  /** No error: queries are written by programs too, and other products return no rows. */
  private def warn(part: MatchPart, graph: String, missing: String): Unit = {
    val line = part.origin.line.map(l => s" in line $l").getOrElse("")
    logWarning(
      s"The pattern$line matches nothing: no table of the graph $graph can be $missing. An arrow " +
        "may have to be turned round, or a label changed; DESCRIBE PROPERTY GRAPH shows what there is.")
  }

  /** The tables of variables, by the user's names. */
  final private class Names(tables: Seq[(String, Seq[VertexTable])]) {

    def get(name: String, resolver: Resolver): Option[Seq[VertexTable]] =
      tables.collectFirst { case (n, t) if resolver(n, name) => t }

    def followedBy(more: Seq[(String, Seq[VertexTable])]): Names = new Names(tables ++ more)
  }
}
