package org.apache.spark.sql.execution.wreath

import java.util.WeakHashMap

import scala.util.control.NonFatal

import org.apache.spark.SparkContext
import org.apache.spark.api.python.{PythonFunction, PythonRDD}
import org.apache.spark.rdd.{
  MapPartitionsRDD,
  ParallelCollectionPartition,
  ParallelCollectionRDD,
  RDD
}
import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.execution.LogicalRDD

/**
 * Knows the DataFrames that PySpark makes of rows of the driver: of a list, or of pandas without Arrow.
 *
 * {{{
 *   ParallelCollectionRDD   batches of rows, pickled on the driver
 *   PythonRDD               a function that gives back what it is given
 *   MapPartitionsRDD, 3x    rows of Spark from that
 * }}}
 * An RDD does not say what its functions do, and one of a user's may give other rows each time. So they
 * are compared with those of specimens, DataFrames that PySpark made in the same way: the class of each
 * function on the JVM, and each byte of the function that goes to Python.
 */
object PythonRows {

  /** The batches where these rows are nothing else; their values are not looked at. */
  def batchesOf(rdd: RDD[_]): Option[Iterator[Any]] =
    for {
      made <- Made.of(rdd)
      if specimensOf(rdd.sparkContext).exists(_.isLike(made))
    } yield made.rows.partitions.iterator
      .flatMap(_.asInstanceOf[ParallelCollectionPartition[_]].iterator)

  /**
   * Shows two DataFrames that PySpark made of rows of the driver, alike but for how many rows go into
   * a batch. Where they are not, nothing is learned.
   */
  def learn(one: DataFrame, other: DataFrame): Unit =
    for (a <- madeOf(one); b <- madeOf(other); found <- Specimen.of(a, b)) {
      specimens.synchronized {
        val context = one.sparkSession.sparkContext
        specimens.put(context, found :: specimensOf(context))
      }
    }

  /** Whether specimens were shown in this application. */
  def isTaught(context: SparkContext): Boolean = specimensOf(context).nonEmpty

  private val specimens = new WeakHashMap[SparkContext, List[Specimen]]

  private def specimensOf(context: SparkContext): List[Specimen] =
    specimens.synchronized(specimens.getOrDefault(context, Nil))

  private def madeOf(df: DataFrame): Option[Made] =
    df.queryExecution.analyzed.collectLeaves() match {
      case Seq(leaf: LogicalRDD) => Made.of(leaf.rdd)
      case _ => None
    }

  final private case class Specimen(
      functions: Seq[Class[_]],
      command: IndexedSeq[Byte],
      batchSize: Set[Int]) {

    def isLike(made: Made): Boolean =
      functions == made.functions && command.length == made.command.length &&
        command.indices.forall(i => batchSize(i) || command(i) == made.command(i))
  }

  private object Specimen {
    def of(one: Made, other: Made): Option[Specimen] =
      Option.when(
        one.functions == other.functions && one.command.length == other.command.length) {
        val differ = one.command.indices.filter(i => one.command(i) != other.command(i)).toSet
        Specimen(one.functions, one.command, differ)
      }
  }

  /** What such an RDD is made of, from its rows to the driver's. */
  final private case class Made(
      functions: Seq[Class[_]],
      command: IndexedSeq[Byte],
      rows: ParallelCollectionRDD[_])

  private object Made {

    def of(rdd: RDD[_]): Option[Made] =
      try from(rdd, Nil)
      catch {
        // Another Spark, whose fields have other names, or a JVM that hides them.
        case NonFatal(_) | _: LinkageError => None
      }

    private def from(rdd: RDD[_], functions: Seq[Class[_]]): Option[Made] =
      if (rdd.getClass == classOf[MapPartitionsRDD[_, _]]) {
        val function = field(rdd, "f")
        from(parent(rdd), functions ++ (function.getClass +: captured(function)))
      } else if (rdd.getClass == classOf[PythonRDD]) {
        val command = field(rdd, "func").asInstanceOf[PythonFunction].command
        parent(rdd) match {
          case rows: ParallelCollectionRDD[_] =>
            Some(Made(functions, command.toIndexedSeq, rows))
          case _ => None
        }
      } else {
        None
      }

    private def parent(rdd: RDD[_]): RDD[_] = rdd.dependencies.head.rdd

    private def field(of: AnyRef, name: String): AnyRef = {
      val found = of.getClass.getDeclaredField(name)
      found.setAccessible(true)
      found.get(of)
    }

    /**
     * The functions that a function was given, as `map` of an RDD is given one. One may have been given
     * itself, by way of others.
     */
    private def captured(function: AnyRef, above: List[AnyRef] = Nil): Seq[Class[_]] =
      function.getClass.getDeclaredFields.toSeq
        .map { f =>
          f.setAccessible(true)
          f.get(function)
        }
        .collect {
          case f @ (_: Function0[_] | _: Function1[_, _] | _: Function2[_, _, _] |
              _: Function3[_, _, _, _]) => f.asInstanceOf[AnyRef]
        }
        .filterNot(f => (f eq function) || above.exists(_ eq f))
        .flatMap(f => f.getClass +: captured(f, function :: above))
  }
}
