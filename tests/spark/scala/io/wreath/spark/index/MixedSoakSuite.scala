package io.wreath.spark.index

import java.util.concurrent.locks.ReentrantReadWriteLock
import java.util.concurrent.{Callable, ConcurrentHashMap, Executors, TimeUnit}

import scala.jdk.CollectionConverters._
import scala.util.Random

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.execution.wreath.WreathConf

import io.wreath.spark.WreathQueryTest
import org.scalatest.time.SpanSugar._

/**
 * Eight threads that query, build and forget indexes, drop and make views again, cache and uncache,
 * overwrite tables and cancel each other's jobs, for WREATH_SOAK_SECONDS (600 where WREATH_SOAK is
 * set alone). Every answer is that of plain loops over the edges that the table has; at the end
 * nothing runs, no thread is left inside Wreath and the indexes kept fit.
 */
class MixedSoakSuite extends WreathQueryTest {

  private val seconds: Option[Int] = sys.env
    .get("WREATH_SOAK_SECONDS")
    .map(_.toInt)
    .orElse(sys.env.get("WREATH_SOAK").filter(_.nonEmpty).map(_ => 600))

  private val threads = 8
  private val maxBytes = 64L << 10

  private type Edges = Seq[(Long, Long)]

  /** What is asked, and the number of its rows by loops. */
  private val questions: Seq[(String, Edges => Long)] = Seq(
    "MATCH (a)->(b)->(c), (a)->(c)" -> { edges =>
      (for {
        (a, b) <- edges
        (b2, c) <- edges if b2 == b
        (a2, c2) <- edges if a2 == a && c2 == c
      } yield 1L).sum
    },
    "MATCH (a)->(b)->(c) WHERE a < c" -> { edges =>
      (for ((a, b) <- edges; (b2, c) <- edges if b2 == b && a < c) yield 1L).sum
    },
    "MATCH DIFFERENT EDGES (a)->(b)<-(c)" -> { edges =>
      (for {
        ((_, b), i) <- edges.zipWithIndex
        ((_, b2), j) <- edges.zipWithIndex if b2 == b && i != j
      } yield 1L).sum
    },
    "MATCH (a)-[]->{1,2}(b)" -> { edges =>
      edges.size + (for ((_, b) <- edges; (b2, _) <- edges if b2 == b) yield 1L).sum
    },
    "MATCH (a)-[x]->(b)-[y]->(c) WHERE x.w > y.w" -> { edges =>
      (for ((a, b) <- edges; (b2, c) <- edges if b2 == b && weight(a, b) > weight(b2, c))
        yield 1L).sum
    },
    "MATCH (a)->(b) WHERE NOT EXISTS { MATCH (b)->(a) }" -> { edges =>
      edges.count { case (a, b) => !edges.contains((b, a)) }.toLong
    })

  private def weight(a: Long, b: Long): Long = (7 * a + 3 * b) % 11

  /** A table as files, and a view of it that may be cached. */
  final private class Graph(number: Int) {
    private val lock = new ReentrantReadWriteLock
    private val table = s"soak_table_$number"
    private val view = s"soak_view_$number"
    private var answers = IndexedSeq.empty[Long]
    private var version = 0
    private val seen = new ConcurrentHashMap[SparkSession, Int]

    /** Spark itself remembers the files of a table, session by session, also those that are gone. */
    private def refresh(session: SparkSession): Unit =
      if (seen.put(session, version) != version) session.catalog.refreshTable(table)

    def overwrite(session: SparkSession, random: Random): Unit = changing {
      val edges = Seq.fill(150 + random.nextInt(100))(
        (random.nextInt(30).toLong, random.nextInt(30).toLong))
      import session.implicits._
      edges.map { case (a, b) => (a, b, weight(a, b)) }.toDF("src", "dst", "w")
        .coalesce(2).write.mode("overwrite").saveAsTable(table)
      version += 1
      refresh(session)
      makeView(session)
      if (session.catalog.isCached(s"global_temp.$view")) {
        session.sql(s"UNCACHE TABLE global_temp.$view")
      }
      answers = questions.map(_._2(edges)).toIndexedSeq
    }

    def dropView(session: SparkSession): Unit = changing {
      refresh(session)
      session.sql(s"DROP VIEW IF EXISTS global_temp.$view")
      makeView(session)
    }

    private def makeView(session: SparkSession): Unit = session.sql(
      s"CREATE OR REPLACE GLOBAL TEMPORARY VIEW $view AS SELECT src, dst, w FROM $table"): Unit

    def cacheOrNot(session: SparkSession): Unit = changing {
      refresh(session)
      val verb = if (session.catalog.isCached(s"global_temp.$view")) "UNCACHE" else "CACHE"
      session.sql(s"$verb TABLE global_temp.$view")
    }

    def index(session: SparkSession, random: Random): Unit = reading {
      refresh(session)
      val verb = if (random.nextBoolean()) "CACHE" else "UNCACHE"
      session.sql(s"$verb GRAPH INDEX ${any(random)}"): Unit
    }

