package io.wreath.spark.optimizer

import java.util.{Collections, IdentityHashMap}

import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeSet, Expression}
import org.apache.spark.sql.catalyst.optimizer.ReorderJoin
import org.apache.spark.sql.catalyst.plans.Inner
import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, Filter, LogicalPlan, Project}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.INNER_LIKE_JOIN
import org.apache.spark.sql.execution.wreath.WreathConf

import io.wreath.spark.logical._

/**
 * THE one rule: finds a pattern in a tree of inner joins and builds the join of it.
 *
 * It runs before cost-based optimization: after push-down, pruning and inference, when the joins
 * are as small as Spark makes them, and before Spark reorders them. Leaves of the tree that are
 * not elements of the pattern (a dimension table, another pattern), and vertices that none of its
 * edges leads to, are joined to the result as before. For each pattern, in this order:
 *
 *  1. Wreath is off (`spark.wreath.enabled`): the joins stay, without a word.
 *  1. `spark.wreath.join.mode` is 'binary' or the query says NO_WCO_JOIN: the joins stay.
 *  1. [[WcoJoinBuilder]] sees a reason why not: the joins stay and EXPLAIN shows it, as
 *     [[WcoJoinDeclined]]; in mode 'broadcast' it is an error.
 *  1. [[IndexEstimate]] sees that an index would not fit: likewise, but for mode 'broadcast'.
 *  1. Else the pattern's elements become one [[io.wreath.spark.logical.WcoJoin]].
 *
 * A pattern with quantified edges becomes one too, see [[ExtractLengths]].
 *
 * Joins that were not written as a pattern become one where they are cyclic and that is worth it, see
 * [[CyclicJoins]]. Else they stay, in every mode, node for node as they are.
 */
