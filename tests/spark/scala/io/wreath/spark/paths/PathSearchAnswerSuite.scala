package io.wreath.spark.paths

import scala.util.Random

import org.apache.spark.sql.catalyst.expressions.{
  Attribute,
  AttributeReference,
  GreaterThan,
  Literal
}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.wreath.TestPlans
import org.apache.spark.sql.types._
import org.apache.spark.sql.{DataFrame, Row}

import io.wreath.kernel.path.RegularPath._
import io.wreath.kernel.path.{Hops, PathMode, RegularPath}
import io.wreath.spark.WreathQueryTest
import io.wreath.spark.logical._

/** What is asked of which graph. */
final private[paths] case class PathCase(
    edges: Seq[OracleEdge],
    loose: Int,
    people: Option[Set[Int]],
    steps: Seq[OracleStep],
    path: RegularPath,
    mode: PathMode,
    selector: PathSelector,
    isBound: Boolean,
    asks: Seq[(Option[Int], Option[Int])],
    columns: Set[String],
    key: String,
    isLocal: Boolean)

/** Searches for paths find what their definition says, over random graphs. */
class PathSearchAnswerSuite extends WreathQueryTest {

  private val isSoak = sys.env.get("WREATH_SOAK").contains("1")

  /** How a small number is written as a key, in the order of the numbers. */
  private val keyTypes = Seq(
    "CAST(x AS INT)",
    "x * 1000003L",
    "concat('v', x)",
    "date_add(DATE '1969-12-30', CAST(x AS INT))",
    "IF(x IS NULL, NULL, named_struct('p', x, 'q', 'a'))")

  private def over(key: String, column: String): String = key.replaceAll("\\bx\\b", column)

  private def randomCase(random: Random): PathCase = {
    def one[T](of: T*): T = of(random.nextInt(of.size))
    val tables = one(1, 1, 2)
    val n = 2 + random.nextInt(3)
    val edges = Seq.tabulate(random.nextInt(7)) { i =>
      OracleEdge(
        i,
        random.nextInt(tables),
        random.nextInt(n),
        random.nextInt(n),
        1 + random.nextInt(4))
    }
    val people = if (random.nextInt(3) == 0)
      Some((0 until n).filter(_ => random.nextInt(4) > 0).toSet + 8)
    else None
    def step = OracleStep(
      random.nextInt(tables),
      one(EdgeDirection.Right, EdgeDirection.Right, EdgeDirection.Left, EdgeDirection.Either),
      one(None, None, Some(1), Some(2)))
    val isSingle = random.nextInt(5) < 3
    val steps = if (isSingle) Seq(step) else Seq(step, step)
    val isCheapest = isSingle && random.nextInt(4) == 0
    val mode =
      one(PathMode.Walk, PathMode.Walk, PathMode.Trail, PathMode.Simple, PathMode.Acyclic)
    val selector =
      if (isCheapest) PathSelector.Cheapest(1)
      else one(
        PathSelector.All,
        PathSelector.Shortest(1),
        PathSelector.Shortest(1),
        PathSelector.Shortest(2),
        PathSelector.ShortestGroups(1),
        PathSelector.ShortestGroups(2))
    val mayBeEndless = selector match {
      case PathSelector.Shortest(1) | PathSelector.ShortestGroups(1) | PathSelector.Cheapest(_) =>
        true
      case _ => mode != PathMode.Walk
    }
    val hops = one(Seq(Hops(1, 1), Hops(0, 2), Hops(1, 3), Hops(2, 3)) ++
      (if (mayBeEndless)
         Seq(Hops(0, Hops.Unbounded), Hops(1, Hops.Unbounded), Hops(2, Hops.Unbounded))
       else Nil): _*)
    val path =
      if (isCheapest) Repeat(Step(0), one(Hops.any, Hops.some))
      else if (isSingle) Repeat(Step(0), hops)
      else one(
        Repeat(Choice(Step(0), Step(1)), hops),
        Repeat(Sequence(Step(0), Step(1)), hops),
        Sequence(Step(0), Repeat(Step(1), hops)))
    val isBound = random.nextBoolean()
    def end = one(None, Some(9), Some(8)) match {
      case rare if random.nextInt(8) == 0 => rare
      case _ => Some(random.nextInt(n))
    }
    val wantsEdges = random.nextBoolean()
    PathCase(
      edges,
      random.nextInt(2),
      people,
      steps,
      path,
      if (isCheapest) one(PathMode.Walk, PathMode.Acyclic, PathMode.Simple) else mode,
      selector,
      isBound,
      Seq.fill(1 + random.nextInt(6))((end, end)),
      Seq("target", "length", "vertices").filter(_ => random.nextBoolean()).toSet ++
        (if (wantsEdges) Seq("edges") else Nil) ++ (if (isCheapest) Seq("cost") else Nil),
      one(keyTypes: _*),
      random.nextBoolean())
  }

