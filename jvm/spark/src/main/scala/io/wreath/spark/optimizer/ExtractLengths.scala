package io.wreath.spark.optimizer

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.catalyst.optimizer._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.{Rule, RuleExecutor}

import io.wreath.spark.logical.{MatchElement, MatchLengths}

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
 *  - one with a condition that may raise an error, which is asked above its join;
 *  - those that cannot be joined, under a [[io.wreath.spark.logical.WcoJoinDeclined]] that says why.
 *
 * @param conditions on its rows
 * @param extract patterns in what is left
 */
final private[optimizer] class ExtractLengths(
    pattern: MatchLengths,
    conditions: Seq[Expression],
    extract: LogicalPlan => LogicalPlan) {

  /** @param required the columns that something above reads */
  def apply(required: AttributeSet): LogicalPlan = {
    val (own, above) =
      conditions.partition(c => NeverRaises(c) && !SubqueryExpression.hasSubquery(c))
    val read = required ++ AttributeSet(above)
    val places = pattern.output.indices.filter(i => read.contains(pattern.output(i)))
    val output = places.map(pattern.output)
    val branches = pattern.children.map(narrowed(_, own, places)).filterNot(isEmpty)
    val plan =
      if (branches.isEmpty) LocalRelation(output)
      else {
        val hints = pattern.collect { case e: MatchElement => e.mark.hints }
        JoinDecision.unwanted(hints) match {
          case Some(reason) => named(JoinDecision.decline(together(branches), reason), output)
          case None => joined(branches, output)
        }
      }
    above.reduceOption(And(_, _)).map(Filter(_, plan)).getOrElse(plan)
  }

  private def narrowed(
      branch: LogicalPlan,
      conditions: Seq[Expression],
      places: Seq[Int]): LogicalPlan = {
    val columns = AttributeMap(pattern.output.zip(branch.output))
    val filtered = conditions
      .map(_.transform { case a: Attribute => columns.getOrElse(a, a) })
      .reduceOption(And(_, _))
      .map(Filter(_, branch))
      .getOrElse(branch)
    ExtractLengths.Simplify.execute(Project(places.map(branch.output), filtered))
  }

  private def isEmpty(branch: LogicalPlan): Boolean = branch match {
    case r: LocalRelation => r.data.isEmpty
    case _ => false
  }

  private def joined(branches: Seq[LogicalPlan], output: Seq[Attribute]): LogicalPlan = {
    val tried = branches.map(b => b -> partOf(b))
    val parts = tried.collect { case (_, Some(Right(part))) => part }
    val refused = tried.collect { case (b, Some(Left(reason))) => (b, reason) }
    // An edge alone is read, not joined.
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

  /** One combination of lengths as a pattern, or why it cannot be joined; None if it is not one. */
  private def partOf(branch: LogicalPlan): Option[Either[String, JoinPart]] = {
    val (list, below) = branch match {
      case Project(list, child) => (list, child)
      case other => (other.output, other)
    }
    val tree = JoinTree.of(below)
    val elements = tree.leaves.collect { case ElementAtom(atom) => atom }
    val builder = new WcoJoinBuilder(elements, tree, AttributeSet(list))
    if (elements.size < tree.leaves.size || !elements.exists(
        _.isEdge) || builder.loose.nonEmpty) {
      None
    } else {
      builder.build() match {
        case Left(reason) => Some(Left(reason))
        case Right(b) if b.rest.nonEmpty || b.tests.nonEmpty => None
        case Right(b) =>
          val made = AttributeMap(b.restored.map(a => a.toAttribute -> a.child))
          val values = list.map {
            case Alias(value, _) => value
            case column => column
          }
          Some(Right(b.part.withValues(values.map(_.transform {
            case a: Attribute => made.getOrElse(a, a)
          }))))
      }
    }
  }

  /** Left to Spark, but for patterns inside the tables. */
  private def together(branches: Seq[LogicalPlan]): LogicalPlan =
    unionOf(branches.map(_.transform { case e: MatchElement => e.mapChildren(extract) }))

  private def unionOf(plans: Seq[LogicalPlan]): LogicalPlan =
    if (plans.size == 1) plans.head
    else Union(plans.map(p => Project(p.output.map(c => Alias(c, c.name)()), p)))

  private def named(plan: LogicalPlan, output: Seq[Attribute]): LogicalPlan =
    Project(
      plan.output.zip(output).map { case (c, o) => Alias(c, o.name)(exprId = o.exprId) },
      plan)
}

private[optimizer] object ExtractLengths {

  /** A pattern with quantified edges, under filters and pruning projections; and the filters. */
  def unapply(plan: LogicalPlan): Option[(MatchLengths, Seq[Expression])] = plan match {
    case pattern: MatchLengths => Some((pattern, Nil))
    case Filter(condition, ExtractLengths(pattern, conditions)) if condition.deterministic =>
      Some((pattern, conditions ++ ElementAtom.conjuncts(condition)))
    case Project(list, ExtractLengths(pattern, conditions))
        if list.forall(_.isInstanceOf[Attribute]) =>
      Some((pattern, conditions))
    case _ => None
  }

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
          BooleanSimplification,
          PruneFilters,
          PropagateEmptyRelation): _*))

    private def MostRounds = 100
  }
}
