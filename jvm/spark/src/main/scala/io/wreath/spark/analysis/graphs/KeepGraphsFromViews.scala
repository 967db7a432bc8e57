package io.wreath.spark.analysis.graphs

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.TableIdentifier
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, View}
import org.apache.spark.sql.catalyst.trees.TreePattern.PLAN_EXPRESSION
import org.apache.spark.sql.execution.command._

import io.wreath.spark.WreathErrors
import io.wreath.spark.catalog.StoredPropertyGraphs

/**
 * Refuses to treat a stored property graph as the view that the catalog keeps it as: to select from
 * it, and to change, replace or drop it by the statements for views.
 */
final private[wreath] case class KeepGraphsFromViews(session: SparkSession)
    extends (LogicalPlan => Unit) {

  override def apply(plan: LogicalPlan): Unit = {
    // Every query of the session comes by, and to look for subqueries goes through all local rows.
    if (plan.containsPattern(PLAN_EXPRESSION)) plan.foreachWithSubqueries(refuseToRead(plan, _))
    else plan.foreach(refuseToRead(plan, _))
    plan match {
      case c: DropTableCommand => refuse(plan, c.tableName, "Drop it with DROP PROPERTY GRAPH")
      case c: AlterViewAsCommand => refuseToAlter(plan, c.name)
      case c: AlterTableRenameCommand => refuseToAlter(plan, c.oldName)
      case c: AlterTableSetPropertiesCommand => refuseToAlter(plan, c.tableName)
      case c: AlterTableUnsetPropertiesCommand => refuseToAlter(plan, c.tableName)
      case c: AlterViewSchemaBindingCommand => refuseToAlter(plan, c.name)
      case c: CreateViewCommand if c.replace && !StoredPropertyGraphs.isGraph(c) =>
        refuse(plan, c.name, "Replace it with CREATE OR REPLACE PROPERTY GRAPH")
      case c: DescribeTableCommand => refuseToShow(plan, c.table)
      case c: ShowCreateTableCommand => refuseToShow(plan, c.table)
      case _ =>
    }
  }

  private def refuseToRead(query: LogicalPlan, node: LogicalPlan): Unit = node match {
    case view: View if !view.isTempView && StoredPropertyGraphs.isGraph(view.desc) =>
      val name = view.desc.identifier.table
      throw WreathErrors.graphIsNoView(
        query.origin,
        name,
        s"Match over it with GRAPH_TABLE ($name MATCH …)")
    case _ =>
  }

  private def refuseToAlter(command: LogicalPlan, name: TableIdentifier): Unit =
    refuse(
      command,
      name,
      "Change it with ALTER PROPERTY GRAPH, or CREATE OR REPLACE PROPERTY GRAPH")

  private def refuseToShow(command: LogicalPlan, name: TableIdentifier): Unit =
    refuse(command, name, "See it with DESCRIBE PROPERTY GRAPH")

  private def refuse(command: LogicalPlan, name: TableIdentifier, wayOut: String): Unit =
    if (new StoredPropertyGraphs(session).has(name.nameParts)) {
      throw WreathErrors.graphIsNoView(command.origin, name.table, wayOut)
    }
}
