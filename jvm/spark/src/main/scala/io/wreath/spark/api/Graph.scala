package io.wreath.spark.api

import java.util.UUID

import org.apache.spark.sql.catalyst.util.quoteIdentifier
import org.apache.spark.sql.functions.{col, lit}
import org.apache.spark.sql.{DataFrame, Row}

import io.wreath.spark.logical.SharedRows

/**
 * A graph whose edges, and perhaps vertices, are the rows of DataFrames: what `wreath.Graph` is in
 * Python, under the same names.
 *
 * Each row is an edge of its own: two equal rows match twice. A row with a NULL endpoint matches
 * nothing; with vertices, neither does an edge whose endpoint is not one of them.
 *
 * @param edges their endpoints in the columns `src` and `dst`
 * @param vertices their key in the column `id`; None: every endpoint is a vertex
 * @param key of a stream, the columns that name an edge for a delete; none: all of them
 * @param expiry of a stream, the column that says when an edge happened, and how long it lives
 * @param snapshot of a stream, the edges that are there before it begins, and whether their
 *   matches are returned too
 */
final class Graph private (
    val edges: DataFrame,
    val vertices: Option[DataFrame],
    key: Seq[String],
    expiry: Option[(String, String)],
    snapshot: Option[(DataFrame, Boolean)]) {

  /**
   * One row for each occurrence of `pattern`, such as `"(a)-[]->(b)-[]->(c), (a)-[]->(c)"`.
   *
   * @param where a condition over the variables; null for none
   * @param columns what to return; empty: the id of each named vertex
   * @param mode `"repeatable elements"`, `"different edges"` or `"different vertices"`; null for
   *   the first
   * @param unique whether each subgraph is returned once; implies different vertices
   * @param order the order in which the join binds the variables: changes the time, not the rows
   */
  def `match`(
      pattern: String,
      where: String = null,
      columns: Seq[String] = Nil,
      mode: String = null,
      unique: Boolean = false,
      order: Seq[String] = Nil): DataFrame = {
    val condition = Option(where).fold("")(w => s" WHERE ${Graph.literal(w)}")
    val items =
      if (columns.isEmpty) "" else columns.map(Graph.literal).mkString(" COLUMNS (", ", ", ")")
    query { graph =>
      s"SELECT ${Graph.hint(order)}* FROM GRAPH_TABLE ($graph CALL${Graph.words(mode, unique)} " +
        s"${Graph.literal(pattern)}$condition$items)"
    }
  }

  /** One row for each occurrence of a GraphFrames motif, a struct for each named element. */
  def find(motif: String): DataFrame =
    query(graph => s"SELECT * FROM GRAPH_TABLE ($graph CALL MOTIF ${Graph.literal(motif)})")

  /** The matches of many patterns, by their names: `pattern`, `binding`, and `diff` over a stream. */
  def match_all(patterns: Seq[(String, String)]): DataFrame = {
    require(patterns.nonEmpty, "patterns is empty: name at least one.")
    val isStream = edges.isStreaming
    val variables = patterns.map { case (_, pattern) =>
      val found = `match`(pattern).columns.toSeq
      if (isStream) found.init else found
    }
    query { graph =>
      patterns.zip(variables).map { case ((name, pattern), names) =>
        val binding =
          names.map(n => s"${Graph.literal(n)}, ${Graph.quoted(n)}").mkString(
            "map(",
            ", ",
            ")")
        val diff = if (isStream) ", diff" else ""
        s"SELECT ${Graph.literal(name)} AS pattern, $binding AS binding$diff " +
          s"FROM GRAPH_TABLE ($graph CALL ${Graph.literal(pattern)})"
      }.mkString("\nUNION ALL\n")
    }
  }

  /** Which vertices hang together: `id`, and `component`, the smallest id of all that do. */
  def components(): DataFrame = computed("GRAPH_COMPONENTS", "")

  /**
   * How likely it is to stand at each vertex after a long walk along edges: `id` and `rank`.
   *
   * @param damping the probability with which a step takes an edge, and does not go just anywhere
   * @param iterations rounds that are computed, from equal ranks
   */
  def pagerank(damping: Double = 0.85, iterations: Int = 20): DataFrame =
    computed(
      "GRAPH_PAGERANK",
      s", damping => CAST('$damping' AS DOUBLE), iterations => $iterations")

  /**
   * How far it is from vertices to vertices: `source`, `target`, `distance`, and `path` if it is asked for. Each two
   * stand there once, if a path leads from the one to the other; a source is reached from itself by no step.
   *
   * @param sources ids, or a DataFrame with one column of them; all vertices by default. `targets` likewise
   * @param pairs in the place of both, a DataFrame with two columns; null for none
   * @param cost of an edge, SQL over the columns of the edges, finite and above 0: then paths are the cheapest;
   *   null for the shortest
   * @param max_hops how many edges a path may have, below 0 for any number; not with `cost`
   * @param direction `"out"` along edges, `"in"` against them, `"both"` either way
   * @param with_path whether the vertices of the path are returned: the smallest of the shortest
   */
  def shortest_paths(
      sources: Vertices = Vertices.All,
      targets: Vertices = Vertices.All,
      pairs: DataFrame = null,
      cost: String = null,
      max_hops: Int = -1,
      direction: String = "out",
      with_path: Boolean = false): DataFrame =
    computed(
      "GRAPH_SHORTEST_PATHS",
      Option(cost).fold("")(c => s", cost => ${Graph.literal(c)}") +
        (if (max_hops >= 0) s", max_hops => $max_hops" else "") +
        s", direction => ${Graph.literal(direction)}, with_path => $with_path",
      Seq("sources" -> sources.frame(edges), "targets" -> targets.frame(edges)).collect {
        case (name, Some(frame)) => name -> frame
      } ++ Option(pairs).map("pairs" -> _))

  /**
   * Who is reached from vertices by one edge or more: `source` and `target`, each two once. A source is among its own
   * targets only if a cycle leads back to it.
   *
   * @param hops how many edges a path may have; 0 for any number
   */
  def reachable(
      sources: Vertices = Vertices.All,
      hops: Int = 0,
      direction: String = "out"): DataFrame =
    computed(
      "GRAPH_REACHABLE",
      (if (hops != 0) s", hops => $hops" else "") +
        s", direction => ${Graph.literal(direction)}",
      sources.frame(edges).map("sources" -> _).toSeq)

  private def computed(
      function: String,
      arguments: String,
      more: Seq[(String, DataFrame)] = Nil): DataFrame = {
    require(
      key.isEmpty && expiry.isEmpty && snapshot.isEmpty,
      s"$function reads a table of edges as it is: key, expire_after and snapshot belong to streams.")
    def query(e: String, left: Seq[(String, DataFrame)], tables: String): DataFrame = left match {
      case (name, frame) +: others =>
        Graph.withView(frame)(v => query(e, others, s"$tables, $name => TABLE $v"))
      case _ =>
        edges.sparkSession.sql(
          s"SELECT * FROM $function(TABLE $e$tables$arguments, wreath_call => true)")
    }
    Graph.withView(edges)(query(_, vertices.map("vertices" -> _).toSeq ++ more, ""))
  }

  /**
   * Builds the index of the edges now, unless it is there, and pins it.
   *
   * @param columns of the edges that later queries will read
   */
  def index(columns: Seq[String] = Nil): GraphIndex = {
    val read =
      if (columns.isEmpty) "" else columns.map(Graph.quoted).mkString(" COLUMNS (", ", ", ")")
    // What is said of a stream means nothing to an index, and is refused as any MATCH refuses it.
    `match`("(a)-[]->(b)")
    val row = Graph.withView(edges) { e =>
      edges.sparkSession.sql(s"CACHE GRAPH INDEX $e CALL$read").head()
    }
    new GraphIndex(edges, row)
  }

  /** What is said of a stream after its name. */
  private def streamClause[T](use: String => T): T = {
    val named = if (key.isEmpty) "" else key.map(Graph.literal).mkString(" KEY (", ", ", ")")
    val words = named + expiry.fold("") { case (column, after) =>
      s" EXPIRING ${Graph.literal(column)} AFTER ${Graph.literal(after)}"
    }
    snapshot match {
      case None => use(words)
      case Some((frame, isEmitted)) =>
        Graph.withView(frame) { v =>
          use(s"$words STARTING FROM $v" + (if (isEmitted) " WITH MATCHES" else ""))
        }
    }
  }

  /** @param text of a query, given the graph's name */
  private def query(text: String => String): DataFrame = {
    val session = edges.sparkSession
    vertices match {
      case None => Graph.withView(edges)(e => streamClause(s => session.sql(text(e + s))))
      case Some(vertexFrame) =>
        Graph.withView(edges) { e =>
          Graph.withView(vertexFrame) { v =>
            val graph =
              s"WITH wreath_graph AS PROPERTY GRAPH (VERTEX TABLES ($v AS vertex KEY (id)) " +
                s"EDGE TABLES ($e AS edge SOURCE KEY (src) REFERENCES vertex " +
                s"DESTINATION KEY (dst) REFERENCES vertex))\n"
            streamClause(s => session.sql(graph + text("wreath_graph" + s)))
          }
        }
    }
  }
}

