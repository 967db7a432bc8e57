package io.wreath.spark.execution

import java.util.stream.IntStream

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.execution.wreath.Cancellation

import io.wreath.kernel.join.Domain
import io.wreath.spark.index.keys.VertexKeys

/**
 * What conditions on single vertices leave of each variable's codes.
 *
 * {{{
 *   a.id = 42, a.id < 100     a range: codes keep the order of ids
 *   a.id IN (…)               a range and the bits of the codes that are named
 *   a IS Person               the bits of the vertices that are in the vertex table
 *   a.age > 30, a.id % 2 = 0  asked of each vertex that is left, once for the whole query
 * }}}
 * Runs on the driver, so that the order of the join is chosen with what is left.
 */
final private[execution] class VariableDomains(elements: PatternElements) {

  /** @return the domain of each variable, and the predicates that are not settled by them */
  def of(predicates: Seq[Expression]): (Array[Domain], Seq[Expression]) = {
    val (single, others) = predicates.partition { p =>
      elements.variablesRead(p).size == 1 && elements.atomsRead(
        p).forall(elements.atoms(_).isVertex)
    }
    val byVariable = single.groupBy(elements.variablesRead(_).head)
    val domains = elements.variables.indices.map(v => domain(v, byVariable.getOrElse(v, Nil)))
    (domains.toArray, others)
  }

  private def domain(v: Int, predicates: Seq[Expression]): Domain = {
    val attribute = elements.variables(v)
    val keys = elements.space.keys(attribute.dataType)
    var from = 0
    var until = keys.size
    val vertexPredicates = predicates.filter { p =>
      VariableDomains.range(p, attribute, keys) match {
        case Some((low, high, isExact)) =>
          from = math.max(from, low)
          until = math.min(until, high)
          !isExact
        case None => true
      }
    }
    until = math.max(from, until)
    val tables = elements.atoms.collect {
      case a if a.isVertex && a.variables.head == v => a.relation
    }.distinct
    // Foreign keys mostly hold, and then there is nothing to look up.
    val bits =
      if (tables.forall(elements.space.hasAllVertices) && vertexPredicates.isEmpty) null
      else ask(v, keys.size, from, until, tables.map(elements.space.vertexRows), vertexPredicates)
    new Domain(keys.size, from, until, bits)
  }

  /** The codes in the range that are in all vertex tables and pass all predicates. */
  private def ask(
      v: Int,
      size: Int,
      from: Int,
      until: Int,
      present: Seq[Array[Int]],
      predicates: Seq[Expression]): Array[Long] = {
    val bits = new Array[Long]((size + 63) >>> 6)
    // Whole words, so that no two threads write to one.
    val words = if (from >= until) 0 to -1 else (from >>> 6) to ((until - 1) >>> 6)
    val cores = Runtime.getRuntime.availableProcessors
    val pieces = if (words.size < VariableDomains.WordsWorthAThread) 1 else cores
    val vertexPredicates =
      Seq.fill(pieces)(predicates.map(new ElementPredicate(_, elements, 0)))
    val look = Cancellation.look()
    IntStream.range(0, pieces).parallel().forEach { piece =>
      val binding = new Array[Int](elements.variables.size)
      var z = words.start + (words.size.toLong * piece / pieces).toInt
      val end = words.start + (words.size.toLong * (piece + 1) / pieces).toInt
      while (z < end) {
        var code = math.max(from, z << 6)
        val last = math.min(until, (z + 1) << 6)
        while (code < last) {
          // Often, as a condition may be of any kind.
          if ((code & 15) == 0) look.run()
          binding(v) = code
          if (present.forall(_(code) >= 0) && vertexPredicates(piece).forall(
              _.accepts(binding))) {
            bits(z) |= 1L << code
          }
          code += 1
        }
        z += 1
      }
    }
    bits
  }
}

private[execution] object VariableDomains {

  /** Some ten thousand predicates: below that, threads cost more than they save. */
  private val WordsWorthAThread = 256

  /**
   * The codes from the first until the second are all that fulfil a condition on a key, if that can
   * be said; whether all of them do is the third.
   */
  def range(
      condition: Expression,
      key: Attribute,
      keys: VertexKeys): Option[(Int, Int, Boolean)] = {
    def at(value: Any): Int = keys.lowerBound(value)
    def after(value: Any): Int = at(value) + (if (keys.find(value) >= 0) 1 else 0)
    def exactly(low: Int, high: Int): Option[(Int, Int, Boolean)] = Some((low, high, true))
    condition match {
      case EqualTo(Key(`key`), Constant(x)) => exactly(at(x), after(x))
      case EqualTo(Constant(x), Key(`key`)) => exactly(at(x), after(x))
      case LessThan(Key(`key`), Constant(x)) => exactly(0, at(x))
      case GreaterThan(Constant(x), Key(`key`)) => exactly(0, at(x))
      case LessThanOrEqual(Key(`key`), Constant(x)) => exactly(0, after(x))
      case GreaterThanOrEqual(Constant(x), Key(`key`)) => exactly(0, after(x))
      case GreaterThan(Key(`key`), Constant(x)) => exactly(after(x), keys.size)
      case LessThan(Constant(x), Key(`key`)) => exactly(after(x), keys.size)
      case GreaterThanOrEqual(Key(`key`), Constant(x)) => exactly(at(x), keys.size)
      case LessThanOrEqual(Constant(x), Key(`key`)) => exactly(at(x), keys.size)
      case In(Key(`key`), list) if list.forall(Constant.unapply(_).isDefined) =>
        enclosing(list.flatMap(Constant.unapply), keys)
      case InSet(Key(`key`), values) => enclosing(values.filter(_ != null).toSeq, keys)
      case _ => None
    }
  }

  private def enclosing(values: Seq[Any], keys: VertexKeys): Option[(Int, Int, Boolean)] = {
    val found = values.map(keys.find).filter(_ >= 0)
    if (found.isEmpty) Some((0, 0, true)) else Some((found.min, found.max + 1, false))
  }

  /** A column by itself, compared by its identity alone. */
  private object Key {
    def unapply(e: Expression): Option[Attribute] = e match {
      case a: AttributeReference => Some(a)
      case _ => None
    }
  }

  private object Constant {
    def unapply(e: Expression): Option[Any] = e match {
      case Literal(value, _) if value != null => Some(value)
      case _ => None
    }
  }
}
