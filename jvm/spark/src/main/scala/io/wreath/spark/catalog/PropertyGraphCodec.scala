package io.wreath.spark.catalog

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.trees.Origin

import com.fasterxml.jackson.databind.node.{ArrayNode, ObjectNode}
import com.fasterxml.jackson.databind.{JsonNode, ObjectMapper}
import io.wreath.spark.logical._

/**
 * The definition of a property graph as a text that a catalog can keep. Expressions are kept in the
 * user's own words. The format has a version; a reader refuses one that it does not know.
 *
 * @param parseExpression Spark's own parser
 */
final private[catalog] class PropertyGraphCodec(parseExpression: String => Expression) {
  import PropertyGraphCodec._

  def write(graph: PropertyGraph): String = {
    val root = mapper.createObjectNode()
    root.put("version", Version)
    list(root, "vertices", graph.vertices) { (node, v) =>
      element(node, v)
      names(node, "key", v.key)
    }
    list(root, "edges", graph.edges) { (node, e) =>
      element(node, e)
      names(node, "key", e.key)
      end(node.putObject("source"), e.source)
      end(node.putObject("destination"), e.destination)
    }
    mapper.writeValueAsString(root)
  }

  private def list[T](node: ObjectNode, field: String, items: Seq[T])(
      write: (ObjectNode, T) => Unit): Unit = {
    val array = node.putArray(field)
    items.foreach(item => write(array.addObject(), item))
  }

  private def strings(array: ArrayNode, items: Seq[String]): Unit = items.foreach(array.add)

  private def names(node: ObjectNode, field: String, items: Seq[GraphName]): Unit =
    strings(node.putArray(field), items.map(_.text))

  private def element(node: ObjectNode, e: ElementTable): Unit = {
    strings(node.putArray("table"), e.table)
    node.put("alias", e.alias.text)
    list(node, "labels", e.labels) { (label, l) =>
      label.put("name", l.name.text)
      l.properties match {
        case AllColumns(except) => names(label, "except", except)
        case ListedProperties(listed) =>
          list(label, "properties", listed) { (property, p) =>
            property.put("name", p.name.text)
            property.put("sql", p.sql)
          }
      }
    }
  }

  private def end(node: ObjectNode, e: EdgeEnd): Unit = {
    names(node, "columns", e.columns)
    node.put("vertex", e.vertex.text)
    names(node, "references", e.references)
  }

  /** None: written by a version that is not known here. */
  def read(text: String): Option[PropertyGraph] = {
    val root = mapper.readTree(text)
    if (root.path("version").asInt != Version) None
    else {
      Some(
        PropertyGraph(
          items(root, "vertices").map { v =>
            VertexTable(tableOf(v), aliasOf(v), namesOf(v, "key"), labelsOf(v))
          },
          items(root, "edges").map { e =>
            EdgeTable(
              tableOf(e),
              aliasOf(e),
              namesOf(e, "key"),
              endOf(e.get("source")),
              endOf(e.get("destination")),
              labelsOf(e))
          }))
    }
  }

  private def items(node: JsonNode, field: String): Seq[JsonNode] =
    node.get(field).elements().asScala.toSeq

  private def name(text: String): GraphName = GraphName(text, Origin())

  private def namesOf(node: JsonNode, field: String): Seq[GraphName] =
    items(node, field).map(n => name(n.asText))

  private def tableOf(node: JsonNode): Seq[String] = items(node, "table").map(_.asText)

  private def aliasOf(node: JsonNode): GraphName = name(node.get("alias").asText)

  private def endOf(node: JsonNode): EdgeEnd =
    EdgeEnd(
      namesOf(node, "columns"),
      name(node.get("vertex").asText),
      namesOf(node, "references"))

  private def labelsOf(node: JsonNode): Seq[ElementLabel] = items(node, "labels").map { l =>
    val properties =
      if (l.has("except")) AllColumns(namesOf(l, "except"))
      else {
        ListedProperties(items(l, "properties").map { p =>
          val sql = p.get("sql").asText
          val expression = parseExpression(sql) match {
            case org.apache.spark.sql.catalyst.expressions.Alias(child, _) => child
            case other => other
          }
          Property(name(p.get("name").asText), expression, sql)
        })
      }
    ElementLabel(name(l.get("name").asText), properties)
  }
}

private object PropertyGraphCodec {
  private val Version = 1
  private val mapper = new ObjectMapper()
}
