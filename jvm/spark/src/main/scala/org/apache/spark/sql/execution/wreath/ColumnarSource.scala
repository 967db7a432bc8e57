package org.apache.spark.sql.execution.wreath

import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.execution._

/**
 * A plan whose rows are the columns of a columnar plan, in some order: a scan of Parquet files or of
 * a cached table. Its batches can be read as they are, without making rows of them.
 */
private[wreath] object ColumnarSource {

  /** The columnar plan, and which of its columns each column is. */
  def unapply(plan: SparkPlan): Option[(SparkPlan, Seq[Int])] = plan match {
    case WholeStageCodegenExec(child) => unapply(child)
    case InputAdapter(child) => unapply(child)
    case ProjectExec(list, child) if list.forall(_.isInstanceOf[Attribute]) =>
      for {
        (source, columns) <- unapply(child)
        places = list.map(a => child.output.indexWhere(_.exprId == a.exprId))
        if places.forall(_ >= 0)
      } yield (source, places.map(columns))
    case transition: ColumnarToRowTransition =>
      val source = transition.child match {
        case InputAdapter(child) => child
        case child => child
      }
      if (source.supportsColumnar) Some((source, source.output.indices)) else None
    case _ => None
  }
}
