package io.wreath.bench

import java.util.concurrent.TimeUnit

import io.wreath.kernel.csr._
import io.wreath.kernel.delta.VersionedGraph
import io.wreath.kernel.join.{GenericJoin, JoinProgram, Morsel}
import io.wreath.kernel.lists.Adjacency
import io.wreath.pattern.{PatternStatistics, VariableOrderPlanner}
import org.openjdk.jmh.annotations._

/**
 * The undirected, filtered and translated lists of a relation: a copy of them; a view that composes a list whenever
 * it is read; and one that keeps what it has composed. Triangles are counted over each on one thread, from all
 * vertices or from 64 of them. `make` is what the copy costs.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Array(Mode.AverageTime))
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(value = 1, jvmArgs = Array("-Xmx2g"))
class RelationViewBench {

  @Param(Array("undirected", "filtered", "translated"))
  var lists: String = _

  @Param(Array("copy", "composed", "kept"))
  var how: String = _

  @Param(Array("all", "few"))
  var seeds: String = _

  private var graph: CsrGraph = _
  private var relation: Relation = _
  private var program: JoinProgram = _
  private var until = 0

  /** Every second edge. */
  private def rows: Array[Long] = Array.fill((graph.edgeCount >>> 6) + 1)(0x5555555555555555L)

  @Setup
  def setUp(): Unit = {
    graph = EdgeFiles.powerLaw(13, edgesPerVertex = 16).graph
    val copy = made()
    relation = if (how == "copy") copy else new Composed(copy, view(true), view(false))
    program = JoinProgram.compile(
      Patterns.triangle,
      VariableOrderPlanner.choose(Patterns.triangle, PatternStatistics.of(Array(copy))))
    until = if (seeds == "all") graph.vertexCount else 64
  }

  private def made(): CsrGraph = lists match {
    case "undirected" => Undirected.of(graph)
    case "filtered" => CsrFilter(graph, rows)
    // Every code moves on by one.
    case "translated" => shifted(graph)
  }

  private def shifted(g: CsrGraph): CsrGraph = {
    def of(c: Csr): Csr =
      new Csr(
        0 +: Array.tabulate(c.vertexCount + 1)(v =>
          if (v < c.vertexCount) c.from(v) else c.edgeCount),
        Array.tabulate(c.edgeCount)(i => c.array(0)(i) + 1),
        null)
    new CsrGraph(of(g.forward), of(g.reverse))
  }

  private def view(forward: Boolean): Adjacency = {
    val lists = graph.direction(forward)
    val composed = this.lists match {
      case "undirected" => new Both(graph.forward, graph.reverse)
      // Positions of one direction alone: the other has its bits in its own order.
      case "filtered" => new Half(lists, made().direction(forward))
      case "translated" => new Shifted(lists)
    }
    if (how == "kept") new Kept(composed) else composed
  }

  @Benchmark
  def count(): Long = {
    val join = new GenericJoin(program, Array(relation))
    join.open(Morsel(0, until))
    join.count()
  }

  @Benchmark
  def make(): Relation = made()
}

/** What all of the views below do: the list that was asked for last is at hand. */
abstract class ComposedLists(override val vertexCount: Int) extends Adjacency {
  private[this] var at = -1
  private[this] var list = Array.emptyIntArray

  def compose(v: Int): Array[Int]

  private def listOf(v: Int): Array[Int] = {
    if (at != v) {
      // A fresh array: a join may hold the last one still.
      list = compose(v)
      at = v
    }
    list
  }

  override def array(v: Int): Array[Int] = listOf(v)
  override def from(v: Int): Int = 0
  override def until(v: Int): Int = listOf(v).length
  override def degree(v: Int): Int = listOf(v).length
  override def maxDegree: Int = vertexCount
  override def multiplicities(v: Int): Array[Int] = null
}

final class Both(out: Csr, in: Csr) extends ComposedLists(out.vertexCount) {
  override def compose(v: Int): Array[Int] = {
    val lists = new Array[Int](out.degree(v) + in.degree(v))
    val (o, i) = (out.array(v), in.array(v))
    var (a, b, n) = (out.from(v), in.from(v), 0)
    while (a < out.until(v) || b < in.until(v)) {
      val x = if (a < out.until(v)) o(a) else Int.MaxValue
      val y = if (b < in.until(v)) i(b) else Int.MaxValue
      if (x <= y) a += 1
      if (y <= x) b += 1
      lists(n) = Math.min(x, y)
      n += 1
    }
    if (n == lists.length) lists else java.util.Arrays.copyOf(lists, n)
  }
}

