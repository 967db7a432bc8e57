package io.wreath.spark.execution.paths

import io.wreath.kernel.path._
import io.wreath.spark.logical.{PathSearch, PathSelector}

/** Which search of the kernel finds the paths, and why. */
sealed abstract private[wreath] class PathMethod(val name: String, val why: String)
    extends Serializable

private[wreath] object PathMethod {

  case object Lanes extends PathMethod("64 sources at once", "only ends and lengths are read")

  case object Breadth extends PathMethod("one source after the other", "whole paths are read")

  /** What [[Lanes]] does, where these take too much memory. */
  case object NarrowBreadth
      extends PathMethod("one source after the other", "64 at once take too much memory")

  /** From both ends, or as lanes where a source has many targets. */
  case object Pairs extends PathMethod("from both ends", "both are given")

  case object Cheapest extends PathMethod("one source after the other", "least costs first")

  case object RouteLanes
      extends PathMethod("64 sources at once through states", "only ends and lengths are read")

  /** Paths by length. */
  final case class Routes(count: Int, isGroups: Boolean)
      extends PathMethod(
        "by length",
        "several of the shortest are wanted, or not any walk is one")

  case object Enumeration extends PathMethod("depth first", "all are wanted")

  /** Either the way the paths of a search are found, or what of it cannot be done, and what can. */
  def of(search: PathSearch): Either[(String, String), (PathMethod, PathRoute)] = {
    val tables = search.edges.map(_.output)
    val plain = PathRoute.of(search.path, search.steps, tables, tellsEdges = false)
    lazy val telling = PathRoute.of(search.path, search.steps, tables, tellsEdges = true)
    val conditions = search.steps.groupBy(_.relation).values.map { steps =>
      steps.flatMap(_.condition).distinctBy(_.canonicalized).size
    }.max
    val wantsPath = search.columns.vertices.isDefined || search.columns.edges.isDefined
    search.selector match {
      case _ if conditions > PathRoute.MostConditions =>
        Left((
          s"A path whose steps read one table under more than ${PathRoute.MostConditions} conditions",
          "Put conditions that are alike into one step."))
      case selector
          if search.columns.cost.isDefined && !selector.isInstanceOf[PathSelector.Cheapest] =>
        Left(("The cost of a path that is not the cheapest", "Sum the costs of its edges."))
      case PathSelector.Cheapest(1) =>
        plain.hops match {
          case Some(Hops(0 | 1, Hops.Unbounded)) if walksSuffice(search, plain) =>
            Right((Cheapest, plain))
          case _ =>
            Left((
              "The cheapest path along more than one repeated edge, or within bounds",
              "Repeat one edge by * or +, and leave out the mode."))
        }
      case PathSelector.Cheapest(_) =>
        Left(("More than one of the cheapest paths", "Ask for ANY CHEAPEST, or for SHORTEST k."))
      case PathSelector.Shortest(1) if plain.hops.isDefined && walksSuffice(search, plain) =>
        val least = plain.hops.get.least
        if (!wantsPath)
          Right((if (search.target.isDefined && least <= 1) Pairs else Lanes, plain))
        else if (least > 1) Right((Routes(1, isGroups = false), plain))
        else Right((if (search.target.isDefined) Pairs else Breadth, plain))
      case PathSelector.Shortest(1) if search.mode == PathMode.Walk && !wantsPath =>
        Right((RouteLanes, plain))
      case PathSelector.Shortest(count) => Right((Routes(count, isGroups = false), telling))
      case PathSelector.ShortestGroups(count) => Right((Routes(count, isGroups = true), telling))
      case PathSelector.All =>
        if (search.mode == PathMode.Walk && telling.longest == Hops.Unbounded) {
          Left((
            "All walks of any length",
            "There may be no end of them: bound it, {1,5}, or ask for TRAIL, or for ANY SHORTEST."))
        } else Right((Enumeration, telling))
    }
  }

  /**
   * Whether the first of all walks is the first of those that the mode allows too, but that an acyclic one does not
   * come back: a shortest walk visits no vertex twice, unless it must.
   */
  private def walksSuffice(search: PathSearch, route: PathRoute): Boolean = {
    val least = route.hops.fold(0)(_.least)
    search.mode == PathMode.Walk || least == 0 ||
    (least == 1 && !(search.mode == PathMode.Trail && route.isUndirected))
  }

  /** What a task takes before it begins, but for what it reads. */
  def bytes(method: PathMethod, graph: PathGraph, isBound: Boolean): Long = {
    val n = graph.vertexCount
    method match {
      case Lanes => LaneSearch.bytes(n)
      case Breadth => BreadthSearch.bytes(n, withPaths = true)
      case NarrowBreadth => BreadthSearch.bytes(n, withPaths = false)
      case Pairs => PairSearch.bytes(n)
      case Cheapest => CheapestSearch.bytes(n, graph.wantsSteps) + 4L * n
      case RouteLanes => io.wreath.kernel.path.RouteLanes.bytes(graph.route)
      case Routes(count, isGroups) =>
        val reach =
          if (isBound || isGroups) 0L else io.wreath.kernel.path.RouteLanes.bytes(graph.route)
        // Walks take what they need by and by: what counts here is what is taken at once.
        reach + Math.min(
          ShortestRoutes.bytes(graph.route, graph.mode, count),
          PathEnumerator.bytes(graph.route))
      case Enumeration => PathEnumerator.bytes(graph.route)
    }
  }
}
