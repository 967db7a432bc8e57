package io.wreath.spark.logical

import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeSet}
import org.apache.spark.sql.catalyst.plans.logical.statsEstimation.EstimationUtils
import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan, Statistics, UnaryNode}
import org.apache.spark.sql.catalyst.trees.TreeNodeTag
import org.apache.spark.sql.catalyst.util.truncatedString

/**
 * A join of many elements at once, variable by variable: what the optimizer decided to do with a
 * pattern. Where edges of the pattern are quantified it is several, one for each combination of
 * lengths, over the same relations, and their rows are all rows.
 *
 * @param relations the edge and vertex tables, each once however many elements read it; keys come
 *   first, then the columns that are read
 * @param patterns what is matched, each for rows of its own
 * @param lengths of quantified edges, for EXPLAIN
 * @param goal what is asked of the join: its rows, or less
 * @param asJoins the same rows by Spark's joins, for when the index would not fit
 * @param isAsked whether the pattern was written as one, and not found in joins
 */
final case class WcoJoin(
    relations: Seq[LogicalPlan],
    patterns: Seq[JoinPattern],
    lengths: Seq[String],
    goal: JoinGoal,
    asJoins: SparksJoins,
    output: Seq[Attribute],
    isAsked: Boolean = true)
    extends LogicalPlan {

  override def children: Seq[LogicalPlan] = relations

  override def producedAttributes: AttributeSet =
    AttributeSet(patterns.flatMap(_.produced) ++ output)

  /** Relations are read whole, by position: column pruning leaves them alone. */
  override lazy val references: AttributeSet = AttributeSet(relations.flatMap(_.output))

  /** How many of a relation's columns are keys. */
  def keyCount(relation: Int): Int =
    patterns.flatMap(_.atoms).find(_.relation == relation).map(_.variables.size).getOrElse(0)

  /**
   * The bound of Atserias, Grohe and Marx for a relation of m rows and a pattern that is covered by
   * half-edges, m^(variables / 2): too large rather than too small, so that Spark does not
   * broadcast our result.
   */
  override lazy val stats: Statistics = {
    val rows = relations.map { r =>
      r.stats.rowCount.getOrElse(r.stats.sizeInBytes / EstimationUtils.getSizePerRow(r.output))
    }.max
    val bound = patterns.map { p =>
      math.min(math.pow(rows.toDouble.max(1), p.variables.size / 2.0), WcoJoin.MostRows)
    }.sum
    Statistics(
      sizeInBytes = BigDecimal(bound).toBigInt * EstimationUtils.getSizePerRow(output),
      rowCount = None)
  }

  override def simpleString(maxFields: Int): String = {
    val conditions = patterns.map(_ => "")
    s"WcoJoin ${WcoJoin.describe(patterns, lengths, conditions, maxFields)}${goal.text(output)}"
  }

  override protected def doCanonicalize(): LogicalPlan =
    super.doCanonicalize() match {
      case j: WcoJoin =>
        j.copy(
          patterns = patterns.map(_.canonicalized),
          lengths = Nil,
          goal = goal.canonicalized)
      case other => other
    }

  override protected def withNewChildrenInternal(
      newChildren: IndexedSeq[LogicalPlan]): WcoJoin = copy(relations = newChildren)
}

object WcoJoin {

  /** What the user calls the table that a relation is read from. */
  val TableInWords: TreeNodeTag[String] = TreeNodeTag("wreath.table")

  /**
   * Why joins that have a cycle are no pattern, for EXPLAIN. A tag and not a [[WcoJoinDeclined]]: the
   * plan of who never heard of patterns is not to change, and a rule of Spark's may stop at a node.
   */
  object Declined {
    private val tag = TreeNodeTag[String]("wreath.declined")

    /** @param plan joins, or what stands right above them */
    def set(plan: LogicalPlan, reason: String): Unit =
      top(plan).foreach(_.setTagValue(tag, reason))

    def unset(plan: LogicalPlan): Unit = top(plan).foreach(_.unsetTagValue(tag))

    def of(join: Join): Option[String] = join.getTagValue(tag)

    private val byHint = TreeNodeTag[Unit]("wreath.unwanted")

    /** A hint said so: that is remembered, for the hint itself does not outlive the rule. */
    def setByHint(plan: LogicalPlan): Unit = top(plan).foreach(_.setTagValue(byHint, ()))

    def isByHint(plan: LogicalPlan): Boolean =
      top(plan).exists(_.getTagValue(byHint).isDefined)

    private def top(plan: LogicalPlan): Option[Join] = plan.collectFirst { case j: Join => j }
  }

  /** More than any relation holds; beyond it a Double has no number for the bound. */
  private val MostRows = 1e100

  /**
   * What is matched, for EXPLAIN: the pattern, or the lengths of its quantified edges and then each of
   * the patterns that they leave.
   *
   * @param texts what is said of each pattern behind it
   */
  def describe(
      patterns: Seq[JoinPattern],
      lengths: Seq[String],
      texts: Seq[String],
      maxFields: Int): String = {
    val described = patterns.zip(texts).map { case (p, text) => s"${p.describe}$text" }
    if (lengths.isEmpty) described.mkString(" or ")
    else {
      val all = truncatedString(described, "[", " | ", "]", maxFields)
      s"${lengths.mkString(", ")} $all"
    }
  }

  /** `(a)->(b), (b)->(c)`: the edges, by the ends of each; vertices stand at their ends. */
  def describe(elements: Seq[Seq[Int]], variables: Seq[Attribute]): String =
    elements
      .collect { case Seq(source, target) =>
        s"(${variables(source).name})->(${variables(target).name})"
      }
      .mkString(", ")
}

/**
 * A plan that is kept beside a join and is not part of it: no rule sees it, and two joins that
 * differ only in it are the same.
 */
final class SparksJoins(val plan: LogicalPlan) {
  override def equals(other: Any): Boolean = other.isInstanceOf[SparksJoins]
  override def hashCode: Int = 0
  override def toString: String = "Spark's joins"
}

/**
 * Marks joins of a pattern that stay Spark's own, so that EXPLAIN can say why.
 *
 * @param isWish whether the user asked for Spark's joins, by a setting or a hint
 */
final case class WcoJoinDeclined(reason: String, isWish: Boolean, child: LogicalPlan)
    extends UnaryNode {

  override protected def stringArgs: Iterator[Any] = Iterator(reason)

  override def output: Seq[Attribute] = child.output

  override protected def withNewChildInternal(newChild: LogicalPlan): WcoJoinDeclined =
    copy(child = newChild)
}
