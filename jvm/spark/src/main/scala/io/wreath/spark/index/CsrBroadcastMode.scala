package io.wreath.spark.index

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.plans.physical.BroadcastMode
import org.apache.spark.sql.types.DataType

/**
 * Says that rows are broadcast as a [[CsrRelation]] over their first two columns.
 *
 * Exchanges with equal modes and equal children are one: that is how Spark finds out that two
 * joins can share an index.
 */
final case class CsrBroadcastMode(keyType: DataType) extends BroadcastMode {

  override def transform(rows: Array[InternalRow]): Any = transform(rows.iterator, None)

  override def transform(rows: Iterator[InternalRow], sizeHint: Option[Long]): Any =
    CsrRelationBuilder.build(Iterator(EdgeBlock.encode(rows, keyType)).flatten)

  override def canonicalized: BroadcastMode = this
}
