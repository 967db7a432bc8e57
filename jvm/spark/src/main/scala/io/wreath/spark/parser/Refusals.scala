package io.wreath.spark.parser

import scala.collection.mutable

import org.apache.spark.SparkThrowable
import org.apache.spark.sql.catalyst.trees.Origin

import io.wreath.spark.WreathErrors

/** What one clause has of the language that is not here, with what to do instead: told all at once. */
final private[parser] class Refusals {

  private val found = mutable.ArrayBuffer.empty[Refusals.Refusal]

  /** @param alone the error where nothing of another kind is refused, if it is one of its own */
  def add(
      at: Origin,
      feature: String,
      wayOut: String,
      alone: Option[Throwable] = None): Unit =
    found += new Refusals.Refusal(at, feature, wayOut, alone)

  /** Throws if there are any. */
  def throwAll(): Unit = if (found.nonEmpty) {
    val errors = found.flatMap(_.alone)
    if (errors.size == found.size && errors.map(conditionOf).distinct.size == 1) throw errors.head
    throw WreathErrors.unsupportedSyntax(
      found.head.at,
      found.map(_.feature).distinct.mkString(", "),
      found.map(_.wayOut).distinct.mkString(" "))
  }

  private def conditionOf(error: Throwable): String = error match {
    case e: SparkThrowable => e.getCondition
    case e => e.getClass.getName
  }
}

private object Refusals {

  final private class Refusal(
      val at: Origin,
      val feature: String,
      val wayOut: String,
      val alone: Option[Throwable])
}