object Graph {

  /**
   * @param vertices null: every endpoint of an edge is a vertex that has nothing but its id
   * @param src the column of `edges` with the start of an edge; `dst`, with its end
   * @param id the column of `vertices` that the endpoints refer to
   * @param key of a stream, the columns that name an edge: a delete needs no others
   * @param expire_after of a stream, how long edges live, such as `"1 day"`
   * @param event_time with it, the column that says when an edge happened
   * @param snapshot of a stream, the edges that are there before it begins
   * @param emit_snapshot whether the first batch also returns the matches of those
   */
  def apply(
      edges: DataFrame,
      vertices: DataFrame = null,
      src: String = "src",
      dst: String = "dst",
      id: String = "id",
      key: Seq[String] = Nil,
      expire_after: String = null,
      event_time: String = "ts",
      snapshot: DataFrame = null,
      emit_snapshot: Boolean = false): Graph = {
    require(
      vertices != null || id == "id",
      "id is the key column of vertices: pass vertices too.")
    require(
      expire_after != null || event_time == "ts",
      "event_time is the column by which edges expire: pass expire_after too.")
    require(
      !emit_snapshot || snapshot != null,
      "emit_snapshot tells what to do with a snapshot: pass snapshot too.")
    val ends = Seq("src" -> src, "dst" -> dst)
    val renamed = ends.map(_.swap).toMap
    new Graph(
      withNames(edges, ends),
      Option(vertices).map(withNames(_, Seq("id" -> id))),
      key.map(k => renamed.getOrElse(k, k)),
      Option(expire_after).map(event_time -> _),
      Option(snapshot).map(s => (withNames(s, ends), emit_snapshot)))
  }

