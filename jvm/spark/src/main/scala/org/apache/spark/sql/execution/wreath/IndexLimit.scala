package org.apache.spark.sql.execution.wreath

import org.apache.spark.SparkContext
import org.apache.spark.sql.internal.SQLConf

/** The largest index, and the setting that says so. */
final case class IndexLimit(bytes: Long, setting: String)

object IndexLimit {

  /** By the setting, or by the memory of the smallest executor: all of them get the index. */
  def of(context: SparkContext, conf: SQLConf): IndexLimit = {
    val most = conf.getConf(WreathConf.INDEX_MAX_BYTES)
    val room = IndexRoom.of(context)
    if (most <= room.ofOne) IndexLimit(most, WreathConf.INDEX_MAX_BYTES.key)
    else IndexLimit(room.ofOne, room.setting)
  }
}
