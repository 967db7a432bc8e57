package io.wreath.spark.index

import java.nio.file.{Files, Path, StandardCopyOption}
import java.util.concurrent.Executors
import java.util.concurrent.atomic.{AtomicInteger, AtomicReference}

import scala.concurrent.duration._
import scala.concurrent.{Await, ExecutionContext, Future}
import scala.util.Random

import org.apache.spark.network.util.JavaUtils
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.execution.wreath.WreathConf

import io.wreath.spark.WreathQueryTest

/**
 * Eight threads over a few tables: five that count, two that write, one that forgets indexes, and a
 * cache too small for all of them. Every count has to be that of a version that the table had while
 * the query ran.
 *
 * Version v of table t has v * (t + 1) pairs of edges there and back, so a count tells table and
 * version. Bounded by operations: seconds as a rule, minutes with WREATH_SOAK.
 */
class IndexStressSuite extends WreathQueryTest {

  private val tables = 4
  private val soak = sys.env.get("WREATH_SOAK").exists(_.nonEmpty)
  private val queries = if (soak) 400 else 12
  private val writes = if (soak) 100 else 8

  /** A table: a folder that only grows, until an overwrite puts another in its place. */
  final private class Table(number: Int, root: Path) {
    private val generation = new AtomicInteger
    val folder = new AtomicReference[Path](newFolder())

    /** Counts below the first and above the second cannot have been there. */
    val published, started = new AtomicInteger

    def rowsOf(version: Int): Int = 2 * (number + 1) * version

    private def newFolder(): Path =
      Files.createDirectories(root.resolve(s"t$number-${generation.incrementAndGet()}"))

    /** Adds the next version's pairs, or writes all of them anew elsewhere. */
    def write(session: SparkSession, overwrite: Boolean): Unit = synchronized {
      val version = started.get + 1
      val first = if (overwrite) 1 else version
      val file = fileOf(session, first, version)
      val target = if (overwrite) newFolder() else folder.get
      if (overwrite) {
        Files.move(file, target.resolve(s"$version.parquet"))
        started.set(version)
        folder.set(target)
      } else {
        started.set(version)
        Files.move(file, target.resolve(s"$version.parquet"), StandardCopyOption.ATOMIC_MOVE)
      }
      published.set(version)
    }

    private def fileOf(session: SparkSession, first: Int, last: Int): Path = {
      val temporary = root.resolve(s"tmp-$number-$last")
      val per = number + 1
      session
        .range((first - 1) * per.toLong, last * per.toLong, 1, 1)
        .selectExpr("explode(array(struct(2 * id AS src, 2 * id + 1 AS dst), " +
          "struct(2 * id + 1 AS src, 2 * id AS dst))) AS e")
        .selectExpr("e.src", "e.dst")
        .write
        .parquet(temporary.toString)
      temporary.toFile.listFiles().find(_.getName.endsWith(".parquet")).get.toPath
    }

    def check(session: SparkSession): Unit = {
      val before = published.get
      val name = s"v$number"
      session.read.schema("src LONG, dst LONG").parquet(folder.get.toString)
        .createOrReplaceTempView(name)
      val count = session
        .sql(s"SELECT count(*) FROM GRAPH_TABLE ($name MATCH (a)->(b)->(a))")
        .head()
        .getLong(0)
      val after = started.get
      assert(
        (before to after).exists(rowsOf(_) == count),
        s"table $number had versions $before to $after, but $count rows were counted")
    }
  }

  test("every count is right for a version that existed during the query") {
    val cache = CsrIndexCache.of(spark.sparkContext)
    cache.clear()
    val root = Files.createTempDirectory("wreath-stress")
    val pool = Executors.newFixedThreadPool(8)
    implicit val context: ExecutionContext = ExecutionContext.fromExecutor(pool)
    try {
      val all = (0 until tables).map(new Table(_, root))
      all.foreach(_.write(spark, overwrite = false))
      val largest = new AtomicReference[Long](0L)
      def worker(seed: Int, operations: Int)(body: (SparkSession, Random) => Unit): Future[Unit] =
        Future {
          val session = spark.newSession()
          session.conf.set(WreathConf.INDEX_MAX_BYTES.key, maxBytes.toString)
          val random = new Random(seed)
          (1 to operations).foreach(_ => body(session, random))
        }
      def any(random: Random): Table = all(random.nextInt(tables))
      val workers =
        (1 to 5).map(i => worker(i, queries)((s, r) => any(r).check(s))) ++
          (6 to 7).map(i =>
            worker(i, writes)((s, r) => any(r).write(s, overwrite = r.nextInt(3) == 0))) :+
          worker(8, queries) { (_, r) =>
            largest.updateAndGet(n => math.max(n, cache.sizeInBytes))
            if (r.nextInt(4) == 0) cache.clear()
            Thread.`yield`()
          }
      Await.result(Future.sequence(workers), 30.minutes)
      // Once all is quiet, the first query builds and the second finds.
      all.foreach { table =>
        val session = spark.newSession()
        table.check(session)
        val hits = cache.list.map(_._1.hits).sum
        table.check(session)
        assert(cache.list.map(_._1.hits).sum > hits)
      }
      assert(largest.get <= maxBytes)
    } finally {
      pool.shutdown()
      JavaUtils.deleteRecursively(root.toFile)
    }
  }

  /** Room for any one of the indexes, and not for all versions of all tables. */
  private def maxBytes: Long = if (soak) 256L << 10 else 16L << 10
}
