package io.wreath.spark.analysis.streams

import scala.collection.mutable

import org.apache.spark.sql.catalyst.analysis.Resolver
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.plans.{ExistenceJoin, LeftOuter}
import org.apache.spark.sql.catalyst.trees.Origin
import org.apache.spark.sql.execution.wreath.SparkInternals
import org.apache.spark.sql.types._

import io.wreath.pattern.PatternEdge
import io.wreath.spark.WreathErrors
import io.wreath.spark.logical._
import io.wreath.spark.streaming.StreamKeys

/**
 * Takes the joins that [[DesugarGraphMatch]] wrote for a stream together again, into one
 * [[StreamingWcoJoin]]: Spark's own stream-stream joins know no deletes, keep the edges once for
 * each edge of the pattern, and cannot be told to forget.
 *
 * {{{
 *   Project [a, b, c]                      Project [a, b, c, diff]
 *   +- Filter where             becomes    +- Filter where
 *      +- joins of MatchEdges                 +- StreamingWcoJoin (a)->(b), (b)->(c), (a)->(c)
 *                                                +- Project [src, dst, …, _change_type]
 * }}}
 * WHERE and COLUMNS stay above: they say of a changed match what they would say of a match.
 */
final private[analysis] class StreamingMatch(
    m: UnresolvedGraphMatch,
    snapshot: Option[LogicalPlan],
    resolver: Resolver) {

  private val clause = m.clause

  private def isDifferentEdges: Boolean =
    clause.parts.head.mode == MatchMode.DifferentEdges

  def of(joins: LogicalPlan): LogicalPlan = joins match {
    case Project(columns, below) =>
      val (where, tree) = conditions(below)
      val elements = elementsOf(tree)
      val streams = elements.collect { case e: MatchEdge if e.child.isStreaming => e }
      if (streams.map(_.child.canonicalized).distinct.size > 1) throw severalStreams()
      val stream = changesOf(streams.head)
      checkTypes(elements)
      val tables = new StaticTables(elements.filterNot(_.child.isStreaming))
      val pattern = patternOf(elements, streams.head, stream, tables)
      val join = StreamingWcoJoin(
        stream,
        Seq(pattern),
        pattern.columns.map(_.newInstance()),
        streams.head.child,
        snapshot.map(rowsOf(_, stream.row.map(streams.head.output))),
        tables.plans,
        tables.tables)
      val columnOf = renaming(elements, stream, pattern, join)
      def over[E <: Expression](e: E): E = e.transform { case a: AttributeReference =>
        columnOf.getOrElse(a, throw hiddenColumn(a))
      }.asInstanceOf[E]
      val text = new StreamText(join).of(where.map(over), columns.map(over))
      val known = join.copy(patterns = Seq(pattern.copy(text = text)))
      val filtered = where.map(w => Filter(over(w), known)).getOrElse(known)
      Project(columns.map(over) :+ join.output.last, filtered)
    case other => throw unsupported(other)
  }

  private def conditions(plan: LogicalPlan): (Option[Expression], LogicalPlan) = plan match {
    case Filter(condition, child) =>
      val (more, tree) = conditions(child)
      (Some((condition +: more.toSeq).reduce(And(_, _))), tree)
    case other => (None, other)
  }

  /** The pattern's elements, in the order in which they are joined. */
  private def elementsOf(plan: LogicalPlan): Seq[MatchElement] = {
    val elements = leaves(plan)
    if (refusals.nonEmpty) {
      throw WreathErrors.unsupportedFeature(
        clause.origin,
        s"${refusals.map(_._1).distinct.mkString(", ")} in a pattern over a stream",
        refusals.map(_._2).distinct.mkString(" "))
    }
    elements
  }

  /** What a stream cannot do, as it is found, with what to do instead: all of it is said at once. */
  private val refusals = mutable.ArrayBuffer.empty[(String, String)]

  private def refused(
      what: String,
      wayOut: String,
      others: Seq[MatchElement] = Nil): Seq[MatchElement] = {
    refusals += ((what, wayOut))
    others
  }

  private def leaves(plan: LogicalPlan): Seq[MatchElement] = plan match {
    case Join(left, right, LeftOuter, _, _) =>
      refused("OPTIONAL MATCH", StreamingMatch.NoOtherWay, leaves(left) ++ leaves(right))
    case Join(left, _, _: ExistenceJoin, _, _) =>
      refused("EXISTS { … }", StreamingMatch.NoOtherWay, leaves(left))
    case Join(left, right, _, _, _) => leaves(left) ++ leaves(right)
    case Filter(_, child) => leaves(child)
    case edge: MatchEdge if edge.isUndirected =>
      refused("an edge without a direction", "Match over a stream of both directions.")
    case edge: MatchEdge =>
      edge.child match {
        // Spark would read the table once more for every batch.
        case u: Union if u.isStreaming && !u.children.forall(_.isStreaming) =>
          refused(
            "an edge that is of a stream or of a table",
            "Name with IS a label that leaves the one or the other.")
        case _ => Seq(edge)
      }
    case vertex: MatchVertex if !vertex.child.isStreaming => Seq(vertex)
    case _: MatchVertex => refused("a vertex without an edge", "Add an edge to the pattern.")
    case exists: MatchExists =>
      refused("EXISTS { … }", StreamingMatch.NoOtherWay, leaves(exists.children.head))
    case _: MatchLengths => refused("a quantifier", "Write the path out edge by edge.")
    case other => throw unsupported(other)
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

  private def unsupported(plan: LogicalPlan): Throwable =
    WreathErrors.unsupportedFeature(
      clause.origin,
      s"${plan.nodeName} in a pattern over a stream",
      "Over a stream, patterns are comma-separated chains of directed edges.")

  private def changesOf(edge: MatchEdge): StreamingEdges = {
    val others = edge.output.filterNot(c => c == edge.source || c == edge.target)
    def named(name: String): Option[Attribute] = others.find(c => resolver(c.name, name))
    val change = (named(StreamingMatch.ChangeType), named(StreamingMatch.Diff)) match {
      case (Some(_), Some(_)) =>
        throw WreathErrors.ambiguousChange(clause.origin, clause.graph)
      case (kind, diff) => kind.orElse(diff)
    }
    change.foreach { c =>
      val isKnown =
        if (resolver(c.name, StreamingMatch.Diff)) StreamingMatch.isIntegral(c.dataType)
        else c.dataType == StringType
      if (!isKnown) throw WreathErrors.changeColumnType(clause.origin, c.name, c.dataType)
    }
    val hidden = StreamingMatch.Hidden.flatMap(named) ++ change
    val properties = others.filterNot(hidden.contains)
    properties.find(p => !SparkInternals.hasStableBytes(p.dataType)).foreach { p =>
      throw WreathErrors.streamPropertyType(clause.origin, p.name, p.dataType)
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

  private def keyOf(row: Seq[Attribute]): Seq[Int] =
    clause.stream.toSeq.flatMap(s => s.key.map(n => named(row, n, clause.graph, s.origin)))

  private def expiryOf(row: Seq[Attribute]): Option[(Int, Long)] = for {
    said <- clause.stream
    expiry <- said.expiry
  } yield {
    val column = named(row, expiry.column, clause.graph, said.origin)
    row(column).dataType match {
      case TimestampType | TimestampNTZType => (column, expiry.micros)
      case other => throw WreathErrors.expiryType(said.origin, row(column).name, other)
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
        val own = snapshot.output(named(snapshot.output, c.name, name, said.origin))
        if (!Cast.canUpCast(own.dataType, c.dataType)) {
          throw WreathErrors.snapshotType(said.origin, name, c.name, own.dataType, c.dataType)
        }
        Alias(if (own.dataType == c.dataType) own else Cast(own, c.dataType), c.name)()
      },
      snapshot)
  }

  private def named(columns: Seq[Attribute], name: String, table: String, at: Origin): Int = {
    val found = columns.indexWhere(c => resolver(c.name, name))
    if (found < 0) throw WreathErrors.missingColumn(
      at,
      table,
      name,
      columns.map(_.name),
      "What is said of a stream names columns of its edges.")
    found
  }

  private def patternOf(
      elements: Seq[MatchElement],
      streamed: MatchEdge,
      stream: StreamingEdges,
      tables: StaticTables): StreamingPattern = {
    val names = mutable.ArrayBuffer.empty[String]
    def variable(name: String): Int = {
      val known = names.indexWhere(resolver(_, name))
      if (known < 0) names += name
      if (known < 0) names.size - 1 else known
    }
    val ends = elements.map { e =>
      PatternEdge(
        variable(e.mark.variables.head),
        variable(e.mark.variables.last),
        if (e.child.isStreaming) 0 else 1 + tables.indexOf(e))
    }
    val variables = names.toSeq.map(n =>
      AttributeReference(n, streamed.source.dataType, nullable = false)())
    // Which columns are read is the optimizer's business.
    val edgeColumns = elements.map(e => propertiesOf(e, stream).map(_.newInstance()))
    val diff = AttributeReference(StreamingMatch.Diff, LongType, nullable = false)()
    val all = (variables ++ edgeColumns.flatten) :+ diff
    StreamingPattern(
      StreamingPattern.Unnamed + 0,
      ends,
      if (isDifferentEdges) elements.indices.filter(elements(_).isInstanceOf[MatchEdge]).toSet
      else Set.empty,
      variables,
      edgeColumns,
      comparisons = Nil,
      predicates = Nil,
      late = Nil,
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
      s"the column ${a.name} of an edge",
      "It tells what happens to the edge, and is gone once that has happened.")
}

private[analysis] object StreamingMatch {

  private val NoOtherWay = "Over a stream nothing else returns the same rows yet."

  val ChangeType = "_change_type"
  val Diff = "diff"

  /** Columns of a change feed that say when an edge changed, and are no part of it. */
  private val Hidden = Seq("_commit_version", "_commit_timestamp")

  /** Whether a column says what happens to an edge, and is no part of it. */
  def saysWhatHappens(name: String, resolver: Resolver): Boolean =
    Seq(ChangeType, Diff).exists(resolver(_, name))

  private def isIntegral(tpe: DataType): Boolean =
    Seq(ByteType, ShortType, IntegerType, LongType).contains(tpe)
}
