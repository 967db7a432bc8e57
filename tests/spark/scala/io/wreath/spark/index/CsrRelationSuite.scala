package io.wreath.spark.index

import java.util.concurrent.Executors

import scala.concurrent.duration._
import scala.concurrent.{Await, ExecutionContext, Future}

import org.apache.spark.SparkConf
import org.apache.spark.serializer.{JavaSerializer, KryoSerializer}
import org.apache.spark.sql.types.{LongType, StringType}

import io.wreath.kernel.join.{GenericJoin, JoinProgram, Morsel}
import io.wreath.pattern.{GraphPattern, PatternEdge, VariableOrder}
import org.scalatest.funsuite.AnyFunSuite

/** What Spark tests of its HashedRelation: serialization both ways, and many readers at once. */
class CsrRelationSuite extends AnyFunSuite {

  private def relation: CsrRelation = {
    val sources = Array(1L, 2L, 1L, 3L, 1L, Long.MaxValue)
    val targets = Array(2L, 3L, 3L, 1L, 2L, Long.MinValue)
    CsrRelationBuilder.build(Iterator(LongBlock(sources, targets)))
  }

  private val triangle =
    GraphPattern(3, Vector(PatternEdge(0, 1), PatternEdge(1, 2), PatternEdge(0, 2)))

  private def count(r: CsrRelation): Long = {
    val join =
      new GenericJoin(JoinProgram.compile(triangle, VariableOrder.natural(3)), Array(r.graph))
    join.open(Morsel(0, r.graph.vertexCount))
    join.count()
  }

  private def edges(r: CsrRelation): Seq[(Long, Long)] =
    for {
      v <- 0 until r.graph.vertexCount
      i <- r.graph.forward.from(v) until r.graph.forward.until(v)
    } yield (value(r, v), value(r, r.graph.forward.array(v)(i)))

  private def value(r: CsrRelation, code: Int): Long =
    r.keys(0, LongType).value(code).asInstanceOf[Long]

  for (serializer <- Seq(new JavaSerializer(new SparkConf), new KryoSerializer(new SparkConf))) {
    test(s"${serializer.getClass.getSimpleName} there and back, and once more from the copy") {
      val instance = serializer.newInstance()
      val once = instance.deserialize[CsrRelation](instance.serialize(relation))
      val twice = instance.deserialize[CsrRelation](instance.serialize(once))
      for (copy <- Seq(once, twice)) {
        assert(edges(copy) == edges(relation))
        assert(count(copy) == count(relation))
        assert(copy.sizeInBytes == relation.sizeInBytes)
      }
    }
  }

  test("strings of several blocks are one sorted table, there and back") {
    def bytes(s: String): Array[Byte] = s.getBytes("UTF-8")
    val blocks = Iterator(
      BytesBlock(Array(bytes(""), bytes("b"), bytes("é")), Array(0, 1, 1), Array(1, 2, 2)),
      BytesBlock(Array(bytes("a"), bytes("b")), Array(0, 1), Array(1, 0)))
    val built = CsrRelationBuilder.build(blocks)
    val instance = new JavaSerializer(new SparkConf).newInstance()
    val copy = instance.deserialize[CsrRelation](instance.serialize(built))
    for (r <- Seq(built, copy)) {
      val names = (0 until r.graph.vertexCount).map(r.keys(0, StringType).value(_).toString)
      assert(names == Seq("", "a", "b", "é"))
      val forward = r.graph.forward
      val lists =
        (0 until 4).map(v => forward.array(v).slice(forward.from(v), forward.until(v)).toSeq)
      assert(lists == Seq(Seq(2), Seq(2), Seq(1, 3), Nil))
      assert(r.graph.hasDuplicates)
    }
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
