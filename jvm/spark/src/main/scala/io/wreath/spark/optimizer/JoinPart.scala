package io.wreath.spark.optimizer

import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, AttributeMap, Expression}
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan, Project, Union}

import io.wreath.spark.index.RelationPlan
import io.wreath.spark.logical.{Conjunction, JoinGoal, JoinPattern, SparksJoins, WcoJoin}

/**
 * A table as a pattern reads it.
 *
 * @param ends the columns that name vertices
 * @param positions in the table of the columns that are read beside them, in their order
 * @param said the table in the user's words, for messages
 * @param isAsked whether the pattern was written as one
 */
final private[optimizer] case class PartRelation(
    identity: (LogicalPlan, Seq[Int]),
    table: LogicalPlan,
    ends: Seq[Attribute],
    positions: Seq[Int],
    said: String,
    isAsked: Boolean) {

  def plan: LogicalPlan = {
    val columns = ends ++ positions.map(table.output)
    val relation = underOwnNames(columns).getOrElse(RelationPlan(columns, table))
    relation.setTagValue(WcoJoin.TableInWords, said)
    relation
  }

  /**
   * A join reads columns by their places. That they had names of their own beside other elements is
   * over then, and a table that is read as it is needs no projection.
   */
  private def underOwnNames(columns: Seq[Attribute]): Option[LogicalPlan] = table match {
    case Project(list, child) =>
      val values = AttributeMap(list.collect { case a @ Alias(value: Attribute, _) =>
        a.toAttribute -> value
      })
      val read = columns.flatMap(values.get)
      val isEach = read.size == columns.size && read.map(_.exprId).distinct.size == read.size
      if (isEach) Some(RelationPlan(read, child)) else None
    case _ => None
  }
}

/**
 * All of a [[WcoJoin]], or what it is of one combination of lengths.
 *
 * @param pattern over `relations` by number
 * @param asJoins the columns that the pattern produces, by Spark's joins
 */
final private[optimizer] case class JoinPart(
    pattern: JoinPattern,
    relations: Seq[PartRelation],
    asJoins: LogicalPlan) {

  /** The same with another output, and with conditions that are asked last. */
  def returning(values: Seq[Expression], lastPredicates: Seq[Expression]): JoinPart =
    copy(pattern = pattern.copy(values = values, lastPredicates = lastPredicates))
}

private[optimizer] object JoinPart {

  /**
   * One join of all parts. A table that several of them read is one relation, with the columns that
   * any of them reads.
   */
  def join(parts: Seq[JoinPart], lengths: Seq[String], output: Seq[Attribute]): WcoJoin = {
    val relations = parts.flatMap(_.relations).groupBy(_.identity).values.toSeq.map { same =>
      same.head.copy(positions = same.flatMap(_.positions).distinct.sorted)
    }
    // In the order of first mention.
    val order = parts.flatMap(_.relations.map(_.identity)).distinct
    val ordered = order.map(identity => relations.find(_.identity == identity).get)
    WcoJoin(
      relations = ordered.map(_.plan),
      patterns = parts.map(over(_, ordered)),
      lengths = lengths,
      goal = JoinGoal.Rows,
      asJoins = new SparksJoins(asJoins(parts, output)),
      output = output,
      isAsked = ordered.exists(_.isAsked))
  }

  /** The pattern of a part over relations that have its own among them. */
  private def over(part: JoinPart, relations: Seq[PartRelation]): JoinPattern = {
    val numbers = part.relations.map(r => relations.indexWhere(_.identity == r.identity))
    part.pattern.copy(
      atoms = part.pattern.atoms.map(a => a.copy(relation = numbers(a.relation))),
      columns = part.pattern.columns.map { c =>
        val own = part.pattern.atoms(c.atom).relation
        val position = part.relations(own).positions(c.ordinal)
        c.copy(ordinal = relations(numbers(own)).positions.indexOf(position))
      })
  }

  private def asJoins(parts: Seq[JoinPart], output: Seq[Attribute]): LogicalPlan = {
    val plans = parts.zipWithIndex.map { case (part, i) =>
      val columns = part.pattern.values.zip(output).map {
        case (value: Attribute, o) if value.exprId == o.exprId => value
        // A union has the names of its first.
        case (value, o) if i == 0 => Alias(value, o.name)(exprId = o.exprId)
        case (value, o) => Alias(value, o.name)()
      }
      val filtered =
        Conjunction.of(part.pattern.lastPredicates)
          .map(Filter(_, part.asJoins))
          .getOrElse(part.asJoins)
      Project(columns, filtered)
    }
    if (plans.size == 1) plans.head else Union(plans)
  }
}
