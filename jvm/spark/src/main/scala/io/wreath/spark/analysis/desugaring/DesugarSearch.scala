package io.wreath.spark.analysis.desugaring

import scala.collection.mutable

import org.apache.spark.sql.catalyst.analysis.Resolver
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical.LocalRelation
import org.apache.spark.sql.catalyst.trees.CurrentOrigin
import org.apache.spark.sql.types._

import io.wreath.spark.analysis.graphs.{BoundPath, PathTable, PatternSource, ScanNeeds}
import io.wreath.spark.analysis.patterns.PlannedSearch
import io.wreath.spark.logical._

/**
 * Describes the search for one path: as a [[PathSearch]] over rows that have the vertex from which it is
 * searched, and maybe the other end.
 *
 * @param known what is bound before
 * @param needsOrder whether anybody asks which of several paths of one length it is
 */
final private[analysis] class DesugarSearch(
    planned: PlannedSearch,
    known: PatternScope,
    source: PatternSource,
    needs: ScanNeeds,
    needsOrder: Boolean,
    parameter: Int => Expression,
    resolver: Resolver) {

  private val path = planned.path
  private val from: BoundVertex = known.vertex(planned.from, resolver).get
  private val bound: BoundPath = source.path(path, from.form, needs.copy(row = false))
  private val regular = new RegularSteps(path, bound, known, parameter, resolver)

  private val steps = mutable.ArrayBuffer.empty[PatternStep]
  private val keyType: DataType = bound.tables.head.plan.output.head.dataType

  /** What is done to the rows, and what is known of them then. */
  lazy val (result: Seq[PatternStep], scope: PatternScope) =
    CurrentOrigin.withOrigin(path.origin) {
      val other = known.vertex(planned.other, resolver)
      val found =
        if (planned.hasBoth) search(from, other, isReversed = false)
        else if (!planned.isReversed) search(from, None, isReversed = false)
        else if (!isOrdered) search(from, None, isReversed = true)
        else {
          // Which path is the first is seen from its start, and which starts there are from its end.
          val starts = search(from, None, isReversed = true, PathSelector.Shortest(1))
          search(BoundVertex(starts._2.get, bound.form, Nil), Some(from), isReversed = false)
        }
      val target =
        if (planned.hasBoth) Nil
        else if (planned.isReversed && isOrdered) Seq(planned.other -> steps.collect {
          case PatternStep.Search(_, s) => s.columns.target
        }.flatten.last)
        else Seq(planned.other -> found._2.get)
      val (vertices, edges) = named(found._1)
      val keys = target ++ vertices
      val looked = keys.map { case (name, key) => name -> lookedUp(key) }
      val scope = PatternScope(
        known.vertices ++ looked.filter(v => known.vertex(v._1, resolver).isEmpty),
        known.edges ++ edges,
        known.groups,
        known.paths :+ found._1)
      // A vertex on the way that has been bound elsewhere is that vertex.
      looked.foreach { case (name, own) =>
        known.vertex(name, resolver).foreach { seen =>
          val same = seen.form.compared(seen.key, own.form, own.key)
          steps += PatternStep.Where(
            same.map { case (l, r) => EqualTo(l, r) }.getOrElse(Literal.FalseLiteral))
        }
      }
      (steps.toSeq, scope)
    }

  private def isOrdered: Boolean = needsOrder && (path.selector match {
    case PathSelector.Shortest(_) | PathSelector.Cheapest(_) => true
    case PathSelector.All | PathSelector.ShortestGroups(_) => false
  })

  private def search(
      begin: BoundVertex,
      end: Option[BoundVertex],
      isReversed: Boolean,
      selector: PathSelector = path.selector): (FoundPath, Option[Attribute]) = {
    val ends = mutable.ArrayBuffer.empty[Alias]
    def key(v: BoundVertex, name: String): Attribute = {
      val value = v.form.as(v.key, bound.form)
      value match {
        case a: Attribute if a.dataType == keyType => a
        case e =>
          ends += Alias(if (e.dataType == keyType) e else Cast(e, keyType), name)()
          ends.last.toAttribute
      }
    }
    val first = key(begin, "source")
    val last = end.map(key(_, "target"))
    val edgeType = StructType(bound.tables.head.plan.output.map(c =>
      StructField(c.name, c.dataType)))
    val target =
      if (last.isDefined) None
      else Some(AttributeReference(planned.other, keyType, nullable = false)())
    val length = AttributeReference("path_length", IntegerType, nullable = false)()
    val cost = regular.costType.map(AttributeReference("path_cost", _, nullable = false)())
    val vertices =
      AttributeReference("vertices", ArrayType(keyType, containsNull = false), nullable = false)()
    val edges =
      AttributeReference("edges", ArrayType(edgeType, containsNull = false), nullable = false)()
    val read = regular.steps(isReversed)
    steps += PatternStep.Search(
      ends.toSeq,
      PathSearch(
        LocalRelation(),
        first,
        last,
        if (isReversed) regular.path.reversed else regular.path,
        read,
        path.mode,
        selector,
        PathColumns(target, Some(length), cost, Some(vertices), Some(edges)),
        bound.tables.map(_.plan),
        bound.vertices.map(_.plan),
        bound.tables.map(_.said) ++ bound.vertices.map(_.said)))
    val (shownVertices, shownEdges) =
      if (!isReversed) (vertices, edges)
      else {
        val turned = Seq(vertices, edges).map(a => Alias(Reverse(a), a.name)())
        steps += PatternStep.Columns(turned)
        (turned(0).toAttribute, turned(1).toAttribute)
      }
    val places = new PathPlaces(path, length, shownEdges)
    val found = FoundPath(
      path.name,
      bound.form,
      length,
      cost,
      shownVertices,
      shownEdges,
      // Edges of several tables are named by their keys if all have such.
      if (bound.tables.map(keyPlaces).distinct.size == 1) bound.tables.head
      else bound.tables.head.copy(key = Nil),
      places.groups,
      places.others)
    (found, target)
  }

  private def keyPlaces(table: PathTable): Seq[Int] =
    table.key.map(k => table.plan.output.indexWhere(_.exprId == k.exprId))

  /** The vertices and edges on the way that have a name and one place: as columns. */
  private def named(found: FoundPath)
      : (Seq[(String, Attribute)], Seq[(String, Seq[(String, Attribute)])]) = {
    val places = new PathPlaces(path, found.length, found.edges)
    val vertices = places.vertices.map { case (name, place) =>
      name -> Alias(GetArrayItem(found.vertices, place, failOnError = false), name)()
    }
    val edges = places.singles.map { case (name, place) =>
      val edge = GetArrayItem(found.edges, place, failOnError = false)
      name -> found.table.properties.map { case (property, column) =>
        val i = found.table.plan.output.indexWhere(_.exprId == column.exprId)
        property -> Alias(GetStructField(edge, i), property)()
      }
    }
    if (vertices.nonEmpty || edges.nonEmpty) {
      steps += PatternStep.Columns(vertices.map(_._2) ++ edges.flatMap(_._2.map(_._2)))
    }
    (
      vertices.map { case (n, a) => n -> a.toAttribute },
      edges.map { case (n, ps) => n -> ps.map { case (p, a) => p -> a.toAttribute } })
  }

  /** A vertex by its key, with its properties. */
  private def lookedUp(key: Attribute): BoundVertex = bound.lookUp(needs) match {
    case None => BoundVertex(key, bound.form, Seq("id" -> key))
    case Some(scan) =>
      steps += PatternStep.LookUp(scan.plan.child, EqualTo(key, scan.plan.ends.head))
      BoundVertex(key, bound.form, scan.properties)
  }

  /** What mentions of vertices that are found say of them: their labels. */
  def labelled(mentions: Seq[VertexPattern]): Seq[Expression] = for {
    v <- mentions
    name <- v.name.toSeq if resolver(name, planned.other) && !planned.hasBoth
    labels <- v.label
    own <- scope.vertex(name, resolver)
  } yield bound.isLabelled(own.key, labels)
}
