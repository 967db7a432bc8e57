package io.wreath.spark.streaming

import org.apache.spark.sql.catalyst.expressions.BindReferences.bindReference
import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeSet, Expression}
import org.apache.spark.sql.catalyst.util.truncatedString

import io.wreath.kernel.delta.{DeltaProgram, MatchMode}
import io.wreath.kernel.join.{JoinTuning, TechniqueChoice}
import io.wreath.pattern.GraphPattern
import io.wreath.spark.logical.StreamingPattern

/**
 * A pattern, compiled.
 *
 * @param choices by term of the program, how it finds its candidates
 * @param properties by edge of the pattern, which of the kept properties its columns are; empty
 *   where none of the edge's columns is read
 * @param columns variables, then the edge columns that are read, then diff: what `onRows` and
 *   `result` are over
 * @param onVertex conditions on one variable that can be kept as bits of its codes; those that read a table's
 *   properties are among `onRows`, too
 * @param onVertices other conditions that the join asks as soon as their variables are bound
 * @param onRows conditions that are asked of complete rows, in this order: those that need an
 *   edge's properties, and those that may raise an error
 */
final case class CompiledPattern(
    program: DeltaProgram,
    choices: IndexedSeq[TechniqueChoice],
    variables: Seq[Attribute],
    properties: IndexedSeq[Array[Int]],
    columns: Seq[Attribute],
    onVertex: Seq[VertexCondition],
    onVertices: Seq[Expression],
    onRows: Seq[Expression],
    result: Seq[Expression]) {

  def readsRows: Boolean = properties.exists(_.nonEmpty)

  /** For EXPLAIN: of each edge that may change, what is bound from there and how. */
  def describe(maxFields: Int): String = {
    val terms = program.pattern.edges.zipWithIndex.map { case (edge, term) =>
      val order = program.order(term).variables.map(variables(_).name)
      val bound = order.zip(choices(term).rows).collect {
        case (name, technique) if technique != "seed" => s"$name by $technique"
      }
      val seed = s"(${variables(edge.source).name})->(${variables(edge.target).name})"
      (s"from $seed" +: bound).mkString(" ")
    }
    truncatedString(terms, ", ", maxFields)
  }
}

object CompiledPattern {

  /**
   * @param kept by relation, the positions, among all properties, of those that are kept in the
   *   index
   * @param technique as the setting names it
   */
  def apply(p: StreamingPattern, kept: Seq[Seq[Int]], technique: String): CompiledPattern = {
    val read = readColumns(p)
    val columns = p.variables ++
      read.zip(p.edgeColumns).flatMap { case (at, columns) => at.map(columns) } :+ p.diff
    val ofVertices = AttributeSet(p.variables)
    val (onVertices, onRows) = p.predicates.partition(_.references.subsetOf(ofVertices))
    val (onVertex, onSeveral) = onVertices.partition(e =>
      e.references.size == 1 && VertexCondition.isLasting(e))
    val pattern =
      GraphPattern(p.variables.size, p.edges.toIndexedSeq, p.comparisons.toIndexedSeq)
    val program = DeltaProgram.compile(
      pattern,
      if (p.different.isEmpty) MatchMode.Repeatable else MatchMode.DifferentEdges,
      codesAreOrdered = false,
      p.different)
    CompiledPattern(
      program,
      program.choices(JoinTuning.named(technique)),
      p.variables,
      read.zip(p.edges).map { case (at, edge) =>
        at.map(kept(edge.relation).indexOf(_)).toArray
      }.toIndexedSeq,
      columns,
      onVertex.map { e =>
        val v = p.variables.indexWhere(e.references.contains)
        VertexCondition(v, 0, bindReference(e, Seq(p.variables(v))), e)
      } ++ onTables(p, kept, onRows),
      onSeveral,
      onRows ++ p.lastPredicates,
      p.result)
  }

  /** Conditions on a vertex of a table beside the stream, which no batch changes. */
  private def onTables(
      p: StreamingPattern,
      kept: Seq[Seq[Int]],
      conditions: Seq[Expression]): Seq[VertexCondition] =
    for {
      e <- conditions if VertexCondition.isLasting(e)
      (edge, columns) <- p.edges.zip(p.edgeColumns)
      if edge.relation > 0 && edge.source == edge.target
      read = p.variables(edge.source) +: kept(edge.relation).map(columns)
      if e.references.subsetOf(AttributeSet(read))
    } yield VertexCondition(edge.source, edge.relation, bindReference(e, read), e)

  /** The positions of a relation's properties that some pattern reads: what its index has to keep. */
  def kept(patterns: Seq[StreamingPattern], relation: Int): Seq[Int] = {
    val read = for {
      p <- patterns
      (at, edge) <- readColumns(p).zip(p.edges) if edge.relation == relation
      i <- at
    } yield i
    read.distinct.sorted
  }

  /** By edge, the positions of the columns that are read. */
  private def readColumns(p: StreamingPattern): Seq[Seq[Int]] = {
    val read = AttributeSet(p.predicates ++ p.lastPredicates ++ p.result)
    p.edgeColumns.map(columns => columns.indices.filter(i => read.contains(columns(i))))
  }
}
