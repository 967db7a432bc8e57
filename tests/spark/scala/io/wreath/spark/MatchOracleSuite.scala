package io.wreath.spark

import scala.util.{Random, Success, Try}

import org.apache.spark.sql.execution.wreath.WreathConf
import org.apache.spark.sql.functions.expr
import org.apache.spark.sql.{DataFrame, Row}

import io.wreath.spark.MatchOracle._

/**
 * Random patterns have the rows that [[MatchOracle]] finds by trying, by the index and by Spark's joins:
 * directions x quantifiers x labels x conditions on elements and between them x match modes x
 * EXISTS x OPTIONAL MATCH x COLUMNS x what is selected of them. Graphs have loops, parallel edges, equal
 * rows, and ends that are NULL or lead nowhere.
 */
class MatchOracleSuite extends WreathQueryTest {

  private def cases(few: Int): Int = if (sys.env.contains("WREATH_SOAK")) 100 * few else few

  /** What a random pattern may speak of. */
  private case class Schema(
      name: String,
      graph: Graph,
      vertexProperty: String,
      vertexLabels: Seq[Labels],
      edgeLabels: Seq[Labels],
      modes: Seq[String])

  private class Draw(random: Random) {

    def below(n: Int): Int = random.nextInt(n)

    def pick[T](choices: T*): T = choices(below(choices.size))

    def oneIn(n: Int): Boolean = below(n) == 0

    def maybe(n: Int): Option[Int] = if (oneIn(12)) None else Some(below(n))

    /** Ends and a weight; now and then two rows are equal. */
    def rows(least: Int, more: Int, ends: Int): Seq[EdgeRow] = {
      val drawn = Seq.fill(least + below(more))((maybe(ends), maybe(ends), maybe(4)))
      if (oneIn(2)) drawn :+ drawn.head else drawn
    }
  }

  final private class Patterns(random: Random, schema: Schema) extends Draw(random) {

    private val property = schema.vertexProperty
    private var edges = 0
    // Longer patterns have too many matches to try.
    private var edgesLeft = 6

    private def compare(text: String, of: Seq[(String, String)])(
        holds: Seq[Int] => Boolean): Condition =
      Condition(
        text,
        (_, binding) => {
          val values = of.map { case (name, p) => binding(name).flatMap(_.property(p)) }
          if (values.forall(_.isDefined)) Some(holds(values.flatten)) else None
        })

    private def above(name: String, p: String): Condition = {
      val least = below(3)
      compare(s"$name.$p > $least", Seq(name -> p))(_.head > least)
    }

    private def vertex(names: Seq[String]): VertexPattern = {
      val name = if (oneIn(6)) None else Some(pick(names: _*))
      VertexPattern(
        name,
        if (oneIn(3)) pick(schema.vertexLabels: _*) else schema.vertexLabels.head,
        if (oneIn(6)) name.map(above(_, property)) else None)
    }

    private def edge(): EdgePattern = {
      edges += 1
      val name = if (oneIn(2)) Some(s"x$edges") else None
      val lengths = pick(
        None,
        Some("?" -> (0 to 1)),
        Some("{0,1}" -> (0 to 1)),
        Some("{,2}" -> (0 to 2)),
        Some("{1,2}" -> (1 to 2)),
        Some("{2}" -> (2 to 2)),
        Some("{0}" -> (0 to 0))).filter(_._2.end <= edgesLeft)
      edgesLeft -= lengths.map(_._2.end).getOrElse(1)
      EdgePattern(
        name,
        if (oneIn(3)) pick(schema.edgeLabels: _*) else schema.edgeLabels.head,
        pick(Right, Right, Left, Either),
        lengths,
        if (oneIn(3)) name.map(above(_, "w")) else None)
    }

    private def path(start: VertexPattern, most: Int, names: Seq[String]): Path =
      Path(
        start,
        Seq.fill((1 + below(most)).min(edgesLeft.max(0)))(edge() -> vertex(names)))

