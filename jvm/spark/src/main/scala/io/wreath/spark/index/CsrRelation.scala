package io.wreath.spark.index

import java.io._

import org.apache.spark.sql.types.DataType

import com.esotericsoftware.kryo.io.{Input, Output}
import com.esotericsoftware.kryo.{Kryo, KryoSerializable}
import io.wreath.kernel.csr.{CsrCodec, CsrGraph, IndexedGraph}

/**
 * An indexed edge table as Spark carries it: broadcast once, read by every task of every join.
 *
 * Immutable and shared; cursors over it belong to tasks. Java's and Kryo's serialization both go
 * through [[CsrCodec]].
 *
 * @param names the vertices' values by code, where they are not integers
 */
final class CsrRelation(private var indexed: IndexedGraph, private var names: Option[BytesTable])
    extends Externalizable
    with KryoSerializable {

  /** For deserialization only. */
  def this() = this(null, None)

  def graph: CsrGraph = indexed.graph

  /** The values of the vertices at one end, by code, for columns of this type. */
  def keys(end: Int, tpe: DataType): VertexKeys = {
    require(end == 0 || end == 1)
    names.map(new BytesKeys(_, tpe)).getOrElse(new LongKeys(indexed.dictionary, tpe))
  }

  def sizeInBytes: Long =
    graph.sizeInBytes + names.map(_.sizeInBytes).getOrElse(indexed.dictionary.sizeInBytes)

  override def writeExternal(out: ObjectOutput): Unit = writeTo(out)

  override def readExternal(in: ObjectInput): Unit = readFrom(in)

  override def write(kryo: Kryo, out: Output): Unit = {
    val data = new DataOutputStream(out)
    writeTo(data)
    data.flush()
  }

  override def read(kryo: Kryo, in: Input): Unit = readFrom(new DataInputStream(in))

  private def writeTo(out: DataOutput): Unit = {
    CsrCodec.write(indexed, out)
    out.writeBoolean(names.isDefined)
    names.foreach { table =>
      out.writeInt(table.size)
      table.offsets.foreach(out.writeInt)
      out.writeInt(table.bytes.length)
      out.write(table.bytes)
    }
  }

  private def readFrom(in: DataInput): Unit = {
    indexed = CsrCodec.read(in)
    names = if (in.readBoolean()) {
      val offsets = Array.fill(in.readInt() + 1)(in.readInt())
      val bytes = new Array[Byte](in.readInt())
      in.readFully(bytes)
      Some(new BytesTable(bytes, offsets))
    } else {
      None
    }
  }
}