/** Looks each element up among those that are left, in their order. */
final class Half(lists: Csr, left: Csr) extends ComposedLists(lists.vertexCount) {
  override def compose(v: Int): Array[Int] = {
    val kept = new Array[Int](left.degree(v))
    val (all, some) = (lists.array(v), left.array(v))
    val first = left.from(v)
    var n = 0
    var i = lists.from(v)
    while (n < kept.length) {
      kept(n) = all(i)
      if (all(i) == some(first + n)) n += 1
      i += 1
    }
    kept
  }
}

final class Shifted(lists: Csr) extends ComposedLists(lists.vertexCount + 1) {
  override def compose(v: Int): Array[Int] =
    if (v == 0) Array.emptyIntArray
    else {
      val moved = new Array[Int](lists.degree(v - 1))
      val all = lists.array(v - 1)
      val first = lists.from(v - 1)
      var i = 0
      while (i < moved.length) {
        moved(i) = all(first + i) + 1
        i += 1
      }
      moved
    }
}

/** Composes each list once. */
final class Kept(of: ComposedLists) extends Adjacency {
  private[this] val made = new Array[Array[Int]](of.vertexCount)

  private def listOf(v: Int): Array[Int] = {
    val known = made(v)
    if (known != null) known
    else {
      made(v) = of.compose(v)
      made(v)
    }
  }

  override def vertexCount: Int = of.vertexCount
  override def array(v: Int): Array[Int] = listOf(v)
  override def from(v: Int): Int = 0
  override def until(v: Int): Int = listOf(v).length
  override def degree(v: Int): Int = listOf(v).length
  override def maxDegree: Int = of.vertexCount
  override def multiplicities(v: Int): Array[Int] = null
}

/** What is known of it is known of the copy. */
final class Composed(
    copy: CsrGraph,
    override val forward: Adjacency,
    override val reverse: Adjacency)
    extends Relation {
  override def rowCount: Long = copy.rowCount
  override def hasDuplicates: Boolean = copy.hasDuplicates
  override def hasSelfLoops(interrupt: Runnable): Boolean = copy.hasSelfLoops(interrupt)
  override def isSymmetric(interrupt: Runnable): Boolean = copy.isSymmetric(interrupt)
  override def edgeCount: Int = copy.edgeCount
  override def moments(interrupt: Runnable): DegreeMoments = copy.moments(interrupt)
  override def triangles: EdgeTriangles = copy.triangles
  override def ranked(interrupt: Runnable): RankedGraph = copy.ranked(interrupt)
  override def sizeInBytes: Long = 0L
}

/**
 * Triangles of one graph as CSR, where the loops of this JVM have seen no other kind of lists, or a version of a
 * graph that changes as well, or a part of a graph, too.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Array(Mode.AverageTime))
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgs = Array("-Xmx2g"))
class AdjacencyKindsBench {

  @Param(Array("1", "2", "3"))
  var kinds: Int = _

  @Param(Array("triangle", "cycle4"))
  var pattern: String = _

  private var graph: CsrGraph = _
  private var program: JoinProgram = _

  @Setup
  def setUp(): Unit = {
    graph = EdgeFiles.powerLaw(if (pattern == "triangle") 13 else 11, edgesPerVertex = 16).graph
    val p = if (pattern == "triangle") Patterns.triangle else Patterns.cycle4
    program = JoinProgram.compile(
      p,
      VariableOrderPlanner.choose(p, PatternStatistics.of(Array(graph))))
    val others = Seq(VersionedGraph.of(graph), GraphPart.of(graph, _ => true, _ => true))
    for (_ <- 0 until 60; other <- others.take(kinds - 1)) counted(other)
  }

  private def counted(relation: Relation): Long = {
    val join = new GenericJoin(program, Array(relation))
    join.open(Morsel(0, graph.vertexCount))
    join.count()
  }

  @Benchmark
  def count(): Long = counted(graph)
}