    private def exists(outer: Seq[String]): Condition = {
      val start = VertexPattern(Some(pick(outer: _*)), schema.vertexLabels.head, None)
      val inner = Part(
        pick(schema.modes: _*),
        Seq(path(start, 2, Seq("y", "z", outer.head))),
        None)
      val negated = oneIn(2)
      Condition(
        s"${if (negated) "NOT " else ""}EXISTS { ${inner.text} }",
        (graph, binding) => Some(matches(graph, inner, binding).isEmpty == negated))
    }

    private def vertexNames(part: Part): Seq[String] =
      part.paths.flatMap(p => p.start.name ++ p.steps.flatMap(_._2.name)).distinct

    private def edgeNames(part: Part): Seq[String] = part.names.diff(vertexNames(part))

    private def where(part: Part): Option[Condition] = {
      val (a, b) = (pick(vertexNames(part): _*), pick(vertexNames(part): _*))
      val conditions = Seq.fill(below(3))(pick[() => Condition](
        () => above(a, property),
        () =>
          compare(s"$a.$property < $b.$property", Seq(a, b).map(_ -> property))(v => v(0) < v(1)),
        () =>
          Condition(
            s"$a = $b",
            (_, binding) =>
              for (l <- binding(a); r <- binding(b)) yield l == r),
        () =>
          pick(edgeNames(part).map(Option(_)) :+ None: _*).map(above(_, "w")).getOrElse(
            above(b, property)),
        () => exists(vertexNames(part)))())
      if (conditions.isEmpty) None
      else {
        Some(Condition(
          conditions.map(_.text).mkString(" AND "),
          (g, binding) => {
            val held = conditions.map(_.holds(g, binding))
            if (held.contains(Some(false))) Some(false)
            else if (held.contains(None)) None
            else Some(true)
          }))
      }
    }

    private def part(start: VertexPattern, most: Int, names: Seq[String]): Part = {
      val first = path(start, most, names)
      val more = if (oneIn(3) && edgesLeft > 0) Seq(path(vertex(names), 2, names)) else Nil
      val bare =
        Part(pick(schema.modes: _*), first +: more, None)
      if (edgesLeft > 0) bare.copy(where = where(bare)) else bare
    }

    /** A query, and its rows. */
    def next(): (String, Seq[Row]) = {
      val a = VertexPattern(Some("a"), pick(schema.vertexLabels: _*), None)
      val first = part(a, 3, Seq("a", "b", "c"))
      val optional =
        if (oneIn(4) && edgesLeft > 0) {
          val start =
            VertexPattern(Some(pick(vertexNames(first): _*)), schema.vertexLabels.head, None)
          Seq(part(start, 1, Seq("d", "e")))
        } else Nil
      val all = first +: optional
      val vertices = all.flatMap(vertexNames).distinct.map(_ -> property)
      val readable = vertices ++ all.flatMap(edgeNames).map(_ -> "w")
      val items: Seq[(String, Binding => Any)] = Seq.fill(1 + below(3)) {
        val ((n, p), (m, q)) = (pick(readable: _*), pick(readable: _*))
        def value(name: String, p: String)(b: Binding) = b(name).flatMap(_.property(p))
        if (oneIn(4)) {
          (
            s"$n.$p + $m.$q",
            (b: Binding) =>
              (for (l <- value(n, p)(b); r <- value(m, q)(b)) yield l + r).getOrElse(null))
        } else (s"$n.$p", (b: Binding) => value(n, p)(b).getOrElse(null))
      }
      val rows = matches(schema.graph, first, optional).map(b => items.map(_._2(b)))
      val columns = items.zipWithIndex.map { case ((text, _), i) => s"$text AS c$i" }
      val table = s"GRAPH_TABLE (${schema.name} MATCH ${first.text}" +
        optional.map(" OPTIONAL MATCH " + _.text).mkString + columns.mkString(
          " COLUMNS (",
          ", ",
          "))")
      below(5) match {
        case 0 => (s"SELECT count(*) FROM $table", Seq(Row(rows.size.toLong)))
        case 1 =>
          (
            s"SELECT c0, count(*) FROM $table GROUP BY c0",
            rows.groupBy(_.head).toSeq.map { case (c, same) => Row(c, same.size.toLong) })
        case 2 => (s"SELECT DISTINCT c0 FROM $table", rows.map(_.head).distinct.map(Row(_)))
        case 3 =>
          (
            s"SELECT * FROM $table WHERE c0 > 1",
            rows.filter(r => r.head != null && r.head.asInstanceOf[Int] > 1).map(Row.fromSeq))
        case _ => (s"SELECT * FROM $table", rows.map(Row.fromSeq))
      }
    }
  }

