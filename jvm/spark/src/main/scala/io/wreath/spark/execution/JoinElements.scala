package io.wreath.spark.execution

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}

import io.wreath.spark.index.{CsrBroadcastMode, JoinSpace}
import io.wreath.spark.logical.{AtomColumn, JoinAtom}

/**
 * What a join is about, as tasks need to know it: its elements, variables and columns.
 *
 * @param modes how each relation is indexed
 */
final private[execution] case class JoinElements(
    atoms: Seq[JoinAtom],
    variables: Seq[Attribute],
    columns: Seq[AtomColumn],
    modes: Seq[CsrBroadcastMode]) {

  def variableOf(a: Attribute): Option[Int] =
    Some(variables.indexWhere(_.exprId == a.exprId)).filter(_ >= 0)

  def isVariable(e: Expression): Boolean = e match {
    case a: Attribute => variableOf(a).isDefined
    case _ => false
  }

  def columnOf(a: Attribute): AtomColumn = columns.find(_.column.exprId == a.exprId).get

  def relationOf(atom: Int): Int = atoms(atom).relation

  /** Where the index keeps a column: it may have others, for other queries. */
  def stored(column: AtomColumn, space: JoinSpace): Int = {
    val relation = relationOf(column.atom)
    val id = modes(relation).columns(column.ordinal).id
    space.relation(relation).rows.ordinal(id)
  }

  /** Elements, by number, whose columns an expression reads. */
  def atomsRead(e: Expression): Seq[Int] =
    columns.filter(c => e.references.contains(c.column)).map(_.atom).distinct

  /** Whether an expression reads variables, beside columns of elements. */
  def readsVariables(e: Expression): Boolean = variables.exists(e.references.contains)

  /** Variables that must be bound before an expression can be asked. */
  def variablesRead(e: Expression): IndexedSeq[Int] = {
    val direct = variables.indices.filter(v => e.references.contains(variables(v)))
    (direct ++ atomsRead(e).flatMap(atoms(_).variables)).distinct
  }
}
