package io.wreath.spark.analysis.desugaring

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.types.{ArrayType, IntegerType}

import io.wreath.spark.logical.{PathBody, SearchedPath}

/**
 * Where in a path its named elements are: an edge that is not repeated has one place, counted from the
 * start or from the end, and one that is has a place in each repetition.
 */
final private[analysis] class PathPlaces(
    path: SearchedPath,
    length: Expression,
    edges: Expression) {

  private val parts: Seq[PathBody] = path.body match {
    case PathBody.Sequence(all) => all
    case single => Seq(single)
  }

  /** How many edges stand before a part, and after it, where that is known. */
  private def around(i: Int): (Option[Int], Option[Int]) = {
    def known(some: Seq[PathBody]): Option[Int] =
      if (some.forall(_.length.isDefined)) Some(some.flatMap(_.length).sum) else None
    (known(parts.take(i)), known(parts.drop(i + 1)))
  }

  private def minus(n: Int): Expression = Subtract(length, Literal(n))

  /** The place of each vertex among the vertices. */
  val vertices: Seq[(String, Expression)] = parts.zipWithIndex.collect {
    case (PathBody.Vertex(v), i) if v.name.isDefined =>
      val place = around(i) match {
        case (Some(before), _) => Some(Literal(before))
        case (_, Some(after)) => Some(minus(after))
        case _ => None
      }
      place.map(v.name.get -> _)
  }.flatten

  /** The place of each edge that is not repeated among the edges. */
  val singles: Seq[(String, Expression)] = parts.zipWithIndex.collect {
    case (PathBody.Edge(e), i) if e.name.isDefined =>
      val place = around(i) match {
        case (Some(before), _) => Some(Literal(before))
        case (_, Some(after)) => Some(minus(after + 1))
        case _ => None
      }
      place.map(e.name.get -> _)
  }.flatten

  /** The edges of each group. */
  val groups: Seq[(String, Expression)] = parts.zipWithIndex.collect {
    case (PathBody.Repeat(part, _, _, _, _), i) => groupsOf(part, around(i))
  }.flatten

  /** Names of elements that nobody can read. */
  val others: Seq[String] = {
    val readable = (vertices ++ singles ++ groups).map(_._1)
    (path.body.vertices.flatMap(_.name) ++ path.edges.flatMap(_.name)).filterNot(
      readable.contains)
  }

  private def groupsOf(
      part: PathBody,
      around: (Option[Int], Option[Int])): Seq[(String, Expression)] = {
    val inside = part match {
      case PathBody.Sequence(all) => all
      case single => Seq(single)
    }
    inside.zipWithIndex.collect {
      case (PathBody.Edge(e), i) if e.name.isDefined =>
        val offset = inside.take(i).map(_.length)
        (part.length, around) match {
          case (Some(1), (Some(0), Some(0))) => Some(e.name.get -> edges)
          case (Some(period), (Some(before), Some(after))) =>
            Some(e.name.get -> every(period, before, after, offset.flatten.sum))
          case _ => None
        }
    }.flatten
  }

  /** The edges at one place in each repetition. */
  private def every(period: Int, before: Int, after: Int, offset: Int): Expression = {
    val ArrayType(element, hasNull) = edges.dataType: @unchecked
    val edge = NamedLambdaVariable("edge", element, hasNull)
    val place = NamedLambdaVariable("place", IntegerType, nullable = false)
    val conditions = Seq[Expression](
      GreaterThanOrEqual(place, Literal(before)),
      LessThan(place, minus(after)),
      EqualTo(Remainder(Subtract(place, Literal(before)), Literal(period)), Literal(offset)))
    ArrayFilter(edges, LambdaFunction(conditions.reduce(And(_, _)), Seq(edge, place)))
  }
}
