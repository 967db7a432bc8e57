package io.wreath.spark.logical

import org.apache.spark.sql.catalyst.expressions.{Attribute, ExprId}

/** What is asked of a [[WcoJoin]]. */
sealed trait JoinGoal {

  /** Columns that are made for the goal. */
  def produced: Seq[Attribute]

  /** Equal for goals that differ in names alone. */
  def canonicalized: JoinGoal = this

  /** For EXPLAIN, behind the pattern; `output` is that of the join. */
  def text(output: Seq[Attribute]): String
}

object JoinGoal {

  /** All of its rows. */
  case object Rows extends JoinGoal {
    override def produced: Seq[Attribute] = Nil
    override def text(output: Seq[Attribute]): String = ""
  }

  /**
   * How many rows there are for each binding of the other outputs, in parts that are to be summed up;
   * of bindings without a row nothing is said.
   */
  final case class Count(rows: Attribute) extends JoinGoal {
    override def produced: Seq[Attribute] = Seq(rows)
    override def canonicalized: JoinGoal =
      Count(rows.withExprId(ExprId(0)).canonicalized.asInstanceOf[Attribute])
    override def text(output: Seq[Attribute]): String = {
      val groups = output.filter(_.exprId != rows.exprId).map(_.name)
      if (groups.isEmpty) ", counted" else groups.mkString(", counted by ", ", ", "")
    }
  }

  /** Which bindings of the output have any row: each once or more often. */
  case object Exists extends JoinGoal {
    override def produced: Seq[Attribute] = Nil
    override def text(output: Seq[Attribute]): String =
      output.map(_.name).mkString(", any row by ", ", ", "")
  }
}