  private type EdgeRow = (Option[Int], Option[Int], Option[Int])

  /** An id is all there is to a vertex. */
  private def edgeTable(random: Random): Schema = {
    val session = spark
    import session.implicits._
    val rows = new Draw(random).rows(3, 6, 4)
    rows.toDF("src", "dst", "w").createOrReplaceTempView("oracle_edges")
    def vertex(id: Int) = Vertex("", Seq(id))(Map("id" -> Some(id)))
    val edges = rows.zipWithIndex.collect { case ((Some(s), Some(t), w), i) =>
      Edge("", i)(vertex(s), vertex(t), Map("w" -> w))
    }
    val any = Labels("", Set(""))
    Schema(
      "oracle_edges",
      Graph(rows.flatMap(r => r._1 ++ r._2).distinct.map(vertex), edges),
      "id",
      Seq(any),
      Seq(any),
      Seq("", "", "DIFFERENT EDGES", "DIFFERENT VERTICES"))
  }

  /** Three tables of vertices, with the same ids but keys of different types and numbers of columns. */
  private def propertyGraph(random: Random): Schema = {
    val session = spark
    import session.implicits._
    val draw = new Draw(random)
    val keys = Map("p" -> Seq(""), "q" -> Seq("_text"), "r" -> Seq("", "_text"))
    def withTexts(rows: DataFrame, ids: String*): DataFrame =
      ids.foldLeft(rows)((r, id) => r.withColumn(s"${id}_text", expr(s"concat('t', $id)")))
    val vertices = keys.keys.toSeq.sorted.flatMap { table =>
      val rows = (0 to draw.below(4)).map(id => (id, draw.maybe(4)))
      withTexts(rows.toDF("id", "v"), "id").createOrReplaceTempView(s"oracle_$table")
      rows.map { case (id, v) => Vertex(table, Seq(id))(Map("v" -> v)) }
    }
    val tables = Seq("pp", "pq", "qp", "pr", "rr")
    val edges = tables.flatMap { table =>
      val rows = draw.rows(1, 5, 4)
      withTexts(rows.toDF("src", "dst", "w"), "src", "dst").createOrReplaceTempView(
        s"oracle_$table")
      for {
        ((Some(from), Some(to), w), i) <- rows.zipWithIndex
        source <- vertices.find(v => v.table == table.take(1) && v.key == Seq(from))
        target <- vertices.find(v => v.table == table.drop(1) && v.key == Seq(to))
      } yield Edge(table, i)(source, target, Map("w" -> w))
    }
    def key(column: String, table: String): String =
      keys(table).map(column + _).mkString("KEY (", ", ", ")")
    spark.sql(
      keys.keys.map(t => s"oracle_$t AS $t ${key("id", t)} PROPERTIES (v)").mkString(
        "CREATE OR REPLACE TEMPORARY PROPERTY GRAPH oracle_graph VERTEX TABLES (",
        ", ",
        ")") +
        tables.map { e =>
          s"oracle_$e AS $e SOURCE ${key("src", e.take(1))} REFERENCES ${e.take(1)} " +
            s"DESTINATION ${key("dst", e.drop(1))} REFERENCES ${e.drop(1)} PROPERTIES (w)"
        }.mkString(" EDGE TABLES (", ", ", ")"))
    def labels(tables: String*): Labels = Labels(tables.mkString(" | "), tables.toSet)
    Schema(
      "oracle_graph",
      Graph(vertices, edges),
      "v",
      Seq(Labels("", keys.keySet), labels("p"), labels("q"), labels("p", "q"), labels("p", "r")),
      Seq(
        Labels("", tables.toSet),
        labels("pp"),
        labels("pq"),
        labels("qp"),
        labels("pp", "qp"),
        labels("pr", "rr", "pp")),
      Seq("", "DIFFERENT EDGES", "DIFFERENT VERTICES"))
  }

