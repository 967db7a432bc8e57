package io.wreath.spark

import scala.util.Random

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.execution.wreath.{TestPlans, WreathConf}
import org.apache.spark.sql.functions.expr
import org.apache.spark.sql.internal.SQLConf

import io.wreath.spark.execution.BroadcastWcoJoinExec
import io.wreath.spark.index.CsrIndexCache
import io.wreath.spark.logical._

/**
 * Patterns of several tables, with vertex tables, keys of several types and columns of elements,
 * give the rows of Spark's own joins.
 *
 * The grid: {one edge table, several, with vertex tables} x keys {dense, sparse, strings, structs,
 * two types in one table} x columns {in the output, in conditions of one element, of several} x
 * {parallel edges, none} x AQE {on, off}.
 */
class ElementJoinSuite extends WreathQueryTest {

  /** One pattern: elements by alias, joined by conditions over `alias.column`. */
  private case class Element(alias: String, table: String, ends: Seq[String])

  private def edge(alias: String, table: String, source: String, target: String): Element =
    Element(alias, table, Seq(source, target))

  private def vertex(alias: String, table: String, key: String): Element =
    Element(alias, table, Seq(key))

  private def scan(e: Element, matchId: Long): DataFrame = {
    val table = spark.table(e.table)
    val columns = e.ends ++ table.columns.filterNot(e.ends.contains)
    val plan = table.selectExpr(columns.map(c => s"$c AS $c"): _*).queryExecution.analyzed
    val mark = MatchMark(matchId, e.ends.map(k => s"${e.alias}_$k"), MatchHints())
    def end(i: Int): Attribute = plan.output(i)
    val leaf =
      if (e.ends.size == 2) MatchEdge(mark, end(0), end(1), isUndirected = false, None, plan)
      else MatchVertex(mark, end(0), plan)
    TestPlans.frame(spark, leaf).as(e.alias)
  }

  private def pattern(elements: Seq[Element], where: String): DataFrame = {
    val id = MatchMark.newMatchId()
    elements.map(scan(_, id)).reduce(_.crossJoin(_)).where(expr(where))
  }

  private def check(elements: Seq[Element], where: String, columns: Seq[String]): Unit = {
    val expected = elements
      .map { e =>
        // A NULL end matches nothing, read or not.
        val notNull = e.ends.map(k => s"$k IS NOT NULL").mkString(" AND ")
        spark.table(e.table).where(notNull).as(e.alias)
      }
      .reduce(_.crossJoin(_))
      .where(expr(where))
      .selectExpr(columns: _*)
      .collect()
      .toSeq
    // Each of the four is run by half of the checks, for time's sake.
    val adaptive = (where + columns).hashCode % 2 == 0
    withSQLConf(
      SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> adaptive.toString,
      WreathConf.JOIN_MODE.key -> "broadcast") {
      val df = pattern(elements, where).selectExpr(columns: _*)
      withClue(s"$where, AQE $adaptive: ") {
        checkAnswer(df, expected)
        val joins = collect(df.queryExecution.executedPlan) { case j: BroadcastWcoJoinExec => j }
        assert(joins.size == 1, df.queryExecution)
        if (!adaptive) assert(pattern(elements, where).count() == expected.size)
      }
    }
    if (adaptive) withSQLConf(WreathConf.ENABLED.key -> "false") {
      checkAnswer(pattern(elements, where).selectExpr(columns: _*), expected)
    }
  }

