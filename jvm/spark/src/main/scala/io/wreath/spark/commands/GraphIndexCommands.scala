package io.wreath.spark.commands

import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeReference}
import org.apache.spark.sql.catalyst.util.{quoteIdentifier, quoteIfNeeded}
import org.apache.spark.sql.execution.command.LeafRunnableCommand
import org.apache.spark.sql.execution.wreath.{SparkInternals, WreathConf}
import org.apache.spark.sql.types.{BooleanType, LongType, StringType}
import org.apache.spark.sql.{Row, SparkSession}

import io.wreath.spark.WreathErrors
import io.wreath.spark.index.{CsrIndex, CsrIndexCache, IndexedRelation, RelationFingerprint}
import io.wreath.spark.logical.{WcoJoin, WcoJoinDeclined}
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
final case class CacheGraphIndexCommand(table: Seq[String], columns: Seq[String])
    extends GraphIndexCommand {
  override def run(session: SparkSession): Seq[Row] = {
    val relation = GraphIndexCommand.relationOf(session, table, columns)
    val fingerprint = GraphIndexCommand.fingerprintOf(session, table, relation)
    val index = IndexPlanner.buildNow(relation, fingerprint, session)
    CsrIndexCache.of(session.sparkContext).pin(fingerprint)
    Seq(row(index, pinned = true))
  }
}

/** UNCACHE GRAPH INDEX: forgets the index of a table; no rows if there was none. */
final case class UncacheGraphIndexCommand(table: Seq[String]) extends GraphIndexCommand {
  override def run(session: SparkSession): Seq[Row] = {
    val relation = GraphIndexCommand.relationOf(session, table, Nil)
    val fingerprint = GraphIndexCommand.fingerprintOf(session, table, relation)
    CsrIndexCache.of(session.sparkContext).remove(fingerprint).map(row(_, pinned = false))
  }
}

private object GraphIndexCommand {

  /**
   * The relation as a MATCH over the table would index it. It goes the same road as any MATCH, so
   * that the index it names is the one that queries find.
   */
  def relationOf(
      session: SparkSession,
      table: Seq[String],
      columns: Seq[String]): IndexedRelation = {
    val name = table.map(quoteIfNeeded).mkString(".")
    val read = columns.distinct.zipWithIndex.map { case (c, i) =>
      s", x.${quoteIdentifier(c)} AS c$i"
    }
    val plan = session
      .sql(s"SELECT * FROM GRAPH_TABLE ($name MATCH (a)-[x]->(b)->(a) " +
        s"COLUMNS (a.id AS a${read.mkString}))")
      .queryExecution
      .optimizedPlan
    if (plan.isStreaming) {
      throw WreathErrors.cannotIndex(name, "a stream keeps an index of its own while it runs")
    }
    plan.collectFirst {
      case join: WcoJoin => new IndexedRelation(join.relations.head, 2)
      case declined: WcoJoinDeclined => throw WreathErrors.cannotIndex(name, declined.reason)
    }.getOrElse {
      val on = SparkInternals.classic(session).sessionState.conf.getConf(WreathConf.ENABLED)
      throw WreathErrors.cannotIndex(
        name,
        if (on) "no edges of it lead to and fro between vertices of one table"
        else "Wreath is switched off")
    }
  }

  def fingerprintOf(
      session: SparkSession,
      table: Seq[String],
      relation: IndexedRelation): RelationFingerprint =
    relation
      .fingerprint(session, mayWait = true)
      .getOrElse(
        throw WreathErrors.cannotIndex(
          table.map(quoteIfNeeded).mkString("."),
          "nothing tells whether its data has changed; cache the table first, or write it to files"))
}
