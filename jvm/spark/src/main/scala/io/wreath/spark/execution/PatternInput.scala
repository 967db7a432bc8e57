package io.wreath.spark.execution

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.execution.wreath.Cancellation

import io.wreath.kernel.count.{Elimination, EliminationFactors}
import io.wreath.kernel.csr.Relation
import io.wreath.kernel.join.Domain
import io.wreath.spark.index.EdgeLists

/**
 * What a pattern reads: lists of its edges, and what a query's conditions leave of its vertices. Made on
 * the driver; travels to every task, or once to every JVM where it is heavy. Lists that are not the index's own are made
 * once for each JVM.
 *
 * @param domains by variable
 * @param lists what each graph of the kernel's pattern is made of
 * @param isByDegree whether codes are by degree, and say nothing of keys
 * @param elimination how matches are counted, where variables are not bound
 * @param conditions that are asked while that is done
 */
final private[execution] class PatternInput(
    elements: PatternElements,
    val domains: Array[Domain],
    lists: Seq[EdgeLists],
    val isByDegree: Boolean = false,
    val elimination: Option[Elimination] = None,
    conditions: Seq[Expression] = Nil)
    extends Serializable {

  /** In the order of the kernel's relations. */
  @transient
  lazy val graphs: Array[Relation] = lists.map { l =>
    val stored = l.of(elements.space)
    if (isByDegree) stored.ranked(Cancellation.look()).graph else stored
  }.toArray

  /** What the tasks of a JVM share where matches are counted by elimination. */
  @transient
  lazy val factors: Option[EliminationFactors] =
    elimination.map { e =>
      val tests = conditions.map(c =>
        () => new ElementTest(c, elements, domains, storedCodes.orNull))
      new EliminationFactors(e, graphs, domains, tests, Cancellation.look())
    }

  /** By code, the one that the index has in its place, if they differ. */
  @transient
  lazy val storedCodes: Option[Array[Int]] =
    if (!isByDegree) None
    else {
      val ranks = rankOf
      val codes = new Array[Int](ranks.length)
      ranks.indices.foreach(v => codes(ranks(v)) = v)
      Some(codes)
    }

  /** The same for counting so. */
  def eliminated(by: Elimination): PatternInput = {
    val left =
      if (by.byDegree) domains.map(_.renamed(rankOf))
      else domains
    new PatternInput(elements, left, lists, by.byDegree, Some(by), conditions)
  }

  private def rankOf: Array[Int] =
    lists.head.of(elements.space).ranked(Cancellation.look()).rankOf

  /** The same over codes by degree. */
  def byDegree: PatternInput = new PatternInput(elements, domains, lists, isByDegree = true)

  /** By relation, the bytes that lists by degree take beside those of the index. */
  def bytesByDegree: Seq[(Int, Long)] =
    lists.map { l =>
      val stored = l.of(elements.space)
      l.relation -> 4L * (2L * stored.forward.vertexCount + 1 + stored.edgeCount)
    }.distinct

  /** The relations that are read, by number. */
  def relations: Seq[Int] = lists.map(_.relation).distinct

  /** The same over other codes of some variables. */
  def within(left: Array[Domain]): PatternInput =
    new PatternInput(elements, left, lists, isByDegree, elimination, conditions)

  /** Whether it is what the index has, in ranges of codes: what another query reads too. */
  def isCommon: Boolean =
    elimination.isEmpty && lists.forall(_.isCommon) && domains.forall(_.bits == null)

  /** Whether it is too much to travel with every task. */
  def isHeavy: Boolean =
    domains.iterator.filter(_.bits != null).map(_.bits.length).sum > PatternInput.MostWords ||
      !lists.forall(_.isCommon) || elimination.isDefined
}

private object PatternInput {

  /** What every task may read anew: 128 KiB, less than a broadcast of its own takes in time. */
  final private val MostWords = 1 << 14
}
