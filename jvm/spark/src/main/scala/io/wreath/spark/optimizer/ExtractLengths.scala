package io.wreath.spark.optimizer

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.catalyst.optimizer._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.{Rule, RuleExecutor}

import io.wreath.spark.logical.MatchLengths.{named, unionOf}
import io.wreath.spark.logical.{Conjunction, MatchElement, MatchExists, MatchLengths}

/**
 * Makes one [[io.wreath.spark.logical.WcoJoin]] of a pattern with quantified edges:
 * {{{
 *   Filter a = 1                                WcoJoin (a)->(b): 1 to 2 edges
 *   +- MatchLengths (a)->(b): 1 to 2 edges        [(a)->(b), a = 1 | (a)->(x), (x)->(b), a = 1]
 *      :- Project [a, b]               ==>      +- edges
 *      :  +- (a)->(b)
 *      +- Project [a, b]
 *         +- Join (a)->(x), (x)->(b)
 * }}}
 * What stands above is handed to each combination of lengths, and each becomes a pattern of the join.
 * Beside it in a union stay those that are none by themselves:
 *
 *  - one without an edge, or with a vertex that no edge leads to: `(a)->?(b)` where `a` is `b`;
 *  - one with a condition that only Spark can ask, such as one of Python;
 *  - those that cannot be joined, under a [[io.wreath.spark.logical.WcoJoinDeclined]] that says why.
 *
 * @param above what else is asked of its rows
 * @param extract patterns in what is left
 */
final private[optimizer] class ExtractLengths(
    pattern: MatchLengths,
    above: AboveLengths,
    extract: LogicalPlan => LogicalPlan) {

  /** @param required the columns that something above reads */
  def apply(required: AttributeSet): LogicalPlan = {
    val (own, later) =
      above.conditions.partition(c => NeverRaises(c) && !SubqueryExpression.hasSubquery(c))
    // Mostly the index answers all of them, and then each combination is built this once.
    val all = combinations(own, later, above.tests, Nil, required)
    val indexTests = above.tests.filter(test => isAnsweredByIndex(test, all))
    val others = above.tests.diff(indexTests)
    val branches =
      (if (others.isEmpty) all else combinations(own, later, indexTests, others, required))
        .filterNot(_.isEmpty)
    val output = outputOver(later, others, required)
    val plan =
      if (branches.isEmpty) LocalRelation(output)
      else if (!branches.exists(_.isMany))
        named(unionOf(branches.map(b => extract(b.plan))), output)
      else {
        val hints = pattern.collect { case e: MatchElement => e.mark.hints }
        JoinDecision.unwanted(hints) match {
          case Some(reason) =>
            named(JoinDecision.decline(together(branches.map(_.plan)), reason), output)
          case None => joined(branches, output)
        }
      }
    val filtered = Conjunction.of(later).map(Filter(_, plan)).getOrElse(plan)
    others.foldLeft(filtered) { (p, test) =>
      test.copy(left = p, right = extract(test.right)).meaning
    }
  }

  /** The columns that are read of the pattern. */
  private def outputOver(
      later: Seq[Expression],
      others: Seq[MatchExists],
      required: AttributeSet): Seq[Attribute] = {
    val read = required ++ AttributeSet(later ++ others.flatMap(_.condition))
    pattern.output.filter(read.contains)
  }

  private def combinations(
      own: Seq[Expression],
      later: Seq[Expression],
      tests: Seq[MatchExists],
      others: Seq[MatchExists],
      required: AttributeSet): Seq[Combination] = {
    val output = AttributeSet(outputOver(later, others, required))
    val places = pattern.output.indices.filter(i => output.contains(pattern.output(i)))
    pattern.children.map(child => new Combination(narrowed(child, own, tests, places), tests))
  }

  /** Whether the index can answer a test, of whatever length the edges are. */
  private def isAnsweredByIndex(test: MatchExists, all: Seq[Combination]): Boolean = {
    val built = all.filter(_.built.isDefined)
    built.nonEmpty && built.forall(_.answers(test))
  }

  /** A combination of lengths with what is asked of it, and of its columns those that are read. */
  private def narrowed(
      branch: LogicalPlan,
      conditions: Seq[Expression],
      tests: Seq[MatchExists],
      places: Seq[Int]): LogicalPlan = {
    val (list, below) = ExtractLengths.split(branch)
    val columns = AttributeMap(pattern.output.zip(list.map(ExtractLengths.valueOf)))
    def over(e: Expression): Expression =
      e.transform { case a: Attribute => columns.getOrElse(a, a) }
    val tested = tests.foldLeft(below) { (p, test) =>
      MatchExists(p, test.right, test.condition.map(over), test.isNegated)
    }
    val filtered =
      Conjunction.of(conditions.map(over)).map(Filter(_, tested)).getOrElse(tested)
    ExtractLengths.Simplify.execute(Project(places.map(list), filtered))
  }

  private def joined(branches: Seq[Combination], output: Seq[Attribute]): LogicalPlan = {
    val tried = branches.map(b => b.plan -> b.part)
    val parts = tried.collect { case (_, Some(Right(part))) => part }
    val refused = tried.collect { case (b, Some(Left(reason))) => (b, reason) }
    val isWorth = parts.exists(_.pattern.atoms.size > 1)
    val others = tried.collect {
      case (b, None) => b
      case (b, Some(Right(_))) if !isWorth => b
    }
    lazy val join =
      JoinPart.join(parts, pattern.lengths, output.map(_.newInstance()))
    val isLarge = if (isWorth) JoinDecision.tooLarge(join) else None
    val declined =
      if (isLarge.isDefined) {
        val tooLarge = tried.collect { case (b, Some(Right(_))) => b }
        Seq((tooLarge ++ refused.map(_._1), isLarge.get))
      } else {
        refused.groupMap(_._2)(_._1).toSeq.map { case (reason, same) => (same, reason) }
      }
    val pieces = (if (isWorth && isLarge.isEmpty) Seq(join) else Nil) ++
      declined.map { case (same, reason) => JoinDecision.decline(together(same), reason) } ++
      others.map(extract)
    named(unionOf(pieces), output)
  }

  /** Left to Spark, but for patterns inside the tables. */
  private def together(branches: Seq[LogicalPlan]): LogicalPlan =
    unionOf(branches.map(_.transform { case e: MatchElement => e.mapChildren(extract) }))
}

