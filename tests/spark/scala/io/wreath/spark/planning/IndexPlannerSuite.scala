package io.wreath.spark.planning

import org.apache.spark.sql.Row
import org.apache.spark.sql.catalyst.CatalystTypeConverters
import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.QueryExecution
import org.apache.spark.sql.execution.wreath.{
  CachedCsrIndexExec,
  CsrBroadcastExchangeExec,
  SparkInternals,
  WreathConf
}

import io.wreath.spark.WreathQueryTest
import io.wreath.spark.index._

/** Which index serves a relation with columns; every index that is used is read and compared. */
class IndexPlannerSuite extends WreathQueryTest {

  private def cache: CsrIndexCache = CsrIndexCache.of(spark.sparkContext)

  override def beforeEach(): Unit = {
    super.beforeEach()
    cache.clear()
  }

  /**
   * Plans and runs the index of a query's relation, keys first, checks its rows against the query's
   * own, and says whether it was there already.
   */
  private def isHit(query: String, keyCount: Int = 2): Boolean = {
    val df = spark.sql(query)
    val session = SparkInternals.classic(spark)
    val (mode, plan) = IndexPlanner.plan(
      df.queryExecution.optimizedPlan,
      keyCount,
      spark,
      QueryExecution.prepareExecutedPlan(session, _))
    val relation = CsrBroadcastExchangeExec.relation(plan).toOption.get.value
    val asked = mode.columns.take(df.schema.size - keyCount)
    checkAnswer(df, rowsOf(relation, mode.copy(columns = asked)))
    assert(cache.list.nonEmpty)
    plan match {
      case cached: CachedCsrIndexExec =>
        assert(cached.outputPartitioning ==
          org.apache.spark.sql.catalyst.plans.physical.BroadcastPartitioning(mode))
        true
      case _ => false
    }
  }

  private def rowsOf(relation: CsrRelation, mode: CsrBroadcastMode): Seq[Row] = {
    val ordinals = mode.columns.map(c => relation.rows.ordinal(c.id))
    assert(ordinals.forall(_ >= 0))
    def row(number: Int, keys: Seq[Any]): Row = {
      val unsafe = new UnsafeRow(relation.rows.columns.size)
      if (ordinals.nonEmpty) relation.rows.read(number, unsafe)
      val values = mode.columns.zip(ordinals).map { case (c, i) =>
        CatalystTypeConverters.convertToScala(unsafe.get(i, c.dataType), c.dataType)
      }
      Row(keys.zip(mode.keyTypes).map { case (k, t) =>
        CatalystTypeConverters.convertToScala(k, t)
      } ++ values: _*)
    }
    val first = relation.keys(0, mode.keyTypes.head)
    if (relation.arity == 1) {
      (0 until first.size).map(c => row(relation.rowOf(c), Seq(first.value(c))))
    } else {
      val second = relation.keys(1, mode.keyTypes(1))
      val forward = relation.graph.forward
      for {
        v <- 0 until forward.vertexCount
        p <- forward.from(v) until forward.until(v)
        r <- relation.firstRow(p) until relation.firstRow(p + 1)
      } yield row(r, Seq(first.value(v), second.value(forward.array(v)(p))))
    }
  }

  private def withEdges(body: => Unit): Unit = withTable("t") {
    spark.sql("CREATE TABLE t (amount INT, src BIGINT, note STRING, dst STRING) USING parquet")
    spark.sql("INSERT INTO t VALUES (5, 1, 'a', '2'), (7, 2, NULL, '1'), (9, 1, 'b', '2')")
    spark.sql("INSERT INTO t VALUES (NULL, 3, 'c', ''), (1, 1, '', '1')")
    body
  }

  test("an index with a column serves who asks for less") {
    withEdges {
      assert(!isHit("SELECT src, dst, amount FROM t"))
      assert(isHit("SELECT src, dst FROM t"))
      assert(isHit("SELECT src, dst, amount FROM t"))
      assert(!isHit("SELECT dst, src FROM t"))
    }
  }

