package io.wreath.spark.index

import java.io._

import com.esotericsoftware.kryo.io.{Input, Output}
import com.esotericsoftware.kryo.{Kryo, KryoSerializable}

/**
 * Writes itself as bytes of its own layout, the same by Java's and by Kryo's serialization. Needs a
 * constructor without arguments, as both do.
 */
private[spark] trait DataSerialized extends Externalizable with KryoSerializable {

  protected def writeTo(out: DataOutput): Unit

  /** Called once, on an object that has nothing yet. */
  protected def readFrom(in: DataInput): Unit

  override def writeExternal(out: ObjectOutput): Unit = writeTo(out)

  override def readExternal(in: ObjectInput): Unit = readFrom(in)

  override def write(kryo: Kryo, out: Output): Unit = {
    val data = new DataOutputStream(out)
    writeTo(data)
    data.flush()
  }

  override def read(kryo: Kryo, in: Input): Unit = readFrom(new DataInputStream(in))
}
