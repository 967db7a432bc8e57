package org.apache.spark.sql.execution.wreath

import org.apache.spark.SparkRuntimeException

/**
 * An error of Spark's own class, for PySpark and Spark Connect hand on the class and the condition
 * of those alone.
 *
 * The constructor looks its condition up in Spark's file, so it is given one that is there; what a
 * caller can see of it is overridden.
 */
abstract class RuntimeCondition(text: String)
    extends SparkRuntimeException("INTERNAL_ERROR", Map("message" -> text)) {

  override def getMessage: String = text
}