  private val modes = Seq("REPEATABLE ELEMENTS", "DIFFERENT EDGES", "DIFFERENT VERTICES")

  private def words(mode: String, unique: Boolean): String = {
    val chosen = Option(mode).map(_.trim.toUpperCase.replaceAll("\\s+", " "))
    require(
      chosen.forall(modes.contains),
      s"mode is '$mode', but must be one of ${modes.map(_.toLowerCase).mkString("'", "', '", "'")}.")
    require(
      !unique || chosen.forall(_ == modes.last),
      s"unique means different vertices, so mode cannot be '$mode'.")
    if (unique) " UNIQUE SUBGRAPHS" else chosen.fold("")(" " + _)
  }

  /** Whatever the text says, it is one literal: `${…}` in it is left to who reads it. */
  private[api] def literal(text: String): String =
    "'" + text.replace("\\", "\\\\").replace("'", "\\'").replace("${", "\\u0024{") + "'"

  /** Spark puts settings in the place of `${…}` wherever it stands, and a name has no escapes. */
  private def quoted(name: String): String = {
    require(
      !name.contains("${"),
      s"$name cannot be written in SQL: Spark takes $${…} for a setting.")
    quoteIdentifier(name)
  }

  private val plainName = """[\p{L}_][\p{L}\p{N}_]*""".r
  private val quotedName = """`(?:[^`]|``)+`""".r

  private def hint(order: Seq[String]): String = {
    // A hint sits in a comment, so anything but a name could end it.
    order.foreach { name =>
      require(
        (plainName.matches(name) || quotedName.matches(name)) && !name.contains("${"),
        s"order has '$name', which is not the name of a variable.")
    }
    if (order.isEmpty) "" else order.mkString("/*+ WCO_JOIN(", ", ", ") */ ")
  }

  /** Gives the first names of the pairs to the columns named second, and puts these first. */
  private def withNames(df: DataFrame, names: Seq[(String, String)]): DataFrame =
    if (names.forall { case (to, from) => to == from }) df
    else {
      // A name that is a column is meant whole, dots included; another may lead into a struct.
      def column(name: String): String =
        if (df.columns.contains(name)) quoteIdentifier(name) else name
      val taken = names.flatMap { case (to, from) => Seq(to, from) }
      val others = df.columns.toSeq.filterNot(c => taken.exists(_.equalsIgnoreCase(c)))
      df.select(
        names.map { case (to, from) => col(column(from)).as(to) } ++
          others.map(c => col(quoteIdentifier(c))): _*)
    }

  /** A view of a DataFrame for one statement. */
  private[api] def withView[T](df: DataFrame)(use: String => T): T = {
    val name = "wreath_" + UUID.randomUUID().toString.replace("-", "")
    // To drop a view uncaches what has the same plan; a filter that keeps everything makes another.
    df.hint(SharedRows.Hint).where(lit(true)).createTempView(name)
    try use(name)
    finally df.sparkSession.catalog.dropTempView(name)
  }
}

/** A pinned index of a graph's edges. */
final class GraphIndex private[api] (indexed: DataFrame, row: Row) {

  private val id = row.getAs[Long]("id")

  /** The number of edges in it, equal ones counted each. */
  val edges: Long = row.getAs[Long]("edges")

  /** The bytes that the driver, and each executor, keeps. */
  val size_bytes: Long = row.getAs[Long]("bytes")

  val build_ms: Long = row.getAs[Long]("build_ms")

  /** How many queries have found it so far; 0 once it is gone. */
  def hits: Long =
    indexed.sparkSession
      .sql("SHOW GRAPH INDEXES")
      .where(col("id") === id)
      .collect()
      .headOption
      .fold(0L)(_.getAs[Long]("hits"))

  /** Forgets the index. Queries that run with it go on; the next one builds it again. */
  def unpersist(): Unit = Graph.withView(indexed) { e =>
    indexed.sparkSession.sql(s"UNCACHE GRAPH INDEX $e CALL").collect()
    ()
  }
}
