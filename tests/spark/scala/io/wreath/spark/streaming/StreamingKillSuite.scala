package io.wreath.spark.streaming

import java.io.File
import java.lang.management.ManagementFactory
import java.nio.file.{Files, Path}
import java.util.concurrent.TimeUnit

import scala.annotation.tailrec
import scala.jdk.CollectionConverters._
import scala.util.Random

import org.apache.spark.sql.streaming.Trigger
import org.apache.spark.sql.{DataFrame, SparkSession}

import io.wreath.spark.WreathExtensions

/**
 * Kills the process of a query, without warning, at points of its checkpoint's life: when a batch
 * has been planned, when some of its state is written, when all of it is. What the sink has in the end,
 * a file sink or `foreachBatch` that replaces what was written for a batch, is what an uninterrupted
 * run writes.
 */
class StreamingKillSuite extends StreamingQueryHarness {

  private val isSoak = sys.env.get("WREATH_SOAK").contains("1")
  private val batches = 5
  private val partitions = 4

  private val kills = if (isSoak) 20 else 1

  for {
    ((store, name), i) <-
      Seq(KilledQuery.DefaultStore -> "the default store", KilledQuery.RocksDb -> "RocksDB")
        .zipWithIndex
    sink <- Seq(KilledQuery.Files, KilledQuery.ForeachBatch)
    if isSoak || sink == KilledQuery.Files
    kill <- 1 to kills
  } test(
    s"a query that is killed in mid-batch writes what it would have written: $name, $sink, $kill") {
    killed(store, sink, seed = kills * i + kill)
  }

  private def killed(store: String, sink: String, seed: Int): Unit =
    withTempDir { dir =>
      val random = new Random(seed)
      val input = writeInput(new File(dir, "input"), random)
      val whole = new File(dir, "whole").toPath
      KilledQuery.run(spark, input, whole, store, sink)
      // Not in the last batch, so that there is something left to kill.
      val point = KillPoint(random.nextInt(batches - 1), random.nextInt(partitions + 1))
      val out = new File(dir, "killed").toPath
      withClue(s"killed at $point: ") {
        killAt(point, input, out, store, sink)
        assert(committed(out) < batches, "the query was done before it was killed")
        val code = fork(input, out, store, sink).waitFor()
        // A process may abort after its query has ended, in the native code of a store: no row is lost then.
        assert(
          Files.exists(out.resolve(KilledQuery.Ended)),
          s"the query did not come to its end, but to $code:\n${lastLines(out)}")
        assert(rows(out) == rows(whole))
      }
    }

  /** When the batch's offsets are written and so many partitions have its state. */
  private case class KillPoint(batch: Int, stateFiles: Int)

  private def killAt(
      point: KillPoint,
      input: Path,
      out: Path,
      store: String,
      sink: String): Unit = {
    val process = fork(input, out, store, sink)
    @tailrec def await(): Unit = if (process.isAlive && !isReached(point, out)) {
      process.waitFor(2, TimeUnit.MILLISECONDS)
      await()
    }
    try await()
    finally process.destroyForcibly()
    assert(process.waitFor() == 128 + 9, "the query ended by itself")
  }

  private def isReached(point: KillPoint, out: Path): Boolean = {
    val checkpoint = out.resolve("checkpoint")
    val version = point.batch + 1
    Files.exists(checkpoint.resolve(s"offsets/${point.batch}")) &&
    (0 until partitions).count { p =>
      list(checkpoint.resolve(s"state/0/$p"))
        .exists(n => n.startsWith(s"$version.") || n.startsWith(s"${version}_"))
    } >= point.stateFiles
  }

  private def committed(out: Path): Int =
    list(out.resolve("checkpoint/commits")).count(_.forall(_.isDigit))

  private def list(folder: Path): Seq[String] =
    Option(folder.toFile.list()).toSeq.flatten

  /** What the processes of a query said last. */
  private def lastLines(out: Path): String =
    Files.readString(out.resolve("log")).linesIterator.toSeq.takeRight(30).mkString("\n")

