package io.wreath.spark.analysis.graphs

import org.apache.spark.sql.catalyst.plans.logical.{AnalysisHelper, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

import io.wreath.spark.WreathErrors
import io.wreath.spark.logical._

/** Gives functions over a whole graph their columns, and checks what they are given. */
private[wreath] object ResolveGraphFunction extends Rule[LogicalPlan] {

  override def apply(plan: LogicalPlan): LogicalPlan = plan.resolveOperatorsUp {
    case f: UnresolvedGraphFunction if f.childrenResolved && f.values.forall(_.resolved) =>
      resolve(f)
  }

  private def resolve(f: UnresolvedGraphFunction): LogicalPlan = {
    if (f.tables.exists(_.isStreaming)) {
      throw WreathErrors.unsupportedFeature(
        f.origin,
        s"${f.function} over a stream",
        "Call it over a table of the edges that are there, or match a pattern.")
    }
    f.function match {
      case "GRAPH_REACHABLE" | "GRAPH_SHORTEST_PATHS" => new PathCall(f, conf.resolver).resolve()
      case _ =>
        val tables = f.tables.map { t =>
          AnalysisHelper.allowInvokingTransformsInAnalyzer(SharedRows.in(t))
        }
        val value = valueOf(f)
        val others = f.said.map(_._1).zip(tables).tail
        others.map(_._1).diff(Seq(Vertices)).headOption.foreach { name =>
          throw WreathErrors.functionArgument(
            f.origin,
            f.function,
            (if (name.isEmpty) "Only its first table stands alone."
             else s"It takes no table $name.") +
              s" A table of vertices is named: $Vertices => TABLE people.")
        }
        new GraphOfFunction(f, tables.head, others.headOption.map(_._2), conf.resolver)
          .computation(value)
    }
  }

  private def valueOf(f: UnresolvedGraphFunction): VertexValue = f.function match {
    case "GRAPH_COMPONENTS" =>
      new FunctionArguments(f, Nil, Seq(Vertices)): Unit
      VertexValue.Component
    case "GRAPH_PAGERANK" =>
      val values = new FunctionArguments(f, Seq("damping", "iterations"), Seq(Vertices))
      val damping = values.number("damping").getOrElse(0.85)
      if (!(damping >= 0.0 && damping < 1.0)) {
        values.refuse(s"damping is $damping, but must be at least 0 and below 1.")
      }
      VertexValue.Rank(damping, values.wholeNumber("iterations", 0).getOrElse(20))
  }

  private val Vertices = GraphOfFunction.Vertices
}
