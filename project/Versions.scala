/** The version matrix. A Spark minor is added here, and its differences in `scala-spark-x.y`. */
object Versions {

  /** Chosen by `-Dspark.version=…`; the first is what everything is built on by default. */
  val supportedSpark: Seq[String] = Seq("4.1.3")

  val spark: String = sys.props.getOrElse("spark.version", supportedSpark.head)
  require(
    supportedSpark.contains(spark),
    s"Spark $spark is not supported; choose one of ${supportedSpark.mkString(", ")}")

  /** The part of Spark's version that decides binary compatibility, "4.1". */
  val sparkMinor: String = spark.split('.').take(2).mkString(".")

  /** Spark's own Scala, so that the jar meets the same library at run time. */
  val scala = "2.13.17"

  /** Seen by the code that asks a Delta table for its version, and by its tests; never shipped. */
  val delta = "4.4.0"

  val scalaTest = "3.2.19"
  val scalaCheck = "1.18.1"
}
