package io.wreath.kernel.count

import io.wreath.kernel.lists.ElementCounter

/**
 * The numbers of one group from vertices of other variables that are held: what a held vertex adds goes to each
 * code that the group has with it. So the vertex of highest degree may be held, as for the number of all matches,
 * and not that of the group. All tasks of a JVM add up together, each JVM for itself.
 */
private[count] object Spread {

  /** Parts grow, for the first codes have the most to do where codes descend with the degrees. */
  final private val Parts = 64

  def of(factors: EliminationFactors): Made[Array[Long]] = {
    val held = factors.codes.maxOption.getOrElse(0)
    val numbers = (factors.codes ++ factors.groupCodes).maxOption.getOrElse(0)
    new Made(
      Nil, {
        val totals = new PairSums(numbers)
        // Where a number does not fit, whoever asks next is told so, too.
        lazy val found = {
          val all = new Array[Long](numbers)
          totals.rewind()
          while (totals.next(factors.elimination.over)) all(totals.code) = totals.rows
          all
        }
        (
          () => totals.synchronized(found),
          new SharedWork(Parts, () => new Worker(factors, held, totals)))
      })
  }

  /** Where a part begins. */
  private def from(part: Int, codes: Int): Int =
    (codes.toLong * part * part * part / (Parts.toLong * Parts * Parts)).toInt

  final private class Worker(factors: EliminationFactors, held: Int, totals: PairSums)
      extends PartWorker {
    private[this] var running: RunningSums = _
    private[this] var own: PairSums = _

    override def run(part: Int, read: ElementCounter): Unit = {
      if (running == null) {
        running = new RunningSums(factors, read)
        own = new PairSums(totals.size)
      }
      var x = from(part, held)
      val until = from(part + 1, held)
      while (x < until) {
        running.addPairs(x, own)
        x += 1
      }
      // Others add to the same numbers. From here on nothing ends the part.
      totals.synchronized(totals.add(own))
      own.clear()
    }
  }
}
