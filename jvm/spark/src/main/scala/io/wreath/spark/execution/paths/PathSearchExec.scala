package io.wreath.spark.execution.paths

import scala.collection.immutable.ListMap
import scala.collection.mutable.ArrayBuffer

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeSet, Expression}
import org.apache.spark.sql.catalyst.plans.physical.{
  BroadcastDistribution,
  Distribution,
  UnspecifiedDistribution
}
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.metric.{SQLMetric, SQLMetrics}
import org.apache.spark.sql.execution.wreath.{CsrBroadcastExchangeExec, WreathConf}

import io.wreath.kernel.path.{InvalidCost, LaneSearch, PathMode, Way}
import io.wreath.spark.WreathErrors
import io.wreath.spark.index.keys.KeyText
import io.wreath.spark.index.{CsrBroadcastMode, JoinSpaceCache}
import io.wreath.spark.logical.{PathColumns, PathSelector}

/**
 * Finds the paths that the rows of a child ask for, over indexes that every executor holds.
 *
 * {{{
 *   driver    indexes, conditions, costs   --> what is read       (PathGraph)
 *   rows of the child, shared out by source
 *   task      keys --> codes; up to 64 sources at once            (PathAsks)
 *             a search of the kernel finds path after path        (PathFinder)
 *             a row for each, and each row that asked             (PathRows)
 * }}}
 * A path is searched for only when its row is taken: so a LIMIT ends the search.
 *
 * @param cost of an edge, where the cheapest paths are wanted
 * @param modes how each table is indexed: those of edges, then that of vertices if there is one
 * @param said each of them in the user's words
 * @param isCollected whether the child's rows are few: they are dealt to tasks by the driver
 */
