/**
 * The version matrix: one module of the build, and one jar in the wheel, for each Spark line. The
 * Makefile reads the numbers of Spark from here.
 */
object Versions {

  /**
   * @param spark
   *   what the line is compiled against and tested on
   * @param scala
   *   that Spark's own, so that the jar meets the same library at run time
   * @param delta
   *   seen by the code that asks a Delta table for its version, and by its tests; never shipped
   */
  final case class SparkLine(spark: String, scala: String, delta: String) {

    /** The part of Spark's version that decides binary compatibility, "4.1". */
    val minor: String = spark.split('.').take(2).mkString(".")
  }

  /** The default of everything. */
  val spark41: SparkLine = SparkLine(spark = "4.1.3", scala = "2.13.17", delta = "4.4.0")
  val spark42: SparkLine = SparkLine(spark = "4.2.0", scala = "2.13.18", delta = "4.4.0")

  val scalaTest = "3.2.19"
  val scalaCheck = "1.18.1"
}
