package io.wreath.spark

import scala.util.Random

import org.apache.spark.sql.execution.wreath.WreathConf
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.StructType
import org.apache.spark.sql.{AnalysisException, DataFrame, QueryTest, Row}
import org.apache.spark.{SparkConf, SparkThrowable}

import io.wreath.spark.logical.WcoJoin

/**
 * Random SQL that knows nothing of patterns gives the rows that it gives without Wreath.
 *
 * The grid: 2 to 4 tables of 2 to 4 columns x keys of one or two types x NULLs and duplicates x 2 to 6
 * tables joined by 3 or 4 variables, cyclic or not, by one column, two or three x ON or WHERE x conditions
 * of one table and of several x rows, counts, groups, DISTINCT x subquery, CTE, view x EXISTS, IN and
 * LEFT JOIN around x rows of the driver or an RDD x AQE.
 */
class PlainJoinsSuite extends WreathQueryTest {

  private val rounds = if (sys.env.contains("WREATH_SOAK")) 5000 else 60

  private val seed = sys.env.get("WREATH_SEED").map(_.toLong).getOrElse(17L)

  override protected def sparkConf: SparkConf =
    super.sparkConf
      .set("spark.sql.shuffle.partitions", "1")
      .set(WreathConf.MORSELS_PER_CORE.key, "1")
      .set(WreathConf.REWRITE_JOINS.key, "true")

  private val keyTypes =
    Seq(
      "INT",
      "BIGINT",
      "STRING",
      "DECIMAL(9, 2)",
      "DECIMAL(30, 1)",
      "DATE",
      "TIMESTAMP",
      "DOUBLE")

  private case class Table(name: String, keys: Seq[(String, String)]) {
    def columns: Seq[String] = keys.map(_._1) :+ "v"
  }

  private class Queries(seed: Long) {
    private val random = new Random(seed)

    def oneIn(n: Int): Boolean = random.nextInt(n) == 0

    private def pick[T](choices: Seq[T]): T = choices(random.nextInt(choices.size))

    private val types = {
      val first = pick(keyTypes)
      if (oneIn(3)) Seq(first, pick(keyTypes)) else Seq(first)
    }

    val tables: Seq[Table] = (0 until 2 + random.nextInt(3)).map { t =>
      Table(s"t$t", (0 until 2 + random.nextInt(2)).map(c => s"k$c" -> pick(types)))
    }

    private def literal(n: Int, tpe: String): String = tpe match {
      case "DATE" => s"DATE'2024-01-0${n + 1}'"
      case "TIMESTAMP" => s"TIMESTAMP'2024-01-0${n + 1} 00:00:00'"
      case "STRING" => s"'$n'"
      case other => s"CAST($n AS $other)"
    }

    private val values = 2 + random.nextInt(5)

    /** The rows of a table, as text. */
    def rowsOf(t: Table): String = {
      val rows = Seq.fill(1 + random.nextInt(14)) {
        val keys = t.keys.map { case (_, tpe) =>
          if (oneIn(12)) s"CAST(NULL AS $tpe)" else literal(random.nextInt(values), tpe)
        }
        (keys :+ (if (oneIn(15)) "CAST(NULL AS INT)" else random.nextInt(6).toString))
          .mkString("(", ", ", ")")
      }
      s"SELECT * FROM VALUES ${(rows ++ rows.take(random.nextInt(3))).mkString(", ")} " +
        s"AS t(${t.columns.mkString(", ")})"
    }

    private case class Leaf(alias: String, table: Table, variables: Seq[(String, Int)])

    /** Which variables each table has: some shapes that are cyclic, and any. */
    private def shape(): Seq[Seq[Int]] = {
      val fixed = Seq(
        Seq(Seq(0, 1), Seq(1, 2), Seq(0, 2)),
        Seq(Seq(0, 1), Seq(1, 2), Seq(2, 3), Seq(3, 0)),
        Seq(Seq(0, 1), Seq(1, 2), Seq(0, 2), Seq(2, 3)),
        Seq(Seq(0, 1), Seq(1, 2), Seq(0, 2), Seq(0), Seq(2)),
        Seq(Seq(0, 1), Seq(1, 2), Seq(0, 2), Seq(0, 1)),
        Seq(Seq(0, 1, 3), Seq(1, 2), Seq(0, 2), Seq(3)),
        Seq(Seq(0, 1), Seq(0, 2), Seq(0, 3), Seq(1, 2), Seq(1, 3), Seq(2, 3)),
        Seq(Seq(0, 1, 2), Seq(0, 3), Seq(1, 3), Seq(2, 3)),
        Seq(Seq(0, 1), Seq(1, 2), Seq(2, 0), Seq(3, 4), Seq(4, 5), Seq(5, 3)),
        Seq(Seq(0, 0), Seq(0, 1), Seq(1, 2), Seq(0, 2)))
      if (oneIn(3))
        Seq.fill(2 + random.nextInt(4))(Seq.fill(1 + random.nextInt(3))(random.nextInt(4)))
      else pick(fixed)
    }

