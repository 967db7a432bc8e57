package io.wreath.spark.index

import java.nio.ByteBuffer

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
    val columns = header.getLong()
    // A vertex needs its code and its place; its key may need no memory at all.
    if (mode.keyTypes.size == 1) BlockSize(columns, rows * 8 + columns * 2)
    else {
      BlockSize(
        rows * CsrRelationBuilder.MinBytesPerRow + columns,
        rows * BytesToBuildEdge + columns * 2)
    }
  }

  /** Both codes, both lists and the pass between, and half as much again to send it. */
  private val BytesToBuildEdge = 24L
}
