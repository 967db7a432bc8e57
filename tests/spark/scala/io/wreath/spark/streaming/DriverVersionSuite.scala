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
    val dictionary = StreamDictionary(keyType)
    var version = DriverVersion.based(sc, GraphVersion.empty(keyType, keepsRows), keyType)
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
      val step = batch.toStep(dictionary, version.version.ids.size, property)
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
}
