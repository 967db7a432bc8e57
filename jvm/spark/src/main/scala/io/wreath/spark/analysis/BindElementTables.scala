package io.wreath.spark.analysis

import scala.collection.mutable

import org.apache.spark.sql.catalyst.analysis.Resolver

import io.wreath.spark.logical._

/**
 * Puts the tables that the patterns of a clause need in the place of the graph.
 *
 * Which they are follows from labels and references alone, so no table is looked up before.
 */
private[analysis] object BindElementTables {

  def apply(
      m: UnresolvedGraphMatch,
      name: String,
      graph: UnresolvedPropertyGraph,
      resolver: Resolver): UnresolvedGraphMatch = {
    val chooser = new ChooseTables(name, graph.graph, resolver)
    val used = mutable.LinkedHashSet.empty[ElementTable]

    /** Returns the tables of all variables that are known after the part. */
    def visit(part: MatchPart, known: Names): Names = {
      val chosen =
        chooser.choose(FlatPattern.alternatives(part.paths, resolver), known.get(_, resolver))
      chosen.foreach { case (_, choice) =>
        used ++= choice.vertices.flatten
        used ++= choice.edges.flatten.map(_.table)
      }
      val found = chosen.foldLeft(known) { case (names, (pattern, choice)) =>
        names.withVertices(pattern, choice, known, resolver)
      }
      (part.where.toSeq ++ chosen.head._1.conditions).foreach(_.foreach {
        case PatternExists(inner) => visit(inner, found)
        case _ =>
      })
      found
    }

    (m.clause +: m.clause.shorter).foreach { clause =>
      clause.parts.foldLeft(new Names(Nil))((known, part) => visit(part, known))
    }
    val elements = graph.graph.elements.filter(used.contains)
    m.copy(child =
      PatternTables(
        name,
        graph.graph,
        elements,
        elements.map(e => ElementRelation(e, graph.children(graph.graph.elements.indexOf(e))))))
  }

  /** The tables of variables, by the user's names. */
  final private class Names(tables: Seq[(String, Seq[VertexTable])]) {

    def get(name: String, resolver: Resolver): Option[Seq[VertexTable]] =
      tables.collectFirst { case (n, t) if resolver(n, name) => t }

    /** A variable of several alternatives may be of any of their tables. */
    def withVertices(
        pattern: FlatPattern,
        choice: TableChoice,
        known: Names,
        resolver: Resolver): Names = {
      val added = for {
        (v, t) <- pattern.vertices.zip(choice.vertices)
        n <- v.names if known.get(n, resolver).isEmpty
      } yield n -> (get(n, resolver).getOrElse(Nil) ++ t).distinct
      new Names(added ++ tables)
    }
  }
}
