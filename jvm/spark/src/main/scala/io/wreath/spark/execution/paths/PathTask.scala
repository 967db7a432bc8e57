package io.wreath.spark.execution.paths

import org.apache.spark.broadcast.Broadcast
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.execution.metric.SQLMetric
import org.apache.spark.sql.execution.wreath.Cancellation

import io.wreath.kernel.path._
import io.wreath.spark.logical.PathColumns

/**
 * What each task of a search does.
 *
 * @param columns of a row that asks
 * @param found what is told of a path
 * @param mostBytes that a search may take
 */
final private[paths] class PathTask(
    carried: Broadcast[PathGraph],
    method: PathMethod,
    columns: Seq[Attribute],
    source: Attribute,
    target: Option[Attribute],
    found: PathColumns,
    mostBytes: Long,
    sources: SQLMetric,
    rowsFound: SQLMetric)
    extends Serializable {

  private def graph: PathGraph = carried.value

  def rows(asking: Iterator[InternalRow]): Iterator[InternalRow] =
    if (asking.isEmpty) Iterator.empty
    else {
      val asks = new PathAsks(target.isDefined, isByTarget, sourcesAtOnce, graph.vertexCount)
      new PathRows(
        asking,
        new PathEnds(columns, source, target, graph),
        asks,
        finder(Cancellation.look()),
        new PathRowWriter(columns, found, graph),
        sources,
        rowsFound)
    }

  /** A search back from a target serves all sources. */
  private def isByTarget: Boolean = target.isDefined && (method match {
    case PathMethod.Routes(_, _) | PathMethod.Enumeration => true
    case _ => false
  })

  private def sourcesAtOnce: Int =
    if (method == PathMethod.NarrowBreadth) 1 else LaneSearch.Lanes

  private def finder(look: Runnable): PathFinder = {
    val isBound = target.isDefined
    def steps = graph.steps(0)
    def hops = graph.pathRoute.hops.get
    val comesBack = graph.mode != PathMode.Acyclic || !graph.pathRoute.hops.exists(_.least == 1)
    method match {
      case PathMethod.Lanes =>
        new LaneFinder(Lanes.of(new LaneSearch(steps, look), hops), comesBack)
      case PathMethod.NarrowBreadth =>
        val search = new BreadthSearch(steps, withPaths = false, look)
        new LaneFinder(Lanes.of(search, hops), comesBack)
      case PathMethod.Breadth =>
        new BreadthFinder(new BreadthSearch(steps, withPaths = true, look), hops, comesBack)
      case PathMethod.Pairs =>
        def pairs = new PairFinder(new PairSearch(steps, look), hops, graph.wantsSteps, comesBack)
        val hasRoom = PairSearch.bytes(graph.vertexCount) +
          LaneSearch.bytes(graph.vertexCount) <= mostBytes
        if (graph.wantsSteps || !hasRoom) pairs
        else {
          new PairOrLaneFinder(
            pairs,
            new LaneFinder(Lanes.of(new LaneSearch(steps, look), hops), comesBack))
        }
      case PathMethod.Cheapest =>
        val costs = graph.costs
        new CheapestFinder(
          new CheapestSearch(costs, graph.wantsSteps, look),
          costs,
          hops,
          graph.wantsSteps,
          comesBack,
          graph.vertexCount)
      case PathMethod.RouteLanes =>
        new LaneFinder(Lanes.of(new RouteLanes(graph.route, look)), comesBack = true)
      case PathMethod.Routes(count, isGroups) if isBound =>
        new ShortestFinder(ShortestRoutes(graph.route, graph.mode, count, isGroups, look))
      case PathMethod.Routes(count, isGroups) =>
        val route = if (isGroups) graph.route.reversed else graph.route
        new AllShortestFinder(
          ShortestRoutes(route, graph.mode, count, isGroups, look),
          isReversed = isGroups,
          if (isGroups) None else Some(new RouteLanes(route, look)),
          graph.vertexCount,
          look)
      case PathMethod.Enumeration =>
        new EnumerationFinder(
          new PathEnumerator(graph.route, graph.mode, look),
          Hops(0, graph.pathRoute.longest))
    }
  }
}
