package io.wreath.kernel.dictionary

import io.wreath.kernel.lists.Pieces

/** Makes one dictionary of several, so that graphs that were coded apart can meet in a join. */
object DictionaryUnion {

  /** A dense union may have this many codes for each code of its parts, most of them unused. */
  final private val DenseRangePerCode = 2L
  final private val AlwaysDenseRange = 1024L

  /**
   * A dictionary that has the ids of all, and the translation of each.
   *
   * Cost: nothing for dense dictionaries that lie close together; else a merge of their ids.
   *
   * @param interrupt runs once in a while, and ends the merge by throwing
   */
  def of(
      parts: Seq[VertexDictionary],
      interrupt: Runnable = Pieces.NoInterrupt): (VertexDictionary, Seq[Translation]) = {
    val filled = parts.filter(_.size > 0)
    if (filled.isEmpty) (DenseDictionary(0L, 0), parts.map(_ => Translation.identity(0)))
    else {
      val union =
        dense(filled).getOrElse(
          new SortedDictionary(IdMerge.distinct(filled.map(ids).toArray, interrupt)))
      (union, parts.map(translation(_, union, interrupt)))
    }
  }

  private def dense(parts: Seq[VertexDictionary]): Option[DenseDictionary] = {
    val ranges = parts.collect { case d: DenseDictionary => d }
    val min = ranges.map(_.min).minOption.getOrElse(0L)
    val last = ranges.map(d => d.min + (d.size - 1)).maxOption.getOrElse(0L)
    val range = last - min // negative when it overflows, which is not dense at all
    val most = AlwaysDenseRange + DenseRangePerCode * parts.map(_.size.toLong).sum
    if (ranges.size == parts.size && range >= 0 && range < Int.MaxValue - 16L && range <= most) {
      Some(DenseDictionary(min, range.toInt + 1))
    } else None
  }

  private def translation(
      part: VertexDictionary,
      union: VertexDictionary,
      interrupt: Runnable): Translation =
    (part, union) match {
      case (_, _) if part.size == 0 => Translation.shifted(0, 0, union.size)
      case (d: DenseDictionary, u: DenseDictionary) =>
        Translation.shifted((d.min - u.min).toInt, d.size, u.size)
      case _ => Translation.of(IdMerge.positions(ids(part), union, interrupt), union.size)
    }

  private def ids(part: VertexDictionary): Array[Long] = part match {
    case s: SortedDictionary => s.ids
    case other => Array.tabulate(other.size)(other.decode)
  }
}