    private def leaves(): Seq[Leaf] = {
      val variables = shape()
      val kinds = variables.flatten.distinct.map(_ -> pick(types)).toMap
      variables.zipWithIndex.map { case (own, i) =>
        // A column of the variable's type where there is one; else any, and Spark coerces.
        val table = pick(tables)
        val columns = own.foldLeft(Seq.empty[(String, Int)]) { (found, v) =>
          val free = table.keys.filterNot(k => found.exists(_._1 == k._1))
          val alike = free.filter(_._2 == kinds(v))
          val from = if (alike.nonEmpty) alike else free
          if (from.isEmpty) found else found :+ (pick(from)._1 -> v)
        }
        Leaf(s"a$i", table, columns)
      }
    }

    private def condition(leaf: Leaf): String = {
      val (key, tpe) = pick(leaf.table.keys)
      pick(Seq(
        s"${leaf.alias}.v > ${random.nextInt(4)}",
        s"${leaf.alias}.v IN (1, 2, 3)",
        s"${leaf.alias}.v IS NOT NULL",
        s"${leaf.alias}.v > 0 AND 10 / ${leaf.alias}.v > 2",
        s"${leaf.alias}.$key = ${literal(random.nextInt(values), tpe)}",
        s"${leaf.alias}.$key <> ${literal(random.nextInt(values), tpe)}"))
    }

    private def between(a: Leaf, b: Leaf): String = {
      val (x, y) = (pick(a.table.keys), pick(b.table.keys))
      if (x._2 == y._2 && oneIn(2)) {
        s"${a.alias}.${x._1} ${pick(Seq("<", "<=", "<>", ">", "<=>"))} ${b.alias}.${y._1}"
      } else {
        pick(Seq(
          s"${a.alias}.v < ${b.alias}.v",
          s"${a.alias}.v + ${b.alias}.v > 3",
          s"(${a.alias}.v > 1 OR ${b.alias}.v > 2)",
          s"coalesce(${a.alias}.v, 0) <= coalesce(${b.alias}.v, 0)"))
      }
    }

    private def source(leaf: Leaf): String = random.nextInt(5) match {
      case 0 => s"(SELECT * FROM ${leaf.table.name} WHERE v < 5) ${leaf.alias}"
      case 1 => s"c_${leaf.table.name} ${leaf.alias}"
      case 2 => s"view_${leaf.table.name} ${leaf.alias}"
      case _ => s"${leaf.table.name} ${leaf.alias}"
    }

    /** An equality of two columns; where their types differ, as text or as they are. */
    private def equal(a: (Leaf, String), b: (Leaf, String)): String = {
      val types = Seq(a, b).map { case (leaf, column) => leaf.table.keys.toMap.apply(column) }
      val texts = Seq(a, b).map { case (leaf, column) => s"${leaf.alias}.$column" }
      if (types.distinct.size == 1) texts.mkString(" = ")
      else texts.map(t => s"CAST($t AS STRING)").mkString(" = ")
    }

