package io.wreath.spark.index

import java.util.concurrent.Executors

import scala.concurrent.duration._
import scala.concurrent.{Await, ExecutionContext, Future}

import org.apache.spark.SparkConf
import org.apache.spark.serializer.{JavaSerializer, KryoSerializer}
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter
import org.apache.spark.sql.types._
import org.apache.spark.util.SizeEstimator

import io.wreath.kernel.PropertyChecks
import io.wreath.kernel.dictionary.DenseDictionary
import io.wreath.kernel.join.{GenericJoin, JoinProgram, Morsel}
import io.wreath.kernel.lists.Adjacency
import io.wreath.pattern.{GraphPattern, PatternEdge, VariableOrder}
import io.wreath.spark.WreathRuntimeException
import io.wreath.spark.index.keys.LongKeyTable
import org.scalacheck.Gen

/**
 * An index against the same rows sorted by Spark's own ordering; and what Spark tests of its
 * HashedRelation: serialization both ways, and many readers at once.
 */
class CsrRelationSuite extends PropertyChecks {

  import NaiveRelation.{ordering, show}

  private val serializers =
    Seq(new JavaSerializer(new SparkConf), new KryoSerializer(new SparkConf))

  /** The index, and copies of it that were serialized once and twice. */
  private def copies(r: CsrRelation): Seq[CsrRelation] = r +: serializers.flatMap { s =>
    val instance = s.newInstance()
    val once = instance.deserialize[CsrRelation](instance.serialize(r))
    Seq(once, instance.deserialize[CsrRelation](instance.serialize(once)))
  }

  private def columnsOf(c: RelationCase, row: InternalRow): Seq[Any] =
    c.mode.columns.zipWithIndex.map { case (column, i) =>
      show(row.get(c.mode.keyTypes.size + i, column.dataType))
    }

  private def read(r: CsrRelation, number: Int): Seq[Any] = {
    val row = new UnsafeRow(r.rows.columns.size)
    r.rows.read(number, row)
    r.rows.columns.zipWithIndex.map { case (c, i) => row.get(i, c.dataType) }
  }

  private def hasKeys(c: RelationCase)(row: InternalRow): Boolean =
    c.mode.keyTypes.indices.forall(!row.isNullAt(_))

  /** The keys of one end are in their order, and every way to ask for one agrees. */
  private def checkKeys(r: CsrRelation, end: Int, tpe: DataType, values: Seq[Any]): Unit = {
    val keys = r.keys(end, tpe)
    val all = (0 until keys.size).map(keys.value)
    val order = ordering(tpe)
    assert(keys.size == r.keyTable(end).size)
    assert(all.zip(all.drop(1)).forall { case (a, b) => order.lt(a, b) })
    (values ++ all).foreach { v =>
      assert(keys.lowerBound(v) == all.count(order.lt(_, v)))
      assert(keys.find(v) == all.indexWhere(order.equiv(_, v)))
    }
    val writer = new UnsafeRowWriter(1)
    writer.resetRowWriter()
    (0 until keys.size).foreach { code =>
      writer.reset()
      keys.write(writer, 0, code)
      assert(order.equiv(writer.getRow.get(0, tpe), all(code)))
    }
  }

  private def lists(a: Adjacency): Seq[(Int, Int)] =
    for (v <- 0 until a.vertexCount; i <- a.from(v) until a.until(v)) yield (v, a.array(v)(i))

  /** Made of an index of the keys alone, whose rows came in another order. */
  private def extended(c: RelationCase): Option[CsrRelation] =
    if (c.mode.columns.isEmpty) None
    else {
      val bare = CsrRelationBuilder.build("t", c.mode.copy(columns = Nil), c.rows.reverseIterator)
      val grown = extend(bare, c)
      assert(grown.isDefined)
      grown
    }

  private def extend(base: CsrRelation, c: RelationCase): Option[CsrRelation] =
    new CsrRelationBuilder("t", c.mode)
      .extend(base, BlockEncoder.blocks(c.rows.iterator, c.mode).toArray)

