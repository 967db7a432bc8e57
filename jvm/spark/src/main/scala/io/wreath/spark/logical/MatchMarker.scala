package io.wreath.spark.logical

import org.apache.spark.sql.catalyst.expressions.{Attribute, NamedExpression}
import org.apache.spark.sql.types.{Metadata, MetadataBuilder}

/**
 * The mark that an edge's two end columns carry from the analyzer to the optimizer: that they come
 * from a pattern, and from which.
 *
 * It is metadata of the columns because nothing else survives Spark's rules: nodes and their tags
 * are rebuilt by push-down and join reordering, while an attribute keeps its metadata wherever it
 * goes. Joins written by hand carry no mark, and so are left alone.
 *
 * @param matchId one for each GRAPH_TABLE
 * @param isSource whether the column holds the edge's source
 * @param variable the vertex at this end, in the user's words
 * @param hints what the hints around the pattern ask for
 */
final case class MatchMarker(
    matchId: Long,
    isSource: Boolean,
    variable: String,
    hints: MatchHints) {

  def toMetadata: Metadata = {
    val mark = new MetadataBuilder()
      .putLong("match", matchId)
      .putBoolean("source", isSource)
      .putString("variable", variable)
      .putStringArray("order", hints.order.toArray)
      .putBoolean("declined", hints.declined)
      .build()
    new MetadataBuilder().putMetadata(MatchMarker.Key, mark).build()
  }
}

object MatchMarker {

  private val Key = "__wreath_match"

  def newMatchId(): Long = NamedExpression.newExprId.id

  def of(a: Attribute): Option[MatchMarker] =
    if (!a.metadata.contains(Key)) {
      None
    } else {
      val mark = a.metadata.getMetadata(Key)
      Some(
        MatchMarker(
          mark.getLong("match"),
          mark.getBoolean("source"),
          mark.getString("variable"),
          MatchHints(mark.getStringArray("order").toSeq, mark.getBoolean("declined"))))
    }
}
