package io.wreath.spark.analysis.desugaring

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.types.DataTypeUtils
import org.apache.spark.sql.types.DataType

import io.wreath.spark.WreathErrors
import io.wreath.spark.logical.{LogicalPattern, MatchClause, PatternLengths}

/**
 * A motif with paths of several lengths: all of them, NULL where a shorter one has no element.
 * {{{
 *   Project [struct(a.id), if (has x) struct(x.id) else NULL]    (a)-[*1..2]->(b), by x
 *   +- PatternLengths
 *      :- Project [a.id, x.id, true AS has x]    +- (a)->(x), (x)->(b)
 *      +- Project [a.id, NULL, false AS has x]   +- (a)->(b)
 * }}}
 * Structs are made above, so that what is not read of them is not read at all.
 *
 * @param clauses one for each combination of lengths, and the pattern of each
 */
final private[analysis] class MotifLengths(clauses: Seq[(MatchClause, LogicalPattern)]) {

  /** What the struct of an element is made of, by name. */
  private type Fields = Seq[(String, Expression)]

  private val patterns: Seq[(Map[String, Fields], LogicalPattern)] = clauses.map {
    case (_, pattern) =>
      val structs = pattern.columns.get.collect { case Alias(CreateNamedStruct(parts), name) =>
        name -> parts.grouped(2).toSeq.map {
          case Seq(Literal(field, _), value) => field.toString -> value
          case other => throw new IllegalStateException(s"$other is no field")
        }
      }
      (structs.toMap, pattern)
  }

  private val elements: Seq[String] = clauses.flatMap(_._2.columns.get.map(_.name)).distinct

  private def isEverywhere(element: String): Boolean = patterns.forall(_._1.contains(element))

  private val fields: Seq[(String, Seq[(String, DataType)])] = elements.map { element =>
    val found = patterns.flatMap(_._1.getOrElse(element, Nil))
    element -> found.map(_._1).distinct.map { field =>
      val types = found.collect { case (`field`, value) => value.dataType }
      types.find(!DataTypeUtils.sameType(_, types.head)).foreach { other =>
        throw WreathErrors.propertyTypeMismatch(clauses.head._1.origin, field, types.head, other)
      }
      field -> types.head
    }
  }

  def pattern: LogicalPattern = {
    val edges = clauses.map { case (clause, _) =>
      clause.parts.flatMap(_.paths.map(_.edges.size)).sum
    }
    val lengths = PatternLengths(
      patterns.map { case (structs, p) => p.copy(columns = Some(columnsOf(structs))) },
      Seq(s"${edges.min} to ${edges.max} edges"),
      clauses.head._1.origin)
    val columns = lengths.output.iterator
    val structs = fields.map { case (element, named) =>
      val struct = CreateNamedStruct(named.flatMap { case (field, _) =>
        Seq(Literal(field), columns.next())
      })
      val value =
        if (isEverywhere(element)) struct
        else If(columns.next(), struct, Literal(null, struct.dataType))
      Alias(value, element)()
    }
    LogicalPattern(lengths, columns = Some(structs))
  }

  private def columnsOf(structs: Map[String, Fields]): Seq[NamedExpression] =
    fields.flatMap { case (element, named) =>
      val own = structs.getOrElse(element, Nil).toMap
      val values = named.map { case (field, tpe) =>
        Alias(own.getOrElse(field, Literal(null, tpe)), field)()
      }
      val isThere =
        if (isEverywhere(element)) Nil
        else Seq(Alias(Literal(structs.contains(element)), s"has $element")())
      values ++ isThere
    }
}
