package io.wreath.spark.execution

import org.apache.spark.broadcast.Broadcast

import io.wreath.kernel.csr.{CsrFilter, CsrGraph}
import io.wreath.kernel.join.Domain
import io.wreath.spark.index.JoinSpace

/**
 * What a join reads, as every task gets it: the space of its indexes, and what a query's own
 * conditions leave of vertices and edges. Filtered lists are made once for each JVM.
 *
 * @param carried the space itself, or a broadcast of it
 * @param domains by variable
 * @param lists the relation of each graph of the kernel's pattern, and how it is filtered, if so
 */
final private[execution] class JoinInput(
    carried: Either[JoinSpace, Broadcast[JoinSpace]],
    val domains: Array[Domain],
    lists: Seq[(Int, Option[EdgeFilter])])
    extends Serializable {

  def space: JoinSpace = carried.fold(identity, _.value)

  /** In the order of the kernel's relations. */
  @transient
  lazy val graphs: Array[CsrGraph] = lists.map {
    case (relation, None) => space.graph(relation)
    case (relation, Some(filter)) => CsrFilter(space.graph(relation), filter.rows)
  }.toArray

  /** Whether it is too much to travel with every task. */
  def isHeavy: Boolean = domains.exists(_.bits != null) || lists.exists(_._2.isDefined)
}
