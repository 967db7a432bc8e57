package io.wreath.spark.index

import java.io.{DataInputStream, DataOutputStream, Externalizable, ObjectInput, ObjectOutput}

import com.esotericsoftware.kryo.io.{Input, Output}
import com.esotericsoftware.kryo.{Kryo, KryoSerializable}
import io.wreath.kernel.csr.{CsrCodec, CsrGraph, IndexedGraph, VertexDictionary}

/**
 * An indexed edge table as Spark carries it: broadcast once, read by every task of every join.
 *
 * Immutable and shared; cursors over it belong to tasks. Java's and Kryo's serialization both go
 * through [[CsrCodec]].
 */
final class CsrRelation(private var indexed: IndexedGraph)
    extends Externalizable
    with KryoSerializable {

  /** For deserialization only. */
  def this() = this(null)

  def graph: CsrGraph = indexed.graph

  def dictionary: VertexDictionary = indexed.dictionary

  def sizeInBytes: Long = graph.sizeInBytes + dictionary.sizeInBytes

  override def writeExternal(out: ObjectOutput): Unit = CsrCodec.write(indexed, out)

  override def readExternal(in: ObjectInput): Unit = indexed = CsrCodec.read(in)

  override def write(kryo: Kryo, out: Output): Unit = {
    val data = new DataOutputStream(out)
    CsrCodec.write(indexed, data)
    data.flush()
  }

  override def read(kryo: Kryo, in: Input): Unit =
    indexed = CsrCodec.read(new DataInputStream(in))
}
