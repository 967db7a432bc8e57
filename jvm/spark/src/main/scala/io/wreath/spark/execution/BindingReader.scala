package io.wreath.spark.execution

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, GenericInternalRow, UnsafeRow}

import io.wreath.spark.index.keys.VertexKeys

/**
 * Reads some columns of a join, given the codes that its variables are bound to and the rows that
 * its edges stand for. Not thread-safe: one per task, and one row, reused.
 *
 * @param attributes the columns, in the order of the row
 */
final private[execution] class BindingReader(
    attributes: Seq[Attribute],
    elements: PatternElements) {

  private val values = new Array[Any](attributes.size)
  private val row = new GenericInternalRow(values)

  private val sources: Array[BindingReader.Source] = attributes.map { a =>
    elements.variableOf(a) match {
      case Some(v) =>
        new BindingReader.Key(v, elements.space.keys(a.dataType)): BindingReader.Source
      case None =>
        val column = elements.columnOf(a)
        new BindingReader.Column(column.atom, elements.stored(column), a)
    }
  }.toArray

  private val atoms: Array[Int] =
    sources.collect { case c: BindingReader.Column => c.atom }.distinct
  private val stores = atoms.map(a => elements.index(a).rows)
  private val pointers: Array[UnsafeRow] = atoms.map { a =>
    new UnsafeRow(elements.index(a).rows.columns.size)
  }
  private val pointerOf = sources.map {
    case c: BindingReader.Column => pointers(atoms.indexOf(c.atom))
    case _ => null
  }

  /**
   * @param binding codes by variable
   * @param rows by element, the row of its relation; only those of elements that are read count
   */
  def read(binding: Array[Int], rows: Array[Int]): InternalRow = {
    var i = 0
    while (i < atoms.length) {
      stores(i).read(rows(atoms(i)), pointers(i))
      i += 1
    }
    i = 0
    while (i < sources.length) {
      values(i) = sources(i).value(binding, pointerOf(i))
      i += 1
    }
    row
  }
}

private object BindingReader {

  sealed private trait Source {
    def value(binding: Array[Int], element: UnsafeRow): Any
  }

  final private class Key(variable: Int, keys: VertexKeys) extends Source {
    override def value(binding: Array[Int], element: UnsafeRow): Any =
      keys.value(binding(variable))
  }

  final private class Column(val atom: Int, ordinal: Int, a: Attribute) extends Source {
    private val tpe = a.dataType
    override def value(binding: Array[Int], element: UnsafeRow): Any =
      if (element.isNullAt(ordinal)) null else element.get(ordinal, tpe)
  }
}