  test("queries that ask for different columns of parallel edges take turns without building") {
    withEdges {
      assert(!isHit("SELECT src, dst FROM t"))
      assert(!isHit("SELECT src, dst, amount FROM t"))
      assert(cache.list.size == 1)
      assert(!isHit("SELECT src, dst, note FROM t"))
      assert(isHit("SELECT src, dst, amount FROM t"))
      assert(isHit("SELECT src, dst, note FROM t"))
      assert(!isHit("SELECT src, dst, note, amount FROM t"))
      assert(isHit("SELECT src, dst, amount FROM t"))
      assert(isHit("SELECT src, dst FROM t"))
      assert(cache.list.size == 1)
    }
  }

  private def lists: io.wreath.kernel.csr.CsrGraph = {
    assert(cache.list.size == 1)
    cache.list.head._1.relation.value.graph
  }

  test("columns are added to an index whose lists stay, one after the other") {
    withTable("simple") {
      spark.sql(
        "CREATE TABLE simple (amount INT, src BIGINT, note STRING, dst STRING, w DOUBLE) " +
          "USING parquet")
      spark.sql("INSERT INTO simple SELECT IF(id % 3 = 0, NULL, id), id % 50 * 99999, " +
        "IF(id % 5 = 0, NULL, repeat('n', CAST(id % 7 AS INT))), CAST(id % 60 AS STRING), id / 3 " +
        "FROM range(0, 300, 1, 3)")
      assert(!isHit("SELECT src, dst FROM simple"))
      val (first, id) = (lists, cache.list.head._1.id)
      for (columns <- Seq("amount", "note", "w + 1, amount", "w, note")) {
        assert(!isHit(s"SELECT src, dst, $columns FROM simple"))
        assert((lists eq first) && cache.list.head._1.id == id)
        assert(isHit(s"SELECT src, dst, $columns FROM simple"))
      }
      assert(isHit("SELECT src, dst, w, w + 1, amount, note FROM simple"))
      assert(isHit("SELECT src, dst FROM simple"))
    }
  }

  test(
    "an index of parallel edges keeps its lists for its first columns, and later ones stand apart") {
    withEdges {
      assert(!isHit("SELECT src, dst FROM t"))
      val first = lists
      assert(!isHit("SELECT src, dst, amount FROM t"))
      assert(lists eq first)
      assert(!isHit("SELECT src, dst, note FROM t"))
      assert(cache.list.map(_._1.relation.value.graph).forall(_ eq first))
      assert(!isHit("SELECT src, dst, note, amount FROM t"))
      assert(lists eq first)
    }
  }

  test("columns of vertices are added too") {
    withTable("people") {
      spark.sql("CREATE TABLE people (id STRING, name STRING, age INT) USING parquet")
      spark.sql("INSERT INTO people VALUES ('c', 'Cy', 3), ('a', NULL, 1), ('b', 'Bo', NULL)")
      for (columns <- Seq("id", "id, name", "id, age, name")) {
        assert(isHit(s"SELECT $columns FROM people", keyCount = 1) == false)
        assert(cache.list.size == 1)
      }
      assert(isHit("SELECT id, age FROM people", keyCount = 1))
    }
  }

  test("an index that would get too large with the old columns has the new ones alone") {
    withTable("simple") {
      spark.sql("CREATE TABLE simple USING parquet AS SELECT id AS src, id + 1 AS dst, " +
        "repeat('x', 100) AS p, repeat('y', 100) AS q FROM range(0, 1000, 1, 2)")
      withSQLConf(WreathConf.INDEX_MAX_BYTES.key -> "200k") {
        assert(!isHit("SELECT src, dst, p FROM simple"))
        assert(!isHit("SELECT src, dst, q FROM simple"))
        assert(cache.list.map(_._1.columns.size) == Seq(1))
      }
    }
  }

