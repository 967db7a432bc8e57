package io.wreath.spark.index

import org.apache.spark.sql.catalyst.expressions.NamedExpression
import org.apache.spark.sql.catalyst.optimizer._
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Project}
import org.apache.spark.sql.catalyst.rules.{Rule, RuleExecutor}

/**
 * The plan that reads some columns of a table and nothing else.
 *
 * It is a normal form: two queries that need the same columns of the same table get the same plan,
 * however many columns the table has beside them.
 */
object RelationPlan extends RuleExecutor[LogicalPlan] {

  def apply(columns: Seq[NamedExpression], table: LogicalPlan): LogicalPlan =
    execute(Project(columns, table))

  override protected val batches: Seq[Batch] = Seq(
    Batch(
      "prune",
      FixedPoint(MostRounds),
      Seq[Rule[LogicalPlan]](ColumnPruning, CollapseProject, RemoveNoopOperators): _*))

  /** Enough for any view; a plan that is not pruned to the end is read in full, not wrongly. */
  private def MostRounds = 100
}
