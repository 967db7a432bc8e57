package io.wreath.spark.execution

import org.apache.spark.broadcast.Broadcast
import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}

import io.wreath.kernel.csr.Relation
import io.wreath.spark.index.{CsrBroadcastMode, CsrRelation, JoinSpace}
import io.wreath.spark.logical.{AtomColumn, JoinAtom}

/**
 * What a pattern is about, and where its elements are indexed. Made on the driver; travels to every task.
 *
 * @param modes how each relation is indexed
 * @param carried the space of the join's indexes, or a broadcast of it
 */
final private[execution] class PatternElements(
    val atoms: Seq[JoinAtom],
    val variables: Seq[Attribute],
    val columns: Seq[AtomColumn],
    modes: Seq[CsrBroadcastMode],
    carried: Either[JoinSpace, Broadcast[JoinSpace]])
    extends Serializable {

  def space: JoinSpace = carried.fold(identity, _.value)

  def variableOf(a: Attribute): Option[Int] =
    Some(variables.indexWhere(_.exprId == a.exprId)).filter(_ >= 0)

  def isVariable(e: Expression): Boolean = e match {
    case a: Attribute => variableOf(a).isDefined
    case _ => false
  }

  def columnOf(a: Attribute): AtomColumn = columns.find(_.column.exprId == a.exprId).get

  def relationOf(atom: Int): Int = atoms(atom).relation

  /** The index of the table that an element is a row of. */
  def index(atom: Int): CsrRelation = space.relation(relationOf(atom))

  /** The lists of an edge's table, as the table has them. */
  def graph(atom: Int): Relation = space.graph(relationOf(atom))

  /** The lists that an edge reads, before any filter. */
  def lists(atom: Int): Relation =
    if (atoms(atom).isUndirected) space.undirected(relationOf(atom)) else graph(atom)

  /** Where the index keeps a column: it may have others, for other queries. */
  def stored(column: AtomColumn): Int = {
    val id = modes(relationOf(column.atom)).columns(column.ordinal).id
    index(column.atom).rows.ordinal(id)
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
