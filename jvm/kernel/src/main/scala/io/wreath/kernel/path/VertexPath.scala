package io.wreath.kernel.path

import java.util.Arrays

/** The vertices of one path, from its source on. Whoever searches fills it again for each path. */
final class VertexPath {
  private[this] var vertices = new Array[Int](16)
  private[this] var count = 0

  /** How many vertices: one more than steps. */
  def size: Int = count

  def apply(i: Int): Int = vertices(i)

  def toArray: Array[Int] = Arrays.copyOf(vertices, count)

  private[path] def clear(): Unit = count = 0

  private[path] def add(v: Int): Unit = {
    if (count == vertices.length) vertices = Arrays.copyOf(vertices, 2 * count)
    vertices(count) = v
    count += 1
  }

  /** Turns what was added from `from` on the other way round. */
  private[path] def reverse(from: Int): Unit = {
    var i = from
    var j = count - 1
    while (i < j) {
      val v = vertices(i)
      vertices(i) = vertices(j)
      vertices(j) = v
      i += 1
      j -= 1
    }
  }
}
