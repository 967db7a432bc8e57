package io.wreath.spark.analysis.graphs

import org.apache.spark.sql.catalyst.expressions.{Cast, Expression}
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String

import io.wreath.spark.WreathErrors
import io.wreath.spark.logical.UnresolvedGraphFunction

/**
 * The values that a function over a whole graph is given, by name; those without a name in the order of `known`.
 *
 * @param known the names of its values
 * @param tables the names of its tables, for messages
 */
final private[graphs] class FunctionArguments(
    f: UnresolvedGraphFunction,
    known: Seq[String],
    tables: Seq[String]) {

  private val values: Map[String, Expression] = {
    val named = f.names.zip(f.values).zipWithIndex.map { case ((name, value), i) =>
      if (name.isEmpty) {
        if (i >= known.size || f.names.take(i).exists(_.nonEmpty)) {
          refuse(
            s"There are more values than it takes. Name them: ${tables.head} => TABLE people.")
        }
        known(i) -> value
      } else {
        known.find(_.equalsIgnoreCase(name)).getOrElse(
          throw WreathErrors.unknownArgument(
            f.origin,
            f.function,
            name,
            known ++ tables)) -> value
      }
    }
    named.diff(named.distinctBy(_._1)).headOption.foreach { case (name, _) =>
      refuse(s"$name stands there twice. Leave one out.")
    }
    named.toMap
  }

  def number(name: String): Option[Double] = values.get(name).map { value =>
    value.dataType match {
      case _: NumericType if value.foldable =>
        Option(Cast(value, DoubleType).eval()).map(_.asInstanceOf[Double]).getOrElse(
          refuse(s"$name is NULL. Leave it out for its default."))
      case _ => refuse(s"$name is ${value.sql}, but must be a number that is known beforehand.")
    }
  }

  def wholeNumber(name: String, least: Int): Option[Int] = number(name).map { n =>
    if (n != n.floor || n < least || n > Int.MaxValue) {
      refuse(s"$name is $n, but must be a whole number of at least $least.")
    }
    n.toInt
  }

  def boolean(name: String): Option[Boolean] = values.get(name).map { value =>
    value.dataType match {
      case BooleanType if value.foldable && value.eval() != null =>
        value.eval().asInstanceOf[Boolean]
      case _ => refuse(s"$name is ${value.sql}, but must be true or false.")
    }
  }

  /** One of some words, in any case. */
  def word(name: String, words: Seq[String]): Option[String] = values.get(name).map { value =>
    val text = value.dataType match {
      case _: StringType if value.foldable =>
        Option(value.eval()).map(_.asInstanceOf[UTF8String].toString)
      case _ => None
    }
    words.find(w => text.exists(_.equalsIgnoreCase(w))).getOrElse(
      refuse(s"$name is ${value.sql}, but must be one of ${words.mkString("'", "', '", "'")}."))
  }

  def refuse(problem: String): Nothing =
    throw WreathErrors.functionArgument(f.origin, f.function, problem)
}
