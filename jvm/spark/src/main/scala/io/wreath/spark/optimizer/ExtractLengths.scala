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
    val (indexTests, others) = above.tests.partition(isAnsweredByIndex)
    val read = required ++ AttributeSet(later ++ others.flatMap(_.condition))
    val places = pattern.output.indices.filter(i => read.contains(pattern.output(i)))
    val output = places.map(pattern.output)
    val branches = pattern.children.map(narrowed(_, own, indexTests, places)).filterNot(isEmpty)
    val plan =
      if (branches.isEmpty) LocalRelation(output)
      else if (!branches.exists(isMany)) named(unionOf(branches.map(extract)), output)
      else {
        val hints = pattern.collect { case e: MatchElement => e.mark.hints }
        JoinDecision.unwanted(hints) match {
          case Some(reason) => named(JoinDecision.decline(together(branches), reason), output)
          case None => joined(branches, output)
        }
      }
    val filtered = Conjunction.of(later).map(Filter(_, plan)).getOrElse(plan)
    others.foldLeft(filtered) { (p, test) =>
      test.copy(left = p, right = extract(test.right)).meaning
    }
  }

  /** Whether the index can answer a test, of whatever length the edges are. */
  private def isAnsweredByIndex(test: MatchExists): Boolean = {
    val tried = pattern.children
      .map(narrowed(_, Nil, Seq(test), pattern.output.indices))
      .flatMap(patternOf(_)._2)
    tried.nonEmpty && tried.forall(_.exists(_.tests.isEmpty))
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

  private def isEmpty(branch: LogicalPlan): Boolean = branch match {
    case r: LocalRelation => r.data.isEmpty
    case _ => false
  }

  /** Whether there is something to join: an edge alone is read. */
  private def isMany(branch: LogicalPlan): Boolean = {
    val tree = JoinTree.of(ExtractLengths.split(branch)._2)
    tree.leaves.size > 1 || tree.tests.nonEmpty
  }

  private def joined(branches: Seq[LogicalPlan], output: Seq[Attribute]): LogicalPlan = {
    val tried = branches.map(b => b -> partOf(b))
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

  /** One combination of lengths as a part, or why it cannot be joined; None if it is not one. */
  private def partOf(branch: LogicalPlan): Option[Either[String, JoinPart]] = {
    val (list, built) = patternOf(branch)
    built.flatMap {
      case Left(reason) => Some(Left(reason))
      case Right(b) if b.tests.nonEmpty || !b.left.forall(ExtractLengths.isEvaluable) => None
      case Right(b) =>
        val made = AttributeMap(b.restored.map(a => a.toAttribute -> a.child))
        def over(e: Expression): Expression =
          e.transform { case a: Attribute => made.getOrElse(a, a) }
        val values = list.map(c => over(ExtractLengths.valueOf(c)))
        Some(Right(b.part.returning(values, b.left.map(over))))
    }
  }

  /** The columns of a combination of lengths, and its pattern if it has one and nothing else. */
  private def patternOf(
      branch: LogicalPlan): (Seq[NamedExpression], Option[Either[String, BuiltPattern]]) = {
    val (list, below) = ExtractLengths.split(branch)
    val tree = JoinTree.of(below)
    val elements = tree.leaves.collect { case ElementAtom(atom) => atom }
    if (elements.size < tree.leaves.size || !elements.exists(_.isEdge)) (list, None)
    else {
      val builder = new WcoJoinBuilder(elements, tree, AttributeSet(list))
      (list, if (builder.loose.isEmpty) Some(builder.build()) else None)
    }
  }

  /** Left to Spark, but for patterns inside the tables. */
  private def together(branches: Seq[LogicalPlan]): LogicalPlan =
    unionOf(branches.map(_.transform { case e: MatchElement => e.mapChildren(extract) }))
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

  private def split(branch: LogicalPlan): (Seq[NamedExpression], LogicalPlan) = branch match {
    case Project(list, child) => (list, child)
    case other => (other.output, other)
  }

  private def valueOf(column: NamedExpression): Expression = column match {
    case Alias(value, _) => value
    case other => other
  }

  /** Whether a task can ask a condition, once all others hold. */
  private def isEvaluable(condition: Expression): Boolean =
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
