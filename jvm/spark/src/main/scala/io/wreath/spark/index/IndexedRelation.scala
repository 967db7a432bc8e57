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

  // AQE plans again once a stage below is done, and the stage then stands for what it read.
  private lazy val relation = plan.transformUp { case s: LogicalQueryStage => s.logicalPlan }

  private def keys: Seq[Attribute] = relation.output.take(keyCount)

  /** None where nothing says whether the data has changed. */
  def fingerprint(session: SparkSession): Option[RelationFingerprint] =
    RelationFingerprint.of(IndexedRelation.nameless(keys, relation), session)

  lazy val columns: Seq[IndexedColumn] = relation.output.drop(keyCount).map { column =>
    val definition = IndexedRelation.shapeOf(IndexedRelation.nameless(keys :+ column, relation))
    IndexedColumn(ColumnIds.of(definition), column.dataType)
  }

  lazy val mode: CsrBroadcastMode = CsrBroadcastMode(keys.map(_.dataType), columns)

  /** What the columns are computed from, and how: enough to ask for them in another query. */
  lazy val recipe: ColumnRecipe = {
    val (list, child) = IndexedRelation.split(relation)
    val expressions = list.drop(keyCount).map {
      case Alias(e, _) => BindReferences.bindReference(e, child.output)
      case e => BindReferences.bindReference(e: Expression, child.output)
    }
    ColumnRecipe(IndexedRelation.shapeOf(child), columns.zip(expressions))
  }

  /**
   * The same relation with the columns of another index of the same keys too, so that queries that
   * ask for the one and for the other take turns without building it again and again.
   * None where the two are not computed from the same rows.
   */
  def withColumnsOf(other: ColumnRecipe): Option[IndexedRelation] = {
    val missing = other.columns.filterNot { case (column, _) => columns.contains(column) }
    val (list, child) = IndexedRelation.split(plan)
    if (missing.isEmpty || other.source != recipe.source) None
    else {
      val added = missing.map { case (column, expression) =>
        Alias(
          expression.transform { case b: BoundReference => child.output(b.ordinal) },
          column.id)()
      }
      Some(new IndexedRelation(Project(list ++ added, child), keyCount))
    }
  }
}

/**
 * How the columns of an index were read, without a reference to the data itself.
 *
 * @param source the plan below, but for the state of its data
 * @param columns over the columns of `source`, by position
 */
final case class ColumnRecipe(source: LogicalPlan, columns: Seq[(IndexedColumn, Expression)])

private object IndexedRelation {

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

  private def split(plan: LogicalPlan): (Seq[NamedExpression], LogicalPlan) = plan match {
    case Project(list, child) => (list, child)
    case other => (other.output, other)
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

  private val ids = new java.util.LinkedHashMap[LogicalPlan, String](64, 0.75f, true) {
    override def removeEldestEntry(eldest: java.util.Map.Entry[LogicalPlan, String]): Boolean =
      size > MostDefinitions
  }

  def of(definition: LogicalPlan): String = ids.synchronized {
    ids.computeIfAbsent(
      definition,
      _ => {
        last += 1
        s"c$last"
      })
  }
}
