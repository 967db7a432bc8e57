package io.wreath.spark

import scala.util.Random

import org.apache.spark.sql.execution.wreath.WreathConf

/**
 * Random patterns over random graphs: the rows of the index are those of Spark's joins.
 *
 * The grid: 1-3 edges of any direction and between any of four vertices, bracketed or short, with
 * conditions on edges x match mode x EXISTS or NOT EXISTS, of one edge or a path x OPTIONAL MATCH x
 * quantifiers x counting or rows. Graphs have loops, parallel edges and edges with a NULL end; both
 * sides read one DataFrame, so all scans of it share their columns.
 */
class PatternAnswerSuite extends WreathQueryTest {

  private val cases = if (sys.env.contains("WREATH_SOAK")) 2000 else 60

  private class Patterns(seed: Long) {
    private val random = new Random(seed)

    private def pick[T](choices: T*): T = choices(random.nextInt(choices.size))

    private def oneIn(n: Int): Boolean = random.nextInt(n) == 0

    private def vertex(): String = pick("a", "b", "c", "d")

    private var edges = 0

    private def edge(mayName: Boolean): String = {
      edges += 1
      val inside = if (mayName && oneIn(3)) s"e$edges WHERE e$edges.w > 3" else ""
      val quantifier = if (oneIn(8)) pick("{2}", "{1,2}", "?") else ""
      val brackets = if (inside.nonEmpty || oneIn(2)) s"[$inside]" else ""
      val text = (random.nextInt(4), brackets) match {
        case (0, "") => "<-"
        case (0, b) => s"<-$b-"
        case (1, "") => "-"
        case (1, b) => s"-$b-"
        case (_, "") => "->"
        case (_, b) => s"-$b->"
      }
      text + quantifier
    }

    private def path(length: Int): String =
      (1 to length).foldLeft(s"(${vertex()})")((p, _) =>
        s"$p${edge(mayName = true)}(${vertex()})")

    private def exists(): String =
      pick("", "NOT ") + s"EXISTS { (a)${edge(mayName = oneIn(3))}(${pick("a", "x")})" +
        pick("", "", "->(y)") + " }"

    def edgeRows: Seq[(Option[Long], Option[Long], Int)] =
      Seq.fill(4 + random.nextInt(10)) {
        def end: Option[Long] = if (oneIn(20)) None else Some(random.nextInt(5).toLong)
        (end, end, random.nextInt(8))
      }

    def next(): String = {
      edges = 0
      val mode =
        pick("", "", "DIFFERENT EDGES ", "DIFFERENT VERTICES ", "UNIQUE SUBGRAPHS ")
      // Each speaks of a, so that conditions can.
      val first = s"(a)${edge(mayName = true)}(${vertex()})"
      val more = if (oneIn(3)) "" else ", " + path(1 + random.nextInt(2))
      val conditions = Seq.fill(random.nextInt(3))(pick(
        () => exists(),
        () => exists(),
        () => "a > 0",
        () => s"(a < 3 OR ${exists()})")())
      val where = if (conditions.isEmpty) "" else conditions.mkString(" WHERE ", " AND ", "")
      val optional = if (oneIn(4)) s" OPTIONAL MATCH (a)${edge(mayName = true)}(z)" else ""
      val select = if (oneIn(3)) "count(*)" else "*"
      s"SELECT $select FROM GRAPH_TABLE (random_edges MATCH $mode$first$more$where$optional)"
    }
  }

  test("rows by index are rows by joins") {
    val session = spark
    import session.implicits._
    (0 until cases).foreach { i =>
      val patterns = new Patterns(i.toLong)
      patterns.edgeRows.toDF("src", "dst", "w").createOrReplaceTempView("random_edges")
      val query = patterns.next()
      withClue(s"case $i: $query\n${spark.table("random_edges").collect().mkString(" ")}\n") {
        val expected = withSQLConf(WreathConf.JOIN_MODE.key -> "binary") {
          spark.sql(query).collect().toSeq
        }
        checkAnswer(spark.sql(query), expected)
      }
    }
  }
}
