package io.wreath.spark.streaming

import org.apache.spark.broadcast.Broadcast
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.expressions.{UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.catalyst.plans.physical.HashPartitioning
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.streaming.operators.stateful.StatefulOperatorStateInfo
import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.execution.wreath.{Cancellation, SparkInternals}
import org.apache.spark.{InterruptibleIterator, TaskContext}

import org.apache.hadoop.conf.Configuration

/**
 * The durable truth of a stream's graph: each row of an edge (source, target, properties) with how
 * often it occurs, in Spark's state store, hashed by what names an edge over its partitions.
 *
 * A change of this layout has to change [[EdgeState.operatorName]], which is written to the
 * checkpoint: Spark then refuses a checkpoint of the other layout by name.
 */
final private[wreath] class EdgeState(
    layout: EdgeLayout,
    info: StatefulOperatorStateInfo,
    session: SparkSession) {

  private val keySchema = layout.keySchema
  private val valueSchema = layout.valueSchema

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
            valueSchema)),
        session.sessionState,
        version))

  /** The rows of a batch by the partition that keeps them. */
  def slices(batch: ChangeBatch): Array[ChangeBlock] = {
    val keyOf = layout.keyOf
    val byPartition =
      Cancellation.looking(batch.rows.indices.iterator).toSeq.groupBy(i =>
        partitionOf(keyOf(batch.rows(i))))
    Array.tabulate(info.numPartitions) { p =>
      // Deletes first: an edge may take the key of one that goes.
      val mine = byPartition.getOrElse(p, Nil).sortBy(batch.diffs(_) > 0).iterator
      ChangeBlock.of(mine.map(i => (batch.rows(i), batch.diffs(i))), layout.row.size)
    }
  }

  private lazy val partitionId =
    UnsafeProjection.create(
      Seq(HashPartitioning(layout.key, info.numPartitions).partitionIdExpression),
      layout.key)

  private def partitionOf(key: UnsafeRow): Int = partitionId(key).getInt(0)

  /** All rows with their multiplicities, as they are before the current batch. */
  def readAll(): Iterator[ChangeBlock] = {
    val layout = this.layout
    read { (store, _) =>
      val rowOf = layout.rowOf
      val pairs = store.iterator()
      try {
        Iterator.single(ChangeBlock.of(
          new InterruptibleIterator(TaskContext.get(), pairs).map(p =>
            (rowOf(p.key, p.value), EdgeState.toInt(layout.multiplicityOf(p.value)))),
          layout.row.size))
      } finally pairs.close()
    }.toLocalIterator
  }

  /**
   * From each partition the rows whose time is up to `limit`, with their multiplicities, and the
   * least time of the others.
   *
   * @param column of a row, its time in microseconds
   */
  def splitByTime(column: Int, limit: Long): Seq[(ChangeBlock, Long)] = {
    val layout = this.layout
    read { (store, _) =>
      val rowOf = layout.rowOf
      val pairs = store.iterator()
      var oldest = Long.MaxValue
      try {
        val upTo = ChangeBlock.of(
          new InterruptibleIterator(TaskContext.get(), pairs).flatMap { p =>
            val row = rowOf(p.key, p.value)
            EdgeExpiry.timeOf(row, column).flatMap { time =>
              if (time > limit) {
                oldest = Math.min(oldest, time)
                None
              } else Some((row, EdgeState.toInt(layout.multiplicityOf(p.value))))
            }
          },
          layout.row.size)
        Iterator.single((upTo, oldest))
      } finally pairs.close()
    }.collect().toSeq
  }

  /** What goes with each of the keys before the current batch, null where there is no such edge. */
  def lookUp(keys: Array[UnsafeRow]): Array[UnsafeRow] = {
    val (keyFields, valueFields) = (keySchema.size, valueSchema.size)
    val partition = keys.map(partitionOf)
    val wanted = Array.tabulate(info.numPartitions) { p =>
      val mine = keys.indices.iterator.filter(partition(_) == p)
      ChangeBlock.of(mine.map(i => (keys(i), i)), keyFields)
    }
    val sent = session.sparkContext.broadcast(wanted)
    val found = read { (store, p) =>
      val there = sent.value(p).iterator.flatMap { case (k, i) =>
        Option(store.get(k)).map(v => (v, i))
      }
      Iterator.single(ChangeBlock.of(there, valueFields))
    }.collect()
    sent.destroy()
    val result = new Array[UnsafeRow](keys.length)
    Cancellation.looking(found.iterator.flatMap(_.iterator)).foreach { case (v, i) =>
      result(i) = v
    }
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
      valueSchema,
      spec,
      session.sessionState,
      Some(SparkInternals.stateStoreCoordinator(session)))

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
      done: (StateStore, Long, Long, Long, Long) => Unit): RDD[U] = {
    val layout = this.layout
    partitions.mapPartitionsWithStateStore[U](
      info,
      keySchema,
      valueSchema,
      spec,
      session.sessionState,
      Some(SparkInternals.stateStoreCoordinator(session))) { (store, partition) =>
      EdgeState.update(store, layout, slices.value(partition.next()), done)
      Iterator.empty
    }
  }
}

private[wreath] object EdgeState {

  /** With the version of the layout. */
  def operatorName(isKeyed: Boolean): String =
    if (isKeyed) "streamingWcoJoinKeyedV1" else "streamingWcoJoinV1"

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
      layout: EdgeLayout,
      changes: ChangeBlock,
      done: (StateStore, Long, Long, Long, Long) => Unit): Unit = {
    val keyOf = layout.keyOf
    val valueOf = layout.valueOf
    var put, removed = 0L
    val start = System.nanoTime
    new InterruptibleIterator(TaskContext.get(), changes.iterator).foreach { case (row, diff) =>
      val key = keyOf(row)
      val n = layout.multiplicityOf(store.get(key)) + diff
      if (n < 0) throw new IllegalStateException(s"An edge would occur $n times.")
      if (n == 0) {
        store.remove(key)
        removed += 1
      } else {
        store.put(key, valueOf(row, n))
        put += 1
      }
    }
    val updated = System.nanoTime
    store.commit()
    done(store, put, removed, (updated - start) / 1000000, (System.nanoTime - updated) / 1000000)
  }

  private def toInt(multiplicity: Long): Int = Math.toIntExact(multiplicity)
}
