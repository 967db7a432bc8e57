package io.wreath.spark.index

import org.apache.spark.sql.execution.wreath.Cancellation

import io.wreath.kernel.csr._
import io.wreath.kernel.path.{EdgeCosts, Way}

/**
 * The rows of an edge relation that pass conditions on one edge alone.
 *
 * @param relation by number
 * @param rows bit r of word r / 64, in the order of the index
 */
final class EdgeFilter(val relation: Int, val rows: Array[Long]) extends Serializable {

  @transient private var left: CsrGraph = _

  /** What is left of the relation's lists; made once for each JVM. */
  private[index] def of(lists: CsrGraph): CsrGraph = synchronized {
    if (left == null) left = CsrFilter(lists, rows, Cancellation.look())
    left
  }
}

/**
 * The lists that an edge of a pattern reads. Where they are not the index's own they are copies, made once
 * for each JVM (ADR 18 says why): those of the space are kept with it, those of a query's conditions go with the query.
 *
 * @param isUndirected whether they lead both ways
 * @param filter the rows that are left, where a query's conditions drop some
 * @param sources the codes that conditions leave of one end, bit c of word c / 64; null for all
 * @param targets of the other
 */
final case class EdgeLists(
    relation: Int,
    isUndirected: Boolean,
    filter: Option[EdgeFilter],
    sources: Array[Long] = null,
    targets: Array[Long] = null) {

  @transient private var made: CsrGraph = _

  def isConfined: Boolean = sources != null || targets != null

  /** Whether they are what other queries read, too. */
  def isCommon: Boolean = filter.isEmpty && !isConfined

  /** Over the codes of the space. */
  def of(space: JoinSpace): Relation =
    if (isCommon) whole(space)
    else {
      synchronized {
        if (made == null) {
          made = ConfinedLists.of(whole(space), sources, targets, Cancellation.look())
        }
        made
      }
    }

  /**
   * What steps along the edges that are left cost.
   *
   * @param byRow the cost of each row that is left, in the order of the index: longs, or doubles
   */
  def costs(
      space: JoinSpace,
      byRow: Either[Array[Long], Array[Double]],
      way: Way,
      interrupt: Runnable): EdgeCosts = {
    val graph = filter.fold(space.graph(relation))(_.of(space.graph(relation)))
    byRow match {
      case Left(longs) => EdgeCosts.longs(graph, longs, way, interrupt)
      case Right(doubles) => EdgeCosts.doubles(graph, doubles, way, interrupt)
    }
  }

  private def whole(space: JoinSpace): CsrGraph = filter match {
    case None => if (isUndirected) space.undirected(relation) else space.graph(relation)
    case Some(filter) =>
      val left = filter.of(space.graph(relation))
      if (isUndirected) Undirected.of(left, Cancellation.look()) else left
  }
}
