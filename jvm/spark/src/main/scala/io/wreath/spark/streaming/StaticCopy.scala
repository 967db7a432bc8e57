package io.wreath.spark.streaming

import java.io.{DataInputStream, DataOutputStream}
import java.util.zip.{GZIPInputStream, GZIPOutputStream}

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.checkpointing.CheckpointFileManager
import org.apache.spark.sql.execution.streaming.operators.stateful.StatefulOperatorStateInfo
import org.apache.spark.sql.types.StructType

import io.wreath.spark.WreathErrors
import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path

/**
 * The rows of a table beside a stream, as they were when a query first read them, in its checkpoint:
 * the version that the query is pinned to, whatever becomes of the table.
 *
 * @param name of the table in its role
 */
final private[wreath] class StaticCopy(
    name: String,
    schema: StructType,
    info: StatefulOperatorStateInfo,
    conf: Configuration) {

  private val folder =
    new Path(new Path(info.checkpointLocation, info.operatorId.toString), "_tables")
  private val files = CheckpointFileManager.create(folder, conf)
  private val file =
    new Path(folder, name.replaceAll("[^A-Za-z0-9]+", "_") + f"-${name.hashCode}%08x")

  def getOrWrite(rows: => Array[UnsafeRow]): Array[UnsafeRow] = {
    if (!files.exists(file)) write(rows)
    read()
  }

  private def write(rows: Array[UnsafeRow]): Unit = {
    files.mkdirs(folder)
    val out = files.createAtomic(file, overwriteIfPossible = false)
    try {
      val data = new DataOutputStream(new GZIPOutputStream(out))
      data.writeInt(StaticCopy.Version)
      data.writeUTF(StaticCopy.describe(schema))
      data.writeInt(rows.length)
      rows.foreach { r =>
        val bytes = r.getBytes
        data.writeInt(bytes.length)
        data.write(bytes)
      }
      data.close()
    } catch {
      case e: Throwable =>
        out.cancel()
        throw e
    }
  }

  private def read(): Array[UnsafeRow] = {
    val in = new DataInputStream(new GZIPInputStream(files.open(file)))
    try {
      val version = in.readInt()
      if (version != StaticCopy.Version) {
        throw new IllegalStateException(s"$file has version $version of its format.")
      }
      val known = in.readUTF()
      if (known != StaticCopy.describe(schema)) {
        throw WreathErrors.changedTable(name, known, StaticCopy.describe(schema))
      }
      Array.fill(in.readInt()) {
        val bytes = new Array[Byte](in.readInt())
        in.readFully(bytes)
        val row = new UnsafeRow(schema.size)
        row.pointTo(bytes, bytes.length)
        row
      }
    } finally in.close()
  }
}

private object StaticCopy {

  private val Version = 1

  private def describe(schema: StructType): String =
    schema.map(f => s"${f.name} ${f.dataType.sql}").mkString(", ")
}
