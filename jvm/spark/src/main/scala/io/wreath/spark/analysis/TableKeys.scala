package io.wreath.spark.analysis

import org.apache.spark.sql.catalyst.analysis.TypeCoercion
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.trees.Origin
import org.apache.spark.sql.types.{DataType, StringType}

import io.wreath.spark.WreathErrors
import io.wreath.spark.logical.VertexTable

/**
 * How the vertices of some tables are named.
 *
 * {{{
 *   one table, one key column      the key itself
 *   one table, several columns     a struct of them
 *   several tables                 a struct: the table's number, then the key
 * }}}
 * Post 1 and comment 1 are different vertices, so where a variable may be of either table, the
 * table is part of its name. A struct has fields named by position, so that both ends of a
 * reference have the same type. It is NULL where any part is: such an end matches nothing.
 *
 * @param types of each table's key, by the table
 * @param number of each table in its graph
 */
final private[analysis] case class TableKeys(
    tables: Seq[VertexTable],
    types: VertexTable => Seq[DataType],
    number: VertexTable => Int)
    extends KeyForm {

  private def isTagged: Boolean = tables.size > 1

  override def equals(other: Any): Boolean = other match {
    case t: TableKeys => t.tables == tables
    case _ => false
  }

  override def hashCode: Int = tables.hashCode

  /** Of each column of the key, what all tables' keys can be cast to. */
  private lazy val common: Option[Seq[DataType]] = {
    val all = tables.map(types)
    if (all.exists(_.size != all.head.size)) None
    else {
      val tightest = all.transpose.map { column =>
        column.tail.foldLeft(Option(column.head)) { (t, next) =>
          t.flatMap(TypeCoercion.findTightestCommonType(_, next))
        }
      }
      if (tightest.forall(_.isDefined)) Some(tightest.flatten)
      else if (all.head.size == 1) Some(Seq(StringType))
      else None
    }
  }

  /** Refuses tables whose keys have no common form. */
  def checked(at: Origin): TableKeys = {
    if (!hasCommonForm) {
      throw WreathErrors.unsupportedFeature(
        at,
        "a vertex that may be of several tables with keys of different columns " +
          s"(${tables.map(_.alias.text).mkString(", ")})",
        "Name with IS a label that leaves one of them.")
    }
    this
  }

  def hasCommonForm: Boolean = common.isDefined

  /** What names no vertex. */
  def missing: Expression = {
    val parts = types(tables.head).map(Literal(null, _))
    Literal(null, key(tables.head, parts).dataType)
  }

  /** The name of a vertex of `table`, whose key columns are `parts`. */
  def key(table: VertexTable, parts: Seq[Expression]): Expression = {
    val values = parts.zip(if (isTagged) common.get else types(table)).map { case (part, t) =>
      if (part.dataType == t) part else Cast(part, t)
    }
    if (!isTagged && values.size == 1) values.head
    else {
      val tag = if (isTagged) Seq(Literal(number(table))) else Nil
      val struct = TableKeys.struct(tag ++ values)
      val missing = values.filter(_.nullable).map(v => IsNull(v): Expression)
      missing
        .reduceOption(Or(_, _))
        .map(m => If(m, Literal(null, struct.dataType), struct))
        .getOrElse(struct)
    }
  }

  private def parts(key: Expression): Seq[Expression] =
    if (isTagged) common.get.indices.map(i => GetStructField(key, i + 1))
    else if (types(tables.head).size == 1) Seq(key)
    else types(tables.head).indices.map(GetStructField(key, _))

  /** Fields of a composite key get their columns' names. */
  override def visible(key: Expression): Expression = parts(key) match {
    case Seq(single) => single
    case several =>
      CreateNamedStruct(several.zip(tables.head.key).flatMap { case (part, column) =>
        Seq(Literal(column.text), part)
      })
  }

  override def value(key: Expression): Expression = if (isTagged) visible(key) else key

  override def compared(
      key: Expression,
      other: KeyForm,
      otherKey: Expression): Option[(Expression, Expression)] = {
    val that = other.asInstanceOf[TableKeys]
    if (tables.intersect(that.tables).isEmpty) None
    else if (this == that) Some((key, otherKey))
    else {
      val both = TableKeys((tables ++ that.tables).distinct, types, number)
      if (both.common.isEmpty) None
      else Some((widened(key, both), that.widened(otherKey, both)))
    }
  }

  /** The same vertex, named in a form of more tables. */
  private def widened(key: Expression, to: TableKeys): Expression = {
    val tag = if (isTagged) GetStructField(key, 0) else Literal(number(tables.head))
    TableKeys.struct(tag +: parts(key).zip(to.common.get).map { case (part, t) =>
      if (part.dataType == t) part else Cast(part, t)
    })
  }
}

private object TableKeys {
  private def struct(values: Seq[Expression]): CreateNamedStruct =
    CreateNamedStruct(values.zipWithIndex.flatMap { case (value, i) =>
      Seq(Literal(s"_${i + 1}"), value)
    })
}