  private def checkEdges(c: RelationCase): Unit = {
    val (sourceType, targetType) = (c.mode.keyTypes(0), c.mode.keyTypes(1))
    val edges = c.rows.filter(hasKeys(c))
    (copies(c.build()) ++ extended(c)).foreach { r =>
      assert(r.arity == 2 && r.rowCount == edges.size)
      assert((r.keyTable(0) eq r.keyTable(1)) == (sourceType == targetType))
      val sources = edges.map(_.get(0, sourceType))
      val targets = edges.map(_.get(1, targetType))
      checkKeys(r, 0, sourceType, sources)
      checkKeys(r, 1, targetType, targets)
      val (sourceKeys, targetKeys) = (r.keys(0, sourceType), r.keys(1, targetType))
      val coded = edges.indices.map { i =>
        (sourceKeys.find(sources(i)), targetKeys.find(targets(i)))
      }
      assert(coded.forall { case (s, t) => s >= 0 && t >= 0 })
      assert(lists(r.graph.forward) == coded.distinct.sorted)
      assert(lists(r.graph.reverse).map(_.swap).toSet == coded.toSet)
      assert(r.graph.forward.vertexCount == sourceKeys.size)
      assert(r.graph.reverse.vertexCount == targetKeys.size)
      // Rows of one edge stand side by side, in the order in which they came.
      val expected = coded.distinct.sorted.map { e =>
        edges.indices.filter(coded(_) == e).map(i => columnsOf(c, edges(i)))
      }
      expected.indices.foreach { p =>
        val rows = r.firstRow(p) until r.firstRow(p + 1)
        assert(rows.size == expected(p).size)
        if (c.mode.columns.nonEmpty) assert(rows.map(read(r, _)) == expected(p))
      }
      assert(r.rows.columns == c.mode.columns)
    }
  }

  private def checkVertices(c: RelationCase): Unit = {
    val tpe = c.mode.keyTypes.head
    val vertices = c.rows.filter(hasKeys(c))
    (copies(c.build()) ++ extended(c)).foreach { r =>
      assert(r.arity == 1 && r.rowCount == vertices.size)
      checkKeys(r, 0, tpe, vertices.map(_.get(0, tpe)))
      val keys = r.keys(0, tpe)
      assert(keys.size == vertices.size)
      assert(r.rowOf(-1) == -1 && r.rowOf(keys.size) == -1)
      vertices.foreach { v =>
        val row = r.rowOf(keys.find(v.get(0, tpe)))
        assert(row >= 0)
        if (c.mode.columns.nonEmpty) assert(read(r, row) == columnsOf(c, v))
      }
    }
  }

  test("edges of any key type, with rows beside them, there and back") {
    RelationGen.keys.foreach { k =>
      forAll(RelationGen.relation(Seq(k, k), distinctKeys = false), 60)(checkEdges)
    }
  }

  test("edges whose ends are of different types") {
    val ends = Gen.zip(Gen.oneOf(RelationGen.keys), Gen.oneOf(RelationGen.keys))
    val gen = ends.suchThat(e => e._1.tpe != e._2.tpe).flatMap { case (s, t) =>
      RelationGen.relation(Seq(s, t), distinctKeys = false)
    }
    forAll(gen, 200)(checkEdges)
  }

  test("vertices of any key type, with rows beside them, there and back") {
    RelationGen.keys.foreach { k =>
      forAll(RelationGen.relation(Seq(k), distinctKeys = true), 60)(checkVertices)
    }
  }

  test("an index is not extended by rows of other keys") {
    val mode = CsrBroadcastMode(Seq(LongType, LongType), Seq(IndexedColumn("w", LongType)))
    def rows(edges: (Long, Long)*): RelationCase =
      RelationCase(mode, Seq(edges.map { case (s, t) => InternalRow(s, t, s) }))
    val base = rows(1L -> 2L, 2L -> 1L, 2L -> 1L).build()
    for (other <- Seq(
        rows(1L -> 2L, 2L -> 1L),
        rows(1L -> 2L, 2L -> 1L, 2L -> 3L),
        rows(1L -> 2L, 1L -> 2L, 2L -> 1L),
        rows(1L -> 1L, 2L -> 1L, 2L -> 1L))) {
      assert(extend(base, other).isEmpty)
    }
  }

  test("two tables of keys meet in their order") {
    val pair = Gen.oneOf(RelationGen.keys).flatMap { k =>
      val r = RelationGen.relation(Seq(k), distinctKeys = true)
      Gen.zip(Gen.const(k.tpe), r, r)
    }
    forAll(pair, 300) { case (tpe, left, right) =>
      val (l, r) = (left.build(), right.build())
      val expected = (0 until l.keyTable(0).size).map { c =>
        r.keys(0, tpe).find(l.keys(0, tpe).value(c))
      }
      assert(l.keyTable(0).codesIn(r.keyTable(0), () => ()).toSeq == expected)
    }
  }

  private def longs(mode: CsrBroadcastMode, rows: Seq[Any]*): RelationCase =
    RelationCase(mode, Seq(rows.map(r => InternalRow(r: _*))))

