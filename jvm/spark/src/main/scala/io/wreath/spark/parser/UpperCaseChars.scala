package io.wreath.spark.parser

import org.antlr.v4.runtime.misc.Interval
import org.antlr.v4.runtime.{CharStream, CodePointCharStream, IntStream}

/** Shows Spark's lexer, which knows keywords in capitals only, a text in capitals. */
final private[parser] class UpperCaseChars(chars: CodePointCharStream) extends CharStream {

  override def LA(i: Int): Int = {
    val c = chars.LA(i)
    if (c <= 0) c else Character.toUpperCase(c)
  }

  override def consume(): Unit = chars.consume()

  override def getText(interval: Interval): String = chars.getText(interval)

  override def getSourceName: String = IntStream.UNKNOWN_SOURCE_NAME

  override def index(): Int = chars.index

  override def mark(): Int = chars.mark

  override def release(marker: Int): Unit = chars.release(marker)

  override def seek(where: Int): Unit = chars.seek(where)

  override def size(): Int = chars.size
}