final private[wreath] case class PathSearchExec(
    source: Attribute,
    target: Option[Attribute],
    route: PathRoute,
    mode: PathMode,
    selector: PathSelector,
    cost: Option[Expression],
    columns: PathColumns,
    method: PathMethod,
    tables: Seq[Seq[Attribute]],
    modes: Seq[CsrBroadcastMode],
    said: Seq[String],
    isCollected: Boolean,
    child: SparkPlan,
    indexes: Seq[SparkPlan])
    extends SparkPlan {

  override def nodeName: String = "PathSearch"

  override def children: Seq[SparkPlan] = child +: indexes

  override def output: Seq[Attribute] = child.output ++ columns.all

  override def producedAttributes: AttributeSet = AttributeSet(columns.all)

  override lazy val references: AttributeSet =
    AttributeSet(Seq[Expression](source) ++ target) ++
      AttributeSet(indexes.flatMap(_.output))

  override def requiredChildDistribution: Seq[Distribution] =
    UnspecifiedDistribution +: modes.map(BroadcastDistribution(_))

  override lazy val metrics: Map[String, SQLMetric] = ListMap(
    "numOutputRows" -> SQLMetrics.createMetric(sparkContext, "number of output rows"),
    "numSources" -> SQLMetrics.createMetric(sparkContext, "number of sources searched from"),
    "bytes" -> SQLMetrics.createSizeMetric(sparkContext, "memory of a task's search"))

  /** What was done in the place of `method`; known once it has run. */
  @transient
  @volatile
  private var narrowed: Option[PathMethod] = None

  /** How many steps a cheapest path has is known from the path alone. */
  private def wantsSteps: Boolean =
    columns.vertices.isDefined || columns.edges.isDefined ||
      (method == PathMethod.Cheapest && columns.length.isDefined)

  override protected def doExecute(): RDD[InternalRow] = {
    val relations = indexes.map { index =>
      CsrBroadcastExchangeExec.relation(index)
        .fold(refusal => throw WreathErrors.needsIndex(nodeName, refusal.reason), identity)
    }
    val space = JoinSpaceCache.get(
      sparkContext,
      relations.toIndexedSeq,
      modes.toIndexedSeq,
      computes = route.isUndirected)
    val graph =
      new PathGraph(source.dataType, tables, route, mode, cost, wantsSteps, modes, space)
    try graph.check()
    catch { case e: InvalidCost => throw invalidCost(e, graph) }
    val mostBytes = conf.getConf(WreathConf.PATH_MAX_BYTES)
    val done = fitting(graph, mostBytes)
    narrowed = Some(done).filter(_ != method)
    val task = new PathTask(
      sparkContext.broadcast(graph),
      done,
      child.output,
      source,
      target,
      columns,
      mostBytes,
      longMetric("numSources"),
      longMetric("numOutputRows"))
    if (isCollected) {
      val dealt = deal(child.executeCollect(), graph, done)
      if (dealt.isEmpty) sparkContext.emptyRDD[InternalRow]
      else {
        sparkContext
          .parallelize(dealt, dealt.size)
          .mapPartitions(rows => task.rows(rows.flatMap(_.iterator)))
      }
    } else child.execute().mapPartitions(task.rows)
  }

  /** The method, or what takes less memory. */
  private def fitting(graph: PathGraph, mostBytes: Long): PathMethod = {
    val narrower =
      if (method == PathMethod.Lanes && route.hops.exists(_.least <= 1)) {
        Seq(PathMethod.NarrowBreadth)
      } else Nil
    val methods = method +: narrower
    def bytes(m: PathMethod) = PathMethod.bytes(m, graph, target.isDefined)
    val done = methods.find(bytes(_) <= mostBytes).getOrElse(
      throw WreathErrors.pathTooLarge(methods.map(bytes).min, mostBytes))
    longMetric("bytes") += bytes(done)
    done
  }

  private def invalidCost(e: InvalidCost, graph: PathGraph): Throwable = {
    val keys = graph.space.keys(source.dataType)
    def text(code: Int) = KeyText(keys.value(code), source.dataType)
    WreathErrors.invalidCost(said.head, text(e.source), text(e.target), e.cost.toString)
  }

  /** Shares rows out to tasks: those of one source together, and lanes filled where there are many. */
  private def deal(
      rows: Array[InternalRow],
      graph: PathGraph,
      done: PathMethod): Seq[Array[InternalRow]] = {
    val ends = new PathEnds(child.output, source, target, graph)
    val coded = rows.filter(ends.find).map { row =>
      ends.find(row)
      (ends.sourceFound, row)
    }.sortBy(_._1)
    val cores = sparkContext.defaultParallelism
    val groups = new ArrayBuffer[Int]
    coded.indices.foreach(i => if (i == 0 || coded(i)._1 != coded(i - 1)._1) groups += i)
    val tasks = done match {
      case PathMethod.Lanes | PathMethod.RouteLanes =>
        val runs = (groups.size + LaneSearch.Lanes - 1) / LaneSearch.Lanes
        if (runs >= cores) Math.min(runs, cores * PathSearchExec.TasksACore)
        else Math.min(cores, (groups.size + 7) / 8)
      case _ => Math.min(groups.size, cores * PathSearchExec.TasksACore)
    }
    (0 until tasks).map { t =>
      def cut(t: Int) = {
        val g = (groups.size.toLong * t / tasks).toInt
        if (g == groups.size) coded.length else groups(g)
      }
      coded.slice(cut(t), cut(t + 1)).map(_._2)
    }.filter(_.nonEmpty)
  }

  private def text: String = {
    val wanted = selector match {
      case PathSelector.All => "all"
      case PathSelector.Shortest(1) => "any shortest"
      case PathSelector.Shortest(k) => s"$k shortest"
      case PathSelector.ShortestGroups(1) => "all shortest"
      case PathSelector.ShortestGroups(k) => s"$k groups of shortest"
      case PathSelector.Cheapest(k) => if (k == 1) "any cheapest" else s"$k cheapest"
    }
    val kind = mode match {
      case PathMode.Walk => "walks"
      case PathMode.Trail => "trails"
      case PathMode.Simple => "simple paths"
      case PathMode.Acyclic => "acyclic paths"
    }
    val ends = source.name + target.fold("")(t => s" to ${t.name}")
    val done = narrowed.getOrElse(method)
    s"$wanted $kind from $ends along $pathText, ${done.name}: ${done.why}"
  }

  private def pathText: String = {
    import io.wreath.kernel.path.Hops
    import io.wreath.kernel.path.RegularPath
    import io.wreath.kernel.path.RegularPath._
    def of(path: RegularPath): String = path match {
      case Step(label) =>
        val l = route.labels(label)
        val tests = l.tests.map { case (e, passes) => if (passes) e.toString else s"NOT $e" }
        val where = if (tests.isEmpty) "" else tests.mkString(" WHERE ", " AND ", "")
        val edge = s"-[${said(l.relation)}$where]-"
        l.way match {
          case Way.Forward => s"$edge>"
          case Way.Backward => s"<$edge"
          case Way.Both => edge
        }
      case Sequence(parts @ _*) => parts.map(of).mkString("(", " ", ")")
      case Choice(parts @ _*) => parts.map(of).mkString("(", " | ", ")")
      case Repeat(part, Hops(least, most)) =>
        val bound = if (most == Hops.Unbounded) "" else most.toString
        s"${of(part)}{$least,$bound}"
    }
    of(route.path)
  }

  override def simpleString(maxFields: Int): String = s"$nodeName $text"

  override def verboseStringWithOperatorId(): String =
    s"""
       |$formattedNodeName
       |Output: ${output.mkString("[", ", ", "]")}
       |Paths: $text
       |""".stripMargin

  override protected def withNewChildrenInternal(
      newChildren: IndexedSeq[SparkPlan]): PathSearchExec =
    copy(child = newChildren.head, indexes = newChildren.tail)
}

private[wreath] object PathSearchExec {
  final private val TasksACore = 4
}
