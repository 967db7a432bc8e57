package io.wreath.spark.commands

import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.execution.command.{LeafRunnableCommand, ShowViewsCommand}
import org.apache.spark.sql.{Row, SparkSession}

import io.wreath.spark.catalog.StoredPropertyGraphs

/** SHOW VIEWS, without the views that are property graphs. */
final case class ViewsWithoutGraphs(show: ShowViewsCommand) extends LeafRunnableCommand {

  override val output: Seq[Attribute] = show.output

  override def run(session: SparkSession): Seq[Row] = {
    val views = show.run(session)
    val graphs = new StoredPropertyGraphs(session).among(views.collect {
      case Row(schema: String, name: String, false) => (schema, name)
    })
    views.filterNot {
      case Row(schema: String, name: String, false) => graphs.contains((schema, name))
      case _ => false
    }
  }
}
