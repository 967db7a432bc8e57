package io.wreath.spark.commands

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.command.ShowViewsCommand

/** SHOW VIEWS lists no property graphs; SHOW PROPERTY GRAPHS does. */
private[wreath] object HideGraphsAmongViews extends Rule[LogicalPlan] {

  override def apply(plan: LogicalPlan): LogicalPlan = plan match {
    case show: ShowViewsCommand => ViewsWithoutGraphs(show)
    case other => other
  }
}
