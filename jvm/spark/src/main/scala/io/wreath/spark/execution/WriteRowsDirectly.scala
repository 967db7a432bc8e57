package io.wreath.spark.execution

import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.{CodegenSupport, ColumnarRule, SparkPlan}

/**
 * Keeps a join out of generated code where nothing stands above it that would be fused with it: a
 * sink, an exchange, the driver. There a generated stage hands on each row through a list of its own,
 * which takes longer than to write the row ([[RunRows]]).
 *
 * Spark calls such rules just before it looks for stages to generate, with AQE and without.
 */
private[wreath] object WriteRowsDirectly extends ColumnarRule {

  override def preColumnarTransitions: Rule[SparkPlan] = visit(_, isFused = false)

  private def visit(plan: SparkPlan, isFused: Boolean): SparkPlan = {
    val here = plan match {
      case j: BroadcastWcoJoinExec if !isFused && j.rowsAreOfFixedWidth => j.copy(isDirect = true)
      case other => other
    }
    here.mapChildren(visit(_, fuses(here)))
  }

  private def fuses(plan: SparkPlan): Boolean = plan match {
    case p: CodegenSupport => p.supportCodegen
    case _ => false
  }
}