  private def rows(out: Path): Seq[String] =
    spark.read.parquet(out.resolve("data").toString).select("a", "b", "c", "diff")
      .collect().map(_.toString).toSeq.sorted

  /** One file for each batch: inserts, and deletes of what is there. */
  private def writeInput(folder: File, random: Random): Path = {
    folder.mkdirs()
    var there = Seq.empty[(Int, Int)]
    (0 until batches).foreach { b =>
      val inserts = Seq.fill(60)((random.nextInt(15), random.nextInt(15)))
      val deletes = random.shuffle(there).take(20)
      there = there.diff(deletes) ++ inserts
      val lines = inserts.map(e => (e, 1)) ++ deletes.map(e => (e, -1))
      val file = folder.toPath.resolve(s"$b.json")
      Files.write(
        file,
        lines.map { case ((s, t), d) => s"""{"src": $s, "dst": $t, "diff": $d}""" }.asJava)
      // Files are read in the order of their times.
      file.toFile.setLastModified(1700000000000L + b * 1000L)
    }
    folder.toPath
  }

  /** A process of the same Java, with the same classes and options. */
  private def fork(input: Path, out: Path, store: String, sink: String): Process = {
    val options = ManagementFactory.getRuntimeMXBean.getInputArguments.asScala
      .filter(o => o.startsWith("--add-opens") || o.startsWith("-D") || o.startsWith("-XX"))
    val command = Seq(sys.props("java.home") + "/bin/java", "-Xmx1g") ++ options ++
      Seq("-cp", sys.props("java.class.path"), "io.wreath.spark.streaming.KilledQuery") ++
      Seq(input.toString, out.toString, store, sink)
    Files.createDirectories(out)
    new ProcessBuilder(command: _*)
      .redirectErrorStream(true)
      .redirectOutput(ProcessBuilder.Redirect.appendTo(out.resolve("log").toFile))
      .start()
  }
}

/** The query that is killed: triangles over files of changes, one file a batch, to a sink. */
object KilledQuery {

  val DefaultStore =
    "org.apache.spark.sql.execution.streaming.state.HDFSBackedStateStoreProvider"
  val RocksDb = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"

  val Files = "files"
  val ForeachBatch = "foreachBatch"

  /** A file that says that the query has ended by itself. */
  val Ended = "ended"

  def main(args: Array[String]): Unit = {
    val spark = SparkSession.builder()
      .master("local[2]")
      .config("spark.ui.enabled", "false")
      .config("spark.sql.shuffle.partitions", "4")
      .config("spark.sql.extensions", classOf[WreathExtensions].getName)
      .getOrCreate()
    val out = Path.of(args(1))
    run(spark, Path.of(args(0)), out, args(2), args(3))
    java.nio.file.Files.createFile(out.resolve(Ended))
    spark.stop()
  }

  def run(spark: SparkSession, input: Path, out: Path, store: String, sink: String): Unit = {
    spark.conf.set("spark.sql.streaming.stateStore.providerClass", store)
    try {
      val changes: DataFrame = spark.readStream
        .schema("src bigint, dst bigint, diff int")
        .option("maxFilesPerTrigger", 1)
        .json(input.toString)
      changes.createOrReplaceTempView("killed_changes")
      val data = out.resolve("data").toString
      val query = spark
        .sql("SELECT * FROM GRAPH_TABLE (killed_changes MATCH (a)->(b)->(c), (a)->(c))")
        .writeStream
        .option("checkpointLocation", out.resolve("checkpoint").toString)
        .trigger(Trigger.AvailableNow())
      val started =
        if (sink == Files) query.start(data)
        else {
          query
            .foreachBatch((batch: DataFrame, id: Long) =>
              batch.write.mode("overwrite").parquet(s"$data/batch=$id"))
            .start()
        }
      started.awaitTermination()
    } finally spark.conf.unset("spark.sql.streaming.stateStore.providerClass")
  }
}
