package io.wreath.spark.index

import org.apache.spark.sql.delta.SnapshotDescriptor
import org.apache.spark.sql.delta.files.TahoeLogFileIndex
import org.apache.spark.sql.delta.stats.PreparedDeltaFileIndex
import org.apache.spark.sql.execution.datasources.FileIndex

/**
 * What a scan of a Delta table reads: a version of the table is never changed once it is there. A
 * table that is dropped and made anew at the same place has another id.
 */
final case class DeltaState(path: String, tableId: String, version: Long)

/**
 * The only file that names Delta's classes. They need not be there: loading this object needs them,
 * so nothing may touch it unless a plan holds one of them.
 */
private[index] object DeltaState {

  /** None where the version is fixed only when the scan runs. */
  def of(location: FileIndex): Option[DeltaState] = location match {
    case prepared: PreparedDeltaFileIndex =>
      Some(stateOf(prepared.preparedScan.scannedSnapshot, prepared.path.toString))
    case log: TahoeLogFileIndex if log.isTimeTravelQuery =>
      Some(stateOf(log.snapshotAtAnalysis, log.path.toString))
    case _ => None
  }

  private def stateOf(snapshot: SnapshotDescriptor, path: String): DeltaState =
    DeltaState(path, snapshot.metadata.id, snapshot.version)
}