  private def plan(df: DataFrame): LogicalPlan = df.queryExecution.analyzed

  private def tableOf(c: PathCase, relation: Int): DataFrame = {
    val session = spark
    import session.implicits._
    val rows = c.edges.filter(_.relation == relation).map { e =>
      (Option(e.source), Option(e.target), e.id, e.weight)
    } ++ Seq.fill(c.loose)((Some(0), None, 99, 3))
    val of = spark.sparkContext.parallelize(rows, 2).toDF("s", "d", "id", "w")
    of.selectExpr(s"${over(c.key, "s")} AS src", s"${over(c.key, "d")} AS dst", "id", "w")
  }

  private def searched(c: PathCase): DataFrame = {
    val session = spark
    import session.implicits._
    val rows = c.asks.zipWithIndex.map { case ((s, t), i) => (i, s, t) }
    val frame =
      if (c.isLocal) rows.toDF("row", "s", "t")
      else spark.sparkContext.parallelize(rows, 2).toDF("row", "s", "t")
    val child =
      plan(frame.selectExpr("row", s"${over(c.key, "s")} AS a", s"${over(c.key, "t")} AS b"))
    val tables = (0 to c.steps.map(_.relation).max).map(r => plan(tableOf(c, r)))
    val key = child.output(1).dataType
    def column(name: String, tpe: DataType): Option[Attribute] =
      Some(AttributeReference(name, tpe)()).filter(_ => c.columns(name))
    val edgeType = StructType(tables.head.output.map(a => StructField(a.name, a.dataType)))
    val steps = c.steps.map { s =>
      val weight = tables(s.relation).output(3)
      PathStep(
        s.relation,
        s.direction,
        s.least.map(w => GreaterThan(weight, Literal(w))),
        if (c.columns("cost")) Some(weight) else None)
    }
    val people = c.people.map { ids =>
      plan(ids.toSeq.toDF("p").selectExpr(s"${over(c.key, "p")} AS id"))
    }
    TestPlans.frame(
      spark,
      PathSearch(
        child,
        child.output(1),
        if (c.isBound) Some(child.output(2)) else None,
        c.path,
        steps,
        c.mode,
        c.selector,
        PathColumns(
          if (c.isBound) None else column("target", key),
          column("length", IntegerType),
          column("cost", LongType),
          column("vertices", ArrayType(key)),
          column("edges", ArrayType(edgeType))),
        tables,
        people,
        tables.map(_ => "e") ++ people.map(_ => "v")))
  }

  /** What is told of a path, in the order of the columns; without edges. */
  private def told(c: PathCase, p: OraclePath): Seq[Any] =
    (if (c.columns("target") && !c.isBound) Seq[Any](p.target) else Nil) ++
      (if (c.columns("length")) Seq[Any](p.length) else Nil) ++
      (if (c.columns("cost")) Seq[Any](p.weight.toLong) else Nil) ++
      (if (c.columns("vertices")) Seq[Any](p.vertices) else Nil)