  test("a vertex key that occurs twice is refused, whatever the ids") {
    val mode = CsrBroadcastMode(Seq(LongType), Nil)
    for (keys <- Seq(Seq(1L, 2L, 2L), Seq(1L << 40, 2L, 2L), Seq(2L, 2L))) {
      val error =
        intercept[WreathRuntimeException](longs(mode, keys.map(Seq(_)): _*).build())
      assert(error.getCondition == "WREATH_DUPLICATE_VERTEX_KEY")
      assert(error.getMessageParameters.get("key") == "2")
      assert(error.getMessageParameters.get("table") == "t")
    }
    // A NULL names no vertex, however often.
    assert(longs(mode, Seq(1L), Seq(null), Seq(null)).build().rowCount == 1)
  }

  test("blocks with and without a dictionary are one index, dense if all ids together are") {
    val mode = CsrBroadcastMode(Seq(LongType, LongType), Nil)
    def part(ids: Seq[Long]): Seq[InternalRow] = ids.map(i => InternalRow(i, i))
    val gaps = part(Seq(0L, 1000000L))
    val dense = part(0L until 600000L)
    val both = RelationCase(mode, Seq(gaps, dense)).build()
    assert(both.keyTable(0) == LongKeyTable(DenseDictionary(0L, 1000001)))
    assert(lists(both.graph.forward) == ((0 until 600000) :+ 1000000).map(i => (i, i)))
    val apart = RelationCase(mode, Seq(part(Seq(1L << 40)), part(0L until 100L))).build()
    assert(apart.keyTable(0).size == 101)
    assert(lists(apart.graph.forward) == (0 to 100).map(i => (i, i)))
  }

  test("more rows than a block and more records than a page") {
    val n = BlockEncoder.MaxRows + 5
    val mode = CsrBroadcastMode(Seq(LongType, LongType), Seq(IndexedColumn("c", StringType)))
    val text =
      Array.tabulate(3)(i => org.apache.spark.unsafe.types.UTF8String.fromString("x" * i))
    val rows = Iterator.tabulate(n)(i => InternalRow(i % 1000L, i / 1000L, text(i % 3)))
    val blocks = BlockEncoder.blocks(rows, mode).toArray
    val several = blocks.length > 1
    assert(several)
    val r = new CsrRelationBuilder("t", mode).build(blocks)
    assert(r.rowCount == n)
    for (i <- 0 until n by 997) {
      val (source, target) = (i % 1000, i / 1000)
      val forward = r.graph.forward
      val at = java.util.Arrays.binarySearch(
        forward.array(source),
        forward.from(source),
        forward.until(source),
        target)
      assert(read(r, r.firstRow(at)) == Seq(text(i % 3)))
    }
  }

  test("a simple graph takes 4 bytes an edge and direction, 12 a vertex, and its ids") {
    val (vertices, edges) = (20000, 200000)
    val mode = CsrBroadcastMode(Seq(LongType, LongType), Nil)
    for (gap <- Seq(1L, 1L << 30)) {
      val rows = Iterator.tabulate(edges) { i =>
        InternalRow(i % vertices * gap, (i / vertices * 997L + i) % vertices * gap)
      }
      val r = CsrRelationBuilder.build("t", mode, rows)
      assert(!r.graph.hasDuplicates && r.graph.vertexCount == vertices)
      // Joins under a < b ask where a vertex' larger neighbours begin; that is kept too.
      r.graph.forward.after(0)
      val ids = if (gap == 1L) 0L else 8L * vertices
      // Some objects and array headers, however large the graph.
      val fixed = 2000L
      val allowed = 8L * edges + 12L * vertices + ids + fixed
      assert(SizeEstimator.estimate(r) <= allowed)
      assert(math.abs(SizeEstimator.estimate(r) - 4L * vertices - r.sizeInBytes) <= fixed)
    }
  }

  private def relation: CsrRelation =
    longs(
      CsrBroadcastMode(Seq(LongType, LongType), Nil),
      Seq(1L, 2L),
      Seq(2L, 3L),
      Seq(1L, 3L),
      Seq(3L, 1L),
      Seq(1L, 2L),
      Seq(Long.MaxValue, Long.MinValue)).build()

  private val triangle =
    GraphPattern(3, Vector(PatternEdge(0, 1), PatternEdge(1, 2), PatternEdge(0, 2)))

  private def count(r: CsrRelation): Long = {
    val join =
      new GenericJoin(JoinProgram.compile(triangle, VariableOrder.natural(3)), Array(r.graph))
    join.open(Morsel(0, r.graph.vertexCount))
    join.count()
  }

  test("many readers of one relation do not disturb each other") {
    val shared = relation
    val pool = Executors.newFixedThreadPool(8)
    implicit val context: ExecutionContext = ExecutionContext.fromExecutor(pool)
    try {
      val counts = Future.traverse((1 to 200).toList)(_ => Future(count(shared)))
      assert(Await.result(counts, 1.minute).distinct == List(count(relation)))
      assert(count(relation) == 2)
    } finally pool.shutdown()
  }
}
