package io.wreath.spark.logical

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.trees.Origin

/**
 * What was written inside `GRAPH_TABLE ( … )`, as syntax: names are not looked up yet.
 *
 * @param graph the graph's name in the user's words, for messages
 * @param paths the comma-separated path patterns
 * @param where the clause after the pattern, with names of variables unresolved
 * @param columns the items of COLUMNS; None means the id of each named vertex
 */
final case class MatchClause(
    graph: String,
    paths: Seq[PathPattern],
    where: Option[Expression],
    columns: Option[Seq[Expression]],
    origin: Origin)

/** Alternating vertices and edges: `edges(i)` stands between `vertices(i)` and `vertices(i + 1)`. */
final case class PathPattern(vertices: Seq[VertexPattern], edges: Seq[EdgePattern])

/** `(name IS label)`; both may be left out. */
final case class VertexPattern(name: Option[String], label: Option[String], origin: Origin)

/** `-[name IS label]->` or, where `leftToRight` is false, `<-[name IS label]-`. */
final case class EdgePattern(
    name: Option[String],
    label: Option[String],
    leftToRight: Boolean,
    origin: Origin)
