package io.wreath.spark.optimizer

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.optimizer.{ConstantFolding, ReplaceExpressions}
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LocalRelation, LogicalPlan, Project}
import org.apache.spark.sql.catalyst.rules.Rule

import io.wreath.spark.logical.{StreamingPattern, StreamingWcoJoin}

/**
 * Lets a [[StreamingWcoJoin]] decide the conditions above it, and return no column that nobody
 * reads: what is not read of an edge need not be in the index. The state has all of it all the
 * same, so that a query may read another column after a restart.
 */
private[wreath] object NarrowStreamingWcoJoin extends Rule[LogicalPlan] {

  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformUp {
    case j: StreamingWcoJoin => j.copy(patterns = j.patterns.map(p => sorted(optimized(p))))
    case Filter(condition, j: StreamingWcoJoin) if j.patterns.size == 1 => decide(condition, j)
    case p @ Project(list, j: StreamingWcoJoin) =>
      p.copy(child = narrowed(j, AttributeSet(list)))
    case p @ Project(list, f @ Filter(condition, j: StreamingWcoJoin)) =>
      p.copy(child = f.copy(child = narrowed(j, AttributeSet(list :+ condition))))
  }

  private def narrowed(j: StreamingWcoJoin, read: AttributeSet): LogicalPlan = {
    val kept = j.output.indices.filter(i => read.contains(j.output(i)))
    if (kept.size == j.output.size) j
    else {
      j.copy(
        patterns = j.patterns.map(p => p.copy(result = kept.map(p.result))),
        output = kept.map(j.output))
    }
  }

  private def decide(condition: Expression, j: StreamingWcoJoin): LogicalPlan = {
    val (decided, left) = ElementAtom.conjuncts(condition).partition { c =>
      c.deterministic && !SubqueryExpression.hasSubquery(c)
    }
    val pattern = j.patterns.head
    val inside = decided.map(j.overPattern)
    val join = j.copy(patterns =
      Seq(sorted(pattern.copy(lastPredicates = pattern.lastPredicates ++ inside))))
    left.reduceOption(And(_, _)).map(Filter(_, join)).getOrElse(join)
  }

  /** Conditions that need not come last to where they are decided as soon as can be. */
  private def sorted(p: StreamingPattern): StreamingPattern = {
    val conditions = p.lastPredicates.flatMap(ElementAtom.conjuncts).filterNot(isGiven(_, p))
    val (harmless, lastPredicates) = conditions.partition(NeverRaises(_))
    val (comparisons, predicates) = harmless
      .map(c => VariableComparison.of(c, variable(_, p)).toLeft(c))
      .partitionMap(identity)
    p.copy(
      comparisons = p.comparisons ++ comparisons,
      predicates = p.predicates ++ predicates,
      lastPredicates = lastPredicates)
  }

  /** Spark's rules do not see what is inside a pattern; these it cannot do without. */
  private def optimized(p: StreamingPattern): StreamingPattern = {
    def over(expressions: Seq[Expression]): Seq[Expression] =
      if (expressions.forall(_.isInstanceOf[Attribute])) expressions
      else {
        val plan =
          Project(expressions.map(e => Alias(inlined(e), "e")()), LocalRelation(p.columns))
        ConstantFolding(ReplaceExpressions(plan)).expressions.map {
          case Alias(e, _) => e
          case e => e
        }
      }
    p.copy(lastPredicates = over(p.lastPredicates), result = over(p.result))
  }

  /**
   * `x BETWEEN a AND b` has x as a common expression, which Spark would compute in a plan below.
   */
  private def inlined(e: Expression): Expression = e.transformUp { case w: With =>
    val definitions = w.defs.map(d => d.id -> d.child).toMap
    w.child.transform { case r: CommonExpressionRef => definitions(r.id) }
  }

  /** A variable is never NULL. */
  private def isGiven(c: Expression, p: StreamingPattern): Boolean = c match {
    case IsNotNull(a: Attribute) => variable(a, p).isDefined
    case _ => false
  }

  private def variable(a: Attribute, p: StreamingPattern): Option[Int] =
    Some(p.variables.indexWhere(_.exprId == a.exprId)).filter(_ >= 0)
}
