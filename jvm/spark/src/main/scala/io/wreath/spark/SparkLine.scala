package io.wreath.spark

import java.nio.charset.StandardCharsets.UTF_8

import org.apache.spark.SPARK_VERSION

/**
 * The Spark line, such as "4.1", that this jar is compiled against; the build writes it beside the
 * classes.
 *
 * A jar on another line may load and fail only in the middle of a query, for what it uses of Spark is
 * private to Spark and changes with each minor. So it is refused when a session starts.
 */
private[spark] object SparkLine {

  val ofJar: String = {
    val stream = getClass.getResourceAsStream("spark-line")
    try new String(stream.readAllBytes(), UTF_8)
    finally stream.close()
  }

  /** Raises unless `spark`, a version such as "4.1.3" or a vendor's "4.1.3-x.1", is of this line. */
  def check(spark: String = SPARK_VERSION): Unit =
    if (!spark.startsWith(s"$ofJar.")) throw WreathErrors.wrongSpark(ofJar, spark)
}
