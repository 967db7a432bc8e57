package io.wreath.spark.index

import java.util.concurrent.Executors

import scala.concurrent.duration._
import scala.concurrent.{Await, ExecutionContext, Future}

import org.apache.spark.SparkConf
import org.apache.spark.serializer.{JavaSerializer, KryoSerializer}

import io.wreath.kernel.join.{GenericJoin, JoinProgram, Morsel}
import io.wreath.pattern.{GraphPattern, PatternEdge, VariableOrder}
import org.scalatest.funsuite.AnyFunSuite

/** What Spark tests of its HashedRelation: serialization both ways, and many readers at once. */
class CsrRelationSuite extends AnyFunSuite {

  private def relation: CsrRelation = {
    val sources = Array(1L, 2L, 1L, 3L, 1L, Long.MaxValue)
    val targets = Array(2L, 3L, 3L, 1L, 2L, Long.MinValue)
    CsrRelationBuilder.build(Iterator(EdgeBlock(sources, targets)))
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
    } yield (r.dictionary.decode(v), r.dictionary.decode(r.graph.forward.array(v)(i)))

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
