package io.wreath.spark.index.keys

import io.wreath.kernel.dictionary.{DictionaryUnion, Translation}

/** Makes one table of keys of several of one type, so that their indexes can meet in a join. */
private[index] object KeyUnion {

  /**
   * A table that has the keys of all, and the translation of each.
   *
   * @param look runs once in a while, and ends the work by throwing
   */
  def of(tables: Seq[KeyTable], look: Runnable): (KeyTable, Seq[Translation]) = tables match {
    case Seq(one) => (one, Seq(Translation.identity(one.size)))
    case LongKeyTable(_) +: _ =>
      val (union, translations) =
        DictionaryUnion.of(tables.collect { case LongKeyTable(dictionary) => dictionary }, look)
      (LongKeyTable(union), translations)
    case _ =>
      val (union, codes) =
        KeyMerge.mergeBytes(
          tables.collect { case BytesKeyTable(records) => records }.toArray,
          look)
      (union, codes.toSeq.map(Translation.of(_, union.size)))
  }
}
