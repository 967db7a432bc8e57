package io.wreath.spark.commands

import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeReference}
import org.apache.spark.sql.catalyst.util.{quoteIdentifier, quoteIfNeeded}
import org.apache.spark.sql.execution.command.LeafRunnableCommand
import org.apache.spark.sql.execution.wreath.{SparkInternals, WreathConf}
import org.apache.spark.sql.types.{BooleanType, LongType, StringType}
import org.apache.spark.sql.{Row, SparkSession}

import io.wreath.spark.WreathErrors
import io.wreath.spark.index.{CsrIndex, CsrIndexCache, IndexedRelation, RelationFingerprint}
import io.wreath.spark.logical.{TablesOfCall, WcoJoin, WcoJoinDeclined}
import io.wreath.spark.planning.IndexPlanner

/** What the commands on indexes show: a row for each index. */
sealed trait GraphIndexCommand extends LeafRunnableCommand {

  override val output: Seq[Attribute] = Seq(
    AttributeReference("id", LongType, nullable = false)(),
    AttributeReference("relation", StringType, nullable = false)(),
    AttributeReference("direction", StringType, nullable = false)(),
    AttributeReference("edges", LongType, nullable = false)(),
    AttributeReference("bytes", LongType, nullable = false)(),
    AttributeReference("build_ms", LongType, nullable = false)(),
    AttributeReference("hits", LongType, nullable = false)(),
    AttributeReference("pinned", BooleanType, nullable = false)())

  protected def row(index: CsrIndex, pinned: Boolean): Row =
    Row(
      index.id,
      index.name,
      if (index.keyCount == 2) "both" else "none",
      index.rows,
      index.bytes,
      index.buildMillis,
      index.hits,
      pinned)
}

/** SHOW GRAPH INDEXES: the one used longest ago first. */
final case class ShowGraphIndexesCommand() extends GraphIndexCommand {
  override def run(session: SparkSession): Seq[Row] =
    CsrIndexCache.of(session.sparkContext).list.map { case (index, pinned) => row(index, pinned) }
}

/**
 * CACHE GRAPH INDEX: builds the index of a table now, unless it is there, and pins it.
 *
 * @param columns that queries will read beside the keys
 */
final case class CacheGraphIndexCommand(table: IndexedTable, columns: Seq[String])
    extends GraphIndexCommand {
  override def run(session: SparkSession): Seq[Row] = {
    val relation = GraphIndexCommand.relationOf(session, table, columns)
    val fingerprint = GraphIndexCommand.fingerprintOf(session, table, relation)
    val index = IndexPlanner.buildNow(relation, fingerprint, session)
    // One that was there already, for whatever reason.
    CsrIndexCache.of(session.sparkContext).pin(fingerprint)
    Seq(row(index, pinned = true))
  }
}

/** UNCACHE GRAPH INDEX: forgets the index of a table; no rows if there was none. */
final case class UncacheGraphIndexCommand(table: IndexedTable) extends GraphIndexCommand {
  override def run(session: SparkSession): Seq[Row] = {
    val relation = GraphIndexCommand.relationOf(session, table, Nil)
    val fingerprint = GraphIndexCommand.fingerprintOf(session, table, relation)
    CsrIndexCache.of(session.sparkContext).remove(fingerprint).map(row(_, pinned = false))
  }
}

/**
 * The table whose edges are indexed.
 *
 * @param isCall whether a call made a view of a DataFrame, whose name means nothing to its user
 */
final case class IndexedTable(name: Seq[String], isCall: Boolean) {

  def sql: String = name.map(quoteIfNeeded).mkString(".")

  /** In the user's words, for messages. */
  def said: String = if (isCall) TablesOfCall.Edges else sql
}

private object GraphIndexCommand {

  /**
   * The relation as a MATCH over the table would index it. It goes the same road as any MATCH, so
   * that the index it names is the one that queries find.
   */
  def relationOf(
      session: SparkSession,
      table: IndexedTable,
      columns: Seq[String]): IndexedRelation = {
    val read = columns.distinct.zipWithIndex.map { case (c, i) =>
      s", x.${quoteIdentifier(c)} AS c$i"
    }
    val plan = session
      .sql(s"SELECT * FROM GRAPH_TABLE (${table.sql} MATCH (a)-[x]->(b)->(a) " +
        s"COLUMNS (a.id AS a${read.mkString}))")
      .queryExecution
      .optimizedPlan
    if (plan.isStreaming) {
      throw WreathErrors.cannotIndex(
        table.said,
        "a stream keeps an index of its own while it runs")
    }
    plan.collectFirst {
      case join: WcoJoin => new IndexedRelation(join.relations.head, 2)
      case declined: WcoJoinDeclined =>
        throw WreathErrors.cannotIndex(table.said, declined.reason)
    }.getOrElse {
      val on = SparkInternals.classic(session).sessionState.conf.getConf(WreathConf.ENABLED)
      throw WreathErrors.cannotIndex(
        table.said,
        if (on) "no edges of it lead to and fro between vertices of one table"
        else "Wreath is switched off")
    }
  }

  def fingerprintOf(
      session: SparkSession,
      table: IndexedTable,
      relation: IndexedRelation): RelationFingerprint =
    relation
      .fingerprint(session, mayWait = true)
      .getOrElse(
        throw WreathErrors.cannotIndex(
          table.said,
          "nothing tells whether its data has changed; cache the table first, or write it to files"))
}
