package io.wreath.spark.optimizer

import org.apache.spark.sql.catalyst.optimizer._
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.{Rule, RuleExecutor}

/**
 * What Spark would have made of joins that it did not see: a pattern is one node to it until
 * [[ExtractWcoJoin]] leaves it to Spark after all, when its own rules for joins are done.
 */
private[optimizer] object SparksRules extends RuleExecutor[LogicalPlan] {

  private val MostRounds = 100

  private val rules: Seq[Rule[LogicalPlan]] =
    Seq(ReorderJoin, PushDownPredicates, ColumnPruning, CollapseProject, RemoveNoopOperators)

  override protected val batches: Seq[Batch] = Seq(
    Batch("joins", FixedPoint(MostRounds), rules: _*),
    Batch("infer filters", Once, InferFiltersFromConstraints),
    Batch("joins with inferred filters", FixedPoint(MostRounds), rules: _*))
}
