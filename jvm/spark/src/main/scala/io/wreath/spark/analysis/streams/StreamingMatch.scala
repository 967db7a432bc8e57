package io.wreath.spark.analysis.streams

import org.apache.spark.sql.catalyst.analysis.Resolver
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.trees.Origin
import org.apache.spark.sql.execution.wreath.SparkInternals
import org.apache.spark.sql.types._

import io.wreath.pattern.PatternEdge
import io.wreath.spark.WreathErrors
import io.wreath.spark.logical._
import io.wreath.spark.streaming.StreamKeys

/**
 * Makes one [[StreamingWcoJoin]] of a pattern over a stream: Spark's own stream-stream joins know no
 * deletes, keep the edges once for each edge of the pattern, and cannot be told to forget.
 *
 * {{{
 *   Project [a, b, c, diff]
 *   +- Filter where
 *      +- StreamingWcoJoin (a)->(b), (b)->(c), (a)->(c)
 *         +- Project [src, dst, …, _change_type]
 * }}}
 * WHERE and COLUMNS stay above: they say of a changed match what they would say of a match. What
 * cannot be done is refused by [[StreamRefusals]].
 */
final private[analysis] class StreamingMatch(
    m: UnresolvedGraphMatch,
    snapshot: Option[LogicalPlan],
    resolver: Resolver) {

  private val clause = m.clause

  def of(pattern: LogicalPattern): LogicalPlan = {
    val described = StreamRefusals.check(pattern)
    val elements = described.elements
    val streams = elements.collect { case e: MatchEdge if e.child.isStreaming => e }
    if (streams.map(_.child.canonicalized).distinct.size > 1) throw severalStreams()
    val stream = changesOf(streams.head)
    checkTypes(elements)
    val tables = new StaticTables(elements.filterNot(_.child.isStreaming))
    val compiled = patternOf(described, streams.head, stream, tables)
    val join = StreamingWcoJoin(
      stream,
      Seq(compiled),
      compiled.columns.map(_.newInstance()),
      streams.head.child,
      snapshot.map(rowsOf(_, stream.row.map(streams.head.output))),
      tables.plans,
      tables.tables)
    val columnOf = renaming(elements, stream, compiled, join)
    def over[E <: Expression](e: E): E = e.transform { case a: AttributeReference =>
      columnOf.getOrElse(a, throw hiddenColumn(a))
    }.asInstanceOf[E]
    val columns = pattern.columns.get.map(over)
    val where = conditionOf(pattern, described).map(over)
    val text = new StreamText(join).of(where, columns)
    val known = join.copy(patterns = Seq(compiled.copy(text = text)))
    Project(
      columns :+ join.output.last,
      where.map(Filter(_, known)).getOrElse(known))
  }

  /** All that is asked of a match but what its variables say. */
  private def conditionOf(
      pattern: LogicalPattern,
      elements: PatternElements): Option[Expression] = {
    val where = pattern.steps.reverse.collect { case PatternStep.Where(condition) => condition }
    val own = Conjunction.of(elements.modeConditions ++ elements.conditions)
    // Checkpoints know of a single edge from a vertex to itself that its ends are equal.
    val loop = if (elements.elements.size == 1) Conjunction.of(elements.equalEnds) else None
    (where ++ own ++ loop).reduceRightOption(And(_, _))
  }

  private def severalStreams(): Throwable =
    WreathErrors.unsupportedFeature(
      clause.origin,
      "a pattern over several streams, or over one in several ways",
      "Over a stream, all edges of a pattern that change come from one table.")

  /** All vertices have codes of one kind. */
  private def checkTypes(elements: Seq[MatchElement]): Unit =
    elements.flatMap(_.ends).map(_.dataType).distinct match {
      case Seq(_) =>
      case types =>
        throw WreathErrors.unsupportedFeature(
          clause.origin,
          s"vertices named by ${types.map(_.sql).mkString(" and by ")} in a pattern over a stream",
          "Cast the keys to one type, in a view or a subquery.")
    }

  private def changesOf(edge: MatchEdge): StreamingEdges = {
    val others = edge.output.filterNot(c => c == edge.source || c == edge.target)
    def named(name: String): Option[Attribute] = others.find(c => resolver(nameOf(c), name))
    val change = (named(StreamingMatch.ChangeType), named(StreamingMatch.Diff)) match {
      case (Some(_), Some(_)) =>
        throw WreathErrors.ambiguousChange(clause.origin, clause.graph)
      case (kind, diff) => kind.orElse(diff)
    }
    change.foreach { c =>
      val isKnown =
        if (resolver(nameOf(c), StreamingMatch.Diff)) StreamingMatch.isIntegral(c.dataType)
        else c.dataType == StringType
      if (!isKnown) throw WreathErrors.changeColumnType(clause.origin, nameOf(c), c.dataType)
    }
    val hidden = StreamingMatch.Hidden.flatMap(named) ++ change
    val properties = others.filterNot(hidden.contains)
    properties.find(p => !SparkInternals.hasStableBytes(p.dataType)).foreach { p =>
      throw WreathErrors.streamPropertyType(clause.origin, nameOf(p), p.dataType)
    }
    if (!StreamKeys.isSupported(edge.source.dataType)) {
      throw WreathErrors.unsupportedFeature(
        clause.origin,
        s"a stream whose vertices are named by ${edge.source.dataType.sql}",
        "Cast src and dst to an integer or a string, in a view or a subquery.")
    }
    def at(c: Attribute): Int = edge.output.indexWhere(_.exprId == c.exprId)
    val row = edge.source +: edge.target +: properties
    val (key, expiry) = (keyOf(row), expiryOf(row))
    StreamingEdges(
      at(edge.source),
      at(edge.target),
      properties.map(at),
      change.map(at),
      key,
      expiry,
      clause.stream.exists(_.emitsSnapshot),
      StreamText.ofStream(row, key, expiry))
  }

  /** What a column is called in the stream: the scans of a motif have other names for theirs. */
  private def nameOf(column: Attribute): String = MatchElement.nameInTable(column.name)

  private def keyOf(row: Seq[Attribute]): Seq[Int] =
    clause.stream.toSeq.flatMap(s => s.key.map(n => named(row, n, clause.graph, s.origin)))

  private def expiryOf(row: Seq[Attribute]): Option[(Int, Long)] = for {
    said <- clause.stream
    expiry <- said.expiry
  } yield {
    val column = named(row, expiry.column, clause.graph, said.origin)
    row(column).dataType match {
      case TimestampType | TimestampNTZType => (column, expiry.micros)
      case other => throw WreathErrors.expiryType(said.origin, nameOf(row(column)), other)
    }
  }

  /** The rows of the edges that are there before the stream begins, with the stream's columns. */
  private def rowsOf(snapshot: LogicalPlan, row: Seq[Attribute]): LogicalPlan = {
    val said = clause.stream.get
    val name = said.snapshot.get
    if (snapshot.isStreaming) {
      throw WreathErrors.unsupportedFeature(
        said.origin,
        "a stream as what another stream starts from",
        "Start from a table, or from a DataFrame that is not a stream.")
    }
    Project(
      row.map { c =>
        val own = snapshot.output(named(snapshot.output, nameOf(c), name, said.origin))
        if (!Cast.canUpCast(own.dataType, c.dataType)) {
          throw WreathErrors.snapshotType(said.origin, name, nameOf(c), own.dataType, c.dataType)
        }
        Alias(if (own.dataType == c.dataType) own else Cast(own, c.dataType), c.name)()
      },
      snapshot)
  }

  private def named(columns: Seq[Attribute], name: String, table: String, at: Origin): Int = {
    val found = columns.indexWhere(c => resolver(nameOf(c), name))
    if (found < 0) throw WreathErrors.missingColumn(
      at,
      table,
      name,
      columns.map(nameOf),
      "What is said of a stream names columns of its edges.")
    found
  }

  private def patternOf(
      described: PatternElements,
      streamed: MatchEdge,
      stream: StreamingEdges,
      tables: StaticTables): StreamingPattern = {
    val elements = described.elements
    val names = elements.flatMap(_.mark.variables).distinct
    val ends = elements.map { e =>
      PatternEdge(
        names.indexOf(e.mark.variables.head),
        names.indexOf(e.mark.variables.last),
        if (e.child.isStreaming) 0 else 1 + tables.indexOf(e))
    }
    val variables = names.map(n =>
      AttributeReference(n, streamed.source.dataType, nullable = false)())
    // Which columns are read is the optimizer's business.
    val edgeColumns = elements.map(e => propertiesOf(e, stream).map(_.newInstance()))
    val diff = AttributeReference(StreamingMatch.Diff, LongType, nullable = false)()
    val all = (variables ++ edgeColumns.flatten) :+ diff
    StreamingPattern(
      StreamingPattern.Unnamed + 0,
      ends,
      if (described.mode == MatchMode.DifferentEdges) {
        elements.indices.filter(elements(_).isInstanceOf[MatchEdge]).toSet
      } else Set.empty,
      variables,
      edgeColumns,
      comparisons = Nil,
      predicates = Nil,
      lastPredicates = Nil,
      diff,
      all,
      PatternText(Nil, Nil, Nil))
  }

  private def propertiesOf(element: MatchElement, stream: StreamingEdges): Seq[Attribute] =
    if (element.child.isStreaming) stream.properties.map(element.output)
    else StaticTables.propertiesOf(element)

  /** What each column of the joins is called from here on. */
  private def renaming(
      elements: Seq[MatchElement],
      stream: StreamingEdges,
      pattern: StreamingPattern,
      join: StreamingWcoJoin): AttributeMap[Attribute] = {
    val outside = AttributeMap(pattern.columns.zip(join.output))
    AttributeMap(elements.indices.flatMap { i =>
      val edge = pattern.edges(i)
      val ends = elements(i).ends.zip(Seq(edge.source, edge.target).map(pattern.variables))
      val properties = propertiesOf(elements(i), stream).zip(pattern.edgeColumns(i))
      (ends ++ properties).map { case (column, own) => column -> outside(own) }
    })
  }

  private def hiddenColumn(a: Attribute): Throwable =
    WreathErrors.unsupportedFeature(
      clause.origin,
      s"the column ${nameOf(a)} of an edge",
      "It tells what happens to the edge, and is gone once that has happened.")
}

private[analysis] object StreamingMatch {

  val ChangeType = "_change_type"
  val Diff = "diff"

  /** Columns of a change feed that say when an edge changed, and are no part of it. */
  private val Hidden = Seq("_commit_version", "_commit_timestamp")

  /** Whether a column says what happens to an edge, and is no part of it. */
  def saysWhatHappens(name: String, resolver: Resolver): Boolean =
    Seq(ChangeType, Diff).exists(resolver(_, name))

  /** Whether a column is no part of an edge. */
  def isHidden(name: String, resolver: Resolver): Boolean =
    saysWhatHappens(name, resolver) || Hidden.exists(resolver(_, name))

  private def isIntegral(tpe: DataType): Boolean =
    Seq(ByteType, ShortType, IntegerType, LongType).contains(tpe)
}
