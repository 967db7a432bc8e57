package io.wreath.spark.execution

import scala.util.Random

import org.apache.spark.sql.execution.wreath.WreathConf

import io.wreath.kernel.join.Morsel
import io.wreath.spark.WreathQueryTest

/** A join is cut by what the same one took before: to other pieces, and the same rows. */
class WorkHistorySuite extends WreathQueryTest {

  /** 32 vertices with 96 neighbours each. Only the neighbours of the first are joined to each other. */
  private lazy val oneIsHeavy: Seq[(Long, Long)] = {
    val random = new Random(5)
    val (hubs, block) = (32, 96)
    val dense = for {
      i <- 0 until block
      j <- i + 1 until block if random.nextInt(2) == 0
      pair <- Seq((hubs + i, hubs + j), (hubs + block + i, hubs + 2 * block + j))
    } yield pair
    val spokes =
      for (h <- 0 until hubs; i <- 0 until block)
        yield (h, hubs + i + (if (h == 0) 0 else block))
    (dense ++ spokes).map { case (s, t) => (s.toLong, t.toLong) }
  }

  private val clique =
    "MATCH (a)->(b), (a)->(c), (a)->(d), (b)->(c), (b)->(d), (c)->(d)"

  /** The number, and the morsels that it was made of. */
  private def run(where: String): (Long, Int) = {
    val df = spark.sql(
      s"SELECT /*+ WCO_JOIN(a, b, c, d) */ count(*) FROM GRAPH_TABLE (e $clique WHERE $where)")
    val count = df.collect().head.getLong(0)
    val join = collect(df.queryExecution.executedPlan) { case j: BroadcastWcoJoinExec => j }.head
    val rows = join.work.toOption.get.morselRows(spark.sparkContext)
    (count, rows.map(m => (m.getInt(1), m.getInt(2))).collect().count(_ == ((0, 1))))
  }

  override def beforeAll(): Unit = {
    super.beforeAll()
    edges("e", oneIsHeavy: _*)
    spark.sql("CACHE TABLE e")
  }

  test("what took too long is cut smaller by the next query, to the same rows") {
    withSQLConf(
      WreathConf.JOIN_TECHNIQUE.key -> "lists",
      WreathConf.JOIN_COUNTING.key -> "enumerate") {
      val (count, before) = run("a < 32")
      val (again, after) = run("a < 32")
      assert(count > 0 && again == count)
      assert(after > before && after > 4, s"the heavy vertex was in $before pieces, is in $after")
      // Other work was not measured yet.
      assert(run("a < 31")._2 == before)
    }
  }

  test("what a query makes for itself is not remembered") {
    withSQLConf(
      WreathConf.JOIN_TECHNIQUE.key -> "lists",
      WreathConf.JOIN_COUNTING.key -> "enumerate") {
      val pieces = Seq.fill(3)(run("a < 32 AND b % 7 > 1"))
      assert(pieces.distinct.size == 1)
    }
  }

  test("a join that runs again tells of its morsels again, and not of more") {
    val morsels = (0 until 5).map(Morsel(_, 7))
    val kept = new MorselWork
    for (run <- 1 to 3) {
      val task = kept.copyAndReset().asInstanceOf[MorselWork]
      morsels.foreach(m => task.add(m -> run * (m.from + 1L)))
      kept.merge(task)
    }
    assert(kept.value.toMap == morsels.map(m => m -> 3 * (m.from + 1L)).toMap)
    assert(kept.copy().value.size == kept.value.size && kept.copyAndReset().isZero)
  }
}
