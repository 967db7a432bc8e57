package io.wreath.spark.commands

import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeReference}
import org.apache.spark.sql.catalyst.util.quoteIfNeeded
import org.apache.spark.sql.execution.command.LeafRunnableCommand
import org.apache.spark.sql.types.{BooleanType, StringType}
import org.apache.spark.sql.{Row, SparkSession}

import io.wreath.spark.catalog.{PropertyGraphCatalog, PropertyGraphs, StoredPropertyGraphs}
import io.wreath.spark.logical._

/** DROP PROPERTY GRAPH: forgets the definition; its tables stay. */
final case class DropPropertyGraphCommand(name: GraphPath, ifExists: Boolean)
    extends LeafRunnableCommand {

  override def run(session: SparkSession): Seq[Row] = {
    val dropped =
      (name.parts.size == 1 && PropertyGraphCatalog.of(session).drop(name.text)) ||
        new StoredPropertyGraphs(session).drop(name.parts)
    if (!dropped && !ifExists) throw PropertyGraphs.notFound(session, name)
    Nil
  }
}

/** SHOW PROPERTY GRAPHS: those of the session and of the current schema, in the order of names. */
final case class ShowPropertyGraphsCommand() extends LeafRunnableCommand {

  override val output: Seq[Attribute] = Seq(
    AttributeReference("name", StringType, nullable = false)(),
    AttributeReference("is_temporary", BooleanType, nullable = false)())

  override def run(session: SparkSession): Seq[Row] =
    PropertyGraphs.names(session).map { case (name, isTemporary) => Row(name, isTemporary) }
}

/** DESCRIBE PROPERTY GRAPH: a row for each label of each element table. */
final case class DescribePropertyGraphCommand(name: GraphPath) extends LeafRunnableCommand {

  override val output: Seq[Attribute] =
    Seq("kind", "element", "table", "key", "source", "destination", "label", "properties")
      .map(AttributeReference(_, StringType)())

  override def run(session: SparkSession): Seq[Row] = {
    val (graph, _) = PropertyGraphs.get(session, name)
    for (element <- graph.elements; label <- element.labels) yield {
      val (kind, key, source, destination) = element match {
        case v: VertexTable => ("vertex", v.key, null, null)
        case e: EdgeTable => ("edge", e.key, end(e.source), end(e.destination))
      }
      Row(
        kind,
        element.alias.text,
        element.tableName,
        if (key.isEmpty) null else names(key),
        source,
        destination,
        label.name.text,
        properties(label.properties))
    }
  }

  private def end(e: EdgeEnd): String = s"(${names(e.columns)}) REFERENCES ${e.vertex.text}"

  private def properties(p: Properties): String = p match {
    case AllColumns(Nil) => "ALL COLUMNS"
    case AllColumns(except) => s"ALL COLUMNS EXCEPT (${names(except)})"
    case ListedProperties(Nil) => "NO PROPERTIES"
    case ListedProperties(listed) => listed.map(_.sql).mkString(", ")
  }

  private def names(columns: Seq[GraphName]): String =
    columns.map(c => quoteIfNeeded(c.text)).mkString(", ")
}
