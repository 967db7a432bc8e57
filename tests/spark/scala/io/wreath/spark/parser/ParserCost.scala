package io.wreath.spark.parser

import java.lang.management.ManagementFactory

import org.apache.spark.sql.execution.SparkSqlParser

/**
 * What our parser costs a statement that has no GRAPH_TABLE, over the texts of TPC-DS.
 *
 * Both parsers take turns in one process, text by text, each first as often as second, and what is
 * measured is the CPU time of the thread: others on the machine then matter little. The least time of
 * each text matters least of all, and these are summed. Run by
 * `spark/Test/runMain io.wreath.spark.parser.ParserCost [rounds]`.
 */
object ParserCost {

  val tpcds: Seq[String] = (1 to 99).flatMap { i =>
    Option(getClass.getClassLoader.getResourceAsStream(s"tpcds/q$i.sql")).map { in =>
      try new String(in.readAllBytes(), "UTF-8")
      finally in.close()
    }
  }

  private val warmUp = 20

  private val threads = ManagementFactory.getThreadMXBean

  def main(args: Array[String]): Unit = {
    val rounds = args.headOption.map(_.toInt).getOrElse(100)
    val spark = new SparkSqlParser
    val ours = new GraphSqlParser(spark)
    def turn(round: Int): Seq[(Long, Long)] = tpcds.zipWithIndex.map { case (text, i) =>
      def alone = cpuOf(spark.parsePlan(text))
      def both = cpuOf(ours.parsePlan(text))
      if ((round + i) % 2 == 0) {
        val first = alone
        (first, both)
      } else {
        val first = both
        (alone, first)
      }
    }
    (0 until warmUp).foreach(turn)
    val turns = (0 until rounds).map(turn)
    val searches = (0 until rounds).map(_ => tpcds.map(text => cpuOf(looksFor(text))))
    val (alone, both) = (turns.map(_.map(_._1)), turns.map(_.map(_._2)))
    // To be read by eye and kept with the results.
    val report = Seq(
      f"texts             ${tpcds.size}, ${tpcds.map(_.length).sum}%,d characters, $rounds rounds",
      f"Spark's parser    least ${least(alone)}%.3f ms, median ${median(alone)}%.3f ms",
      f"with Wreath's     least ${least(both)}%.3f ms, median ${median(both)}%.3f ms",
      f"more              least ${percent(least(both), least(alone))}%+.2f %%, " +
        f"median ${percent(median(both), median(alone))}%+.2f %%",
      f"the search alone  least ${least(searches)}%.3f ms, " +
        f"${least(searches) * 100 / least(alone)}%.2f %% of Spark's parser")
    report.foreach(line => System.out.println(line))
  }

  /** All that our parser does with such a text itself. */
  private def looksFor(text: String): Unit =
    require(!GraphTableIslands.mayHave(text, GraphStatements.Word))

  private def cpuOf(work: => Any): Long = {
    val start = threads.getCurrentThreadCpuTime
    val done = work
    val time = threads.getCurrentThreadCpuTime - start
    require(done != null)
    time
  }

  /** Milliseconds: of each text the least of all rounds, summed. */
  private def least(rounds: Seq[Seq[Long]]): Double = rounds.transpose.map(_.min).sum / 1e6

  private def median(rounds: Seq[Seq[Long]]): Double =
    rounds.transpose.map(times => times.sorted.apply(times.size / 2)).sum / 1e6

  private def percent(more: Double, less: Double): Double = (more - less) * 100 / less
}
