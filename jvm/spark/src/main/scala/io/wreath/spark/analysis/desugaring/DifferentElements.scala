package io.wreath.spark.analysis.desugaring

import scala.collection.mutable

import org.apache.spark.sql.catalyst.analysis.{Resolver, UnresolvedAttribute}
import org.apache.spark.sql.catalyst.expressions._

import io.wreath.pattern.{SymmetricEdge, Symmetry}
import io.wreath.spark.WreathErrors
import io.wreath.spark.analysis.graphs.{BoundPattern, ElementScan, Overlap}
import io.wreath.spark.logical.{MatchEdge, PatternExists}

/**
 * The conditions of a match mode.
 *
 * @param vertices what each vertex of the pattern stands for
 * @param edges the scan of each edge of the pattern
 */
final private[analysis] class DifferentElements(
    bound: BoundPattern,
    boundVertices: Seq[BoundVertex],
    edgeScans: Seq[ElementScan]) {

  private val pattern = bound.pattern

  /** Vertices of different tables differ anyway; comparisons of keys are decided on codes. */
  def vertices: Seq[Expression] = {
    val pairs = for {
      i <- boundVertices.indices
      j <- boundVertices.indices.drop(i + 1)
      (l, r) <- compared(i, j)
    } yield Not(EqualTo(l, r))
    if (pattern.vertices.exists(_.isMerged)) pairs :+ Literal.FalseLiteral else pairs
  }

  /** Edges that cannot be the same row need no condition. */
  def edges: Seq[Expression] = for {
    i <- edgeScans.indices
    j <- edgeScans.indices.drop(i + 1)
    condition <- bound.overlap(i, j) match {
      case Overlap.Never => None
      case Overlap.Same => Some(Not(EqualTo(rowOf(i), rowOf(j))))
      case Overlap.Partly => Some(Not(EqualTo(numbered(i), numbered(j))))
    }
  } yield condition

  /** Over a stream, edges of one table are told apart by the join, those of other tables differ. */
  def refusePartly(): Seq[Expression] = {
    edgeScans.indices.combinations(2).find(p =>
      bound.overlap(p(0), p(1)) == Overlap.Partly).foreach {
      pair =>
        throw WreathErrors.unsupportedFeature(
          pattern.edges(pair(1)).pattern.origin,
          "DIFFERENT EDGES over tables of which two edges share only some, in a pattern over a stream",
          "Name with IS labels that leave the two edges the same tables, or none in common.")
    }
    Nil
  }

  private val rows = mutable.Map.empty[Int, Attribute]

  /** Found only for edges that are compared: of the others nothing is asked. */
  private def rowOf(i: Int): Attribute = rows.getOrElseUpdate(i, findRow(i))

  private def findRow(i: Int): Attribute = {
    val scan = edgeScans(i).plan.asInstanceOf[MatchEdge]
    scan.child.output.find(c => !RowOrdering.isOrderable(c.dataType)).foreach { c =>
      throw WreathErrors.unsupportedFeature(
        pattern.edges(i).pattern.origin,
        s"DIFFERENT EDGES over a table with a column of type ${c.dataType.sql} (${c.name})",
        "Leave the column out, in a view.")
    }
    scan.row.get
  }

  /** An edge that others can be of which read other tables too. */
  private def numbered(i: Int): Expression =
    CreateNamedStruct(
      Seq(Literal("_1"), edgeScans(i).identity.get, Literal("_2"), MatchEdge.number(rowOf(i))))

  /**
   * Comparisons that leave one of the matches that a symmetry of the pattern turns into each other. A
   * symmetry keeps edges, directions, labels and conditions.
   */
  def unique(conditions: Seq[Expression], resolver: Resolver): Seq[Expression] = {
    val vertexColours = pattern.vertices.map(_.mentions.flatMap(_.label).toSet)
    val edgeColours = pattern.edges.map(_.pattern.label)
    val shape = pattern.edges.zip(edgeColours).map { case (e, c) =>
      SymmetricEdge(
        pattern.indexOf(e.source),
        pattern.indexOf(e.target),
        edgeColours.indexOf(c),
        e.isUndirected)
    }
    val texts = new ConditionTexts(conditions, resolver)
    Symmetry
      .breaking(
        vertexColours.map(vertexColours.indexOf(_)).toIndexedSeq,
        shape.toIndexedSeq,
        texts.areKeptBy)
      .flatMap { case (i, j) => compared(i, j).map { case (l, r) => LessThan(l, r) } }
  }

  private def compared(i: Int, j: Int): Option[(Expression, Expression)] = {
    val (a, b) = (boundVertices(i), boundVertices(j))
    a.form.compared(a.key, b.form, b.key)
  }

  /** Whether conditions stay the same, as a set, if vertices take each other's places. */
  final private class ConditionTexts(conditions: Seq[Expression], resolver: Resolver) {

    private def vertexNamed(name: String): Int =
      pattern.vertices.indexWhere(_.names.exists(resolver(_, name)))

    private def edgeNamed(name: String): Int =
      pattern.edges.indexWhere(_.name.exists(resolver(_, name)))

    private val hasPatterns = conditions.exists(_.exists(_.isInstanceOf[PatternExists]))

    private val unchanged = texts(pattern.vertices.indices)

    def areKeptBy(places: IndexedSeq[Int]): Boolean =
      conditions.isEmpty || (!hasPatterns && texts(places) == unchanged)

    private def texts(places: IndexedSeq[Int]): Set[Expression] =
      conditions.map(_.transformUp {
        case a: UnresolvedAttribute if vertexNamed(a.nameParts.head) >= 0 =>
          UnresolvedAttribute(s"v${places(vertexNamed(a.nameParts.head))}" +: a.nameParts.tail)
        case a: UnresolvedAttribute if edgeNamed(a.nameParts.head) >= 0 =>
          UnresolvedAttribute(edgeText(edgeNamed(a.nameParts.head), places) +: a.nameParts.tail)
        case GreaterThan(l, r) => LessThan(r, l)
        case GreaterThanOrEqual(l, r) => LessThanOrEqual(r, l)
        case EqualTo(l, r) if l.toString > r.toString => EqualTo(r, l)
      }).toSet

    /** Two edges between the same vertices are not told apart by this, so their names are kept. */
    private def edgeText(i: Int, places: IndexedSeq[Int]): String = {
      val e = pattern.edges(i)
      val ends = Seq(e.source, e.target).map(pattern.indexOf)
      val parallel = pattern.edges.count { o =>
        Set(o.source, o.target) == Set(e.source, e.target)
      }
      val moved = ends.map(places)
      val shown = if (e.isUndirected) moved.sorted else moved
      if (parallel == 1) shown.mkString("e", "_", "") else s"e${e.name.get} ${ends == moved}"
    }
  }
}
