package io.wreath.kernel.count

import io.wreath.kernel.csr.Csr

/**
 * What it costs to walk to greater codes only, where codes descend with the degrees.
 *
 * @param steps edges to a greater code
 * @param twoSteps paths of two edges whose first vertex has the least code
 * @param closings lengths of the lists of the greater ends of all edges
 */
final case class BelowMoments(steps: Double, twoSteps: Double, closings: Double)

object BelowMoments {

  /** Cost: one search a vertex, the first time, and one pass over the offsets. */
  def of(lists: Csr): BelowMoments = {
    var steps = 0.0
    var twoSteps = 0.0
    var closings = 0.0
    var v = 0
    while (v < lists.vertexCount) {
      val degree = lists.degree(v).toDouble
      val less = (lists.after(v) - lists.from(v)).toDouble
      steps += degree - less
      // From the i-th of them by way of v there are degree - 1 - i ends.
      twoSteps += less * (degree - 1) - less * (less - 1) / 2
      closings += less * degree
      v += 1
    }
    BelowMoments(steps, twoSteps, closings)
  }
}
