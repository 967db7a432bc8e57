package io.wreath.spark.analysis

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

import io.wreath.spark.logical.UnresolvedGraphMatch

/**
 * Turns each GRAPH_TABLE whose edge table is known into ordinary joins, and over a stream into a
 * join of its own.
 */
private[wreath] object ResolveGraphMatch extends Rule[LogicalPlan] {

  override def apply(plan: LogicalPlan): LogicalPlan = plan.resolveOperatorsUp {
    case m: UnresolvedGraphMatch if m.childrenResolved && m.parameters.forall(_.resolved) =>
      val joins = new DesugarGraphMatch(m, conf.resolver).toJoins
      if (m.child.isStreaming) new StreamingMatch(m, conf.resolver).of(joins) else joins
  }
}
