package io.wreath.spark.optimizer

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.plans.logical.statsEstimation.EstimationUtils
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation
import org.apache.spark.sql.execution.datasources.{HadoopFsRelation, LogicalRelation}
import org.apache.spark.sql.execution.wreath.{IndexLimit, SparkInternals}
import org.apache.spark.sql.internal.SQLConf

import io.wreath.spark.index.{BlockSize, CsrRelationBuilder}

/**
 * Whether Spark's statistics say that an index would not fit, before anything is read.
 *
 * Where they are wrong the other way, the build finds out: see CsrBroadcastExchangeExec.
 */
private[optimizer] object IndexEstimate {

  /** Without a number of rows there is only the size of files, which is a guess at best. */
  private val MarginOfGuess = 2

  private val PackingOfColumns = 3.0

  /**
   * Why the index of a relation would not fit, if so.
   *
   * @param keyCount 2 for edges, 1 for vertices
   */
  def reasonAgainst(relation: LogicalPlan, keyCount: Int): Option[String] =
    // Sources of the second kind have no statistics yet at this point of the optimizer.
    if (relation.exists(_.isInstanceOf[DataSourceV2Relation])) None
    else {
      val rows = rowsOf(relation)
      val columns = bytesOfColumns(relation, keyCount, rows)
      val (keys, keysToBuild) =
        if (keyCount == 1) (BigInt(0), rows * java.lang.Long.BYTES)
        else (rows * CsrRelationBuilder.MinBytesPerRow, rows * BlockSize.BytesToBuildEdge)
      val bytes = keys + columns
      val limit = IndexLimit.of(SparkSession.active.sparkContext, SQLConf.get)
      val toBuild = keysToBuild + columns * 2
      val heap = Runtime.getRuntime.maxMemory
      if (bytes > limit.bytes) {
        Some(
          s"by Spark's statistics its index would take at least ${text(bytes)}, more than the " +
            s"${SparkInternals.bytesToString(limit.bytes)} that ${limit.setting} allows")
      } else if (toBuild > heap) {
        Some(
          s"by Spark's statistics its index would take at least ${text(toBuild)} while it is " +
            s"built, more than the driver's ${SparkInternals.bytesToString(heap)}; " +
            "spark.driver.memory gives it more")
      } else None
    }

  /** About how many rows a table has, rather than how many at least; None where nothing is known. */
  def guess(table: LogicalPlan): Option[Double] =
    if (table.exists(_.isInstanceOf[DataSourceV2Relation]) || isUnknown(table)) None
    else {
      val stats = table.stats
      Some(stats.rowCount.map(_.toDouble).getOrElse(
        stats.sizeInBytes.toDouble / EstimationUtils.getSizePerRow(table.output).toDouble *
          packing(table)))
    }

  /** How much smaller than Spark's rows those of a file are, about. */
  private def packing(table: LogicalPlan): Double = {
    val isPacked = table.collectLeaves().forall {
      case LogicalRelation(fs: HadoopFsRelation, _, _, _, _) =>
        Seq("Parquet", "Orc").exists(fs.fileFormat.getClass.getSimpleName.startsWith)
      case _ => false
    }
    if (isPacked) PackingOfColumns else 1
  }

  private def rowsOf(relation: LogicalPlan): BigInt = {
    val stats = relation.stats
    stats.rowCount.getOrElse(
      if (isUnknown(relation)) BigInt(0)
      else stats.sizeInBytes / EstimationUtils.getSizePerRow(relation.output) / MarginOfGuess)
  }

  /** At least what their fields need, and where some are text, about what is read for them. */
  private def bytesOfColumns(relation: LogicalPlan, keyCount: Int, rows: BigInt): BigInt = {
    val columns = relation.output.drop(keyCount)
    val fields = rows * leastBytesOfColumns(columns.size)
    if (isUnknown(relation) || columns.forall(c => UnsafeRow.isFixedLength(c.dataType))) fields
    else fields.max(relation.stats.sizeInBytes / MarginOfGuess)
  }

  /** Of a row of Spark's, whatever its fields hold: a bit and a word for each. */
  private def leastBytesOfColumns(columns: Int): Int =
    if (columns == 0) 0
    else UnsafeRow.calculateBitSetWidthInBytes(columns) + columns * java.lang.Long.BYTES

  private def text(bytes: BigInt): String =
    SparkInternals.bytesToString(bytes.min(Long.MaxValue).toLong)

  /** Of an RDD, for one, Spark takes the worst, so that it is not broadcast: that says nothing. */
  private def isUnknown(relation: LogicalPlan): Boolean =
    relation.collectLeaves().exists { leaf =>
      leaf.stats.rowCount.isEmpty && leaf.stats.sizeInBytes >= SQLConf.get.defaultSizeInBytes
    }
}
