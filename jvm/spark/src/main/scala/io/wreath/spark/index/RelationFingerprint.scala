package io.wreath.spark.index

import java.io.FileNotFoundException
import java.lang.ref.WeakReference

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.expressions.{
  Attribute,
  SubqueryExpression,
  UserDefinedExpression
}
import org.apache.spark.sql.catalyst.plans.QueryPlan
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.execution.columnar.InMemoryRelation
import org.apache.spark.sql.execution.datasources.{
  CatalogFileIndex,
  FileIndex,
  HadoopFsRelation,
  InMemoryFileIndex,
  LogicalRelation,
  PartitionDirectory
}

import io.wreath.spark.logical.{RowsOfDriver, SharedRows}
import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileStatus, Path}

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

/**
 * The files of a table and all else that decides which rows they give.
 *
 * @param settings of the session that readers look at: the time zone, for one
 */
final case class FileStates(
    format: String,
    options: Map[String, String],
    settings: Map[String, String],
    files: Seq[FileState])

/**
 * @param partition the values of the partition's columns: they are rows' data too
 * @param listed length and time of change when Spark listed it, by which the scan is cut
 * @param current the same as they are now
 */
final case class FileState(
    partition: String,
    path: String,
    listed: (Long, Long),
    current: (Long, Long))

object RelationFingerprint {

  /** Asking for the state of each of more files than this would cost more than it is worth. */
  private val MaxFiles = 1000

  /**
   * None where nothing says whether the data has changed (an RDD, a JDBC table, a table format of
   * its own, a query that is not deterministic): such an index serves one query only.
   */
  def of(relation: LogicalPlan, session: SparkSession): Option[RelationFingerprint] = {
    val deterministic = relation.deterministic && !relation.exists(!isPure(_))
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
    case s: SharedRows => Some(s.rows)
    case l: LocalRelation => Some(new RowsOfDriver(l.data))
    case r: Range => Some((r.start, r.end, r.step, r.numSlices))
    case _: OneRowRelation => Some(())
    case m: InMemoryRelation => Some(new CachedData(m.cacheBuilder))
    // The names too: which column of a file is read goes by its name.
    case LogicalRelation(fs: HadoopFsRelation, output, _, false, _) =>
      val state =
        if (fs.location.getClass.getName.startsWith(deltaPackage)) {
          deltaState(fs.location).map((_, fs.options, settings(session)))
        } else {
          fileStates(fs, session)
        }
      state.map(_ -> output.map(_.name))
    case _ => None
  }

  /**
   * Operators whose rows follow from their input's rows alone. A sample also depends on how the
   * input is cut, a limit on which part comes first, and a function of the user's on anything.
   */
  private def isPure(plan: LogicalPlan): Boolean = {
    val operator = plan match {
      case _: Project | _: Filter | _: Union | _: Join | _: Aggregate => true
      case _: RepartitionOperation | _: Sort => true
      case _ => plan.children.isEmpty
    }
    operator && !plan.expressions.exists(_.exists {
      case _: UserDefinedExpression | _: SubqueryExpression => true
      case _ => false
    })
  }

  private def fileStates(fs: HadoopFsRelation, session: SparkSession): Option[FileStates] =
    listed(fs.location).flatMap { directories =>
      val hadoop = session.sessionState.newHadoopConfWithOptions(fs.options)
      try {
        val current = currentStates(directories.flatMap(_.files.map(_.getPath)), hadoop)
        val files = for {
          directory <- directories
          values = directory.values.toSeq(fs.partitionSchema).mkString(",")
          file <- directory.files
        } yield {
          FileState(
            values,
            file.getPath.toString,
            (file.getLen, file.getModificationTime),
            current(file.getPath))
        }
        val sorted = files.sortBy(f => (f.path, f.partition))
        Some(FileStates(fs.fileFormat.toString, fs.options, settings(session), sorted))
      } catch {
        // A file that was listed is gone: the scan will say so in its own words.
        case _: java.io.IOException => None
      }
    }

  /** Length and time of change of each file as they are now; a folder of several is listed once. */
  private def currentStates(files: Seq[Path], hadoop: Configuration): Map[Path, (Long, Long)] = {
    def state(s: FileStatus): (Long, Long) = (s.getLen, s.getModificationTime)
    files.groupBy(_.getParent).flatMap { case (folder, inside) =>
      val system = folder.getFileSystem(hadoop)
      if (inside.size == 1) inside.map(f => f -> state(system.getFileStatus(f)))
      else {
        val byName = system.listStatus(folder).iterator.map(s => s.getPath.getName -> s).toMap
        inside.map { f =>
          f -> state(byName.getOrElse(f.getName, throw new FileNotFoundException(f.toString)))
        }
      }
    }
  }

  private val deltaPackage = "org.apache.spark.sql.delta."

  private def deltaState(location: FileIndex): Option[Any] =
    try DeltaState.of(location)
    catch {
      // Another Delta than the one this was compiled with.
      case _: LinkageError => None
    }

  /** What is set of the settings that change the rows that a reader returns. */
  private def settings(session: SparkSession): Map[String, String] = {
    val conf = session.sessionState.conf
    conf.getAllConfs.filter { case (key, _) => readerSettings.matches(key) } +
      ("time zone" -> conf.sessionLocalTimeZone)
  }

  private val readerSettings =
    ("spark\\.sql\\.(caseSensitive|ansi\\.enabled|columnNameOfCorruptRecord|files\\.ignore.*|" +
      "(parquet|orc|csv|json|avro|legacy|sources|variable)\\..*)|spark\\.databricks\\..*").r

  /** Only listings whose files hold all rows: a format with a log of its own is not one. */
  private def listed(location: FileIndex): Option[Seq[PartitionDirectory]] = location match {
    case _: InMemoryFileIndex | _: CatalogFileIndex =>
      val directories = location.listFiles(Nil, Nil)
      if (directories.map(_.files.size).sum <= MaxFiles) Some(directories) else None
    case _ => None
  }
}
