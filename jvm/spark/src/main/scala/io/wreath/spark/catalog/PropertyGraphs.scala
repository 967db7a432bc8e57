package io.wreath.spark.catalog

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.trees.Origin
import org.apache.spark.sql.catalyst.util.quoteIdentifier
import org.apache.spark.sql.execution.wreath.SparkInternals

import io.wreath.spark.WreathErrors
import io.wreath.spark.logical.{GraphPath, PropertyGraph}

/** Graphs by their names: those of the session first, then those of the catalog. */
private[wreath] object PropertyGraphs {

  def find(session: SparkSession, name: Seq[String]): Option[(PropertyGraph, Boolean)] = {
    val temporary = name match {
      case Seq(single) => PropertyGraphCatalog.of(session).get(single)
      case _ => None
    }
    temporary
      .map(_ -> true)
      .orElse(new StoredPropertyGraphs(session).get(name).map(_ -> false))
  }

  /** The graph, and whether it is temporary. */
  def get(session: SparkSession, name: GraphPath): (PropertyGraph, Boolean) =
    find(session, name.parts).getOrElse(throw notFound(session, name))

  def notFound(session: SparkSession, name: GraphPath): Throwable =
    WreathErrors.graphNotFound(name.origin, name.text, names(session).map(_._1))

  /** Where a table would do as well. */
  def unknown(session: SparkSession, at: Origin, name: Seq[String]): Throwable = {
    val catalog = SparkInternals.classic(session).sessionState.catalog
    val tables = catalog.listTables(catalog.getCurrentDatabase).map(_.table)
    WreathErrors.unknownGraph(
      at,
      name.map(quoteIdentifier).mkString("."),
      names(session).map(_._1) ++ tables)
  }

  /** All names in reach, and whether each is of a temporary graph. */
  def names(session: SparkSession): Seq[(String, Boolean)] =
    (PropertyGraphCatalog.of(session).names.map(_ -> true) ++
      new StoredPropertyGraphs(session).names.map(_ -> false)).sorted
}
