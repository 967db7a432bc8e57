package io.wreath.spark.analysis

import org.apache.spark.sql.catalyst.expressions.Attribute

import io.wreath.spark.logical.{MatchElement, MatchMark}

/**
 * One element of a pattern as a plan with columns of its own.
 *
 * @param properties the columns that a query may read, by the names it reads them by
 */
final private[analysis] case class ElementScan(
    plan: MatchElement,
    properties: Seq[(String, Attribute)])

/** What the vertices and edges of a pattern are read from. */
private[analysis] trait PatternSource {

  /** The `i`-th edge of the pattern; its scan has two ends, source and target. */
  def edge(i: Int, mark: MatchMark): ElementScan

  /** The `i`-th vertex of the pattern; its scan has one end. None: every id is a vertex. */
  def vertex(i: Int, mark: MatchMark): Option[ElementScan]

  /** How the parts of the `i`-th vertex's key are called, where they are several. */
  def keyParts(i: Int): Seq[String]
}
