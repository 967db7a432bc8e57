package io.wreath.spark.index

import java.io.{FileNotFoundException, IOException}
import java.nio.file.Files

import scala.jdk.CollectionConverters._
import scala.util.Try

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.execution.datasources.{
  CatalogFileIndex,
  FileIndex,
  HadoopFsRelation,
  InMemoryFileIndex,
  PartitionDirectory
}

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{EtagSource, FileStatus, FileSystem, Path}

/** The files of a table and what of the table decides which rows they give. */
final case class FileStates(format: String, options: Map[String, String], files: Seq[FileState])

/**
 * @param partition the values of the partition's columns: they are rows' data too
 * @param listed length and time of change when Spark listed it, by which the scan is cut
 * @param current what tells it from what it was, now
 */
final case class FileState(
    partition: String,
    path: String,
    listed: (Long, Long),
    current: FileVersion)

/**
 * A file as it is now. Length and time alone are those of another file too, one that was put in its
 * place or written over it with its time set back.
 *
 * @param identity what the file system knows beside: of a local file its number and the time that no
 *   program can set, of a file in an object store its tag; None where it knows nothing
 */
final case class FileVersion(length: Long, modified: Long, identity: Option[Any])

object FileStates {

  /** Asking for the state of each of more files than this would cost more than it is worth. */
  private val MaxFiles = 1000

  /**
   * None where the files do not tell: there are too many, one is gone, or one is so young that
   * another write might leave the same time.
   *
   * @param mayWait whether to wait until they are old enough
   */
  def of(fs: HadoopFsRelation, session: SparkSession, mayWait: Boolean): Option[FileStates] =
    listed(fs.location).flatMap { directories =>
      val hadoop = session.sessionState.newHadoopConfWithOptions(fs.options)
      try {
        val current = settled(directories.flatMap(_.files.map(_.getPath)), hadoop, mayWait)
        current.map { versions =>
          val files = for {
            directory <- directories
            values = directory.values.toSeq(fs.partitionSchema).mkString(",")
            file <- directory.files
          } yield {
            FileState(
              values,
              file.getPath.toString,
              (file.getLen, file.getModificationTime),
              versions(file.getPath))
          }
          val sorted = files.sortBy(f => (f.path, f.partition))
          FileStates(fs.fileFormat.toString, fs.options, sorted)
        }
      } catch {
        // A file that was listed is gone: the scan will say so in its own words.
        case _: IOException => None
      }
    }

  /** Only listings whose files hold all rows: a format with a log of its own is not one. */
  private def listed(location: FileIndex): Option[Seq[PartitionDirectory]] = location match {
    case _: InMemoryFileIndex | _: CatalogFileIndex =>
      val directories = location.listFiles(Nil, Nil)
      if (directories.map(_.files.size).sum <= MaxFiles) Some(directories) else None
    case _ => None
  }

  /** The files as they are, once no later write can leave the same version. */
  private def settled(
      files: Seq[Path],
      hadoop: Configuration,
      mayWait: Boolean): Option[Map[Path, FileVersion]] = {
    val found = files.groupBy(_.getParent).toSeq.map { case (folder, inside) =>
      val system = FileSystemStates(folder.getFileSystem(hadoop))
      // The clock is read first: what is written meanwhile is younger than that.
      val now = System.currentTimeMillis()
      val versions = system.versions(folder, inside)
      val wait = versions.values.map(system.settlesAt).maxOption.getOrElse(0L) - now
      (versions, wait, system.isWorthWaiting)
    }
    val wait = found.map(_._2).maxOption.getOrElse(0L)
    if (wait <= 0) Some(found.flatMap(_._1).toMap)
    else if (wait <= LongestWait && (mayWait || found.forall(f => f._2 <= 0 || f._3))) {
      Thread.sleep(wait)
      settled(files, hadoop, mayWait)
    } else None
  }

  /** A time further ahead is that of another clock, or was set by hand. */
  private val LongestWait = 5000L
}

/** How one file system tells a file from what it was. */
sealed private trait FileSystemStates {

  protected def system: FileSystem

  protected def versionOf(status: FileStatus): FileVersion

  /** When no later write can leave the same version any more. */
  def settlesAt(version: FileVersion): Long

  /** Whether that is soon enough to wait for it while a query is planned. */
  def isWorthWaiting: Boolean

  /** A folder of several files is listed once. */
  def versions(folder: Path, files: Seq[Path]): Map[Path, FileVersion] =
    if (files.size == 1) files.map(f => f -> versionOf(system.getFileStatus(f))).toMap
    else {
      val byName = system.listStatus(folder).iterator.map(s => s.getPath.getName -> s).toMap
      files.map { f =>
        f -> versionOf(byName.getOrElse(f.getName, throw new FileNotFoundException(f.toString)))
      }.toMap
    }
}

private object FileSystemStates {
  def apply(system: FileSystem): FileSystemStates =
    if (system.getUri.getScheme == "file" && LocalFiles.isKnown) new LocalFiles(system)
    else new RemoteFiles(system)
}

/** Time stamps of the kernel's clock, which ticks every few milliseconds. */
final private class LocalFiles(override protected val system: FileSystem)
    extends FileSystemStates {

  override protected def versionOf(status: FileStatus): FileVersion = {
    val path = java.nio.file.Path.of(status.getPath.toUri.getPath)
    val known = Files.readAttributes(path, "unix:dev,ino,ctime").asScala
    val changed = known("ctime").asInstanceOf[java.nio.file.attribute.FileTime]
    FileVersion(
      status.getLen,
      status.getModificationTime,
      Some(LocalIdentity(known("dev"), known("ino"), changed.toInstant)))
  }

  override def settlesAt(version: FileVersion): Long =
    version.identity match {
      case Some(i: LocalIdentity) => i.changed.toEpochMilli + LocalFiles.Tick
      case _ => version.modified + LocalFiles.Tick
    }

  override def isWorthWaiting: Boolean = true
}

final private case class LocalIdentity(device: Any, number: Any, changed: java.time.Instant)

private object LocalFiles {

  /** Twice the longest tick of a common kernel. */
  private val Tick = 20L

  /** Not on every platform. */
  lazy val isKnown: Boolean =
    Try(Files.readAttributes(java.nio.file.Path.of("."), "unix:ino,ctime")).isSuccess
}

/** A tag is the content's; without one there is the time alone, in seconds in the worst case. */
final private class RemoteFiles(override protected val system: FileSystem)
    extends FileSystemStates {

  override protected def versionOf(status: FileStatus): FileVersion = {
    val tag = status match {
      case s: EtagSource => Option(s.getEtag)
      case _ => None
    }
    FileVersion(status.getLen, status.getModificationTime, tag)
  }

  override def settlesAt(version: FileVersion): Long =
    if (version.identity.isDefined) 0L else version.modified + RemoteFiles.Resolution

  override def isWorthWaiting: Boolean = false
}

private object RemoteFiles {
  private val Resolution = 2000L
}
