package org.apache.spark.sql.execution.wreath

import scala.util.{Failure, Try}

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection
import org.apache.spark.sql.execution.SQLExecution
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.{DataType, IntegerType, LongType}

import io.wreath.spark.WreathQueryTest
import io.wreath.spark.index.{CsrBroadcastMode, CsrRelationBuilder}
import io.wreath.spark.streaming.ChangeBatch

/** What the driver does outside jobs ends when its thread is interrupted or its query is over. */
class CancellationSuite extends WreathQueryTest {

  /** What came of `body` on a thread that is interrupted by `body` itself. */
  private def onThread(body: => Any): Try[Any] = {
    var result: Try[Any] = null
    val thread = new Thread(() =>
      result = Try(try body
      catch {
        case e: InterruptedException => throw new IllegalStateException(e)
      }))
    thread.start()
    thread.join()
    result
  }

  private def isInterrupted(result: Try[Any]): Boolean = result match {
    case Failure(e) =>
      Iterator.iterate[Throwable](e)(_.getCause).takeWhile(_ != null).exists(
        _.isInstanceOf[InterruptedException])
    case _ => false
  }

  test("an interrupted thread, seen from another") {
    val look = new java.util.concurrent.atomic.AtomicReference[Runnable]
    assert(onThread {
      look.set(Cancellation.look())
      look.get.run()
    }.isSuccess)
    assert(isInterrupted(onThread {
      val mine = Cancellation.look()
      Thread.currentThread.interrupt()
      val other = Array.fill[Try[Any]](1)(null)
      val asks = new Thread(() =>
        other(0) = Try(try mine.run()
        catch {
          case e: InterruptedException => throw new IllegalStateException(e)
        }))
      asks.start()
      while (asks.isAlive) Thread.onSpinWait()
      other(0).get
    }))
  }

  test("a query that has ended ends what was done for it") {
    var look: Runnable = null
    val query = spark.range(1).queryExecution
    SQLExecution.withNewExecutionId(query) {
      look = Cancellation.look()
      look.run()
    }
    assertThrows[InterruptedException](look.run())
  }

  test("the rows of a micro-batch on the driver") {
    val row = UnsafeProjection.create(Array[DataType](IntegerType, IntegerType))
    var passed = 0
    def rows = Iterator.range(0, 1 << 20).map { i =>
      if (i == 10000) Thread.currentThread.interrupt()
      passed = i
      (row(InternalRow(i, i)).copy(), 1)
    }
    assert(isInterrupted(onThread(ChangeBatch.of(rows))))
    assert(passed < 20000)
  }

  test("the build of an index") {
    val mode = CsrBroadcastMode(Seq(LongType, LongType), Nil)
    val row = UnsafeProjection.create(Array[DataType](LongType, LongType))
    def rows = Iterator.range(0, 100).map(i => row(InternalRow(i.toLong, i * 1000000L)))
    assert(onThread(CsrRelationBuilder.build("edges", mode, rows)).isSuccess)
    assert(isInterrupted(onThread {
      Thread.currentThread.interrupt()
      CsrRelationBuilder.build("edges", mode, rows)
    }))
  }

  Seq("EdgeFilters" -> "x.w > 10", "VariableDomains" -> "b.id IN (3, 20, 50)").foreach {
    case (where, condition) =>
      test(s"conditions that are asked of all elements: $where") {
        withTempPath { folder =>
          // All pairs, so that there are fewer edges to ask than the join would read.
          spark.range(1 << 12).selectExpr("id % 64 AS src", "id DIV 64 AS dst", "id AS w")
            .write.parquet(folder.getAbsolutePath)
          spark.read.parquet(folder.getAbsolutePath).createOrReplaceTempView("e")
          spark.sql("CACHE GRAPH INDEX e COLUMNS (w)")
          withSQLConf(SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> "false") {
            def counted(where: String) = spark.sql("SELECT count(*) FROM GRAPH_TABLE (e " +
              s"MATCH (a)-[x]->(b)-[y]->(c) $where)")
            // What is known of the edges is found out once, and would be where this is cancelled.
            counted("").collect()
            def plan = counted(s"WHERE $condition").queryExecution.executedPlan
            val join =
              plan.collectFirst { case j if j.nodeName.startsWith("BroadcastWcoJoin") => j }.get
            val result = onThread {
              Thread.currentThread.interrupt()
              join.execute()
            }
            assert(isInterrupted(result))
            val places = Iterator.iterate(result.failed.get)(_.getCause).takeWhile(_ != null)
              .flatMap(_.getStackTrace).map(_.getClassName).toSeq
            assert(places.exists(_.contains(where)), places.mkString(", "))
          }
        }
      }
  }
}