  private def checkAll(few: Int, schema: Random => Schema): Unit = {
    val wrong = (0 until cases(few)).flatMap { i =>
      val random = new Random(i.toLong)
      val drawn = schema(random)
      val (query, expected) = new Patterns(random, drawn).next()
      val forced = Seq("lists", "marks", "bits", "confined")(i % 4)
      Seq(
        WreathConf.JOIN_MODE.key -> "auto",
        WreathConf.JOIN_TECHNIQUE.key -> forced,
        WreathConf.JOIN_MODE.key -> "binary",
        WreathConf.ENABLED.key -> "false").flatMap { conf =>
        val found = withSQLConf(conf)(Try(spark.sql(query).collect().toSeq))
        def sorted(rows: Seq[Row]): Seq[String] = rows.map(_.toString).sorted
        if (found.map(sorted) == Success(sorted(expected))) None
        else {
          Some(s"case $i, $conf: $query\n${drawn.graph.describe}\n" +
            s"expected ${sorted(expected).mkString(" ")}\n" +
            s"found    ${found.fold(_.toString.take(1000), sorted(_).mkString(" "))}\n")
        }
      }
    }
    if (wrong.nonEmpty) fail(s"${wrong.size} wrong\n${wrong.take(10).mkString("\n")}")
  }

  test("random unique subgraphs are as many as there are matches that no symmetry makes alike") {
    (0 until cases(10)).foreach { i =>
      val random = new Random(i.toLong)
      val drawn = edgeTable(random)
      val names = Seq("a", "b", "c", "d").take(2 + random.nextInt(3))
      val any = Labels("", Set(""))
      def vertex(name: String) = VertexPattern(Some(name), any, None)
      val undirected = random.nextBoolean()
      // Each hangs off one before it, and some are joined beside that.
      val tree = names.indices.tail.map(k => names(random.nextInt(k)) -> names(k))
      val more = names.combinations(2).map(p => p(0) -> p(1)).filterNot(tree.contains)
      val paths = (tree ++ more.filter(_ => random.nextBoolean())).map { case (s, t) =>
        val way = if (undirected) Either else if (random.nextBoolean()) Right else Left
        Path(vertex(s), Seq(EdgePattern(None, any, way, None, None) -> vertex(t)))
      }
      val part = Part("UNIQUE SUBGRAPHS", paths, None)
      val expected = subgraphs(drawn.graph, part).map { case (vertices, n) =>
        Row(vertices.toSeq.map(_.property("id").get).sorted.mkString(","), n.toLong)
      }
      val query =
        s"SELECT array_join(array_sort(array(${names.mkString(", ")})), ','), count(*) " +
          s"FROM GRAPH_TABLE (${drawn.name} MATCH ${part.text}) GROUP BY 1"
      Seq(
        WreathConf.JOIN_MODE.key -> "auto",
        WreathConf.JOIN_MODE.key -> "binary",
        WreathConf.ENABLED.key -> "false").foreach { conf =>
        withSQLConf(conf) {
          assert(
            spark.sql(query).collect().toSet == expected.toSet,
            s"case $i, $conf: $query\n${drawn.graph.describe}")
        }
      }
    }
  }

  test("random patterns over a table of edges have the rows found by trying") {
    checkAll(15, edgeTable)
  }

  test("random patterns over a property graph have the rows found by trying") {
    checkAll(6, propertyGraph)
  }
}
