package io.wreath.spark.execution

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}

import io.wreath.kernel.join.{JoinProgram, TechniqueChoice}
import io.wreath.spark.logical.{AtomColumn, JoinGoal}

/**
 * How one pattern of a join is matched. Decided on the driver by [[PatternPreparation]]; travels to every task,
 * where [[PatternTask]] does it.
 *
 * @param goal what is asked of the join
 * @param order the variables as they are bound, or would be where their number is known without
 * @param boundPredicates predicates that the join asks as soon as their variables are bound
 * @param lastPredicates predicates that are asked of rows that are complete
 * @param rowPredicates predicates of single edges that are asked of each parallel row once more
 * @param perRowEdges edges, by number, of which each parallel row is a row of its own
 * @param groupLevels where rows are counted or asked for by group: how many variables, bound first,
 *   are the group; None where every binding has to be gone through
 * @param values what is returned of a row, or of a group
 * @param techniques by which candidates are found and counted
 * @param isLeapfrog whether Leapfrog Triejoin is asked for
 * @param confinedTo variables whose edges read lists of those vertices only that conditions leave
 * @param counting whether variables are summed over instead: the driver's, for the input says it too, and is then
 *   over the codes that sums need
 */
final private[execution] case class PreparedPattern(
    elements: PatternElements,
    goal: JoinGoal,
    program: JoinProgram,
    order: Seq[Int],
    boundPredicates: Seq[Expression],
    lastPredicates: Seq[Expression],
    rowPredicates: Seq[Expression],
    perRowEdges: Seq[Int],
    groupLevels: Option[Int],
    values: Seq[Expression],
    techniques: TechniqueChoice,
    isLeapfrog: Boolean,
    confinedTo: Seq[Int],
    @transient counting: CountingChoice) {

  def isCount: Boolean = goal.isInstanceOf[JoinGoal.Count]

  /** By column of the output, its variable; only where all are variables. */
  @transient
  lazy val variables: Array[Int] =
    values.collect { case a: Attribute => elements.variableOf(a).get }.toArray

  /** Whether a column of the output is the variable that is bound last. */
  def isLast(column: Int): Boolean = variables(column) == program.order.variables.last

  /** Elements whose columns are returned, by number. */
  @transient
  lazy val elementsRead: Seq[Int] = values.flatMap(elements.atomsRead).distinct

  /** The place of an element among those whose columns are returned. */
  def placeOf(column: AtomColumn): Int = elementsRead.indexOf(column.atom)

  /** Whether one number is all that is asked for. */
  def isNumber: Boolean = isCount && values.isEmpty

  /** By level, how it was decided to bind or to count its variable: for EXPLAIN. */
  def techniquesByLevel: Seq[String] = groupLevels match {
    case _ if isLeapfrog => Nil
    case Some(_) if isCount => techniques.counts
    // Whether a group has any row is asked of one code after the other.
    case Some(levels) if levels > 1 => techniques.lists
    case _ => techniques.rows
  }
}
