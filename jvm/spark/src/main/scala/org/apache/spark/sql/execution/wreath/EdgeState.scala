package org.apache.spark.sql.execution.wreath

import org.apache.spark.TaskContext
import org.apache.spark.broadcast.Broadcast
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.expressions.{Attribute, UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.catalyst.plans.physical.HashPartitioning
import org.apache.spark.sql.catalyst.types.DataTypeUtils
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.streaming.operators.stateful.StatefulOperatorStateInfo
import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.types.{LongType, StructField, StructType}

import io.wreath.spark.streaming.{ChangeBatch, ChangeBlock}
import org.apache.hadoop.conf.Configuration

/**
 * The durable truth of a stream's graph: each row of an edge (source, target, properties) with how
 * often it occurs, in Spark's state store, hashed over its partitions.
 *
 * A change of this layout has to change [[EdgeState.OperatorName]], which is written to the
 * checkpoint: Spark then refuses a checkpoint of the other layout by name.
 *
 * @param row the columns of an edge's row
 */
final private[wreath] class EdgeState(
    row: Seq[Attribute],
    info: StatefulOperatorStateInfo,
    session: SparkSession) {

  private val keySchema =
    DataTypeUtils.fromAttributes(row.map(_.withNullability(true)))

  private def spec = NoPrefixKeyStateEncoderSpec(keySchema)

  def validateSchema(hadoopConf: Configuration, version: Int): List[StateSchemaValidationResult] =
    List(
      StateSchemaCompatibilityChecker.validateAndMaybeEvolveStateSchema(
        info,
        hadoopConf,
        List(
          StateStoreColFamilySchema(
            StateStore.DEFAULT_COL_FAMILY_NAME,
            0,
            keySchema,
            0,
            EdgeState.ValueSchema)),
        session.sessionState,
        version))

  /** The rows of a batch by the partition that keeps them. */
  def slices(batch: ChangeBatch): Array[ChangeBlock] = {
    val byPartition = batch.rows.indices.groupBy(i => partitionOf(batch.rows(i)))
    Array.tabulate(info.numPartitions) { p =>
      val mine = byPartition.getOrElse(p, Nil).iterator
      ChangeBlock.of(mine.map(i => (batch.rows(i), batch.diffs(i))), row.size)
    }
  }

  private lazy val partitionId =
    UnsafeProjection.create(
      Seq(HashPartitioning(row, info.numPartitions).partitionIdExpression),
      row)

  private def partitionOf(r: UnsafeRow): Int = partitionId(r).getInt(0)

  /** All rows with their multiplicities, as they are before the current batch. */
  def readAll(): Iterator[ChangeBlock] = {
    val fields = row.size
    read { (store, _) =>
      val rows = store.iterator()
      try {
        Iterator.single(ChangeBlock.of(
          rows.map(pair => (pair.key, EdgeState.toInt(pair.value.getLong(0)))),
          fields))
      } finally rows.close()
    }.toLocalIterator
  }

  /** How often each of the rows occurs before the current batch. */
  def multiplicities(rows: Array[UnsafeRow]): Array[Long] = {
    val fields = row.size
    val partition = rows.map(partitionOf)
    val wanted = Array.tabulate(info.numPartitions) { p =>
      val mine = rows.indices.iterator.filter(partition(_) == p)
      ChangeBlock.of(mine.map(i => (rows(i), i)), fields)
    }
    val sent = session.sparkContext.broadcast(wanted)
    val found = read { (store, p) =>
      sent.value(p).iterator.map { case (r, i) =>
        val value = store.get(r)
        (i, if (value == null) 0L else value.getLong(0))
      }.toArray.iterator
    }.collect()
    sent.destroy()
    val result = new Array[Long](rows.length)
    found.foreach { case (i, n) => result(i) = n }
    result
  }

  private def read[T: scala.reflect.ClassTag](
      f: (ReadStateStore, Int) => Iterator[T]): RDD[T] =
    new ReadStateStoreRDD[Int, T](
      partitions,
      EdgeState.released(f),
      info.checkpointLocation,
      info.queryRunId,
      info.operatorId,
      info.storeVersion,
      info.stateStoreCkptIds,
      info.stateSchemaMetadata,
      keySchema,
      EdgeState.ValueSchema,
      spec,
      session.sessionState,
      Some(session.streams.stateStoreCoordinator))

  private def partitions: RDD[Int] =
    session.sparkContext.parallelize(0 until info.numPartitions, info.numPartitions)

  /**
   * Writes a batch: one task for each partition of the state, which returns nothing. The new
   * version counts once the batch is committed; until then a retry starts from the old one.
   *
   * @param done told of the store, after it has been committed, with rows put and rows removed
   */
  def write[U: scala.reflect.ClassTag](
      slices: Broadcast[Array[ChangeBlock]],
      done: (StateStore, Long, Long, Long, Long) => Unit): RDD[U] =
    partitions.mapPartitionsWithStateStore[U](
      info,
      keySchema,
      EdgeState.ValueSchema,
      spec,
      session.sessionState,
      Some(session.streams.stateStoreCoordinator)) { (store, partition) =>
      EdgeState.update(store, slices.value(partition.next()), done)
      Iterator.empty
    }
}

private[wreath] object EdgeState {

  /** With the version of the layout. */
  val OperatorName = "streamingWcoJoinV1"

  val ValueSchema: StructType = StructType(Seq(StructField("multiplicity", LongType)))

  /** Reads all that it wants before it gives the store back, as a store is not to be kept open. */
  private def released[T](f: (ReadStateStore, Int) => Iterator[T])
      : (ReadStateStore, Iterator[Int]) => Iterator[T] = { (store, partition) =>
    TaskContext.get().addTaskCompletionListener[Unit] { _ =>
      StateStoreThreadLocalTracker.clearStore()
      store.release()
    }
    f(store, partition.next())
  }

  private def update(
      store: StateStore,
      changes: ChangeBlock,
      done: (StateStore, Long, Long, Long, Long) => Unit): Unit = {
    val value = UnsafeProjection.create(ValueSchema)
    val values = new org.apache.spark.sql.catalyst.expressions.SpecificInternalRow(ValueSchema)
    var put, removed = 0L
    val start = System.nanoTime
    changes.iterator.foreach { case (row, diff) =>
      val before = store.get(row)
      val n = (if (before == null) 0L else before.getLong(0)) + diff
      if (n < 0) throw new IllegalStateException(s"An edge would occur $n times.")
      if (n == 0) {
        store.remove(row)
        removed += 1
      } else {
        values.setLong(0, n)
        store.put(row, value(values))
        put += 1
      }
    }
    val updated = System.nanoTime
    store.commit()
    done(store, put, removed, (updated - start) / 1000000, (System.nanoTime - updated) / 1000000)
  }

  private def toInt(multiplicity: Long): Int = Math.toIntExact(multiplicity)
}
