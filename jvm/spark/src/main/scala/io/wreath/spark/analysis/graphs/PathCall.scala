package io.wreath.spark.analysis.graphs

import org.apache.spark.sql.catalyst.analysis.Resolver
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.Inner
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.types._

import io.wreath.kernel.path.RegularPath.{Repeat, Step}
import io.wreath.kernel.path.{Hops, PathMode}
import io.wreath.spark.logical._

/** Makes a search for paths of `GRAPH_SHORTEST_PATHS(…)` or `GRAPH_REACHABLE(…)`. */
final private[graphs] class PathCall(f: UnresolvedGraphFunction, resolver: Resolver) {
  import PathCall._

  private val isReach = f.function == "GRAPH_REACHABLE"

  private val tableNames =
    if (isReach) Seq("sources", GraphOfFunction.Vertices)
    else Seq("sources", "targets", "pairs", GraphOfFunction.Vertices)

  private val values = new FunctionArguments(
    f,
    if (isReach) Seq("hops", "direction") else Seq("max_hops", "direction", "with_path"),
    tableNames)

  private val tables: Map[String, LogicalPlan] = {
    val named = f.said.map(_._1).zip(f.tables).tail
    val known = if (isReach) tableNames else tableNames :+ "cost"
    named.map(_._1).find(!known.contains(_)).foreach { name =>
      values.refuse(
        (if (name.isEmpty) "Only its first table stands alone."
         else if (name == "cost") "What is reached costs nothing."
         else s"It takes no table $name.") +
          s" Others are named: sources => TABLE people.")
    }
    named.diff(named.distinctBy(_._1)).headOption.foreach { case (name, _) =>
      values.refuse(s"$name stands there twice. Leave one out.")
    }
    named.toMap
  }

  private def shared(t: LogicalPlan): LogicalPlan =
    AnalysisHelper.allowInvokingTransformsInAnalyzer(SharedRows.in(t))

  private val graph = new GraphOfFunction(
    f,
    shared(f.tables.head),
    tables.get(GraphOfFunction.Vertices).map(shared),
    resolver)

  private val direction = values.word("direction", Directions.map(_._1)).fold[EdgeDirection](
    EdgeDirection.Right)(w => Directions.toMap.apply(w))

  /** Over the columns of the edges. */
  private val cost: Option[Expression] = tables.get("cost").map {
    case Project(Seq(Alias(written, _)), edges) =>
      val here = edges.output.zip(graph.table.output).map { case (a, b) => a.exprId -> b }.toMap
      written.dataType match {
        case _: NumericType =>
        case other => values.refuse(s"cost is of type ${other.sql}, but must be a number.")
      }
      if (!written.deterministic || SubqueryExpression.hasSubquery(written)) {
        values.refuse("cost must be known from the columns of the edge alone.")
      }
      written.transform { case a: Attribute => here.getOrElse(a.exprId, a) }
    case _ => values.refuse("cost must be about one edge, without aggregates or windows.")
  }

  def resolve(): LogicalPlan = if (isReach) reached() else shortest()

  private def reached(): LogicalPlan = {
    val child = vertices("sources")
    val target = AttributeReference("target", graph.key, nullable = false)()
    val hops = values.wholeNumber("hops", 1).getOrElse(Hops.Unbounded)
    val search = searched(
      child,
      None,
      Hops(1, hops),
      direction,
      PathSelector.Shortest(1),
      PathColumns(target = Some(target)))
    Project(Seq(named(child.output.head, "source"), target), search)
  }

  private def shortest(): LogicalPlan = {
    val withPath = values.boolean("with_path").contains(true)
    val most = values.wholeNumber("max_hops", 0)
    if (cost.isDefined && most.isDefined) {
      values.refuse("It takes cost or max_hops: the cheapest paths within a number of steps are not there yet.")
    }
    if (tables.contains("pairs") && (tables.contains("sources") || tables.contains("targets"))) {
      values.refuse("pairs has both ends. Leave out sources and targets, or pairs.")
    }
    val (hasSources, hasTargets) = (tables.contains("sources"), tables.contains("targets"))
    // To a few targets from everywhere is from them to everywhere, on edges read backwards. But of several paths
    // another may come first.
    val isTurned = hasTargets && !hasSources && !withPath
    val child =
      if (tables.contains("pairs")) pairs
      else if (isTurned) vertices("targets")
      else if (hasTargets) {
        Join(vertices("sources"), vertices("targets"), Inner, None, JoinHint.NONE)
      } else vertices("sources")
    val isBound = child.output.size == 2
    val target = AttributeReference("target", graph.key, nullable = false)()
    val distance =
      cost.fold(AttributeReference("distance", IntegerType, nullable = false)()) { c =>
        val tpe = c.dataType match {
          case ByteType | ShortType | IntegerType | LongType => LongType
          case _ => DoubleType
        }
        AttributeReference("distance", tpe, nullable = false)()
      }
    val path =
      AttributeReference("path", ArrayType(graph.key, containsNull = false), nullable = false)()
    val search = searched(
      child,
      if (isBound) Some(child.output(1)) else None,
      Hops(0, most.getOrElse(Hops.Unbounded)),
      if (isTurned) turned(direction) else direction,
      if (cost.isDefined) PathSelector.Cheapest(1) else PathSelector.Shortest(1),
      PathColumns(
        target = if (isBound) None else Some(target),
        length = if (cost.isDefined) None else Some(distance),
        cost = if (cost.isDefined) Some(distance) else None,
        vertices = if (withPath) Some(path) else None))
    val (begin, end) = (child.output.head, if (isBound) child.output(1) else target)
    val (from, to) = if (isTurned) (end, begin) else (begin, end)
    Project(
      Seq(named(from, "source"), named(to, "target"), distance) ++
        (if (withPath) Seq(path) else Nil),
      search)
  }

  private def named(a: Attribute, name: String): NamedExpression =
    if (a.name == name) a else Alias(a, name)()

  private def searched(
      child: LogicalPlan,
      target: Option[Attribute],
      hops: Hops,
      direction: EdgeDirection,
      selector: PathSelector,
      columns: PathColumns): LogicalPlan = {
    PathSearch(
      child,
      child.output.head,
      target,
      Repeat(Step(0), hops),
      Seq(PathStep(0, direction, None, cost)),
      PathMode.Walk,
      selector,
      columns,
      Seq(graph.edges(cost.toSeq.flatMap(_.references))),
      graph.people,
      graph.said)
  }

  /** Each vertex that is named, once; all of the graph where none is. */
  private def vertices(argument: String): LogicalPlan = tables.get(argument) match {
    case None => graph.computation(VertexValue.Itself)
    case Some(table) =>
      if (table.output.size != 1) {
        values.refuse(
          s"$argument is a table of ${table.output.size} columns, but must have one, of ids.")
      }
      once(table, Seq(keyOf(table.output.head, argument)))
  }

  private def pairs: LogicalPlan = {
    val table = tables("pairs")
    if (table.output.size != 2) {
      values.refuse(
        s"pairs is a table of ${table.output.size} columns, but must have two: where a path " +
          "begins, and where it ends.")
    }
    once(table, table.output.map(keyOf(_, "pairs")))
  }

  private def once(table: LogicalPlan, keys: Seq[Expression]): LogicalPlan = {
    val columns = keys.zip(Seq("source", "target")).map { case (k, name) => Alias(k, name)() }
    distinctRows(table) match {
      case Some(rows) => Project(columns, rows)
      case None => Distinct(Project(columns, table))
    }
  }

  /** Rows that are written in the query are made distinct here. */
  private def distinctRows(table: LogicalPlan): Option[LogicalPlan] = table match {
    case l: LocalRelation => Some(l.copy(data = l.data.distinct))
    case SharedRows(output, rows) => Some(LocalRelation(output, rows.asSeq.distinct))
    case s: SubqueryAlias => distinctRows(s.child).map(c => s.copy(child = c))
    case v: View => distinctRows(v.child)
    case Filter(Literal.TrueLiteral, child) => distinctRows(child)
    case p @ Project(list, child)
        if list.size == child.output.size && list.forall(_.isInstanceOf[Attribute]) =>
      distinctRows(child).map(c => p.copy(child = c))
    case _ => None
  }

  /** As a key of the graph's vertices; a number that is none of these is NULL, and so no vertex. */
  private def keyOf(a: Attribute, argument: String): Expression =
    (a.dataType, graph.key) match {
      case (same, key) if same == key => a
      case (from, key) if isWhole(from) && isWhole(key) =>
        Cast(a, graph.key, None, EvalMode.TRY)
      case (from, key) if Cast.canUpCast(from, key) && !key.isInstanceOf[StringType] =>
        Cast(a, key)
      case (NullType, key) => Cast(a, key)
      case (from, key) =>
        values.refuse(
          s"$argument has ids of type ${from.sql}, but the vertices of the graph are named by " +
            s"${key.sql}. Cast one of them.")
    }

  private def isWhole(tpe: DataType): Boolean = tpe match {
    case ByteType | ShortType | IntegerType | LongType => true
    case _ => false
  }

  private def turned(direction: EdgeDirection): EdgeDirection = direction match {
    case EdgeDirection.Right => EdgeDirection.Left
    case EdgeDirection.Left => EdgeDirection.Right
    case EdgeDirection.Either => EdgeDirection.Either
  }
}

private object PathCall {
  val Directions: Seq[(String, EdgeDirection)] =
    Seq("out" -> EdgeDirection.Right, "in" -> EdgeDirection.Left, "both" -> EdgeDirection.Either)
}
