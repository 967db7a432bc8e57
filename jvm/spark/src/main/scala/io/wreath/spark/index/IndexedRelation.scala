package io.wreath.spark.index

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical.{LeafNode, LogicalPlan, Project}
import org.apache.spark.sql.execution.adaptive.LogicalQueryStage

/**
 * The plan of a relation as indexes are looked up by it: what its keys are read from, and what each
 * of its other columns is.
 *
 * Any index of the same keys that has the columns asked for will do, whatever else it has. So the
 * bare relation, the keys alone, is what an index is found by, and columns are told apart by
 * their definitions, not by names or by the query that asks.
 *
 * @param plan its keys first, then the columns
 * @param keyCount 2 for edges, 1 for vertices
 */
final class IndexedRelation(val plan: LogicalPlan, val keyCount: Int) {

  private lazy val relation = IndexedRelation.withoutStages(plan)

  private def keys: Seq[Attribute] = relation.output.take(keyCount)

  /** None where nothing says whether the data has changed. */
  def fingerprint(session: SparkSession, mayWait: Boolean = false): Option[RelationFingerprint] =
    RelationFingerprint.of(IndexedRelation.nameless(keys, relation), session, mayWait)

  lazy val columns: Seq[IndexedColumn] = relation.output.drop(keyCount).map { column =>
    val plan = IndexedRelation.nameless(keys :+ column, relation)
    val definition = RelationFingerprint(IndexedRelation.shapeOf(plan), AnswerSettings.of(plan))
    IndexedColumn(ColumnIds.of(definition), column.dataType)
  }

  lazy val mode: CsrBroadcastMode = CsrBroadcastMode(keys.map(_.dataType), columns)
}

private object IndexedRelation {

  /** AQE plans again once a stage below is done, and the stage then stands for what it read. */
  private def withoutStages(plan: LogicalPlan): LogicalPlan =
    plan.transformUp { case s: LogicalQueryStage => withoutStages(s.logicalPlan) }

  /** The normal form of some columns, under whatever names a view or a query gave them. */
  private def nameless(columns: Seq[Attribute], relation: LogicalPlan): LogicalPlan =
    RelationPlan(columns, relation) match {
      case Project(list, child) if list.exists(isRename) =>
        RelationPlan(list.map { case Alias(a: Attribute, _) => a; case e => e }, child)
      case other => other
    }

  private def isRename(e: NamedExpression): Boolean = e match {
    case Alias(_: Attribute, _) => true
    case _ => false
  }

  /** Canonicalized, with leaves that hold no data and no reference to any. */
  private def shapeOf(plan: LogicalPlan): LogicalPlan =
    plan.transformUp { case leaf: LeafNode =>
      FingerprintedLeaf(leaf.output.map(a => (a.name, a.dataType)), leaf.output)
    }.canonicalized
}

/**
 * A name for each definition of a column, short enough to travel with an index.
 *
 * Thread-safety: one for the application, guarded. A definition that nobody asked for in a long
 * time gets another name the next time, and its column is then collected again.
 */
private object ColumnIds {

  private val MostDefinitions = 10000

  private var last = 0L

  private val ids = new java.util.LinkedHashMap[RelationFingerprint, String](64, 0.75f, true) {
    override def removeEldestEntry(eldest: java.util.Map.Entry[RelationFingerprint, String])
        : Boolean =
      size > MostDefinitions
  }

  def of(definition: RelationFingerprint): String = ids.synchronized {
    ids.computeIfAbsent(
      definition,
      _ => {
        last += 1
        s"c$last"
      })
  }
}
