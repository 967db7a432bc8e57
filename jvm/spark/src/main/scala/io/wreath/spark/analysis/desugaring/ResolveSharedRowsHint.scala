package io.wreath.spark.analysis.desugaring

import org.apache.spark.sql.catalyst.plans.logical.{AnalysisHelper, LogicalPlan, UnresolvedHint}
import org.apache.spark.sql.catalyst.rules.Rule

import io.wreath.spark.logical.SharedRows

/**
 * Makes [[SharedRows]] of the local relations below the hint that asks for it. `Graph` writes it around
 * a DataFrame that it hands to a statement: what Spark does on the way to the GRAPH_TABLE then
 * copies no rows either.
 */
private[wreath] object ResolveSharedRowsHint extends Rule[LogicalPlan] {

  override def apply(plan: LogicalPlan): LogicalPlan = plan.resolveOperatorsUp {
    case UnresolvedHint(name, _, child)
        if name.equalsIgnoreCase(SharedRows.Hint) && child.resolved =>
      AnalysisHelper.allowInvokingTransformsInAnalyzer(SharedRows.in(child))
  }
}
