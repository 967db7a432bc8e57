package io.wreath.spark.index

import java.io.DataOutputStream
import java.nio.ByteBuffer

/**
 * Non-negative integers in as many bytes each as the largest needs, little-endian: a view of a
 * block's bytes.
 */
final private[index] class PackedInts(bytes: Array[Byte], from: Int, width: Int) {

  /** Writes the first `count` of them to `out`, from `at` on. */
  def unpack(out: Array[Int], at: Int, count: Int): Unit = {
    var i = 0
    var b = from
    // One loop a width, so that each is a plain one.
    width match {
      case 1 =>
        while (i < count) {
          out(at + i) = bytes(b) & 0xff
          b += 1
          i += 1
        }
      case 2 =>
        while (i < count) {
          out(at + i) = (bytes(b) & 0xff) | (bytes(b + 1) & 0xff) << 8
          b += 2
          i += 1
        }
      case 3 =>
        while (i < count) {
          out(at + i) =
            (bytes(b) & 0xff) | (bytes(b + 1) & 0xff) << 8 | (bytes(b + 2) & 0xff) << 16
          b += 3
          i += 1
        }
      case _ =>
        while (i < count) {
          out(at + i) = (bytes(b) & 0xff) | (bytes(b + 1) & 0xff) << 8 |
            (bytes(b + 2) & 0xff) << 16 | bytes(b + 3) << 24
          b += 4
          i += 1
        }
    }
  }
}

private[index] object PackedInts {

  def write(values: Array[Int], count: Int, out: DataOutputStream): Unit = {
    var max = 0
    var i = 0
    while (i < count) {
      max |= values(i)
      i += 1
    }
    val width = Math.max(1, (39 - Integer.numberOfLeadingZeros(max)) / 8)
    val bytes = new Array[Byte](width * count)
    var b = 0
    i = 0
    while (i < count) {
      var v = values(i)
      var w = 0
      while (w < width) {
        bytes(b) = v.toByte
        v >>>= 8
        b += 1
        w += 1
      }
      i += 1
    }
    out.writeByte(width)
    out.write(bytes)
  }

  /** Reads the next `count` from a block: a view of its array, nothing is copied. */
  def view(block: ByteBuffer, count: Int): PackedInts = {
    val width = block.get().toInt
    val view = new PackedInts(block.array, block.position(), width)
    block.position(block.position() + width * count)
    view
  }
}
