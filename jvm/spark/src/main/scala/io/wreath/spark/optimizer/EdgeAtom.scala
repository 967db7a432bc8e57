package io.wreath.spark.optimizer

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan, Project}

import io.wreath.spark.logical.{EdgeEndpoints, MatchHints, MatchMarker}

/**
 * One edge of a pattern as the optimizer finds it again: a leaf of a join tree with marked ends.
 *
 * @param source the leaf's column that holds the edge's source
 * @param target its other end; not among the leaf's columns where nothing else reads it
 * @param predicates on the two ends alone, which Spark pushed into the leaf and which are pulled
 *   back out, so that `a.id = 42` does not mean another index
 * @param relation the bare edge table: exactly two columns, source and target
 */
final private[optimizer] case class EdgeAtom(
    leaf: LogicalPlan,
    matchId: Long,
    hints: MatchHints,
    source: Attribute,
    target: Attribute,
    sourceName: String,
    targetName: String,
    predicates: Seq[Expression],
    relation: Project) {

  val ends: AttributeSet = AttributeSet(Seq(source, target))

  /** Columns of the edge that are not its ends: properties. */
  def others: AttributeSet = leaf.outputSet -- ends
}

private[optimizer] object EdgeAtom {

  def unapply(leaf: LogicalPlan): Option[EdgeAtom] = {
    val marks = leaf.output.flatMap(a => MatchMarker.of(a).map(a -> _))
    val source = marks.find(_._2.isSource)
    val target = marks.find(!_._2.isSource)
    // Two marked sources would be a join below this leaf, which is not an edge.
    if (marks.isEmpty || marks.size > 2 || marks.count(_._2.isSource) > 1) None
    else Peeled(leaf).toAtom(leaf, source, target)
  }

  /**
   * A leaf taken apart from the top.
   *
   * @param columns what each column of the leaf is in terms of [[base]]
   * @param conditions of the filters on the way down, in terms of [[base]]
   */
  final private case class Peeled(
      columns: AttributeMap[Expression],
      conditions: Seq[Expression],
      base: LogicalPlan) {

    def toAtom(
        leaf: LogicalPlan,
        markedSource: Option[(Attribute, MatchMarker)],
        markedTarget: Option[(Attribute, MatchMarker)]): Option[EdgeAtom] = {
      val mark = markedSource.orElse(markedTarget).get._2
      for {
        sourceKey <-
          markedSource.map(s => columns(s._1)).orElse(otherEnd(_.left, _.right, markedTarget))
        targetKey <-
          markedTarget.map(t => columns(t._1)).orElse(otherEnd(_.right, _.left, markedSource))
      } yield {
        val source = markedSource.map(_._1).getOrElse(hidden("src", sourceKey))
        val target = markedTarget.map(_._1).getOrElse(hidden("dst", targetKey))
        val (pulled, kept) = conditions
          .filterNot(impliedByKeys(_, sourceKey, targetKey))
          .map(c => c -> overEnds(c, sourceKey -> source, targetKey -> target))
          .partition { case (_, e) => e.references.subsetOf(AttributeSet(Seq(source, target))) }
        val filtered = kept.map(_._1).reduceOption(And(_, _)).map(Filter(_, base)).getOrElse(base)
        EdgeAtom(
          leaf,
          mark.matchId,
          mark.hints,
          source,
          target,
          markedSource.map(_._2.variable).getOrElse("_"),
          markedTarget.map(_._2.variable).getOrElse("_"),
          pulled.map(_._2),
          Project(Seq(Alias(sourceKey, "src")(), Alias(targetKey, "dst")()), filtered))
      }
    }

    /** An end that nothing reads was pruned from the columns; [[EdgeEndpoints]] still knows it. */
    private def otherEnd(
        wanted: EdgeEndpoints => Expression,
        known: EdgeEndpoints => Expression,
        marked: Option[(Attribute, MatchMarker)]): Option[Expression] = conditions.collectFirst {
      case e: EdgeEndpoints
          if !e.left.semanticEquals(e.right) && known(e).semanticEquals(columns(marked.get._1)) =>
        wanted(e)
    }

    private def hidden(name: String, key: Expression): Attribute =
      AttributeReference(name, key.dataType, key.nullable)()
  }

  private object Peeled {
    def apply(leaf: LogicalPlan): Peeled = {
      val columns = AttributeMap(leaf.output.map(a => a -> (a: Expression)))
      peel(Peeled(columns, Nil, leaf))
    }

    private def peel(p: Peeled): Peeled = p.base match {
      case Project(list, child) if list.forall(_.deterministic) =>
        val definitions = AttributeMap(list.collect { case a: Alias => a.toAttribute -> a.child })
        def expand(e: Expression): Expression = e.transform { case a: Attribute =>
          definitions.getOrElse(a, a)
        }
        val columns = p.columns.map { case (a, e) => a -> expand(e) }
        peel(Peeled(AttributeMap(columns.toSeq), p.conditions.map(expand), child))
      case Filter(condition, child) if condition.deterministic =>
        peel(p.copy(conditions = p.conditions ++ conjuncts(condition), base = child))
      case _ => p
    }
  }

  /** The index drops rows with a NULL key, so what only says "not NULL" of a key says nothing. */
  private def impliedByKeys(c: Expression, source: Expression, target: Expression): Boolean =
    c match {
      case EdgeEndpoints(l, r) =>
        Seq(l, r).forall(e => e.semanticEquals(source) || e.semanticEquals(target))
      case IsNotNull(e) => Seq(source, target).exists(nullWhenNull(_, e))
      case _ => false
    }

  /** Whether `key` is NULL whenever `part` is. */
  private def nullWhenNull(key: Expression, part: Expression): Boolean =
    key.semanticEquals(part) || (key match {
      case c: Cast => nullWhenNull(c.child, part)
      case _ => false
    })

  private def overEnds(c: Expression, keys: (Expression, Attribute)*): Expression =
    c.transformDown {
      case e if keys.exists(_._1.semanticEquals(e)) =>
        keys.find(_._1.semanticEquals(e)).get._2
    }

  def conjuncts(condition: Expression): Seq[Expression] = condition match {
    case And(l, r) => conjuncts(l) ++ conjuncts(r)
    case other => Seq(other)
  }
}
