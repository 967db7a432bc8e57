package io.wreath.spark.execution

import org.apache.spark.SparkThrowable
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.execution.wreath.SparkInternals

/** The kernel counts exactly or throws; here its exception gets the name that users know. */
private[spark] object Overflow {

  /** Rows that are made with numbers of rows. */
  def named(rows: => Iterator[InternalRow]): Iterator[InternalRow] = {
    val made = orNamed(rows)
    new Iterator[InternalRow] {
      override def hasNext: Boolean = orNamed(made.hasNext)
      override def next(): InternalRow = orNamed(made.next())
    }
  }

  @inline def orNamed[T](body: => T): T =
    try body
    catch {
      // Raised by an expression of the query.
      case e: ArithmeticException with SparkThrowable => throw e
      case e: ArithmeticException => throw SparkInternals.overflow(e)
    }
}
