package io.wreath.spark.execution.paths

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter
import org.apache.spark.sql.catalyst.util.GenericArrayData
import org.apache.spark.sql.types._

import io.wreath.spark.index.keys.VertexKeys
import io.wreath.spark.logical.PathColumns

/**
 * Writes what is known of a path beside the row that asked for it. Not thread-safe: one for each task, and one row,
 * reused.
 *
 * @param child the columns of a row that asks
 */
final private[paths] class PathRowWriter(
    child: Seq[Attribute],
    columns: PathColumns,
    graph: PathGraph) {

  private[this] val keys = graph.space.keys(graph.key)
  private[this] val hasLongCosts = columns.cost.exists(_.dataType == LongType)
  private[this] val asked = child ++ columns.all
  private[this] val projection = UnsafeProjection.create(asked, asked)
  private[this] val joined = new JoinedRow
  private[this] val known: Known =
    if (columns.vertices.isEmpty && columns.edges.isEmpty) new Ends else new Whole

  /** Takes the path that was found last. */
  def take(finder: PathFinder): Unit =
    known.set(keys, finder.target, finder.length, finder.longCost, finder.doubleCost, finder)

  /** Takes the path without a step, from a vertex by its code among `own`. */
  def takeEmpty(own: VertexKeys, code: Int): Unit = known.set(own, code, 0, 0L, 0.0, null)

  /** The row for a row that asked for it. */
  def write(row: InternalRow): UnsafeRow = projection(joined(row, known.row))

  sealed private trait Known {
    def row: InternalRow

    /** @param finder null for the path without a step */
    def set(
        keys: VertexKeys,
        target: Int,
        length: Int,
        longCost: Long,
        doubleCost: Double,
        finder: PathFinder): Unit
  }

  /** No object is made of a key. */
  final private class Ends extends Known {
    private[this] val writer = new UnsafeRowWriter(columns.all.size)
    writer.resetRowWriter()

    override def row: InternalRow = writer.getRow

    override def set(
        keys: VertexKeys,
        target: Int,
        length: Int,
        longCost: Long,
        doubleCost: Double,
        finder: PathFinder): Unit = {
      writer.reset()
      var i = 0
      if (columns.target.isDefined) {
        keys.write(writer, i, target)
        i += 1
      }
      if (columns.length.isDefined) {
        writer.write(i, length)
        i += 1
      }
      if (columns.cost.isDefined) {
        if (hasLongCosts) writer.write(i, longCost) else writer.write(i, doubleCost)
      }
    }
  }

  final private class Whole extends Known {
    private[this] val values = new Array[Any](columns.all.size)
    override val row: InternalRow = new GenericInternalRow(values)

    override def set(
        keys: VertexKeys,
        target: Int,
        length: Int,
        longCost: Long,
        doubleCost: Double,
        finder: PathFinder): Unit = {
      val path = if (finder == null) null else finder.path
      val all = columns.target.map(_ => keys.value(target)).toSeq ++
        columns.length.map(_ => length) ++
        columns.cost.map(_ => if (hasLongCosts) longCost: Any else doubleCost) ++
        columns.vertices.map { _ =>
          array(length + 1)(i => keys.value(if (path == null) target else path.vertex(i)))
        } ++
        columns.edges.map { _ =>
          array(length)(i =>
            edge(path.label(i), path.vertex(i), path.vertex(i + 1), path.copy(i)))
        }
      all.copyToArray(values): Unit
    }
  }

  private def array(size: Int)(element: Int => Any): GenericArrayData =
    new GenericArrayData(Array.tabulate[Any](size)(element))

  private[this] lazy val structs = graph.pathRoute.labels.indices.map(new EdgeStruct(_))

  private def edge(label: Int, v: Int, w: Int, copy: Int): InternalRow =
    structs(label).of(v, w, copy)

  /** The columns of an edge's row: by name of those of the first table, by place of the others. */
  final private class EdgeStruct(label: Int) {
    private[this] val finder = new EdgeOfStep(graph, label)
    private[this] val elements = graph.elements(graph.pathRoute.labels(label).relation)
    private[this] val rows = elements.index(0).rows
    private[this] val stored = new UnsafeRow(rows.columns.size)
    private[this] val fields =
      columns.edges.get.dataType.asInstanceOf[ArrayType].elementType.asInstanceOf[StructType]
    // 0 for the source, 1 for the target, from 2 on the other columns.
    // A key that is made of several columns may be called as one of them.
    private[this] val places: Array[Int] = fields.map { f =>
      val same = graph.columns.indexWhere(c => c.name == f.name && c.dataType == f.dataType)
      if (same >= 0) same else graph.columns.indexWhere(_.name == f.name)
    }.toArray
    private[this] val ordinals: Array[Int] =
      places.map(p => if (p < 2) -1 else elements.stored(elements.columns(p - 2)))

    def of(v: Int, w: Int, copy: Int): InternalRow = {
      finder.find(v, w, copy)
      if (rows.columns.nonEmpty) rows.read(finder.row, stored)
      new GenericInternalRow(Array.tabulate[Any](places.length) { i =>
        if (places(i) == 0) keys.value(finder.source)
        else if (places(i) == 1) keys.value(finder.target)
        else if (stored.isNullAt(ordinals(i))) null
        else stored.get(ordinals(i), fields(i).dataType)
      })
    }
  }
}
