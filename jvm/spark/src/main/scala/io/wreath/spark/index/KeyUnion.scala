package io.wreath.spark.index

import io.wreath.kernel.csr.{DictionaryUnion, Translation}

/** Makes one table of keys of several of one type, so that their indexes can meet in a join. */
private[index] object KeyUnion {

  /** A table that has the keys of all, and the translation of each. */
  def of(tables: Seq[KeyTable]): (KeyTable, Seq[Translation]) = tables match {
    case Seq(one) => (one, Seq(Translation.identity(one.size)))
    case LongKeyTable(_) +: _ =>
      val (union, translations) =
        DictionaryUnion.of(tables.collect { case LongKeyTable(dictionary) => dictionary })
      (LongKeyTable(union), translations)
    case _ =>
      val (union, codes) =
        KeyMerge.mergeBytes(tables.collect { case BytesKeyTable(records) => records }.toArray)
      (union, codes.toSeq.map(Translation.of(_, union.size)))
  }
}
