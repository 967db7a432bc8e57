package io.wreath.spark.index

import java.io._

import org.apache.spark.sql.types.DataType

import io.wreath.kernel.csr.{CsrCodec, CsrGraph}
import io.wreath.spark.index.keys.{KeyTable, VertexKeys}

/**
 * An indexed table of edges or vertices as Spark carries it: broadcast once, read by every task of
 * every join.
 *
 * {{{
 *   edges      forward lists over the sources' codes hold the targets' codes, reverse the other way
 *              rows by (source, target), parallel edges side by side in the order of arrival
 *   vertices   no lists; a vertex' row number is its code
 * }}}
 * Immutable and shared; cursors over it belong to tasks. Java's and Kryo's serialization both write
 * the same bytes, in chunks.
 */
final class CsrRelation private[index] (
    private var lists: CsrGraph,
    private var tables: Seq[KeyTable],
    private var elements: ElementRows)
    extends DataSerialized {

  /** For deserialization only. */
  def this() = this(null, Nil, null)

  /** 2 for edges, 1 for vertices. */
  def arity: Int = tables.size

  /** Edges only. */
  def graph: CsrGraph = {
    require(lists != null, "vertices have no lists")
    lists
  }

  /** The keys at one end: one object for both ends where the keys' types are equal. */
  def keyTable(end: Int): KeyTable = tables(end)

  /** The same, as values of a type of Spark's. */
  def keys(end: Int, tpe: DataType): VertexKeys = VertexKeys(tables(end), tpe)

  /** The columns beside the keys. */
  def rows: ElementRows = elements

  /**
   * Whether columns of a later reading can stand beside these. Parallel edges come in no order that
   * a later reading keeps, so what they have already belongs to no row of it.
   */
  def canGrow: Boolean =
    elements.columns.isEmpty || lists == null || lists.forward.mult == null

  /** The same keys and lists with other columns. */
  private[index] def withRows(rows: ElementRows): CsrRelation =
    new CsrRelation(lists, tables, rows)

  /** How many edges or vertices there are, each parallel edge by itself. */
  def rowCount: Long = if (lists == null) tables.head.size.toLong else lists.rowCount

  /**
   * Where the rows begin of the edge at a position of the forward lists' array; they end where those
   * of the next position begin. The position itself where no edge repeats.
   */
  def firstRow(position: Int): Int = if (firstRows == null) position else firstRows(position)

  /** The row of a vertex, -1 if there is no such vertex. */
  def rowOf(code: Int): Int = if (code >= 0 && code < tables.head.size) code else -1

  /** Null where every edge has one row. */
  private lazy val firstRows: Array[Int] =
    if (lists == null || lists.forward.mult == null) null
    else {
      val mult = lists.forward.mult
      val first = new Array[Int](mult.length + 1)
      var i = 0
      while (i < mult.length) {
        first(i + 1) = first(i) + mult(i)
        i += 1
      }
      first
    }

  def sizeInBytes: Long =
    (if (lists == null) 0L else lists.sizeInBytes) +
      tables.distinct.map(_.sizeInBytes).sum + elements.sizeInBytes

  override protected def writeTo(out: DataOutput): Unit = {
    out.writeInt(CsrRelation.Version)
    out.writeByte(arity)
    val shared = arity == 2 && (tables(0) eq tables(1))
    out.writeBoolean(shared)
    (if (shared) tables.take(1) else tables).foreach(KeyTable.write(_, out))
    if (arity == 2) CsrCodec.write(lists, out)
    elements.writeTo(out)
  }

  override protected def readFrom(in: DataInput): Unit = {
    val version = in.readInt()
    if (version != CsrRelation.Version) {
      throw new IOException(
        s"The index has format version $version, but only ${CsrRelation.Version} can be read.")
    }
    val ends = in.readByte().toInt
    val first = if (in.readBoolean()) Some(KeyTable.read(in)) else None
    tables = first.map(Vector.fill(ends)(_)).getOrElse(Vector.fill(ends)(KeyTable.read(in)))
    lists = if (ends == 2) CsrCodec.read(in) else null
    elements = ElementRows.readFrom(in)
  }
}

private object CsrRelation {
  private val Version = 2
}
