package io.wreath.bench

import java.util.concurrent.TimeUnit

import io.wreath.kernel.csr.{Csr, CsrBuilder, CsrGraph, IndexedGraph}
import org.openjdk.jmh.annotations._

/** Building the index of random edges: from codes, and from ids that need a dictionary. */
@State(Scope.Benchmark)
@BenchmarkMode(Array(Mode.AverageTime))
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(value = 1, jvmArgs = Array("-Xmx2g"))
class CsrBuildBench {

  @Param(Array("5000000"))
  var edges: Int = _

  @Param(Array("300000"))
  var vertices: Int = _

  private var list: EdgeList = _
  private var sourceIds: Array[Long] = _
  private var targetIds: Array[Long] = _

  @Setup
  def setUp(): Unit = {
    list = EdgeFiles.random(edges, vertices)
    // Far apart, so that the ids cannot serve as codes.
    sourceIds = list.sources.map(_ * 1000003L)
    targetIds = list.targets.map(_ * 1000003L)
  }

  @Benchmark
  def forward(): Csr = CsrBuilder.forwardOnly(list.sources, list.targets, edges, vertices)

  @Benchmark
  def bothDirections(): CsrGraph =
    CsrBuilder.fromCodes(list.sources, list.targets, edges, vertices)

  @Benchmark
  def withDictionary(): IndexedGraph = CsrBuilder.fromIds(sourceIds, targetIds, edges)
}
