package io.wreath.spark.logical

import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeSet, Expression}
import org.apache.spark.sql.catalyst.plans.logical.statsEstimation.EstimationUtils
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Statistics, UnaryNode}

import io.wreath.pattern.{Comparison, PatternEdge}

/**
 * A join of many edges at once, variable by variable: what the optimizer decided to do with a
 * pattern.
 *
 * @param relations the edge tables, each once however many edges of the pattern read it
 * @param keys source and target column of each relation, in turn; kept as expressions so that
 *   column pruning sees them used
 * @param edges the pattern over variables 0 until variables.length
 * @param variables the column of each variable, produced here
 * @param comparisons between variables, decided on the index's codes
 * @param predicates over [[variables]] that need the ids themselves
 * @param order variables that the user wants bound first
 * @param counted where only the number of rows is asked for: the column that holds it, in parts to
 *   be summed up. It is then the only output
 */
final case class WcoJoin(
    relations: Seq[LogicalPlan],
    keys: Seq[Attribute],
    edges: Seq[PatternEdge],
    variables: Seq[Attribute],
    comparisons: Seq[Comparison],
    predicates: Seq[Expression],
    order: Seq[Int],
    counted: Option[Attribute],
    output: Seq[Attribute])
    extends LogicalPlan {

  override def children: Seq[LogicalPlan] = relations

  override def producedAttributes: AttributeSet = AttributeSet(variables ++ counted)

  /**
   * The bound of Atserias, Grohe and Marx for a relation of m rows and a pattern that is covered by
   * half-edges, m^(variables / 2): too large rather than too small, so that Spark does not
   * broadcast our result.
   */
  override lazy val stats: Statistics = {
    val rows = relations.map { r =>
      r.stats.rowCount.getOrElse(r.stats.sizeInBytes / EstimationUtils.getSizePerRow(r.output))
    }.max
    val bound = BigDecimal(
      math.min(math.pow(rows.toDouble.max(1), variables.size / 2.0), WcoJoin.MostRows)).toBigInt
    Statistics(sizeInBytes = bound * EstimationUtils.getSizePerRow(output), rowCount = None)
  }

  override def simpleString(maxFields: Int): String =
    s"WcoJoin ${WcoJoin.describe(edges, variables)}${counted.fold("")(c => s", counted as $c")}"

  override protected def withNewChildrenInternal(
      newChildren: IndexedSeq[LogicalPlan]): WcoJoin = copy(relations = newChildren)
}

object WcoJoin {

  /** More than any relation holds; beyond it a Double has no number for the bound. */
  private val MostRows = 1e100

  /** `(a)->(b), (b)->(c)`. */
  def describe(edges: Seq[PatternEdge], variables: Seq[Attribute]): String =
    edges.map(e => s"(${variables(e.source).name})->(${variables(e.target).name})").mkString(", ")
}

/** Marks joins of a pattern that stay Spark's own, so that EXPLAIN can say why. */
final case class WcoJoinDeclined(reason: String, child: LogicalPlan) extends UnaryNode {

  override def output: Seq[Attribute] = child.output

  override protected def withNewChildInternal(newChild: LogicalPlan): WcoJoinDeclined =
    copy(child = newChild)
}