  override def beforeAll(): Unit = {
    super.beforeAll()
    def view(name: String, sql: String): Unit = spark.sql(sql).createOrReplaceTempView(name)
    view(
      "transfers",
      """SELECT * FROM VALUES
        |  (1L, 2L, 10, 'x'), (1L, 2L, 20, 'y'), (1L, 2L, 20, 'y'), (2L, 3L, 15, NULL),
        |  (3L, 1L, 30, 'x'), (3L, 1L, 5, 'z'), (2L, 2L, 7, 'x'), (3L, 4L, NULL, 'y'),
        |  (4L, 1L, 40, ''), (NULL, 1L, 1, 'n'), (1L, 3L, 12, 'ü')
        |AS t(src, dst, amount, tag)""".stripMargin)
    view(
      "simple",
      """SELECT * FROM VALUES (1L, 2L, 10), (2L, 3L, 15), (3L, 1L, 30), (1L, 3L, 2), (3L, 3L, 1)
        |AS t(src, dst, amount)""".stripMargin)
    // Ids of its own: some that transfers has, some that it has not, far apart.
    view(
      "likes",
      """SELECT * FROM VALUES (1L, 3L, 'a'), (2L, 900000000000L, 'b'), (3L, 900000000000L, 'c'),
        |  (5L, 1L, 'd'), (1L, 900000000000L, 'e') AS t(person, post, how)""".stripMargin)
    view(
      "people",
      """SELECT * FROM VALUES (1L, 'ann', 20), (2L, 'bob', 30), (3L, 'cy', NULL), (7L, 'dee', 50)
        |AS t(id, name, age)""".stripMargin)
    view(
      "everyone",
      "SELECT id, concat('n', id) AS name, CAST(id AS INT) * 10 AS age FROM range(-3, 12)")
    view(
      "lives",
      """SELECT * FROM VALUES (1L, 'rome'), (2L, 'rome'), (3L, 'oslo'), (4L, 'rome')
        |AS t(who, city)""".stripMargin)
    view(
      "named",
      "SELECT concat('v', src) AS src, concat('v', dst) AS dst, amount FROM simple")
    view("names", "SELECT concat('v', id) AS id, age FROM people")
    view(
      "composite",
      """SELECT struct(src % 2 AS a, CAST(src AS STRING) AS b) AS src,
        |  struct(dst % 2 AS a, CAST(dst AS STRING) AS b) AS dst, amount
        |FROM transfers WHERE src IS NOT NULL""".stripMargin)
    view(
      "parts",
      "SELECT struct(id % 2 AS a, CAST(id AS STRING) AS b) AS id, name FROM people")
  }

  private val triangle = Seq(
    edge("x", "transfers", "src", "dst"),
    edge("y", "transfers", "src", "dst"),
    edge("z", "transfers", "src", "dst"))
  private val ring = "x.dst = y.src AND y.dst = z.src AND z.dst = x.src"

  test("columns of edges in the output: each parallel edge is a row of its own") {
    check(triangle, ring, Seq("x.src", "x.amount", "y.tag", "z.amount + 1", "z.tag"))
    check(triangle, ring, Seq("x.amount"))
    check(triangle, ring, Seq("y.src", "z.src"))
  }

  test("conditions on columns of one edge") {
    check(triangle, s"$ring AND x.amount > 9", Seq("x.src", "y.src"))
    check(triangle, s"$ring AND x.amount > 9 AND y.tag IS NULL", Seq("z.amount"))
    check(triangle, s"$ring AND z.amount < x.src + 30", Seq("x.src", "z.tag"))
    check(triangle, s"$ring AND x.tag IN ('x', 'z', 'y')", Seq("x.src", "x.tag"))
    check(triangle, s"$ring AND x.tag = 'nothing'", Seq("x.src"))
    check(triangle, s"$ring AND x.amount > 9 AND y.amount > 9", Seq("z.src"))
    // Of parallel edges some pass and some do not, and those that do are handed on.
    val path = "x.dst = y.src AND y.dst = z.src"
    check(triangle, s"$path AND x.amount > 15", Seq("x.amount", "x.tag"))
    check(triangle, s"$path AND x.amount > 15 AND z.amount < 15", Seq("x.amount", "z.amount"))
    check(triangle, s"$path AND z.amount < x.amount AND z.amount <> 10", Seq("z.src"))
  }