private[wreath] object ExtractWcoJoin extends Rule[LogicalPlan] {

  override def apply(plan: LogicalPlan): LogicalPlan = JoinsWish.removed(extract(plan))

  private def extract(plan: LogicalPlan): LogicalPlan = {
    val on = conf.getConf(WreathConf.ENABLED)
    val mayRewrite = JoinDecision.mayRewrite && plan.containsPattern(INNER_LIKE_JOIN)
    if (!mayRewrite && !isOurs(plan)) {
      plan
    } else {
      toSparks(if (on) CountWcoJoin(extract(plan, AttributeSet(plan.output))) else plan)
    }
  }

  private def isOurs(plan: LogicalPlan): Boolean = plan.exists {
    case _: MatchElement | _: MatchJoin | _: MatchExists | _: MatchLengths => true
    case _ => false
  }

  /** What was not extracted is Spark's again, and gets the push-down that it did without. */
  private def toSparks(plan: LogicalPlan): LogicalPlan =
    if (!isOurs(plan)) {
      plan
    } else {
      val joins = plan.transformUp {
        case element: MatchElement => element.meaning
        case join: MatchJoin => join.meaning
        case test: MatchExists => test.meaning
        case pattern: MatchLengths => pattern.meaning
      }
      SparksRules.execute(joins)
    }

  /** @param required the columns of `plan` that something above reads */
  private def extract(plan: LogicalPlan, required: AttributeSet): LogicalPlan = plan match {
    // Decided before: a rule may run twice.
    case declined: WcoJoinDeclined => declined
    case ExtractLengths(pattern, above) =>
      restoreOutput(
        new ExtractLengths(pattern, above, extractLeaf)(required),
        plan.output.filter(required.contains))
    case JoinTree(tree) => extractTree(plan, tree, required)
    case other =>
      other.mapChildren { child =>
        val needed = other match {
          case _: Project | _: Aggregate => other.references
          case _ => AttributeSet(child.output)
        }
        extract(child, needed)
      }
  }

  private def extractTree(
      plan: LogicalPlan,
      tree: JoinTree,
      required: AttributeSet): LogicalPlan = {
    val patterns = patternsOf(tree, required)
    if (patterns.isEmpty) {
      extractJoins(plan, tree, required)
    } else {
      build(plan, tree, patterns, required) match {
        case Left(reason) => JoinDecision.decline(withLeaves(plan, tree), reason)
        case Right(extracted) => extracted
      }
    }
  }

  private def patternsOf(tree: JoinTree, required: AttributeSet): Seq[WcoJoinBuilder] =
    tree.leaves
      .collect { case ElementAtom(atom) => atom }
      .groupBy(_.mark.matchId)
      .toSeq
      .sortBy(_._1)
      .map(_._2)
      .filter(elements => elements.exists(_.isEdge))
      .map(new WcoJoinBuilder(_, tree, required))
      .filter(_.elements.size > 1 || tree.tests.nonEmpty)

  /** Joins that were not written as a pattern: where they are to be none, the plan stays as it is. */
  private def extractJoins(
      plan: LogicalPlan,
      tree: JoinTree,
      required: AttributeSet): LogicalPlan = tree match {
    case CyclicJoins(joins) if JoinDecision.mayRewrite && joins.isUnwanted =>
      WcoJoin.Declined.setByHint(plan)
      withLeaves(plan, tree)
    case CyclicJoins(joins) if JoinDecision.mayRewrite && !WcoJoin.Declined.isByHint(plan) =>
      val extracted = for {
        _ <- joins.reasonAgainst.toLeft(())
        built <- build(plan, joins.marked, patternsOf(joins.marked, required), required)
      } yield built
      WcoJoin.Declined.unset(plan)
      extracted match {
        case Right(join) => join
        case Left(reason) =>
          val same = withLeaves(plan, tree)
          WcoJoin.Declined.set(same, reason)
          same
      }
    case _ => withLeaves(plan, tree)
  }

  private def build(
      plan: LogicalPlan,
      tree: JoinTree,
      patterns: Seq[WcoJoinBuilder],
      required: AttributeSet): Either[String, LogicalPlan] = {
    JoinDecision.unwanted(patterns.map(_.elements.head.mark.hints)).toLeft(()).flatMap { _ =>
      val start: Either[String, Seq[(BuiltPattern, WcoJoin)]] = Right(Nil)
      patterns
        .foldLeft(start) { (before, builder) =>
          for {
            built <- before
            b <- builder.build()
            join = b.join
            _ <- JoinDecision.tooLarge(join).toLeft(())
          } yield built :+ (b -> join)
        }
        .map { built =>
          val joins = built.map { case (b, join) => Project(b.restored, join) }
          val parts = built.map(_._1)
          val used = identities(patterns.flatMap(_.elements.map(_.leaf)))
          val others = tree.leaves.filterNot(used.contains)
          val pieces = joins ++ others.map(extractLeaf)
          val rest = leftByAll(parts.map(_.rest)) ++ parts.flatMap(_.beyond)
          // What the index cannot tell is a join over the pattern's.
          val tested =
            leftByAll(parts.map(_.tests)).foldLeft(joinPieces(pieces, rest)) { (plan, test) =>
              test.copy(left = plan, right = extractLeaf(test.right)).meaning
            }
          restoreOutput(tested, plan.output.filter(required.contains))
        }
    }
  }

  /** Of what each pattern has left over of one tree, what all of them have. */
  private def leftByAll[T <: AnyRef](left: Seq[Seq[T]]): Seq[T] = {
    val others = left.tail.map(identities)
    left.head.filter(c => others.forall(_.contains(c)))
  }

  private def identities[T <: AnyRef](all: Seq[T]): java.util.Set[T] = {
    val set = Collections.newSetFromMap(new IdentityHashMap[T, java.lang.Boolean])
    all.foreach(set.add)
    set
  }

  private def joinPieces(pieces: Seq[LogicalPlan], conditions: Seq[Expression]): LogicalPlan =
    if (pieces.size > 1) ReorderJoin.createOrderedJoin(pieces.map(_ -> Inner), conditions)
    else Conjunction.of(conditions)
      .map(Filter(_, pieces.head))
      .getOrElse(pieces.head)

  private def restoreOutput(plan: LogicalPlan, output: Seq[Attribute]): LogicalPlan =
    if (plan.output.map(_.exprId) == output.map(_.exprId)) plan else Project(output, plan)

  /** The tree as it was, with patterns inside its leaves extracted. */
  private def withLeaves(plan: LogicalPlan, tree: JoinTree): LogicalPlan =
    if (tree.leaves.exists(_ eq plan) || tree.tests.exists(_.right eq plan)) extractLeaf(plan)
    else plan.mapChildren(withLeaves(_, tree))

  private def extractLeaf(leaf: LogicalPlan): LogicalPlan =
    extract(leaf, AttributeSet(leaf.output))
}
