package io.wreath.spark.index

import java.nio.ByteBuffer

import io.wreath.spark.index.keys.VertexKeys

/**
 * What the index of some blocks needs, as far as it can be told without reading them.
 *
 * @param leastBytes what it takes at the very least
 * @param bytesToBuild what building it allocates, beside the blocks
 */
final case class BlockSize(leastBytes: Long, bytesToBuild: Long) {
  def +(other: BlockSize): BlockSize =
    BlockSize(leastBytes + other.leastBytes, bytesToBuild + other.bytesToBuild)
}

object BlockSize {

  val none: BlockSize = BlockSize(0L, 0L)

  /** Of one block of [[BlockEncoder]]'s. */
  def of(block: Array[Byte], mode: CsrBroadcastMode): BlockSize = {
    val header = ByteBuffer.wrap(block)
    val rows = header.getInt().toLong
    val records = header.getLong()
    // Records of different length have an offset each.
    val columns = if (mode.columns.isEmpty) 0L else records + rows * Integer.BYTES
    // Keys that are bytes are read from the block, and merged with those of others.
    val keys = if (mode.keyTypes.forall(VertexKeys.isLong)) 0L else (block.length - records) * 2
    // A vertex needs its code and its place; its key may need no memory at all.
    if (mode.keyTypes.size == 1) BlockSize(records, rows * 8 + columns * 2 + keys)
    else {
      BlockSize(
        rows * CsrRelationBuilder.MinBytesPerRow + records,
        rows * BytesToBuildEdge + sources(header, rows) * BytesToBuildVertex + columns * 2 + keys)
    }
  }

  /** How many different sources a block has at most: blocks of one graph may share some. */
  private def sources(afterSizes: ByteBuffer, rows: Long): Long =
    if (rows == 0) 0L
    else {
      val most = afterSizes.get().toInt match {
        case RelationBlock.Packed =>
          val least = afterSizes.getLong()
          afterSizes.getLong() - least + 1
        case _ => afterSizes.getInt().toLong
      }
      math.min(rows, most)
    }

  /** Both codes, both lists and the pass between, and half as much again to send it. */
  val BytesToBuildEdge: Long = 24L

  /** Where its lists begin, both ways, where the next edge goes, and its key. */
  val BytesToBuildVertex: Long = 20L
}
