package io.wreath.spark.streaming

import java.io._

import scala.collection.mutable

import org.apache.spark.broadcast.Broadcast
import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.types.DataType

import io.wreath.kernel.csr.{CsrCodec, CsrGraph}
import io.wreath.kernel.delta.{GraphChange, VersionedGraph}
import io.wreath.spark.index.DataSerialized

/**
 * A version in one piece, broadcast from time to time, and on each executor the later versions that
 * tasks have made of it.
 *
 * The later versions are kept here and not in a map of the process, so that they go when the
 * broadcast goes: with the query, or when it gets a new base.
 *
 * Thread-safety: tasks ask at the same time, and one of them does the work.
 */
final class GraphBase(
    private var csr: CsrGraph,
    private var ids: IdBlock,
    private var rows: Array[RowChange])
    extends DataSerialized {

  /** For deserialization only. */
  def this() = this(null, null, null)

  private val versions = mutable.LinkedHashMap.empty[Long, GraphVersion]
  private var wholeOf = Option.empty[(Long, VersionChange)]
  private val changes = mutable.LinkedHashMap.empty[Long, VersionChange]

  /** Without the ids, which belong to the version. */
  def sizeInBytes: Long =
    csr.sizeInBytes + (if (rows == null) 0L else EdgeRows.sizeInBytes(rows.length))

  /** The version of the base itself. */
  def first(keyType: DataType): GraphVersion = new GraphVersion(
    VersionedGraph.of(csr),
    StreamIds.empty(keyType).extended(ids),
    if (rows == null) null else EdgeRows.empty.applied(rows.iterator))

  /** What conditions on single vertices have found so far. */
  private[streaming] val conditions: VertexConditions = new VertexConditions

  private var known = Option.empty[VersionChange]

  /** Of a table beside a stream: what no batch changes, over the codes of `ids`. */
  def unchanged(ids: StreamIds): VersionChange = synchronized {
    if (known.forall(_.change.vertexCount != ids.size)) {
      val rowsOf = known.map(_.before.rows)
        .getOrElse(if (rows == null) null else EdgeRows.empty.applied(rows.iterator))
      val graph = VersionedGraph.of(csr).grown(ids.size)
      val version = new GraphVersion(graph, ids, rowsOf)
      known = Some(new VersionChange(version, GraphChange.none(graph), version))
    }
    known.get
  }

  /** The change of a batch, made once for all tasks of an executor. */
  def change(batch: BatchRef): VersionChange = synchronized {
    changes.getOrElse(batch.number, add(batch.number, version(batch).change(batch.step.value)))
  }

  /** All that is there after a batch, for patterns that are new. */
  def whole(batch: BatchRef): VersionChange = synchronized {
    if (wholeOf.forall(_._1 != batch.number))
      wholeOf = Some(batch.number -> change(batch).after.whole)
    wholeOf.get._2
  }

  /** Lets tasks in the same process have what the driver has made already. */
  def offer(batch: BatchRef, change: VersionChange): Unit = synchronized {
    add(batch.number, change)
  }

  private def version(batch: BatchRef): GraphVersion =
    versions.getOrElse(
      batch.before,
      batch.runs.foldLeft(first(batch.keyType))((v, run) => v.change(run.value).after))

  private def add(number: Long, change: VersionChange): VersionChange = {
    wholeOf = None
    changes.put(number, change)
    versions.put(number, change.after)
    // A late task of the batch before may still be at work.
    while (changes.size > GraphBase.Kept) changes.remove(changes.head._1)
    while (versions.size > GraphBase.Kept) versions.remove(versions.head._1)
    change
  }

  override protected def writeTo(out: DataOutput): Unit = {
    CsrCodec.write(csr, out)
    out.writeInt(ids.size)
    ids match {
      case LongIds(values) =>
        out.writeBoolean(true)
        values.foreach(out.writeLong)
      case BytesIds(values) =>
        out.writeBoolean(false)
        values.foreach { v =>
          out.writeInt(v.length)
          out.write(v)
        }
    }
    out.writeInt(if (rows == null) -1 else rows.length)
    if (rows != null) rows.foreach { r =>
      out.writeInt(r.source)
      out.writeInt(r.target)
      out.writeInt(r.diff)
      out.writeInt(r.properties.numFields)
      val bytes = r.properties.getBytes
      out.writeInt(bytes.length)
      out.write(bytes)
    }
  }

  override protected def readFrom(in: DataInput): Unit = {
    def bytes(): Array[Byte] = {
      val b = new Array[Byte](in.readInt())
      in.readFully(b)
      b
    }
    csr = CsrCodec.read(in)
    val count = in.readInt()
    ids = if (in.readBoolean()) LongIds(Array.fill(count)(in.readLong()))
    else BytesIds(Array.fill(count)(bytes()))
    val rowCount = in.readInt()
    rows = if (rowCount < 0) null
    else Array.fill(rowCount) {
      val (source, target, diff) = (in.readInt(), in.readInt(), in.readInt())
      val row = new UnsafeRow(in.readInt())
      val data = bytes()
      row.pointTo(data, data.length)
      RowChange(source, target, row, diff)
    }
  }
}

object GraphBase {

  /** Versions that are kept beside the base: the current batch's and the one before. */
  private val Kept = 2
}

/**
 * How a task comes to the versions on both sides of a batch.
 *
 * @param number one for each batch that a driver ever runs, attempts included: a batch that is run
 *   again, after a restart or within a run, must not find what the attempt before left behind
 * @param before the number of the batch that made the version before; see [[GraphBase]]
 * @param runs   what leads from the base to that version
 */
final class BatchRef(
    val number: Long,
    val before: Long,
    val keyType: DataType,
    val base: Broadcast[GraphBase],
    val runs: Seq[Broadcast[GraphStep]],
    val step: Broadcast[GraphStep])
    extends Serializable {

  def change: VersionChange = base.value.change(this)

  /** What leads from nothing to the version after the batch. */
  def whole: VersionChange = base.value.whole(this)
}