  test("conditions on edges of a join that starts at one vertex are asked on the way") {
    // Few list elements are read from there, so no list is filtered beforehand.
    check(triangle, s"$ring AND x.src = 1 AND y.amount > 9", Seq("x.src", "y.src"))
    check(triangle, s"$ring AND x.src = 1 AND z.amount > 9", Seq("x.amount", "z.amount"))
    check(triangle, s"$ring AND x.src = 99 AND z.amount > 9", Seq("x.amount"))
  }

  test("conditions on columns of several edges") {
    check(triangle, s"$ring AND x.amount < z.amount", Seq("x.src", "x.amount", "z.amount"))
    check(triangle, s"$ring AND x.amount < y.amount AND y.amount < z.amount", Seq("x.src"))
    check(triangle, s"$ring AND x.tag = z.tag", Seq("x.src", "y.amount"))
    check(triangle, s"$ring AND (x.amount > 15 OR z.amount > 15)", Seq("y.src"))
  }

  test("the same over edges that do not repeat") {
    val simple = triangle.map(_.copy(table = "simple"))
    check(simple, ring, Seq("x.amount", "y.amount", "z.src"))
    check(simple, s"$ring AND x.amount < y.amount", Seq("x.src"))
    check(simple, s"$ring AND x.amount > 9", Seq("x.src"))
  }

  test("a vertex that is not in its vertex table is in no match") {
    val people = Seq(vertex("a", "people", "id"), vertex("b", "people", "id"))
    val atEnds = s"$ring AND a.id = x.src AND b.id = x.dst"
    check(triangle ++ people, atEnds, Seq("x.src", "y.src", "z.src"))
    check(triangle ++ people, atEnds, Seq("a.name", "b.age", "x.amount"))
    check(triangle ++ people, s"$atEnds AND a.age < 30", Seq("b.name"))
    check(triangle ++ people, s"$atEnds AND a.age < b.age", Seq("a.name", "b.name"))
    check(triangle ++ people, s"$atEnds AND a.age IS NULL", Seq("a.name"))
    check(triangle ++ people, s"$atEnds AND a.age > x.amount", Seq("a.name", "x.amount"))
    val everyone = Seq(vertex("a", "everyone", "id"))
    check(triangle ++ everyone, s"$ring AND a.id = x.src", Seq("a.name", "y.src"))
    check(triangle ++ everyone, s"$ring AND a.id = x.src AND a.age > 10", Seq("a.name"))
  }

  test("one edge between two vertices is a pattern") {
    check(
      Seq(
        edge("x", "transfers", "src", "dst"),
        vertex("a", "people", "id"),
        vertex("b", "people", "id")),
      "a.id = x.src AND b.id = x.dst",
      Seq("a.name", "x.amount", "b.name"))
  }

  test("several edge tables with ids of their own meet in one join") {
    val both = Seq(
      edge("x", "transfers", "src", "dst"),
      edge("l", "likes", "person", "post"),
      edge("k", "likes", "person", "post"))
    val where = "x.src = l.person AND x.dst = k.person AND l.post = k.post"
    check(both, where, Seq("x.src", "x.dst", "l.post"))
    check(both, s"$where AND l.how < k.how", Seq("x.amount", "l.how", "k.how"))
    check(both, s"$where AND x.src < l.post", Seq("x.src"))
    val withPeople = both ++ Seq(vertex("a", "people", "id"))
    check(withPeople, s"$where AND a.id = x.src", Seq("a.name", "l.post"))
    // An id that is a person here and a post there is one number, and may be compared.
    check(
      Seq(edge("x", "transfers", "src", "dst"), edge("l", "likes", "person", "post")),
      "x.src = l.post AND x.dst = l.person",
      Seq("x.src", "l.how"))
  }

  test("ends of two types") {
    val elements = Seq(
      edge("x", "transfers", "src", "dst"),
      edge("h", "lives", "who", "city"),
      edge("i", "lives", "who", "city"))
    val where = "x.src = h.who AND x.dst = i.who AND h.city = i.city"
    check(elements, where, Seq("x.src", "x.dst", "h.city"))
    check(elements, s"$where AND h.city > 'p' AND x.src < x.dst", Seq("x.amount", "i.city"))
    check(elements, s"$where AND h.city = 'rome'", Seq("x.src"))
  }

