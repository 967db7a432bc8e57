package io.wreath.spark.analysis.streams

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.types.{LongType, TimestampType}

import io.wreath.spark.logical.{Conjunction, PatternText, StreamingWcoJoin}

/**
 * Writes down what a clause over a stream says, so that a checkpoint can tell whether it is taken up
 * by the query that wrote it. Before Spark resolves functions and types, so that the text does not
 * depend on what a version of Spark makes of them.
 */
final private[analysis] class StreamText(join: StreamingWcoJoin) {

  private val pattern = join.patterns.head

  /**
   * @param where over the output of the join
   * @param columns likewise
   */
  def of(where: Option[Expression], columns: Seq[NamedExpression]): PatternText =
    PatternText(
      pattern.edges.map { e =>
        val ends = s"${e.source}->${e.target}"
        if (e.relation == 0) ends else s"$ends in ${join.tables(e.relation - 1).name}"
      },
      where.toSeq.flatMap(Conjunction.conjuncts).map(textOf) ++
        (if (pattern.different.isEmpty) Nil else Seq("DIFFERENT EDGES")),
      columns.map {
        case Alias(e, name) => s"${textOf(e)} AS $name"
        case a: Attribute => s"${textOf(a)} AS ${a.name}"
        case e => textOf(e)
      })

  /** A condition or a column, over the output of the join. */
  def textOf(e: Expression): String = pattern.plain(join.overPattern(e.transform {
    // Its text depends on the session's time zone.
    case Literal(micros: Long, TimestampType) => Literal(micros, LongType)
  }))
}

private[analysis] object StreamText {

  /**
   * @param key positions in `row`
   * @param expiry a position in `row`, and microseconds
   */
  def ofStream(row: Seq[Attribute], key: Seq[Int], expiry: Option[(Int, Long)]): String = {
    val columns = row.map(c => s"${c.name} ${c.dataType.sql}").mkString("(", ", ", ")")
    val keyText =
      if (key.isEmpty) "" else key.map(row(_).name).mkString(" KEY (", ", ", ")")
    val expiryText = expiry.fold("") { case (column, micros) =>
      s" EXPIRING ${row(column).name} AFTER $micros MICROSECONDS"
    }
    columns + keyText + expiryText
  }
}