    def next(): String = {
      val all = leaves()
      val places = all.flatMap(l => l.variables.map { case (c, v) => (l, c, v) })
      val equalities = places.zipWithIndex.flatMap { case ((leaf, column, v), i) =>
        val before = places.take(i).filter(_._3 == v)
        if (before.isEmpty) None
        else {
          val (other, otherColumn, _) = pick(before)
          Some(equal((other, otherColumn), (leaf, column)) -> Set(other, leaf))
        }
      }
      val more = Seq.fill(random.nextInt(3))(
        if (oneIn(2)) {
          val leaf = pick(all)
          condition(leaf) -> Set(leaf)
        } else {
          val (a, b) = (pick(all), pick(all))
          between(a, b) -> Set(a, b)
        })
      val isInOn = oneIn(2)
      val conditions = equalities ++ more
      def at(i: Int): Seq[String] = conditions.collect {
        case (text, of) if isInOn && of.map(all.indexOf(_)).max.max(1) == i => text
      }
      val from = all.zipWithIndex.map {
        case (leaf, 0) => source(leaf)
        case (leaf, i) if at(i).isEmpty => s"CROSS JOIN ${source(leaf)}"
        case (leaf, i) => s"JOIN ${source(leaf)} ON ${at(i).mkString(" AND ")}"
      }.mkString(" ")
      val leaf = pick(all)
      val (key, tpe) = pick(leaf.table.keys)
      val beside = pick(tables)
      val alike = beside.keys.find(_._2 == tpe).map(_._1)
      val asked = alike.toSeq.filter(_ => oneIn(4)).map { other =>
        pick(Seq(
          s"EXISTS (SELECT 1 FROM ${beside.name} x WHERE x.$other = ${leaf.alias}.$key)",
          s"NOT EXISTS (SELECT 1 FROM ${beside.name} x WHERE x.$other = ${leaf.alias}.$key)",
          s"${leaf.alias}.$key IN (SELECT $other FROM ${beside.name})"))
      }
      val where = (if (isInOn) Nil else conditions.map(_._1)) ++ asked
      val outer = alike.filter(_ => oneIn(6)).fold("")(other =>
        s" LEFT JOIN ${beside.name} o ON o.$other = ${leaf.alias}.$key")
      val body =
        s"FROM $from$outer" + (if (where.isEmpty) "" else where.mkString(" WHERE ", " AND ", ""))
      val column = s"${leaf.alias}.$key"
      val value = s"${pick(all).alias}.v"
      val query = random.nextInt(9) match {
        case 0 => s"SELECT * $body"
        case 1 => s"SELECT count(*) $body"
        case 2 => s"SELECT $column, count(*) $body GROUP BY $column"
        case 3 => s"SELECT $column, sum($value), min($value), max($value) $body GROUP BY $column"
        case 4 => s"SELECT DISTINCT $column, $value $body"
        case 5 => s"SELECT avg($value), count($value), sum($value) $body"
        case 6 =>
          s"SELECT count(*), q.k FROM (SELECT $column AS k $body) q GROUP BY q.k HAVING count(*) > 1"
        case 7 => s"SELECT $column AS k $body UNION ALL SELECT ${pick(all).alias}.$key $body"
            .replaceAll(s"SELECT a\\d+\\.$key FROM", s"SELECT $column FROM")
        case _ =>
          s"SELECT ${all.map(l => s"${l.alias}.v AS ${l.alias}_v").mkString(", ")}, $column $body"
      }
      tables
        .map(t => s"c_${t.name} AS (SELECT * FROM ${t.name} WHERE v IS NULL OR v < 6)")
        .mkString("WITH ", ", ", s" $query")
    }
  }

  /** A view over rows of the driver or, as Spark does not fold these away, over an RDD. */
  private def makeTables(queries: Queries): Unit = queries.tables.foreach { t =>
    val local = spark.sql(queries.rowsOf(t))
    val table =
      if (queries.oneIn(2)) local
      else {
        val schema: StructType = local.schema
        spark.createDataFrame(spark.sparkContext.parallelize(local.collect().toSeq, 1), schema)
      }
    table.createOrReplaceTempView(t.name)
    spark.sql(s"SELECT * FROM ${t.name} WHERE v IS NULL OR v >= 0").createOrReplaceTempView(
      s"view_${t.name}")
  }

  private def rows(df: => DataFrame): Either[String, Seq[Row]] =
    try Right(df.collect().toSeq)
    catch {
      case e: AnalysisException => throw e
      case e: Exception =>
        val causes = Iterator.iterate[Throwable](e)(_.getCause).takeWhile(_ != null)
        Left(causes.collectFirst { case t: SparkThrowable => t.getCondition }.getOrElse(throw e))
    }

  /** Asked of the same tables, for it takes long to make these. */
  private val QueriesOfTables = 5

  test("rows are those without Wreath") {
    var rewritten = 0
    val seeds = new Random(seed)
    for (round <- 0 until rounds by QueriesOfTables) {
      val queries = new Queries(seeds.nextLong())
      makeTables(queries)
      for (i <- round until round + QueriesOfTables) {
        val query = queries.next()
        withClue(s"seed $seed, round $i: $query\n")(if (isRewritten(i, query)) rewritten += 1)
      }
    }
    info(s"$rewritten of $rounds queries had a pattern")
    assert(rewritten > rounds / 6)
  }

  /** Whether the query had a pattern; its rows are compared with those that it has without Wreath. */
  private def isRewritten(round: Int, query: String): Boolean = {
    val expected = withSQLConf(
      WreathConf.ENABLED.key -> "false",
      SQLConf.WHOLESTAGE_CODEGEN_ENABLED.key -> "false",
      SQLConf.CODEGEN_FACTORY_MODE.key -> "NO_CODEGEN",
      SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> "false")(rows(spark.sql(query)))
    withSQLConf(
      WreathConf.JOIN_MODE.key -> "broadcast",
      SQLConf.WHOLESTAGE_CODEGEN_ENABLED.key -> (round % 8 < 2).toString,
      SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> (round % 2 == 0).toString) {
      val df = spark.sql(query)
      val found = rows(df)
      (expected, found) match {
        case (Right(all), Right(same)) => QueryTest.sameRows(all, same).foreach(fail(_))
        // An error may come or not, as Spark pleases: but it is none of ours.
        case (Left(condition), other) => assert(other.fold(_ == condition, _ => true))
        case (_, Left(condition)) => fail(condition)
      }
      df.queryExecution.optimizedPlan.exists(_.isInstanceOf[WcoJoin])
    }
  }
}
