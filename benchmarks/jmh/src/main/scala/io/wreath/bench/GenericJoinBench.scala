package io.wreath.bench

import java.nio.file.Path
import java.util.concurrent.TimeUnit

import io.wreath.kernel.csr.CsrGraph
import io.wreath.kernel.join.{GenericJoin, JoinProgram, Morsel}
import io.wreath.pattern.{GraphPattern, PatternStatistics, VariableOrderPlanner}
import org.openjdk.jmh.annotations._

/**
 * Counting and pulling patterns on one thread, in the order that the planner chooses.
 *
 * `graph` is either the scale of a generated power-law graph (2^scale vertices, 16 edges each), or
 * the path of a file of little-endian int32 pairs with source < target.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Array(Mode.AverageTime))
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(value = 1, jvmArgs = Array("-Xmx2g"))
class GenericJoinBench {

  @Param(Array("13"))
  var graph: String = _

  @Param(Array("triangle", "clique4", "clique5", "cycle4"))
  var pattern: String = _

  private var program: JoinProgram = _
  private var graphs: Array[CsrGraph] = _

  @Setup
  def setUp(): Unit = {
    val edges =
      if (graph.forall(_.isDigit)) EdgeFiles.powerLaw(graph.toInt, edgesPerVertex = 16)
      else EdgeFiles.read(Path.of(graph))
    val p: GraphPattern = pattern match {
      case "triangle" => Patterns.triangle
      case "clique4" => Patterns.clique(4)
      case "clique5" => Patterns.clique(5)
      case "cycle4" => Patterns.cycle4
    }
    graphs = Array(if (pattern == "cycle4") edges.symmetric.graph else edges.graph)
    program = JoinProgram.compile(p, VariableOrderPlanner.choose(p, PatternStatistics.of(graphs)))
  }

  @Benchmark
  def count(): Long = opened().count()

  @Benchmark
  def pull(): Long = {
    val join = opened()
    var sum = 0L
    while (join.next()) sum += join.binding(0)
    sum
  }

  private def opened(): GenericJoin = {
    val join = new GenericJoin(program, graphs)
    join.open(Morsel(0, graphs(0).vertexCount))
    join
  }
}
