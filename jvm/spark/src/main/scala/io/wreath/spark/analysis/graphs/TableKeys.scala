package io.wreath.spark.analysis.graphs

import org.apache.spark.sql.catalyst.analysis.TypeCoercion
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.types.{DataType, StringType}

import io.wreath.spark.logical.VertexTable

/**
 * How the vertices of some tables are named.
 *
 * {{{
 *   one table, one key column      the key itself
 *   one table, several columns     a struct of them
 *   several tables                 a struct: the table's number, then the key
 *   whose keys are unlike          a struct: the table's number, then a key of each kind
 * }}}
 * Post 1 and comment 1 are different vertices, so where a variable may be of either table, the
 * table is part of its name. Where keys differ in number or have types with nothing in common, each kind has
 * its own places in the struct; those of the other kinds hold what never changes. A struct has fields
 * named by position, so that both ends of a reference have the same type. It is NULL where any part
 * is: such an end matches nothing.
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

  /** The tables whose keys are alike, with types that all of theirs can be cast to. */
  private lazy val kinds: Seq[KeyKind] = tables.foldLeft(Vector.empty[KeyKind]) { (found, table) =>
    found.indexWhere(_.and(table, types(table)).isDefined) match {
      case -1 => found :+ KeyKind(Seq(table), types(table))
      case i => found.updated(i, found(i).and(table, types(table)).get)
    }
  }

  private def kindOf(table: VertexTable): Int = kinds.indexWhere(_.tables.contains(table))

  /** What names no vertex. */
  def missing: Expression = {
    val parts = types(tables.head).map(Literal(null, _))
    Literal(null, key(tables.head, parts).dataType)
  }

  /** The name of a vertex of `table`, whose key columns are `parts`. */
  def key(table: VertexTable, parts: Seq[Expression]): Expression = {
    val own = kindOf(table)
    val values = TableKeys.as(parts, kinds(own).types)
    if (!isTagged && values.size == 1) values.head
    else {
      val tag = if (isTagged) Seq(Literal(number(table))) else Nil
      val all = kinds.indices.flatMap { k =>
        if (k == own) values else kinds(k).types.map(Literal.default)
      }
      val struct = TableKeys.struct(tag ++ all)
      val missing = values.filter(_.nullable).map(v => IsNull(v): Expression)
      missing
        .reduceOption(Or(_, _))
        .map(m => If(m, Literal(null, struct.dataType), struct))
        .getOrElse(struct)
    }
  }

  /** What a key says for one of the kinds. */
  private def parts(key: Expression, kind: Int): Seq[Expression] = {
    val from = (if (isTagged) 1 else 0) + kinds.take(kind).map(_.types.size).sum
    if (!isTagged && kinds.head.types.size == 1) Seq(key)
    else kinds(kind).types.indices.map(i => GetStructField(key, from + i))
  }

  private def tag(key: Expression): Expression =
    if (isTagged) GetStructField(key, 0) else Literal(number(tables.head))

  private def isOneOf(key: Expression, some: Seq[VertexTable]): Expression =
    In(tag(key), some.map(t => Literal(number(t))))

  /** Fields of a composite key get their columns' names. Keys that are unlike are seen as strings. */
  override def visible(key: Expression): Expression = {
    val shown = kinds.zipWithIndex.map { case (kind, k) =>
      parts(key, k) match {
        case Seq(single) => single
        case several =>
          CreateNamedStruct(several.zip(kind.tables.head.key).flatMap { case (part, column) =>
            Seq(Literal(column.text), part)
          })
      }
    }
    if (shown.size == 1) shown.head
    else {
      CaseWhen(kinds.zip(shown).map { case (kind, value) =>
        val text = if (value.dataType == StringType) value else Cast(value, StringType)
        isOneOf(key, kind.tables) -> text
      })
    }
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
      Some((widened(key, both), that.widened(otherKey, both)))
    }
  }

  override def as(key: Expression, other: KeyForm): Expression = {
    val to = other.asInstanceOf[TableKeys]
    val here = tables.intersect(to.tables)
    if (this == to) key
    else if (here.isEmpty) to.missing
    else {
      val named = if (to.isTagged || to.kinds.head.types.size > 1) widened(key, to)
      else valuesIn(key, to).head
      if (here == tables) named
      else If(isOneOf(key, here), named, Literal(null, named.dataType))
    }
  }

  /** Whether a key names a vertex of one of some tables. */
  def isOf(key: Expression, some: Seq[VertexTable]): Expression =
    if (tables.forall(some.contains)) Literal.TrueLiteral
    else if (tables.intersect(some).isEmpty) Literal.FalseLiteral
    else isOneOf(key, tables.intersect(some))

  /** The same vertex, named in a form of more tables. */
  private def widened(key: Expression, to: TableKeys): Expression = {
    val tags = if (to.isTagged) Seq(tag(key)) else Nil
    val struct = TableKeys.struct(tags ++ valuesIn(key, to))
    if (key.nullable) If(IsNull(key), Literal(null, struct.dataType), struct) else struct
  }

  private def valuesIn(key: Expression, to: TableKeys): Seq[Expression] =
    to.kinds.flatMap { kind =>
      val empty = kind.types.map(t => Literal.default(t): Expression)
      kinds.indices.foldLeft(empty) { (otherwise, k) =>
        val here = kinds(k).tables.intersect(kind.tables)
        val own = if (here.isEmpty) otherwise else TableKeys.as(parts(key, k), kind.types)
        if (here.isEmpty || here == tables) own
        else own.zip(otherwise).map { case (v, o) => If(isOneOf(key, here), v, o) }
      }
    }
}

/** Tables whose keys have as many columns, of types that go together. */
final private case class KeyKind(tables: Seq[VertexTable], types: Seq[DataType]) {

  def and(table: VertexTable, others: Seq[DataType]): Option[KeyKind] =
    if (others.size != types.size) None
    else {
      val common = types.zip(others).map { case (a, b) =>
        TypeCoercion.findTightestCommonType(a, b)
      }
      if (common.forall(_.isDefined)) Some(KeyKind(tables :+ table, common.flatten)) else None
    }
}

private object TableKeys {
  private def struct(values: Seq[Expression]): CreateNamedStruct =
    CreateNamedStruct(values.zipWithIndex.flatMap { case (value, i) =>
      Seq(Literal(s"_${i + 1}"), value)
    })

  private def as(parts: Seq[Expression], types: Seq[DataType]): Seq[Expression] =
    parts.zip(types).map { case (part, t) => if (part.dataType == t) part else Cast(part, t) }
}