    /** @return whether there was an answer */
    def ask(session: SparkSession, random: Random, isCancelled: => Boolean): Boolean = reading {
      refresh(session)
      val q = random.nextInt(questions.size)
      val name = any(random)
      val text = s"SELECT count(*) FROM GRAPH_TABLE ($name ${questions(q)._1})"
      try {
        val count = session.sql(text).head().getLong(0)
        assert(count == answers(q), s"$text: $count, expected ${answers(q)}")
        true
      } catch {
        case e: Exception if isCancelled && saysCancelled(e) => false
      }
    }

    private def any(random: Random): String =
      if (random.nextBoolean()) table else s"global_temp.$view"

    private def reading[T](body: => T): T = {
      lock.readLock.lock()
      try body
      finally lock.readLock.unlock()
    }

    private def changing(body: => Unit): Unit = {
      lock.writeLock.lock()
      try body
      finally lock.writeLock.unlock()
    }

    def drop(session: SparkSession): Unit = {
      session.sql(s"DROP VIEW IF EXISTS global_temp.$view")
      session.sql(s"DROP TABLE IF EXISTS $table"): Unit
    }
  }

  @annotation.tailrec
  private def saysCancelled(e: Throwable): Boolean =
    e != null && (e.isInstanceOf[InterruptedException] ||
      Option(e.getMessage).exists(_.toLowerCase.contains("cancel")) || saysCancelled(e.getCause))

  /** Asks under a group of its own that another thread cancels at some moment. */
  private def askAndCancel(
      graph: Graph,
      session: SparkSession,
      random: Random,
      canceller: java.util.concurrent.ScheduledExecutorService): Boolean = {
    val context = session.sparkContext
    val group = s"soak ${Thread.currentThread.getId} ${System.nanoTime}"
    @volatile var isCancelled = false
    context.setJobGroup(group, group, interruptOnCancel = random.nextBoolean())
    val cancelling = canceller.schedule(
      (() => {
        isCancelled = true
        context.cancelJobGroupAndFutureJobs(group)
      }): Runnable,
      random.nextInt(200).toLong,
      TimeUnit.MILLISECONDS)
    try graph.ask(session, random, isCancelled)
    finally {
      cancelling.cancel(false)
      context.clearJobGroup()
      Thread.interrupted(): Unit
    }
  }

  test("queries, builds, drops and cancels beside each other") {
    assume(seconds.isDefined, "minutes; WREATH_SOAK=1 runs it")
    val cache = CsrIndexCache.of(spark.sparkContext)
    cache.clear()
    val graphs = (0 until 5).map(new Graph(_))
    graphs.foreach(_.overwrite(spark, new Random(1)))
    val end = System.nanoTime + TimeUnit.SECONDS.toNanos(seconds.get.toLong)
    val pool = Executors.newFixedThreadPool(threads)
    val canceller = Executors.newScheduledThreadPool(1)
    try {
      def work(seed: Int): Callable[IndexedSeq[Int]] = () => {
        val session = spark.newSession()
        session.conf.set(WreathConf.INDEX_MAX_BYTES.key, maxBytes.toString)
        val random = new Random(seed)
        val done = Array.ofDim[Int](4)
        while (System.nanoTime < end) {
          val graph = graphs(random.nextInt(graphs.size))
          random.nextInt(20) match {
            case 0 => graph.overwrite(session, random)
            case 1 => graph.dropView(session)
            case 2 => graph.cacheOrNot(session)
            case 3 | 4 => graph.index(session, random)
            case n if n < 10 =>
              if (askAndCancel(graph, session, random, canceller)) done(0) += 1 else done(1) += 1
            case _ =>
              graph.ask(session, random, isCancelled = false)
              done(2) += 1
          }
          done(3) += 1
        }
        done.toIndexedSeq
      }
      val all = (1 to threads).map(i => pool.submit(work(i)))
      val done = all.map(_.get(seconds.get + 300L, TimeUnit.SECONDS)).transpose.map(_.sum)
      info(s"${done(3)} operations: ${done(2)} answers, ${done(0)} in spite of a cancel, " +
        s"${done(1)} cancelled")
      assert(done(2) > 0)
      pool.shutdown()
      assert(pool.awaitTermination(60, TimeUnit.SECONDS))
      eventually(timeout(60.seconds)) {
        val running = spark.sparkContext.statusTracker.getExecutorInfos.map(_.numRunningTasks).sum
        assert(running == 0)
        assert(threadsInside.isEmpty)
      }
      assert(cache.sizeInBytes <= maxBytes + pinned(cache))
    } finally {
      pool.shutdownNow()
      canceller.shutdownNow()
      graphs.foreach(_.drop(spark))
    }
  }

  /** What CACHE GRAPH INDEX has asked to be kept is kept beyond the limit. */
  private def pinned(cache: CsrIndexCache): Long =
    cache.list.collect { case (index, true) => index.bytes }.sum

  private def threadsInside: Seq[String] =
    Thread.getAllStackTraces.asScala.toSeq.collect {
      case (t, stack)
          if t != Thread.currentThread && stack.exists(f =>
            f.getClassName.startsWith("io.wreath.") && !f.getClassName.contains("Suite")) =>
        t.getName
    }
}