  private def check(c: PathCase): Unit = {
    val names =
      spark.range(10).selectExpr("CAST(id AS INT)", s"${over(c.key, "id")} AS k").collect()
        .map(r => r.get(1) -> r.getInt(0)).toMap
    val found = searched(c).collect().toSeq.groupBy(_.getAs[Int]("row"))
    val there = c.edges.filter(e => c.people.forall(p => p(e.source) && p(e.target)))
    // Of a table that no step reads, nothing is known.
    val read = there.filter(e => c.steps.map(_.relation).max >= e.relation)
    val oracle = new PathOracle(read, c.steps, 8)
    val ids = c.people.getOrElse(c.edges.filter(_.relation <= c.steps.map(_.relation).max)
      .flatMap(e => Seq(e.source, e.target)).toSet)
    for (((source, target), i) <- c.asks.zipWithIndex) {
      val all = source.filter(ids).toSeq.flatMap(oracle.paths(_, c.path, c.mode))
        .filter(p => !c.isBound || target.contains(p.target))
      val byTarget = all.groupBy(_.target)
      val expected = byTarget.values.flatMap(oracle.selected(_, c.selector)).toSeq
      val rows = found.getOrElse(i, Nil)
      def plain(row: Row): Seq[Any] =
        (if (c.columns("target") && !c.isBound) Seq(names(row.getAs[Any]("target"))) else Nil) ++
          (if (c.columns("length")) Seq[Any](row.getAs[Int]("length")) else Nil) ++
          (if (c.columns("cost")) Seq[Any](row.getAs[Long]("cost")) else Nil) ++
          (if (c.columns("vertices"))
             Seq(row.getAs[scala.collection.Seq[Any]]("vertices").map(names).toVector)
           else Nil)
      def counted[T](items: Seq[T]): Map[T, Int] = items.groupMapReduce(identity)(_ => 1)(_ + _)
      assert(counted(rows.map(plain)) == counted(expected.map(told(c, _))), s"row $i of $c")
      if (c.columns("edges")) {
        val edges = rows.map { row =>
          row.getAs[scala.collection.Seq[Row]]("edges").map { e =>
            val edge = c.edges.find(_.id == e.getAs[Int]("id")).get
            assert(
              names(e.get(0)) == edge.source && names(e.get(1)) == edge.target &&
                e.getAs[Int]("w") == edge.weight)
            edge.id
          }.toVector
        }
        c.selector match {
          case PathSelector.All | PathSelector.ShortestGroups(_) =>
            assert(counted(edges) == counted(expected.map(_.edges)), s"row $i of $c")
          case _ =>
            // Of parallel edges any may be taken, but each path once, and as long as told.
            val known = all.map(p => p.edges -> p).toMap
            assert(edges.distinct.size == edges.size || edges.exists(_.isEmpty), s"row $i of $c")
            assert(
              counted(edges.map(e => told(c, known(e)))) == counted(expected.map(told(c, _))),
              s"row $i of $c")
        }
      }
    }
  }

  for (adaptive <- Seq(true, false))
    test(s"random graphs, paths and selections, AQE $adaptive") {
      withSQLConf("spark.sql.adaptive.enabled" -> adaptive.toString) {
        val random = new Random(if (adaptive) 11 else 12)
        for (i <- 1 to (if (isSoak) 1500 else 20))
          withClue(s"case $i: ")(check(randomCase(random)))
      }
    }

  test("an edge is known again, whichever step takes it") {
    val random = new Random(13)
    for (i <- 1 to (if (isSoak) 300 else 8)) withClue(s"case $i: ") {
      val ways = Seq(EdgeDirection.Right, EdgeDirection.Left, EdgeDirection.Either)
      def step(least: Option[Int]) = OracleStep(0, ways(random.nextInt(3)), least)
      check(PathCase(
        // Parallel edges, of which a condition leaves some.
        Seq.tabulate(5)(i =>
          OracleEdge(i, 0, random.nextInt(2), random.nextInt(3), 1 + random.nextInt(3))),
        loose = 0,
        people = None,
        steps = Seq(step(None), step(Some(1))),
        path = Repeat(
          if (random.nextBoolean()) Sequence(Step(0), Step(1)) else Choice(Step(0), Step(1)),
          Hops(1, 2)),
        mode = if (i % 2 == 0) PathMode.Trail else PathMode.Walk,
        selector = if (random.nextBoolean()) PathSelector.All else PathSelector.ShortestGroups(2),
        isBound = random.nextBoolean(),
        asks = for (s <- 0 to 2; t <- 0 to 2) yield (Some(s), Some(t)),
        columns = Set("target", "length", "edges"),
        key = keyTypes.head,
        isLocal = true))
    }
  }
}
