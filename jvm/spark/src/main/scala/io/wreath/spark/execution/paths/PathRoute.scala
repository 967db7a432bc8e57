package io.wreath.spark.execution.paths

import org.apache.spark.sql.catalyst.expressions.{Attribute, EqualTo, Expression}

import io.wreath.kernel.path.RegularPath._
import io.wreath.kernel.path.{Hops, RegularPath, Way}
import io.wreath.spark.logical.{EdgeDirection, PathStep}

/**
 * What a label of a path's route reads: the edges of a table that pass some conditions and fail others.
 *
 * @param tests each condition, and whether an edge is to pass it
 * @param kind edges of two labels can be the same only if these are the same
 */
final private[wreath] case class PathLabel(
    relation: Int,
    way: Way,
    tests: Seq[(Expression, Boolean)],
    kind: Int)

/** A regular path over labels. */
final private[wreath] case class PathRoute(path: RegularPath, labels: IndexedSeq[PathLabel]) {

  /** How often its only label is repeated, if it is no more than that. */
  lazy val hops: Option[Hops] = PathRoute.repeated(path).filter(_ => labels.size == 1)

  /** The number of edges of its longest path. */
  lazy val longest: Int = PathRoute.longest(path)

  lazy val acceptsEmpty: Boolean = PathRoute.acceptsEmpty(path)

  def isUndirected: Boolean = labels.exists(_.way == Way.Both)
}

private[wreath] object PathRoute {

  /** More than these would make too many kinds of edges. */
  final val MostConditions = 6

  /**
   * @param tables the columns of each table of edges, its ends first
   * @param tellsEdges whether it matters which edge a path takes. Then steps that read one table under different
   *   conditions take it apart, into edges that pass the same of them: an edge is in one part, and known again.
   *   Where they read it different ways, an edge is read the one way or the other, and a loop one way only
   */
  def of(
      path: RegularPath,
      steps: Seq[PathStep],
      tables: Seq[Seq[Attribute]],
      tellsEdges: Boolean): PathRoute = {
    def alike(step: PathStep) = steps.filter(_.relation == step.relation)
    val readings = steps.map { step =>
      val asked = alike(step).flatMap(_.condition).distinctBy(_.canonicalized)
      val isMixed = alike(step).exists(_.direction != step.direction)
      val isDivided = isMixed ||
        alike(
          step).exists(_.condition.map(_.canonicalized) != step.condition.map(_.canonicalized))
      if (!tellsEdges || !isDivided) {
        Seq((step.relation, wayOf(step.direction), step.condition.toSeq.map(_ -> true)))
      } else {
        val isLoop = EqualTo(tables(step.relation)(0), tables(step.relation)(1))
        for {
          tests <- parts(if (isMixed) asked :+ isLoop else asked, step.condition)
          way <- wayOf(step.direction) match {
            case _ if isMixed && tests.last._2 => Seq(Way.Forward)
            case Way.Both if isMixed => Seq(Way.Forward, Way.Backward)
            case way => Seq(way)
          }
        } yield (step.relation, way, tests)
      }
    }
    def key(r: (Int, Way, Seq[(Expression, Boolean)])) =
      (r._1, r._2, r._3.map { case (e, passes) => (e.canonicalized, passes) })
    val all = readings.flatten.distinctBy(key)
    val kinds = all.map(r => (r._1, key(r)._3)).distinct
    val labels = all.map { case r @ (relation, way, tests) =>
      PathLabel(
        relation,
        way,
        tests,
        if (tellsEdges) kinds.indexOf((relation, key(r)._3)) else relation)
    }
    val numbers = all.map(key).zipWithIndex.toMap
    val named = relabelled(path) { step =>
      readings(step).map(r => Step(numbers(key(r)))) match {
        case Seq(one) => one
        case several => Choice(several: _*)
      }
    }
    PathRoute(named, labels.toIndexedSeq)
  }

  /** The ways to pass or fail each condition, of which `passed` is passed. */
  private def parts(
      conditions: Seq[Expression],
      passed: Option[Expression]): Seq[Seq[(Expression, Boolean)]] =
    conditions.foldLeft(Seq(Seq.empty[(Expression, Boolean)])) { (made, condition) =>
      val outcomes =
        if (passed.exists(_.canonicalized == condition.canonicalized)) Seq(true)
        else Seq(true, false)
      for (tests <- made; outcome <- outcomes) yield tests :+ (condition -> outcome)
    }

  def wayOf(direction: EdgeDirection): Way = direction match {
    case EdgeDirection.Right => Way.Forward
    case EdgeDirection.Left => Way.Backward
    case EdgeDirection.Either => Way.Both
  }

  private def relabelled(path: RegularPath)(of: Int => RegularPath): RegularPath = path match {
    case Step(label) => of(label)
    case Sequence(parts @ _*) => Sequence(parts.map(relabelled(_)(of)): _*)
    case Choice(parts @ _*) => Choice(parts.map(relabelled(_)(of)): _*)
    case Repeat(part, times) => Repeat(relabelled(part)(of), times)
  }

  private def repeated(path: RegularPath): Option[Hops] = path match {
    case Step(_) => Some(Hops(1, 1))
    case Repeat(part, Hops(1, 1)) => repeated(part)
    case Repeat(part, times) if repeated(part).contains(Hops(1, 1)) => Some(times)
    case Sequence(part) => repeated(part)
    case Choice(part) => repeated(part)
    case _ => None
  }

  private def longest(path: RegularPath): Int = path match {
    case Step(_) => 1
    case Sequence(parts @ _*) => bounded(parts.map(longest(_).toLong).sum)
    case Choice(parts @ _*) => parts.map(longest).foldLeft(0)(Math.max)
    case Repeat(part, times) =>
      val one = longest(part)
      if (one == 0) 0
      else if (times.most == Hops.Unbounded) Hops.Unbounded
      else bounded(one.toLong * times.most)
  }

  private def bounded(length: Long): Int = Math.min(length, Hops.Unbounded.toLong).toInt

  private def acceptsEmpty(path: RegularPath): Boolean = path match {
    case Step(_) => false
    case Sequence(parts @ _*) => parts.forall(acceptsEmpty)
    case Choice(parts @ _*) => parts.exists(acceptsEmpty)
    case Repeat(part, times) => times.least == 0 || acceptsEmpty(part)
  }
}
