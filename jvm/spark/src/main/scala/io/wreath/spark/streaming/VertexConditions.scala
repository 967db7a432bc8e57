package io.wreath.spark.streaming

import java.util.Arrays

import scala.collection.mutable

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.execution.wreath.Cancellation

import io.wreath.kernel.join.Domain

/**
 * A condition on one variable, bound to its value and, where a table beside the stream is read, to the kept
 * properties of its rows after it.
 *
 * @param table the relation of the table, or 0 where only the value is read
 * @param text the condition as the pattern has it
 */
final private[streaming] case class VertexCondition(
    variable: Int,
    table: Int,
    bound: Expression,
    text: Expression)

private[streaming] object VertexCondition {

  /** Whether what was found of a vertex holds for good, and a later batch can know the condition again. */
  def isLasting(e: Expression): Boolean =
    e.deterministic && !e.exists {
      case _: UserDefinedExpression | _: PlanExpression[_] => true
      case _ => false
    }
}

/**
 * Which codes fulfil conditions, as bits that a join tests instead of asking Spark.
 *
 * Codes of a stream are given as vertices arrive, so that no condition is a range of them. But a code keeps its
 * meaning as long as a base lives: each vertex is asked once, and a batch asks its new ones alone. A condition is not
 * asked of all vertices in the first batch that has it. One that is another in each batch, because it has the time in it,
 * is never seen twice, and is asked of candidates alone.
 *
 * Thread-safety: tasks ask at the same time, and one of them does the work.
 */
final private[streaming] class VertexConditions {
  import VertexConditions._

  private val known = mutable.LinkedHashMap.empty[Expression, Known]

  /** The codes below `size` that pass; null if they are not to be asked yet. */
  def bits(condition: Expression, batch: Long, size: Int)(asked: => Int => Boolean): Array[Long] =
    synchronized {
      val key = condition.canonicalized
      val last = known.remove(key).getOrElse(new Known(batch, 0, Array.emptyLongArray))
      val next =
        if (last.since == batch || last.size >= size) last else last.extended(size, asked)
      known.put(key, next)
      while (known.size > Kept) known.remove(known.head._1)
      if (next.since == batch) null else next.bits
    }
}

private[streaming] object VertexConditions {

  /** Conditions that are remembered: more than patterns have, fewer than batches can bring. */
  private val Kept = 64

  /** @param since the batch that first had the condition */
  final private class Known(val since: Long, val size: Int, val bits: Array[Long]) {

    def extended(count: Int, accepts: Int => Boolean): Known = {
      val more = Arrays.copyOf(bits, (count + 63) >>> 6)
      val look = Cancellation.look()
      var code = size
      while (code < count) {
        if ((code & 15) == 0) look.run()
        if (accepts(code)) more(code >>> 6) |= 1L << code
        code += 1
      }
      new Known(since, count, more)
    }
  }

  /**
   * The domain of each variable, and the conditions on vertices that these do not settle.
   *
   * @param tables by relation after the stream's, their bases and what they hold
   */
  def domains(
      p: CompiledPattern,
      batch: BatchRef,
      ids: StreamIds,
      tables: Seq[(GraphBase, VersionChange)]): (Array[Domain], Seq[Expression]) = {
    val found = Array.fill(p.variables.size)(Domain.whole(ids.size))
    val open = p.onVertex.filter { c =>
      val passing = ask(c, batch, ids, tables)
      if (passing != null) found(c.variable) = narrowed(found(c.variable), passing)
      // Of a table's rows some may pass and others not: those are asked again.
      c.table == 0 && passing == null
    }
    (found, open.map(_.text))
  }

  private def ask(
      c: VertexCondition,
      batch: BatchRef,
      ids: StreamIds,
      tables: Seq[(GraphBase, VersionChange)]): Array[Long] =
    if (c.table == 0) {
      batch.base.value.conditions.bits(c.bound, batch.number, ids.size) {
        val predicate = created(c.bound)
        code => predicate.eval(InternalRow(ids.value(code)))
      }
    } else {
      val (base, table) = tables(c.table - 1)
      base.conditions.bits(c.bound, batch.number, ids.size) {
        val predicate = created(c.bound)
        val joined = new JoinedRow
        code =>
          table.after.rows.get(code, code).exists(r =>
            predicate.eval(joined(InternalRow(ids.value(code)), r.properties)))
      }
    }

  private def created(bound: Expression): BasePredicate = {
    val predicate = Predicate.create(bound)
    predicate.initialize(0)
    predicate
  }

  private def narrowed(domain: Domain, passing: Array[Long]): Domain =
    new Domain(
      domain.size,
      0,
      domain.size,
      if (domain.bits == null) passing
      else Array.tabulate((domain.size + 63) >>> 6)(z => domain.bits(z) & passing(z)))
}
