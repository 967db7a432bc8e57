package io.wreath.spark.streaming

import scala.util.Random

import org.apache.spark.serializer.{JavaSerializer, KryoSerializer, SerializerInstance}
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String

import io.wreath.spark.WreathQueryTest

/**
 * Executors come to the versions of the driver by base, runs and batch alone, whichever of the
 * batches before they have seen. In one process they share the driver's, so other suites cannot
 * tell.
 */
class DriverVersionSuite extends WreathQueryTest {

  private val javaSerializer = new JavaSerializer(sparkConf).newInstance()
  private val kryo = new KryoSerializer(sparkConf).newInstance()

  private def trip(base: GraphBase, serializer: SerializerInstance): GraphBase =
    serializer.deserialize[GraphBase](serializer.serialize(base))

  /** All that a version says: edges by value, with multiplicities and rows. */
  private def content(v: GraphVersion): Set[Any] = {
    val lists = v.graph.toCsrGraph.forward
    (for {
      s <- 0 until lists.vertexCount
      i <- lists.from(s) until lists.until(s)
    } yield {
      val t = lists.array(s)(i)
      val m = if (lists.multiplicities(s) == null) 1 else lists.multiplicities(s)(i)
      val rows =
        if (v.rows == null) Set.empty
        else v.rows.get(s, t).map(r => (r.properties.getLong(0), r.multiplicity)).toSet
      (v.ids.value(s), v.ids.value(t), m, rows)
    }).toSet
  }

  private def check(keyType: DataType, key: Int => Any, keepsRows: Boolean): Unit = {
    val sc = spark.sparkContext
    val random = new Random(1)
    val row = UnsafeProjection.create(Array[DataType](keyType, keyType, LongType))
    val property =
      if (keepsRows) {
        UnsafeProjection.create(
          Seq(org.apache.spark.sql.catalyst.expressions.BoundReference(2, LongType, true)))
      } else {
        null
      }
    var version =
      DriverVersion.based(sc, GraphVersion.empty(keyType, keepsRows), StreamDictionary(keyType))
    var there = Vector.empty[UnsafeRow]
    // One executor that has seen every batch, one that sees each fifth, each with its own copy.
    val copies = scala.collection.mutable.Map.empty[(String, Long), GraphBase]
    def copyOf(who: String, b: BatchRef, s: SerializerInstance): GraphBase =
      copies.getOrElseUpdate((who, b.base.id), trip(b.base.value, s))
    val sizes = Seq.fill(40)(random.nextInt(60)) ++ Seq(5000, 4, 6000, 9, 8000, 1, 2)
    sizes.zipWithIndex.foreach { case (size, i) =>
      val inserts = Vector.fill(size)(
        row(InternalRow(
          key(random.nextInt(300)),
          key(random.nextInt(300)),
          random.nextInt(3).toLong))
          .copy())
      val deletes = random.shuffle(there).take(size / 3)
      there = there.diff(deletes) ++ inserts
      val changes = inserts.map(_ -> 1) ++ deletes.map(_ -> -1)
      val batch = ChangeBatch.consolidate(Iterator(ChangeBlock.of(changes.iterator, 3)))
      val step = batch.toStep(version.dictionary, version.version.ids.size, property)
      val done = version.advanced(sc, step)
      val expected = content(done.change.after)
      val steady = copyOf("steady", done.ref, javaSerializer).change(done.ref)
      assert(content(steady.after) == expected)
      assert(content(steady.before) == content(version.version))
      if (i % 5 == 0 || size > 1000) {
        val late = copyOf("late", done.ref, kryo).change(done.ref)
        assert(content(late.after) == expected)
        assert(content(late.after.whole.after) == expected)
        assert(late.change.inserts.size == done.change.change.inserts.size)
      }
      assert(content(done.after.version) == expected)
      assert(done.after.runs.size <= 12)
      version = done.after
    }
    assert(version.rebases > 0 && version.merges > 0)
  }

  test("integers as vertices, without properties") {
    check(LongType, i => i * 1000003L, keepsRows = false)
  }

  test("strings as vertices, with properties") {
    check(StringType, i => UTF8String.fromString(s"vertex $i"), keepsRows = true)
  }

  /** Batches of edges that come and go again, over vertices that nobody has named before. */
  private def churn(
      keyType: DataType,
      key: Int => Any,
      keepsRows: Boolean,
      batches: Int): (DriverVersion, GraphVersion) = {
    val sc = spark.sparkContext
    val row = UnsafeProjection.create(Array[DataType](keyType, keyType, LongType))
    val property =
      if (!keepsRows) null
      else {
        UnsafeProjection.create(
          Seq(org.apache.spark.sql.catalyst.expressions.BoundReference(2, LongType, true)))
      }
    def edges(batch: Int): Vector[UnsafeRow] = Vector.tabulate(1000) { i =>
      val (s, t) = (1000 * batch + i, 1000 * batch + (i * 7 + batch) % 1000)
      row(InternalRow(key(s), key(t), (i % 3).toLong)).copy()
    }
    def batchOf(changes: Vector[(UnsafeRow, Int)]): ChangeBatch =
      ChangeBatch.consolidate(Iterator(ChangeBlock.of(changes.iterator, 3)))
    def fresh: DriverVersion =
      DriverVersion.based(sc, GraphVersion.empty(keyType, keepsRows), StreamDictionary(keyType))
    var version = fresh
    var live = Set.empty[org.apache.spark.broadcast.Broadcast[_]]
    (0 until batches).foreach { b =>
      val gone = if (b < 20) Vector.empty else edges(b - 20).map(_ -> -1)
      val step = batchOf(edges(b).map(_ -> 1) ++ gone)
        .toStep(version.dictionary, version.version.ids.size, property)
      val done = version.advanced(sc, step)
      version = done.after
      val used = version.broadcasts + done.ref.step
      (live -- used).foreach(_.destroy())
      live = used
    }
    val last = (batches - 20 until batches).flatMap(edges).toVector.map(_ -> 1)
    val empty = fresh
    val alone = empty.advanced(sc, batchOf(last).toStep(empty.dictionary, 0, property))
    (version, alone.after.version)
  }

  for ((kind, tpe, key, keepsRows) <- Seq[(String, DataType, Int => Any, Boolean)](
      ("integers", LongType, i => i * 1000003L, false),
      ("strings and properties", StringType, i => UTF8String.fromString(s"vertex $i"), true)))
    test(s"vertices and rows that are gone are forgotten: $kind") {
      val (churned, fresh) = churn(tpe, key, keepsRows, batches = 400)
      assert(content(churned.version) == content(fresh))
      // 20,000 vertices have edges; a batch names 1,000 new ones.
      assert(churned.version.ids.size <= 2 * 20000 + 1000)
      assert(churned.dictionary.size == churned.version.ids.size)
      assert(churned.runs.iterator.map(_.step.rows.length).sum <= 100000)
      assert(churned.rebases > 0)
    }
}
