package io.wreath.kernel.path

import io.wreath.kernel.csr.{CsrBuilder, CsrGraph, Undirected}
import org.scalacheck.Gen

/** One step as it was made: to which vertex, by which label and copy, and which row of which relation it is. */
final case class NaiveStep(to: Int, label: Int, copy: Int, relation: Int, row: Int)

/**
 * Two relations over one kind of vertices: label 0 reads the first forward, label 1 backward and label 3 both
 * ways, label 2 the second both ways.
 *
 * @param first in order, as parallel edges that are read both ways are numbered
 */
final case class RouteCase(
    first: Vector[(Int, Int)],
    second: Vector[(Int, Int)],
    n: Int,
    path: RegularPath) {

  private def build(rows: Vector[(Int, Int)]): CsrGraph =
    CsrBuilder.fromCodes(rows.map(_._1).toArray, rows.map(_._2).toArray, rows.size, n)

  lazy val route: Route = {
    val (a, b) = (build(first), Undirected.of(build(second)))
    val either = Undirected.of(a)
    Route(
      path,
      RouteEdge(Steps.of(a), 0, Way.Forward),
      RouteEdge(Steps.of(a, isForward = false), 0, Way.Backward),
      RouteEdge(Steps.of(b), 1, Way.Both),
      RouteEdge(Steps.of(either), 0, Way.Both))
  }

  /** Steps from a vertex in the order of paths. */
  def steps(v: Int): Vector[NaiveStep] = {
    val forward = first.zipWithIndex.collect { case ((`v`, t), row) => (t, 0, 0, row) }
    val back = first.zipWithIndex.collect { case ((s, `v`), row) => (s, 1, 0, row) }
    def both(rows: Vector[(Int, Int)], label: Int, relation: Int) = rows.zipWithIndex.collect {
      case ((`v`, t), row) => (t, label, relation, row)
      case ((s, `v`), row) => (s, label, relation, row)
    }
    (forward ++ back ++ both(second, 2, 1) ++ both(first, 3, 0)).groupBy(s =>
      (s._1, s._2)).toVector.sortBy(_._1).flatMap {
      case (_, same) =>
        same.zipWithIndex.map { case ((to, label, relation, row), copy) =>
          NaiveStep(to, label, copy, relation, row)
        }
    }
  }
}

/** Paths along routes by trying all, and by Java's regular expressions. */
object NaiveRoutes {

  type Found = Vector[NaiveStep]

  private def text(path: RegularPath): String = path match {
    case RegularPath.Step(label) => "abcd" (label).toString
    case RegularPath.Sequence(parts @ _*) => parts.map(text).mkString("(?:", "", ")")
    case RegularPath.Choice(parts @ _*) => parts.map(text).mkString("(?:", "|", ")")
    case RegularPath.Repeat(part, Hops(least, most)) =>
      s"(?:${text(part)}){$least,${if (most == Hops.Unbounded) "" else most.toString}}"
  }

  def accepts(path: RegularPath): Seq[Int] => Boolean = {
    val pattern = java.util.regex.Pattern.compile(text(path))
    labels => pattern.matcher(labels.map("abcd" (_)).mkString).matches()
  }

  /** All paths of at most `most` steps from a source, depth first. */
  def paths(
      c: RouteCase,
      mode: PathMode,
      source: Int,
      target: Option[Int],
      most: Int): Vector[Found] = {
    val isWhole = accepts(c.path)
    def from(path: Found): Vector[Found] = {
      val v = path.lastOption.fold(source)(_.to)
      val here =
        if (isWhole(path.map(_.label)) && target.forall(_ == v)) Vector(path) else Vector.empty
      val isClosed = mode == PathMode.Simple && path.nonEmpty && v == source
      if (path.size == most || isClosed) here
      else here ++ c.steps(v).filter(isAllowed(_, path)).flatMap(s => from(path :+ s))
    }
    def isAllowed(s: NaiveStep, path: Found): Boolean = mode match {
      case PathMode.Walk => true
      case PathMode.Trail => !path.exists(p => p.relation == s.relation && p.row == s.row)
      case PathMode.Acyclic => s.to != source && !path.exists(_.to == s.to)
      case PathMode.Simple => !path.exists(_.to == s.to)
    }
    from(Vector.empty)
  }

  val path: Gen[RegularPath] = Gen.sized(size => path(Math.min(size, 3)))

  private def path(depth: Int): Gen[RegularPath] = {
    val step = Gen.choose(0, 3).map(RegularPath.Step(_))
    if (depth == 0) step
    else {
      val part = Gen.lzy(path(depth - 1))
      val parts = Gen.choose(1, 3).flatMap(Gen.listOfN(_, part))
      val times = for {
        least <- Gen.choose(0, 3)
        most <- Gen.oneOf(Gen.const(Hops.Unbounded), Gen.choose(least, least + 2))
      } yield Hops(least, most)
      Gen.frequency(
        1 -> step,
        2 -> parts.map(RegularPath.Sequence(_: _*)),
        2 -> parts.map(RegularPath.Choice(_: _*)),
        3 -> Gen.zip(part, times).map { case (p, t) => RegularPath.Repeat(p, t) })
    }
  }

  val routeCase: Gen[RouteCase] = for {
    n <- Gen.choose(1, 5)
    v = Gen.choose(0, n - 1)
    first <- Gen.choose(0, 4).flatMap(Gen.containerOfN[Vector, (Int, Int)](_, Gen.zip(v, v)))
    second <- Gen.choose(0, 2).flatMap(Gen.containerOfN[Vector, (Int, Int)](_, Gen.zip(v, v)))
    p <- path
  } yield RouteCase(first.sorted, second, n, p)
}
