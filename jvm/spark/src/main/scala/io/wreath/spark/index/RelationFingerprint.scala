package io.wreath.spark.index

import java.lang.ref.WeakReference

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.expressions.{Attribute, SubqueryExpression}
import org.apache.spark.sql.catalyst.plans.QueryPlan
import org.apache.spark.sql.catalyst.plans.logical.{
  LeafNode,
  LocalRelation,
  LogicalPlan,
  OneRowRelation,
  Range
}
import org.apache.spark.sql.execution.adaptive.LogicalQueryStage
import org.apache.spark.sql.execution.columnar.InMemoryRelation
import org.apache.spark.sql.execution.datasources.{
  CatalogFileIndex,
  FileIndex,
  HadoopFsRelation,
  InMemoryFileIndex,
  LogicalRelation
}

import org.apache.hadoop.fs.Path

/**
 * What an index was built from: the plan of the relation, and for each of its leaves what tells
 * one state of the data from another. Two equal fingerprints read equal rows.
 *
 * @param plan canonicalized, its leaves replaced by [[FingerprintedLeaf]]
 */
final case class RelationFingerprint(plan: LogicalPlan) {

  /** False once data that the index was built from is gone, and nobody can ask for it again. */
  def isReachable: Boolean = plan.collectLeaves().forall {
    case FingerprintedLeaf(c: CachedData, _) => c.isReachable
    case _ => true
  }
}

/** Stands for a leaf: `state` tells one state of its data from another. */
final case class FingerprintedLeaf(state: Any, output: Seq[Attribute]) extends LeafNode {
  override protected def doCanonicalize(): LogicalPlan =
    copy(output = output.map(QueryPlan.normalizeExpressions(_, output)))
}

/** A table in Spark's cache. Weak, so that an index does not keep what the user uncached. */
final class CachedData(builder: AnyRef) {
  private val reference = new WeakReference(builder)
  private val hash = System.identityHashCode(builder)

  def isReachable: Boolean = reference.get != null

  override def hashCode: Int = hash

  override def equals(other: Any): Boolean = other match {
    case that: CachedData =>
      (this eq that) || (isReachable && (that.reference.get eq reference.get))
    case _ => false
  }
}

/** The files of a table, as they are now: what Spark listed, and when each was last written. */
final case class FileStates(format: String, options: Map[String, String], files: Set[FileState])

final case class FileState(path: String, length: Long, modified: Long)

object RelationFingerprint {

  /** Asking for the state of each of more files than this would cost more than it is worth. */
  private val MaxFiles = 1000

  /**
   * None where nothing says whether the data has changed (an RDD, a JDBC table, a table format of
   * its own, a query that is not deterministic): such an index serves one query only.
   */
  def of(planned: LogicalPlan, session: SparkSession): Option[RelationFingerprint] = {
    // AQE plans again once a stage below is done, and the stage then stands for what it read.
    val relation = planned.transformUp { case stage: LogicalQueryStage => stage.logicalPlan }
    val deterministic = relation.deterministic &&
      !relation.exists(_.expressions.exists(SubqueryExpression.hasSubquery))
    val leaves = relation.collectLeaves()
    val states = leaves.map(stateOf(_, session))
    if (!deterministic || leaves.isEmpty || states.exists(_.isEmpty)) {
      None
    } else {
      val next = states.flatten.iterator
      val replaced = relation.transformUp { case leaf: LeafNode =>
        FingerprintedLeaf(next.next(), leaf.output)
      }
      Some(RelationFingerprint(replaced.canonicalized))
    }
  }

  private def stateOf(leaf: LogicalPlan, session: SparkSession): Option[Any] = leaf match {
    case l: LocalRelation => Some(l.data)
    case r: Range => Some((r.start, r.end, r.step))
    case _: OneRowRelation => Some(())
    case m: InMemoryRelation => Some(new CachedData(m.cacheBuilder))
    // The names too: which column of a file is read goes by its name.
    case LogicalRelation(fs: HadoopFsRelation, output, _, false, _) =>
      fileStates(fs, session).map(_ -> output.map(_.name))
    case _ => None
  }

  private def fileStates(fs: HadoopFsRelation, session: SparkSession): Option[FileStates] =
    listed(fs.location).flatMap { paths =>
      val hadoop = session.sessionState.newHadoopConfWithOptions(fs.options)
      try {
        val files = paths.map { path =>
          val status = path.getFileSystem(hadoop).getFileStatus(path)
          FileState(path.toString, status.getLen, status.getModificationTime)
        }
        Some(FileStates(fs.fileFormat.toString, fs.options, files.toSet))
      } catch {
        // A file that was listed is gone: the scan will say so in its own words.
        case _: java.io.IOException => None
      }
    }

  /** Only listings whose files hold all rows: a format with a log of its own is not one. */
  private def listed(location: FileIndex): Option[Seq[Path]] = location match {
    case _: InMemoryFileIndex | _: CatalogFileIndex =>
      val paths = location.listFiles(Nil, Nil).flatMap(_.files.map(_.getPath))
      if (paths.size <= MaxFiles) Some(paths) else None
    case _ => None
  }
}
