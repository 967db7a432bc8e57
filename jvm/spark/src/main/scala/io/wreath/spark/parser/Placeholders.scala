package io.wreath.spark.parser

import org.apache.spark.sql.catalyst.analysis.UnresolvedTableValuedFunction
import org.apache.spark.sql.catalyst.expressions.FunctionTableSubqueryArgumentExpression
import org.apache.spark.sql.catalyst.trees.{CurrentOrigin, Origin}

import io.wreath.spark.WreathErrors
import io.wreath.spark.logical.{
  MatchHints,
  PropertyGraph,
  StreamStart,
  UnresolvedGraphMatch,
  UnresolvedPropertyGraph
}

/**
 * A statement with each clause replaced by a call that Spark's parser understands, and the way
 * back.
 *
 * @param text the statement for the delegate
 * @param names the table function that stands for each clause, then for each graph
 * @param originals each clause and graph in the user's words, with the words that replace it
 */
final private[parser] class Placeholders private (
    val text: String,
    names: Seq[String],
    clauses: Seq[ParsedClause],
    graphs: Seq[PropertyGraph],
    originals: Seq[(String, String)]) {

  /**
   * Puts the clauses back into what the delegate made of [[text]]; its text in the strings of views and
   * functions, too, which must keep the user's own words.
   */
  def restore[T <: AnyRef](parsed: T): T = ParsedTree.replace(parsed) {
    case tvf: UnresolvedTableValuedFunction
        if tvf.name.size == 1 && names.contains(tvf.name.head) =>
      val i = names.indexOf(tvf.name.head)
      if (i < clauses.size) graphMatch(clauses(i), tvf)
      else UnresolvedPropertyGraph(graphs(i - clauses.size))
    case s: String => originals.foldLeft(s) { case (t, (from, to)) => t.replace(to, from) }
  }

  private def graphMatch(
      parsed: ParsedClause,
      tvf: UnresolvedTableValuedFunction): UnresolvedGraphMatch = {
    val (tables, parameters) = tvf.functionArgs.splitAt(1 + parsed.snapshot.size)
    val plans = tables.map(_.asInstanceOf[FunctionTableSubqueryArgumentExpression].plan)
    CurrentOrigin.withOrigin(parsed.clause.origin) {
      val graph =
        plans.tail.foldLeft(plans.head)((changes, snapshot) => StreamStart(changes, snapshot))
      UnresolvedGraphMatch(parsed.clause, parameters, MatchHints(), graph)
    }
  }

  /** What the delegate says of [[text]], in the user's words. */
  def words(message: String): String =
    names.foldLeft(message)((m, name) => m.replace(name, "GRAPH_TABLE"))
}

private[parser] object Placeholders {

  /** There is room for a name of 5 characters and `(TABLE(`. */
  private val OpeningLength = "GRAPH_TABLE".length

  def apply(
      sql: SqlTokens,
      islands: Seq[GraphTableIsland],
      clauses: Seq[ParsedClause],
      graphs: Seq[PropertyGraphIsland]): Placeholders = {
    val points = sql.codePoints.clone()
    val places = islands.map(i => i.first -> i.last) ++ graphs.map(g => g.first -> g.last)
    val names = freshNames(sql.text, places.size)
    islands.indices.foreach(i => replace(sql, islands(i), clauses(i), names(i), points))
    graphs.indices.foreach { i =>
      replaceGraph(sql, graphs(i), names(islands.size + i), points)
    }
    val text = new String(points, 0, points.length)
    val originals = places.map { case (first, last) =>
      val from = sql.tokens(first).getStartIndex
      val until = sql.tokens(last).getStopIndex + 1
      (sql.slice(from, until), new String(points, from, until - from))
    }
    new Placeholders(text, names, clauses, graphs.map(_.graph), originals)
  }

  /** Words that the text does not have, not even in a string: `_w0`, `_w1`, … */
  private def freshNames(text: String, count: Int): Seq[String] = {
    val lower = text.toLowerCase(java.util.Locale.ROOT)
    val lengths = 2 to 4
    val taken = lower.indices.filter(lower(_) == '_').flatMap { i =>
      lengths.map(n => lower.slice(i + 1, i + 1 + n))
    }.toSet
    val names = lengths.iterator.flatMap(words).filterNot(taken).take(count).map("_" + _).toSeq
    if (names.size < count) {
      throw WreathErrors.tooComplex(
        Origin(),
        "all short names that begin with an underscore, in a statement with GRAPH_TABLE",
        "Take some out of it.")
    }
    names
  }

  /** All words of a length that begin with a letter. */
  private def words(length: Int): Iterator[String] =
    if (length == 1) Letters.iterator.map(_.toString)
    else {
      for {
        start <- words(length - 1)
        end <- ('0' to '9').iterator ++ Letters
      } yield s"$start$end"
    }

  private val Letters = "wvuzyxabcdefghijklmnopqrst"

  /**
   * `GRAPH_TABLE (g MATCH … :p …)` becomes `_w0( TABLE( g)  …,:p  )`, in place, and
   * `STARTING FROM s` in it `,TABLE(s )`.
   */
  private def replace(
      sql: SqlTokens,
      island: GraphTableIsland,
      clause: ParsedClause,
      name: String,
      points: Array[Int]): Unit = {
    val from = sql.tokens(island.first).getStartIndex
    val closing = sql.tokens(island.last).getStartIndex
    val kept = (clause.graphFrom -> clause.graphUntil) +: (clause.snapshot ++: clause.markers)
    (from until closing).foreach { i =>
      if (!kept.exists { case (a, b) => a <= i && i < b }) points(i) = Blanks.of(points(i))
    }
    def write(at: Int, s: String): Unit = s.indices.foreach(i => points(at + i) = s.charAt(i))
    write(from, s"$name(".padTo(OpeningLength - "TABLE(".length, ' ') + "TABLE(")
    // There is room: MATCH stands after the name, and an operator or blank before each marker.
    write(roomAfter(points, clause.graphUntil), ")")
    clause.snapshot.foreach { case (at, until) =>
      // In the place of STARTING FROM, which may have a line break between its words.
      write(roomBefore(points, at), "(")
      val table = roomBefore(points, at, "TABLE")
      write(table, "TABLE")
      write(roomBefore(points, table), ",")
      write(roomAfter(points, until), ")")
    }
    clause.markers.foreach { case (at, _) => write(roomBefore(points, at), ",") }
  }

  /** `PROPERTY GRAPH (…)` becomes `(SELECT* FROM _w1()  )`, with the line breaks where they were. */
  private def replaceGraph(
      sql: SqlTokens,
      island: PropertyGraphIsland,
      name: String,
      points: Array[Int]): Unit = {
    val closing = sql.tokens(island.last).getStartIndex
    var at = sql.tokens(island.first).getStartIndex
    (at until closing).foreach(i => points(i) = Blanks.of(points(i)))
    // There is room: the words PROPERTY, GRAPH, VERTEX or NODE, and TABLES stand here.
    Seq("(SELECT*", "FROM", s"$name()").foreach { piece =>
      while (!piece.indices.forall(i => points(at + i) == ' ')) at += 1
      piece.indices.foreach(i => points(at + i) = piece.charAt(i))
      at += piece.length + 1
    }
  }

  private def roomAfter(points: Array[Int], at: Int): Int =
    Iterator.from(at).find(points(_) == ' ').get

  private def roomBefore(points: Array[Int], at: Int, piece: String = ","): Int =
    Iterator
      .from(at - piece.length, -1)
      .find(from => piece.indices.forall(i => points(from + i) == ' '))
      .get
}
