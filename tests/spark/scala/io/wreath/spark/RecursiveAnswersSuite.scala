package io.wreath.spark

import java.nio.file.{Files, Path}
import java.util.Arrays

import io.wreath.kernel.csr.{Csr, CsrBuilder, CsrGraph, Undirected}
import io.wreath.kernel.path._
import org.json4s._
import org.json4s.jackson.JsonMethods

/** Searches of the kernel, on real graphs, find what scipy and igraph found. */
class RecursiveAnswersSuite extends WreathQueryTest {

  implicit private val formats: Formats = DefaultFormats
  private val data = RepositoryRoot.path.getParent.resolve("shared/data")
  private val answers = data.resolve("recursive/recursive.json")

  /** The graph, and the ids of its vertices by code: those that have an edge and no other. */
  private def graph(file: Path, relation: String): (Array[Long], CsrGraph) = {
    val rows = spark.read.parquet(file.toString)
    val columns = rows.columns.take(2).map(c => s"cast($c AS bigint)").toSeq
    val ends = rows.selectExpr(columns: _*).distinct().collect()
    val ids = ends.flatMap(r => Seq(r.getLong(0), r.getLong(1))).distinct.sorted
    def codes(column: Int): Array[Int] =
      ends.map(r => Arrays.binarySearch(ids, r.getLong(column)))
    val built = CsrBuilder.fromCodes(codes(0), codes(1), ends.length, ids.length)
    val isBothWays = relation.startsWith("symmetrised")
    (ids, if (isBothWays) distinct(Undirected.of(built)) else built)
  }

  /** An edge that is there both ways is two rows read both ways, but one in the answers. */
  private def distinct(g: CsrGraph): CsrGraph = {
    val lists = new Csr(g.forward.offsets, g.forward.neighbours, null)
    new CsrGraph(lists, lists)
  }

  test("components, levels, closures and ranks of real graphs") {
    assume(Files.exists(answers), "../shared/data/recursive is not there")
    val graphs = JsonMethods.parse(Files.readString(answers)) \ "graphs"
    val checked = for {
      (name, expected) <- graphs.extract[Map[String, JValue]].toSeq
      file = data.resolve(s"graphs/$name.parquet") if Files.exists(file)
    } yield withClue(name) {
      val (ids, g) = graph(file, (expected \ "relation").extract[String])
      assert(g.vertexCount == (expected \ "nodes").extract[Int])
      assert(g.edgeCount == (expected \ "edges").extract[Int])
      val steps = Steps.of(g)
      def code(id: JValue): Int = Arrays.binarySearch(ids, id.extract[Long])

      val sizes = Components.of(steps).toSeq.groupBy(identity).map(_._2.size)
      assert(sizes.size == (expected \ "wcc" \ "count").extract[Int])
      assert(sizes.max == (expected \ "wcc" \ "largest").extract[Int])

      val search = new BreadthSearch(steps)
      val pairs = new PairSearch(steps)
      (expected \ "bfs").children.foreach { bfs =>
        val source = code(bfs \ "source")
        search.open(source, Hops.any)
        val levels =
          Iterator.continually(search.advance()).takeWhile(identity).map(_ => search.freshCount)
        assert(levels.toSeq == (bfs \ "nodes_at_distance").extract[Seq[Int]])
        val target = code(bfs \ "example_target")
        assert(
          pairs.distance(source, target, Hops.any) == (bfs \ "spsp_distance").extract[Int])
      }

      (expected \ "transitive_closure_pairs").extractOpt[Long].foreach { closure =>
        assert(reachedPairs(steps) == closure)
      }

      val ranks = PageRank(steps, 0.85, 200).of
      (expected \ "pagerank" \ "top10").children.foreach { top =>
        val rank = ranks(code(top(0)))
        assert(Math.abs(rank - top(1).extract[Double]) < 1e-8)
      }
      name
    }
    assert(checked.nonEmpty)
  }

  test("calls over real graphs") {
    assume(Files.exists(answers), "../shared/data/recursive is not there")
    val graphs = JsonMethods.parse(Files.readString(answers)) \ "graphs"
    for {
      name <- Seq("email-eu-core", "polblogs", "wiki-vote")
      file = data.resolve(s"graphs/$name.parquet") if Files.exists(file)
    } withClue(name) {
      val expected = graphs \ name
      spark.read.parquet(file.toString).createOrReplaceTempView("real")
      val both = (expected \ "relation").extract[String].startsWith("symmetrised")
      val edges = spark.table("real").columns.take(2)
      val from =
        s"TABLE (SELECT CAST(${edges(0)} AS BIGINT) AS src, CAST(${edges(1)} AS BIGINT) AS dst " +
          s"FROM real), direction => '${if (both) "both" else "out"}'"
      (expected \ "bfs").children.foreach { bfs =>
        val source = (bfs \ "source").extract[Long]
        val levels = spark.sql(
          s"SELECT distance, count(*) FROM GRAPH_SHORTEST_PATHS($from, sources => TABLE (SELECT ${source}L)) " +
            "GROUP BY distance ORDER BY distance").collect()
        assert(levels.map(_.getLong(1)).toSeq == (bfs \ "nodes_at_distance").extract[Seq[Long]])
        val target = (bfs \ "example_target").extract[Long]
        val far = spark.sql(
          s"SELECT distance, size(path) FROM GRAPH_SHORTEST_PATHS($from, with_path => true, " +
            s"pairs => TABLE (SELECT ${source}L, ${target}L))").head()
        val distance = (bfs \ "spsp_distance").extract[Int]
        assert(far.toSeq == Seq(distance, distance + 1))
      }
      (expected \ "transitive_closure_pairs").extractOpt[Long].foreach { closure =>
        val count = spark.sql(s"SELECT count(*) FROM GRAPH_REACHABLE($from)").head().getLong(0)
        assert(count == closure)
      }
    }
  }

  private def reachedPairs(steps: Steps): Long = {
    val search = new LaneSearch(steps)
    val all = Array.range(0, steps.vertexCount)
    var pairs = 0L
    all.indices.by(LaneSearch.Lanes).foreach { from =>
      search.open(all, from, Math.min(LaneSearch.Lanes, all.length - from), Hops.some)
      while (search.advance()) {
        pairs += (0 until search.freshCount)
          .map(i => java.lang.Long.bitCount(search.freshLanes(i)))
          .sum
      }
    }
    pairs
  }
}
