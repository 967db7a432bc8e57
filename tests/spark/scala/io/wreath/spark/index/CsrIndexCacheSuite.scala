package io.wreath.spark.index

import java.util.concurrent.atomic.AtomicInteger
import java.util.concurrent.{CountDownLatch, Executors}

import scala.concurrent.duration._
import scala.concurrent.{Await, ExecutionContext, Future}

import org.apache.spark.broadcast.Broadcast
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan

import org.scalatest.funsuite.AnyFunSuite

/** The cache by itself: what is kept, what goes, and who builds. No Spark needed. */
class CsrIndexCacheSuite extends AnyFunSuite {

  private def key(state: Any): RelationFingerprint =
    RelationFingerprint(FingerprintedLeaf(state, Nil): LogicalPlan, Map.empty)

  /** A broadcast of nothing, known by its number. */
  final private class Nothing(id: Long) extends Broadcast[CsrRelation](id) {
    override protected def getValue(): CsrRelation = null
    override protected def doUnpersist(blocking: Boolean): Unit = ()
    override protected def doDestroy(blocking: Boolean): Unit = ()
  }

  private def index(bytes: Long): CsrIndex =
    new CsrIndex("t", new Nothing(bytes), 2, 1, 1, Nil, bytes, 0)

  private def names(cache: CsrIndexCache): Seq[Long] = cache.list.map(_._1.bytes)

  test("what was used longest ago goes first, and a use counts") {
    val cache = new CsrIndexCache
    for (i <- 1 to 3) cache.getOrBuild(key(i), Nil, 60)(_ => index(i * 10))
    assert(names(cache) == Seq(10, 20, 30))
    cache.find(key(1), Nil)
    cache.getOrBuild(key(4), Nil, 60)(_ => index(15))
    assert(names(cache) == Seq(30, 10, 15))
    assert(cache.find(key(2), Nil).isEmpty)
  }

  test("what is pinned stays, and the newest stays even if it is too large for the rest") {
    val cache = new CsrIndexCache
    cache.getOrBuild(key(1), Nil, 50)(_ => index(40))
    assert(cache.pin(key(1)))
    cache.getOrBuild(key(2), Nil, 50)(_ => index(30))
    cache.getOrBuild(key(3), Nil, 50)(_ => index(20))
    assert(names(cache) == Seq(40, 20))
    assert(!cache.pin(key(9)))
    assert(cache.remove(key(1)).nonEmpty && cache.remove(key(1)).isEmpty)
  }

  test("what is larger than all that may be kept serves who asked for it, and the others stay") {
    val cache = new CsrIndexCache
    cache.getOrBuild(key(1), Nil, 50)(_ => index(40))
    assert(cache.getOrBuild(key(2), Nil, 50)(_ => index(60)).bytes == 60)
    assert(names(cache) == Seq(40))
    cache.getOrBuild(key(2), Nil, 50, pinned = true)(_ => index(60))
    assert(names(cache) == Seq(60))
    assert(cache.find(key(2), Nil).isDefined)
  }

  test("what is not pinned gives way") {
    val cache = new CsrIndexCache
    cache.getOrBuild(key(1), Nil, 50, pinned = true)(_ => index(10))
    cache.getOrBuild(key(2), Nil, 50)(_ => index(20))
    assert(cache.forgetUnpinned().map(_.bytes) == Seq(20))
    assert(names(cache) == Seq(10) && cache.forgetUnpinned().isEmpty)
  }

  test("many who ask at once wait for the one who builds") {
    val cache = new CsrIndexCache
    val builds = new AtomicInteger
    val started = new CountDownLatch(1)
    val pool = Executors.newFixedThreadPool(8)
    implicit val context: ExecutionContext = ExecutionContext.fromExecutor(pool)
    try {
      val all = Future.traverse((1 to 8).toList) { _ =>
        Future {
          started.await()
          cache.getOrBuild(key(1), Nil, 100) { _ =>
            builds.incrementAndGet()
            Thread.sleep(50)
            index(1)
          }
        }
      }
      started.countDown()
      assert(Await.result(all, 1.minute).distinct.size == 1)
      assert(builds.get == 1)
      assert(cache.list.head._1.hits == 7)
    } finally pool.shutdown()
  }

  test("a failed build is forgotten, and the next who asks builds") {
    val cache = new CsrIndexCache
    intercept[IllegalStateException](cache.getOrBuild(
      key(1),
      Nil,
      100)(_ => throw new IllegalStateException))
    assert(cache.list.isEmpty)
    assert(cache.getOrBuild(key(1), Nil, 100)(_ => index(5)).bytes == 5)
  }

  test("who waits for a build that fails builds for himself") {
    val cache = new CsrIndexCache
    val building, fail = new CountDownLatch(1)
    val pool = Executors.newFixedThreadPool(2)
    implicit val context: ExecutionContext = ExecutionContext.fromExecutor(pool)
    try {
      val first = Future(cache.getOrBuild(key(1), Nil, 100) { _ =>
        building.countDown()
        fail.await()
        throw new InterruptedException("cancelled")
      })
      building.await()
      val second = Future(cache.getOrBuild(key(1), Nil, 100)(_ => index(7)))
      fail.countDown()
      assert(Await.result(second, 1.minute).bytes == 7)
      assert(Await.ready(first, 1.minute).value.get.isFailure)
    } finally pool.shutdown()
  }

  test("an index over cached data goes when the data does") {
    val cache = new CsrIndexCache
    var builder = new Array[Byte](1 << 20)
    cache.getOrBuild(key(new CachedData(builder)), Nil, 100)(_ => index(1))
    assert(cache.find(key(new CachedData(builder)), Nil).isDefined)
    assert(cache.find(key(new CachedData(new AnyRef)), Nil).isEmpty)
    builder = null
    val end = System.nanoTime() + 20.seconds.toNanos
    while (cache.list.nonEmpty && System.nanoTime() < end) System.gc()
    assert(cache.list.isEmpty)
  }

  private def columns(names: String*): Seq[IndexedColumn] =
    names.map(IndexedColumn(_, org.apache.spark.sql.types.LongType))

  test("an index with more columns than are asked for is a hit, one with fewer is not") {
    val cache = new CsrIndexCache
    cache.getOrBuild(key(1), columns("a", "b"), 100)(_ => index(1))
    assert(Seq(
      columns(),
      columns("b"),
      columns("b", "a")).forall(cache.find(key(1), _).isDefined))
    assert(cache.find(key(1), columns("b", "c")).isEmpty)
    assert(cache.find(key(2), columns("b")).isEmpty)
    assert(cache.getOrBuild(key(1), columns("a"), 100)(_ => fail("built again")).bytes == 1)
  }

  test("an index takes the place of one with fewer columns, and of its pin") {
    val cache = new CsrIndexCache
    cache.getOrBuild(key(1), Nil, 100)(_ => index(1))
    cache.getOrBuild(key(2), Nil, 100)(_ => index(2))
    cache.pin(key(1))
    cache.getOrBuild(key(1), columns("a"), 100)(_ => index(3))
    assert(cache.list.map { case (i, pinned) => (i.bytes, pinned) } == Seq((2, false), (3, true)))
    // Neither has all columns of the other, so both stay.
    cache.getOrBuild(key(1), columns("b"), 100)(_ => index(4))
    assert(names(cache) == Seq(2, 3, 4))
    assert(cache.remove(key(1)).map(_.bytes).sorted == Seq(3, 4))
    assert(names(cache) == Seq(2))
  }
}
