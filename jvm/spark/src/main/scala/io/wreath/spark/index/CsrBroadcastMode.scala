package io.wreath.spark.index

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.plans.physical.BroadcastMode
import org.apache.spark.sql.types.DataType

/**
 * Says that rows are broadcast as a [[CsrRelation]]: by their keys, which come first, with the other
 * columns beside them.
 *
 * Exchanges with equal modes and equal children are one: that is how Spark finds out that two
 * joins can share an index.
 *
 * @param keyTypes of source and target for edges, of the key for vertices
 */
final case class CsrBroadcastMode(keyTypes: Seq[DataType], columns: Seq[IndexedColumn])
    extends BroadcastMode {

  override def transform(rows: Array[InternalRow]): Any = transform(rows.iterator, None)

  override def transform(rows: Iterator[InternalRow], sizeHint: Option[Long]): Any =
    CsrRelationBuilder.build("these rows", this, rows)

  override def canonicalized: BroadcastMode = this
}

/** A column that an index keeps beside the keys; `id` tells it from the other columns of its table. */
final case class IndexedColumn(id: String, dataType: DataType)
