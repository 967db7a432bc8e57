package io.wreath.spark.execution

import org.apache.spark.broadcast.Broadcast
import org.apache.spark.sql.execution.wreath.Cancellation

import io.wreath.kernel.count.{Elimination, EliminationFactors}
import io.wreath.kernel.csr.{CsrGraph, Relation, Undirected}
import io.wreath.kernel.join.Domain
import io.wreath.spark.index.JoinSpace

/**
 * The lists that an edge of the pattern reads.
 *
 * @param isUndirected whether they lead both ways
 * @param filter the rows that are left, where a query's conditions drop some
 * @param byDegree whether codes are by degree, and say nothing of keys
 */
final private[execution] case class EdgeLists(
    relation: Int,
    isUndirected: Boolean,
    filter: Option[EdgeFilter],
    byDegree: Boolean = false)

/**
 * What a join reads, as every task gets it: the space of its indexes, and what a query's own
 * conditions leave of vertices and edges. Filtered lists are made once for each JVM.
 *
 * @param carried the space itself, or a broadcast of it
 * @param domains by variable
 * @param lists what each graph of the kernel's pattern is made of
 * @param elimination how matches are counted, where variables are not bound
 */
final private[execution] class JoinInput(
    carried: Either[JoinSpace, Broadcast[JoinSpace]],
    val domains: Array[Domain],
    lists: Seq[EdgeLists],
    elimination: Option[Elimination] = None)
    extends Serializable {

  def space: JoinSpace = carried.fold(identity, _.value)

  /** In the order of the kernel's relations. */
  @transient
  lazy val graphs: Array[Relation] =
    lists.map { l =>
      (if (l.byDegree) plain(l).ranked(Cancellation.look()).graph else plain(l)): Relation
    }.toArray

  private def plain(lists: EdgeLists): CsrGraph = lists.filter match {
    case None =>
      if (lists.isUndirected) space.undirected(lists.relation) else space.graph(lists.relation)
    case Some(filter) =>
      val left = filter.of(space.graph(lists.relation))
      if (lists.isUndirected) Undirected.of(left, Cancellation.look()) else left
  }

  /** What the tasks of a JVM share where matches are counted by elimination. */
  @transient
  lazy val factors: Option[EliminationFactors] =
    elimination.map(new EliminationFactors(_, graphs, domains))

  /** The same for counting so. */
  def eliminated(by: Elimination): JoinInput =
    if (!by.byDegree) new JoinInput(carried, domains, lists, Some(by))
    else
      new JoinInput(
        carried,
        domains.map(_.renamed(plain(lists.head).ranked(Cancellation.look()).rankOf)),
        lists.map(_.copy(byDegree = true)),
        Some(by))

  /** The same over codes by degree. */
  def byDegree: JoinInput = new JoinInput(carried, domains, lists.map(_.copy(byDegree = true)))

  /** The same for a pattern over some of the variables, given by number. */
  def ofVariables(variables: Seq[Int]): JoinInput =
    new JoinInput(carried, variables.map(domains(_)).toArray, lists)

  /** By relation, the bytes that lists by degree take beside those of the index. */
  def bytesByDegree: Seq[(Int, Long)] =
    lists.map { l =>
      l.relation -> (plain(l).forward.sizeInBytes + 4L * plain(l).vertexCount)
    }.distinct

  /** The relations that are read, by number. */
  def relations: Seq[Int] = lists.map(_.relation).distinct

  def isByDegree: Boolean = lists.exists(_.byDegree)

  /** Whether it is too much to travel with every task. */
  def isHeavy: Boolean =
    domains.iterator.filter(_.bits != null).map(_.bits.length).sum > JoinInput.MostWords ||
      lists.exists(_.filter.isDefined) || elimination.isDefined
}

private object JoinInput {

  /** What every task may read anew: 128 KiB, less than a broadcast of its own takes in time. */
  final private val MostWords = 1 << 14
}