  test("strings and structs as keys, with vertex tables") {
    val named = triangle.map(_.copy(table = "named"))
    val names = Seq(vertex("a", "names", "id"))
    check(named ++ names, s"$ring AND a.id = x.src", Seq("x.src", "y.src", "a.age"))
    check(named, s"$ring AND x.src >= 'v2' AND y.src < x.src", Seq("x.src", "x.amount"))
    val composite = triangle.map(_.copy(table = "composite"))
    check(composite, ring, Seq("x.src", "y.amount"))
    check(composite, s"$ring AND x.src < y.src", Seq("x.src.b", "z.amount"))
    val parts = Seq(vertex("a", "parts", "id"))
    check(composite ++ parts, s"$ring AND a.id = x.src", Seq("a.name", "x.src.a"))
  }

  test("conditions on keys are ranges of codes") {
    for (c <- Seq(
        "x.src = 2",
        "x.src < 3",
        "x.src <= 2",
        "x.src > 1",
        "x.src >= 3",
        "3 > x.src",
        "x.src BETWEEN 2 AND 3",
        "x.src IN (1, 3, 99)",
        "x.src IN (98, 99)",
        "x.src = 99",
        "x.src > 99",
        "x.src % 2 = 1",
        "x.src < 3 AND x.src > 3"))
      check(triangle, s"$ring AND $c", Seq("x.src", "y.src", "z.src"))
  }

  test("random patterns over random tables") {
    val seed = sys.env.get("WREATH_SEED").map(_.toLong).getOrElse(7L)
    val random = new Random(seed)
    val rounds = if (sys.env.contains("WREATH_SOAK")) 300 else 10
    val tables = Seq("transfers" -> Seq("src", "dst"), "likes" -> Seq("person", "post"))
    for (round <- 1 to rounds) {
      val edges = (0 to 1 + random.nextInt(2)).map { i =>
        val (table, ends) = tables(random.nextInt(2))
        Element(s"e$i", table, ends)
      }
      def end(): String = {
        val e = edges(random.nextInt(edges.size))
        s"${e.alias}.${e.ends(random.nextInt(2))}"
      }
      // Of an end with itself Spark knows that it never holds, and drops the joins.
      def compare(op: String): String = {
        val a = end()
        s"$a $op ${Iterator.continually(end()).find(_ != a).get}"
      }
      val chain = edges.zip(edges.tail).map { case (a, b) =>
        s"${a.alias}.${a.ends(1)} = ${b.alias}.${b.ends(random.nextInt(2))}"
      }
      val vertices = if (random.nextBoolean()) Seq(vertex("p", "people", "id")) else Nil
      val more = vertices.map(v => s"${v.alias}.id = ${end()}") ++
        Seq.fill(random.nextInt(3))(random.nextInt(5) match {
          case 0 => compare("<")
          case 1 => compare("=")
          case 2 if edges.head.table == "transfers" => "e0.amount > 10"
          case 3 if vertices.nonEmpty => "p.age > 20"
          case _ => compare("<>")
        })
      val columns = Seq(end(), end()) ++ vertices.map(_ => "p.name") ++
        edges.filter(_.table == "likes").map(e => s"${e.alias}.how")
      withClue(s"seed $seed, round $round: ") {
        check(edges ++ vertices, (chain ++ more).mkString(" AND "), columns)
      }
    }
  }

  test("an index serves queries that read other columns of the same table") {
    val cache = CsrIndexCache.of(spark.sparkContext)
    cache.clear()
    check(triangle, ring, Seq("x.src"))
    check(triangle, ring, Seq("x.amount"))
    check(triangle, ring, Seq("x.tag", "y.amount"))
    check(triangle, s"$ring AND x.tag = 'y'", Seq("x.src"))
    assert(cache.list.size == 1, cache.list.map(_._1.name))
  }
}
