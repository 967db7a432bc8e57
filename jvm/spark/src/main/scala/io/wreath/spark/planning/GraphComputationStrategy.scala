package io.wreath.spark.planning

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.trees.Origin
import org.apache.spark.sql.execution.wreath.WreathConf
import org.apache.spark.sql.execution.{SparkPlan, SparkStrategy}
import org.apache.spark.sql.internal.SQLConf

import io.wreath.spark.WreathErrors
import io.wreath.spark.execution.GraphComputationExec
import io.wreath.spark.index.RelationPlan
import io.wreath.spark.logical.{GraphComputation, WcoJoin}

/** Plans a [[GraphComputation]] over the index that patterns over the same edges use. */
final private[wreath] case class GraphComputationStrategy(session: SparkSession)
    extends SparkStrategy {

  override def apply(plan: LogicalPlan): Seq[SparkPlan] = plan match {
    case c: GraphComputation =>
      if (!SQLConf.get.getConf(WreathConf.ENABLED)) {
        throw WreathErrors.unsupportedFeature(
          Origin(),
          s"${c.value.function} while ${WreathConf.ENABLED.key} is false",
          "Spark has nothing to run it by: set it to true.")
      }
      val (modes, indexes) = c.relations.zip(c.said).map { case (table, said) =>
        val relation = RelationPlan(table.output, table)
        relation.setTagValue(WcoJoin.TableInWords, said)
        IndexPlanner.plan(relation, table.output.size, session, planLater)
      }.unzip
      GraphComputationExec(c.value, modes, c.output, indexes) :: Nil
    case _ => Nil
  }
}