/**
 * One combination of lengths.
 *
 * @param plan with what is asked of it
 * @param tests among that
 */
final private class Combination(val plan: LogicalPlan, tests: Seq[MatchExists]) {

  private val (columns, below) = ExtractLengths.split(plan)
  private val tree = JoinTree.of(below)

  def isEmpty: Boolean = plan match {
    case r: LocalRelation => r.data.isEmpty
    case _ => false
  }

  /** Whether there is something to join: an edge alone is read. */
  def isMany: Boolean = tree.leaves.size > 1 || tree.tests.nonEmpty

  /** Its pattern, or why it cannot be joined, if it has one and nothing else. */
  lazy val built: Option[Either[String, BuiltPattern]] = {
    val elements = tree.leaves.collect { case ElementAtom(atom) => atom }
    if (elements.size < tree.leaves.size || !elements.exists(_.isEdge)) None
    else {
      val builder = new WcoJoinBuilder(elements, tree, AttributeSet(columns))
      if (builder.loose.isEmpty) Some(builder.build()) else None
    }
  }

  /** Whether the index answers one of the tests: then its pattern leaves it to nobody. */
  def answers(test: MatchExists): Boolean = built.exists(_.exists { b =>
    // Those of the pattern itself come before them.
    val own = tree.tests.takeRight(tests.size)
    val here = own(tests.indexWhere(_ eq test))
    !b.tests.exists(_ eq here)
  })

  /** As a part of a join, or why it cannot be joined; None if it is not one. */
  def part: Option[Either[String, JoinPart]] = built.flatMap {
    case Left(reason) => Some(Left(reason))
    case Right(b) if b.tests.nonEmpty || !b.left.forall(ExtractLengths.isEvaluable) => None
    case Right(b) =>
      val made = AttributeMap(b.restored.map(a => a.toAttribute -> a.child))
      def over(e: Expression): Expression =
        e.transform { case a: Attribute => made.getOrElse(a, a) }
      val values = columns.map(c => over(ExtractLengths.valueOf(c)))
      Some(Right(b.part.returning(values, b.left.map(over))))
  }
}

/**
 * What is asked of a pattern's rows as a whole.
 *
 * @param tests other patterns that have to be there or must not be
 */
final private[optimizer] case class AboveLengths(
    conditions: Seq[Expression],
    tests: Seq[MatchExists])

private[optimizer] object ExtractLengths extends PredicateHelper {

  /** A pattern with quantified edges, and what filters and tests stand above it. */
  def unapply(plan: LogicalPlan): Option[(MatchLengths, AboveLengths)] = plan match {
    case pattern: MatchLengths => Some((pattern, AboveLengths(Nil, Nil)))
    case Filter(condition, ExtractLengths(pattern, above)) if condition.deterministic =>
      val conditions = above.conditions ++ ElementAtom.conjuncts(condition)
      Some((pattern, above.copy(conditions = conditions)))
    case test @ MatchExists(ExtractLengths(pattern, above), _, _, _) =>
      Some((pattern, above.copy(tests = above.tests :+ test)))
    case Project(list, ExtractLengths(pattern, above))
        if list.forall(_.isInstanceOf[Attribute]) =>
      Some((pattern, above))
    case _ => None
  }

  private[optimizer] def split(branch: LogicalPlan): (Seq[NamedExpression], LogicalPlan) =
    branch match {
      case Project(list, child) => (list, child)
      case other => (other.output, other)
    }

  private[optimizer] def valueOf(column: NamedExpression): Expression = column match {
    case Alias(value, _) => value
    case other => other
  }

  /** Whether a task can ask a condition, once all others hold. */
  private[optimizer] def isEvaluable(condition: Expression): Boolean =
    condition.deterministic && !SubqueryExpression.hasSubquery(condition) &&
      canEvaluateWithinJoin(condition)

  /** What Spark would make of conditions that it knew from the beginning. */
  private object Simplify extends RuleExecutor[LogicalPlan] {
    override protected val batches: Seq[Batch] = Seq(
      Batch(
        "simplify",
        FixedPoint(MostRounds),
        Seq[Rule[LogicalPlan]](
          PushDownPredicates,
          CollapseProject,
          NullPropagation,
          ConstantFolding,
          SimplifyExtractValueOps,
          PushFoldableIntoBranches,
          SimplifyConditionals,
          BooleanSimplification,
          PruneFilters,
          PropagateEmptyRelation): _*))

    private def MostRounds = 100
  }
}