  test("CACHE GRAPH INDEX builds the columns that later queries read") {
    withTable("simple") {
      spark.sql("CREATE TABLE simple USING parquet AS SELECT id AS src, id + 1 AS dst, " +
        "id AS p, id AS `q q` FROM range(9)")
      val built = spark.sql("CACHE GRAPH INDEX simple COLUMNS (p, `q q`)").head()
      assert(isHit("SELECT src, dst, `q q`, p FROM simple"))
      val again = spark.sql("CACHE GRAPH INDEX simple").head()
      assert(again.getAs[Long]("id") == built.getAs[Long]("id"))
      for (wrong <- Seq("COLUMNS", "COLUMNS ()", "COLUMNS (p", "COLUMNS (p,)", "COLUMNS (p) p")) {
        assert(errorOf(s"CACHE GRAPH INDEX simple $wrong").getCondition == "WREATH_SYNTAX_ERROR")
      }
      val unknown = errorOf("CACHE GRAPH INDEX simple COLUMNS (nothing)")
      assert(unknown.getMessage.contains("nothing"), unknown.getMessage)
      val index = io.wreath.spark.api.Graph(spark.table("simple")).index(Seq("p", "q q"))
      assert(index.edges == 9 && cache.list.size == 1)
      index.unpersist()
    }
  }

  test("a column is told by what it is, whatever it is called") {
    withEdges {
      assert(!isHit("SELECT src, dst, amount AS weight FROM t"))
      assert(isHit("SELECT src AS a, dst AS b, amount AS note FROM t"))
      assert(!isHit("SELECT src, dst, amount + 1 AS weight FROM t"))
      assert(!isHit("SELECT src, dst, amount + 2 AS weight FROM t"))
      assert(isHit("SELECT src, dst, amount + 2 AS z FROM t"))
      assert(!isHit("SELECT src, dst, amount + 1 AS x, amount AS y, amount + 2 AS z FROM t"))
      assert(isHit("SELECT src, dst, amount AS y, amount + 1 AS x FROM t"))
      assert(cache.list.size == 1)
      // The rows are not the same.
      assert(!isHit("SELECT src, dst, amount FROM t WHERE amount > 5"))
      assert(!isHit("SELECT src, dst, note FROM t WHERE amount > 5"))
      assert(isHit("SELECT src, dst, amount, note FROM t WHERE amount > 5"))
    }
  }

  test("columns over joins and aggregates are right, whether or not they can be merged") {
    withEdges {
      def joined(column: String) =
        s"SELECT x.src, y.dst, $column FROM t x JOIN t y ON x.dst = CAST(y.src AS STRING)"
      assert(!isHit(joined("x.amount")))
      assert(!isHit(joined("y.amount")))
      assert(isHit(joined("x.amount")))
      def grouped(column: String) = s"SELECT src, dst, $column FROM t GROUP BY src, dst"
      assert(!isHit(grouped("max(amount)")))
      assert(!isHit(grouped("min(note)")))
      assert(isHit(grouped("max(amount)")))
    }
  }

  test("what is written to the table is seen") {
    withEdges {
      assert(!isHit("SELECT src, dst, amount FROM t"))
      spark.sql("INSERT INTO t VALUES (3, 3, 'a', '3')")
      assert(!isHit("SELECT src, dst, amount FROM t"))
      assert(isHit("SELECT src, dst, amount FROM t"))
    }
  }

  test("vertices have indexes of their own") {
    withEdges {
      val vertices = "SELECT DISTINCT src, src + 1 AS next FROM t"
      assert(!isHit(vertices, keyCount = 1))
      assert(isHit(vertices, keyCount = 1))
      assert(isHit("SELECT src FROM (" + vertices + ")", keyCount = 1))
      val show = spark.sql("SHOW GRAPH INDEXES").head()
      assert(show.getAs[String]("direction") == "none" && show.getAs[Long]("edges") == 3)
    }
  }

  test("an index over cached data is not that of the table without the cache") {
    withEdges {
      spark.sql("CACHE TABLE t")
      assert(!isHit("SELECT src, dst, amount FROM t"))
      assert(!isHit("SELECT src, dst, note FROM t"))
      assert(isHit("SELECT src, dst, amount FROM t"))
      spark.sql("UNCACHE TABLE t")
      assert(!isHit("SELECT src, dst, amount FROM t"))
    }
  }
}
