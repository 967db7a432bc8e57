package io.wreath.spark.index

import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, NamedExpression}
import org.apache.spark.sql.execution._
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec

/**
 * A plan whose rows are the columns of a columnar plan, in some order: a scan of Parquet files or of
 * a cached table. Its batches can be read as they are, without making rows of them.
 */
object ColumnarSource {

  /** The columnar plan, and which of its columns each column is. */
  def unapply(plan: SparkPlan): Option[(SparkPlan, Seq[Int])] = plan match {
    // A cached table gives both batches and rows, and asked for rows there is no transition.
    case source if source.supportsColumnar => Some((source, source.output.indices))
    case adaptive: AdaptiveSparkPlanExec => unapply(adaptive.finalPhysicalPlan)
    case WholeStageCodegenExec(child) => unapply(child)
    case InputAdapter(child) => unapply(child)
    case ProjectExec(Columns(list), child) =>
      for {
        (source, columns) <- unapply(child)
        places = list.map(a => child.output.indexWhere(_.exprId == a.exprId))
        if places.forall(_ >= 0)
      } yield (source, places.map(columns))
    case transition: ColumnarToRowTransition => unapply(transition.child)
    case _ => None
  }

  /** Columns as they are, by their own names or others. */
  private object Columns {
    def unapply(list: Seq[NamedExpression]): Option[Seq[Attribute]] = {
      val columns = list.collect {
        case a: Attribute => a
        case Alias(a: Attribute, _) => a
      }
      if (columns.size == list.size) Some(columns) else None
    }
  }
}
