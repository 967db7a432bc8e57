package io.wreath.kernel.count

import io.wreath.kernel.PropertyChecks
import io.wreath.kernel.csr.{CsrBuilder, CsrGraph}
import io.wreath.kernel.join.{Domain, Use}
import io.wreath.kernel.lists.Pieces
import io.wreath.pattern._
import org.scalacheck.Gen

/** A pattern to be counted: `allowed` are the codes of each variable. */
final case class CountCase(
    vertices: Int,
    relations: Vector[Vector[(Int, Int)]],
    pattern: GraphPattern,
    allowed: Vector[Set[Int]])

/** The oracle: all variables over all vertices, and the product of how often each edge occurs. */
object NaiveCount {

  def apply(c: CountCase): BigInt = ofGroups(c)

  /** The matches that bind some variables to some codes. */
  def ofGroups(c: CountCase, groups: (Int, Int)*): BigInt = {
    val p = c.pattern
    val n = p.variableCount
    val occurs = c.relations.map { edges =>
      val times = Array.ofDim[Int](c.vertices, c.vertices)
      edges.foreach { case (s, t) => times(s)(t) += 1 }
      times
    }
    // What is decided when a variable is bound.
    val comparisons = Array.tabulate(n)(v =>
      p.comparisons.filter(x => x.left.max(x.right) == v).toArray)
    val edges =
      Array.tabulate(n)(v => p.edges.filter(e => e.source.max(e.target) == v).toArray)
    val codes = Array.tabulate(n)(v =>
      c.allowed(v).filter(code => groups.forall(g => g._1 != v || g._2 == code)).toArray)
    val row = new Array[Int](n)
    def holds(x: Comparison): Boolean = {
      val (l, r) = (row(x.left), row(x.right))
      x.op match {
        case ComparisonOp.Less => l < r
        case ComparisonOp.LessOrEqual => l <= r
        case ComparisonOp.NotEqual => l != r
        case ComparisonOp.Equal => l == r
      }
    }
    def times(e: PatternEdge): Long = {
      val found = occurs(e.relation)(row(e.source))(row(e.target))
      if (e.matchesOnce) found.min(1).toLong else found.toLong
    }
    def extend(v: Int, rows: Long): Long =
      if (v == n) rows
      else {
        var sum = 0L
        codes(v).foreach { code =>
          row(v) = code
          if (comparisons(v).forall(holds)) {
            val ways = edges(v).foldLeft(1L)((w, e) => if (w == 0L) 0L else w * times(e))
            if (ways != 0L)
              sum = Math.addExact(sum, extend(v + 1, Math.multiplyExact(rows, ways)))
          }
        }
        sum
      }
    BigInt(extend(0, 1L))
  }
}

/**
 * Holds counting by elimination to nested loops. The grid: connected patterns of up to six variables x
 * relations (directed, both ways, with repeats, with edges from a vertex to itself, several) x codes
 * that variables may have x comparisons of all kinds x vertices by degree or as they are x cuts.
 */
class EliminationSuite extends PropertyChecks {

  private def pattern(relations: Int): Gen[GraphPattern] = for {
    n <- Gen.choose(1, 6)
    relation = Gen.choose(0, relations - 1)
    tree <- Gen.sequence[Vector[PatternEdge], PatternEdge]((1 until n).map { v =>
      for (u <- Gen.choose(0, v - 1); r <- relation; out <- Gen.oneOf(true, false))
        yield if (out) PatternEdge(u, v, r) else PatternEdge(v, u, r)
    })
    // Mostly more edges, so that there are cycles; some that do not weigh.
    variable = Gen.choose(0, n - 1)
    edge = Gen.zip(variable, variable, relation, Gen.frequency(9 -> false, 1 -> true)).map {
      case (s, t, r, apart) => PatternEdge(s, t, r, apart)
    }
    extra <- Gen.choose(if (n == 1) 1 else 0, 4)
    more <- Gen.containerOfN[Vector, PatternEdge](extra, edge)
    loopless = more.filter(e => n == 1 || e.source != e.target || e.matchesOnce)
    all = tree ++ loopless
    edges = if (all.isEmpty) Vector(PatternEdge(0, 0)) else all
    comparisons <- Gen.frequency(
      2 -> Gen.const(Vector.empty[Comparison]),
      3 -> different(n),
      3 -> Gen.oneOf(broken(n, edges), different(n)).flatMap(d => broken(n, edges).map(d ++ _)),
      2 -> Gen
        .choose(1, 3)
        .flatMap(
          Gen.containerOfN[Vector, Comparison](
            _,
            Gen.zip(variable, operator, variable).map(Comparison.tupled))))
  } yield GraphPattern(n, edges, comparisons)

  private val operator = Gen.frequency[ComparisonOp](
    2 -> ComparisonOp.Less,
    2 -> ComparisonOp.LessOrEqual,
    6 -> ComparisonOp.NotEqual,
    1 -> ComparisonOp.Equal)

  private def different(n: Int): Gen[Vector[Comparison]] = {
    val all = for (a <- 0 until n; b <- a + 1 until n)
      yield Comparison(a, ComparisonOp.NotEqual, b)
    Gen.frequency(2 -> Gen.const(all.toVector), 1 -> Gen.someOf(all).map(_.toVector))
  }

  /** The `<` that leave one of the matches that look alike. */
  private def broken(n: Int, edges: Vector[PatternEdge]): Gen[Vector[Comparison]] =
    Gen.const(
      Symmetry
        .breaking(
          Vector.fill(n)(0),
          edges.filter(e => e.source != e.target).map(e =>
            SymmetricEdge(e.source, e.target, e.relation, isUndirected = true)),
          _ => true)
        .map { case (a, b) => Comparison(a, ComparisonOp.Less, b) }
        .toVector)

  private def relation(vertices: Int): Gen[Vector[(Int, Int)]] = {
    val v = Gen.choose(0, vertices - 1)
    for {
      n <- Gen.choose(0, 14)
      some <- Gen.containerOfN[Vector, (Int, Int)](n, Gen.zip(v, v))
      bothWays <- Gen.frequency(3 -> true, 2 -> false)
      loops <- Gen.frequency(2 -> false, 1 -> true)
      repeats <- Gen.frequency(2 -> false, 1 -> true)
      left = some.filter(e => loops || e._1 != e._2)
      all = if (bothWays) left ++ left.map(_.swap) else left
    } yield if (repeats) all else all.distinct
  }

  private val cases: Gen[CountCase] = for {
    vertices <- Gen.choose(1, 6)
    count <- Gen.frequency(3 -> 1, 1 -> 2)
    relations <- Gen.listOfN(count, relation(vertices))
    p <- pattern(count)
    codes = (0 until vertices).toSet
    some = Gen.someOf(codes).map(_.toSet)
    narrowed <- Gen.frequency(2 -> false, 1 -> true)
    allowed <- Gen.sequence[Vector[Set[Int]], Set[Int]]((0 until p.variableCount).map(_ =>
      if (narrowed) Gen.oneOf(Gen.const(codes), some) else Gen.const(codes)))
    alike <- Gen.oneOf(true, false)
  } yield CountCase(
    vertices,
    relations.toVector,
    p,
    if (alike) allowed.map(_ => allowed.head) else allowed)

  private def graphs(c: CountCase): Array[CsrGraph] = c.relations.map { edges =>
    CsrBuilder.fromCodes(
      edges.map(_._1).toArray,
      edges.map(_._2).toArray,
      edges.size,
      c.vertices)
  }.toArray

  private def domains(c: CountCase): Array[Domain] = c.allowed.map { codes =>
    if (codes.size == c.vertices) Domain.whole(c.vertices)
    else new Domain(c.vertices, 0, c.vertices, Array(codes.map(1L << _).sum))
  }.toArray

  private def isOrderable(g: Array[CsrGraph]): Boolean =
    g.length == 1 && g(0).isSymmetric && !g(0).hasDuplicates && !g(0).hasSelfLoops

  /** What makes a difference: where vertices have no order by degree, the search is one and the same. */
  private def uses(c: CountCase): Seq[Use] =
    if (isOrderable(graphs(c))) Seq(Use.Never, Use.Always, Use.WhenWorth) else Seq(Use.WhenWorth)

  private def counted(c: CountCase, byDegree: Use): Either[String, Long] = {
    val stored = graphs(c)
    val below = Some(stored).filter(isOrderable).map(g => BelowMoments.of(g(0).byDegree.forward))
    Elimination.of(c.pattern, stored, domains(c), below, byDegree = byDegree).map { e =>
      val (lists, codes) =
        if (e.byDegree)
          (stored.map(_.byDegree), domains(c).map(_.renamed(stored(0).ranked.rankOf)))
        else (stored, domains(c))
      val factors = new EliminationFactors(e, lists, codes)
      val n = factors.codeCount
      val cut = n / 3
      EliminationRun.result(
        e,
        Seq(new EliminationRun(factors).sum(cut, n), new EliminationRun(factors).sum(0, cut)))
    }
  }

  test("a pattern counted by elimination has as many matches as nested loops find") {
    var done = 0
    forAll(cases, casesOf(2000, 100000)) { c =>
      val expected = NaiveCount(c)
      uses(c).foreach { use =>
        val found = counted(c, use)
        if (found.isRight) done += 3 / uses(c).size
        assert(found.forall(BigInt(_) == expected), s"$use: $found, not $expected")
      }
    }
    // Most of them are within reach.
    assert(done > casesOf(5900, 295000), s"$done")
  }

  test("sums that walk the same lists and weigh them otherwise stay apart") {
    val edges = Vector((1, 5), (5, 1), (3, 1), (5, 3), (0, 1), (4, 1))
    val pattern = GraphPattern(
      6,
      Vector((1, 0), (2, 0), (3, 2), (1, 4), (5, 1), (5, 0), (3, 1)).map { case (a, b) =>
        PatternEdge(a, b, 0, false)
      },
      for (a <- (0 until 6).toVector; b <- a + 1 until 6)
        yield Comparison(a, ComparisonOp.NotEqual, b))
    val c = CountCase(6, Vector(edges), pattern, Vector.fill(6)((0 until 6).toSet))
    assert(counted(c, Use.WhenWorth).map(BigInt(_)) == Right(NaiveCount(c)))
  }

  test(
    "an order that breaks symmetries of a ring is a division, whatever edges say by themselves") {
    val n = 7
    val both = (0 until n).flatMap(a => Seq((a, (a + 1) % n), ((a + 1) % n, a))).toVector ++
      Vector((0, 3), (3, 0), (1, 4), (4, 1))
    val ring = Vector((0, 1), (1, 2), (2, 3), (3, 0)).map { case (a, b) =>
      PatternEdge(a, b, 0, false)
    }
    val less = Vector((0, 1), (0, 2), (0, 3), (1, 3)).map { case (a, b) =>
      Comparison(a, ComparisonOp.Less, b)
    }
    val c =
      CountCase(n, Vector(both), GraphPattern(4, ring, less), Vector.fill(4)((0 until n).toSet))
    assert(counted(c, Use.WhenWorth).map(BigInt(_)) == Right(NaiveCount(c)))
    val whole =
      SignedSums.whole(
        Quotient.whole(c.pattern),
        c.allowed.map(_ => None),
        Nil,
        Nil)(Elimination.traits(graphs(c), Pieces.NoInterrupt))
    val sums =
      SignedSums.of(
        Seq((1L, whole.get, less)),
        () => ())(Elimination.traits(graphs(c), Pieces.NoInterrupt))
    assert(sums.exists(s => s.over == 8 && s.sums.forall(!_._2.isOrdered)), sums)
  }

  /** The matches of each vertex of a variable, and how it was done; None where it is declined. */
  private def byGroup(c: CountCase, group: Int, use: Use): Option[(Elimination, Vector[Long])] = {
    val stored = graphs(c)
    val below = Some(stored).filter(isOrderable).map(g => BelowMoments.of(g(0).byDegree.forward))
    Elimination
      .of(c.pattern, stored, domains(c), below, Seq(group), byDegree = use)
      .toOption
      .map { e =>
        val factors =
          if (e.byDegree)
            new EliminationFactors(
              e,
              stored.map(_.byDegree),
              domains(c).map(_.renamed(stored(0).ranked.rankOf)))
          else new EliminationFactors(e, stored, domains(c))
        val run = new EliminationRun(factors)
        val numbers = (0 until c.vertices).map { x =>
          val code = if (e.byDegree) stored(0).ranked.rankOf(x) else x
          if (code < factors.codeCount) run.ofGroup(code) else 0L
        }
        (e, numbers.toVector)
      }
  }

  /** The same over a graph that may be read by degree. */
  private def orderable(c: CountCase): CountCase = c.copy(
    relations = Vector(
      c.relations.head.filter(e => e._1 != e._2).flatMap(e => Seq(e, e.swap)).distinct),
    pattern = c.pattern.copy(edges =
      c.pattern.edges.filter(e => e.source != e.target).map(_.copy(relation = 0))))

  private val ofGroups: Gen[CountCase] =
    Gen.oneOf(cases, cases.suchThat(_.pattern.variableCount > 1).map(orderable))

  test("the matches of each vertex of a variable are as many as nested loops find") {
    var done = 0
    var spread = 0
    forAll(Gen.zip(ofGroups, Gen.choose(0, 5)), casesOf(700, 20000)) { case (c, some) =>
      val group = some % c.pattern.variableCount
      lazy val expected =
        (0 until c.vertices).map(x => NaiveCount.ofGroups(c, (group, x))).toVector
      uses(c).foreach { use =>
        byGroup(c, group, use).foreach { case (e, found) =>
          done += 1
          if (e.isSpread && e.byDegree) spread += 1
          assert(found.map(BigInt(_)) == expected, s"$use: group $group")
        }
      }
    }
    assert(done > casesOf(800, 23000))
    assert(spread > casesOf(50, 1500), spread)
  }

  test("the matches of each two vertices of two variables are as many as nested loops find") {
    var done = 0
    forAll(Gen.zip(cases, Gen.choose(0, 5), Gen.choose(1, 5)), casesOf(700, 20000)) {
      case (c, some, other) =>
        val n = c.pattern.variableCount
        val (a, b) = (some % n, (some + other) % n)
        if (a != b) {
          Elimination.of(c.pattern, graphs(c), domains(c), None, Seq(a, b)).foreach { e =>
            val factors = new EliminationFactors(e, graphs(c), domains(c))
            val run = new EliminationRun(factors)
            done += 1
            (0 until c.vertices).foreach { x =>
              val found = scala.collection.mutable.Map.empty[Int, Long]
              if (x < factors.codeCount) {
                run.startPairs(x)
                while (run.nextPair()) {
                  assert(found.put(run.pairCode, run.pairRows).isEmpty, "each pair comes once")
                }
              }
              (0 until c.vertices).foreach { y =>
                assert(
                  BigInt(found.getOrElse(y, 0L)) == NaiveCount.ofGroups(c, (a, x), (b, y)),
                  s"groups $a, $b, vertices $x, $y")
              }
            }
          }
        }
    }
    assert(done > casesOf(400, 11000))
  }

  /** Variables that are joined each with each, and others that hang off one of them. */
  private val together: Gen[CountCase] = for {
    vertices <- Gen.choose(4, 8)
    pairs = (0 until vertices).combinations(2).toVector
    density <- Gen.choose(5, 10)
    some <- Gen.sequence[Vector[Boolean], Boolean](pairs.map(_ =>
      Gen.choose(1, 10).map(_ <= density)))
    edges = pairs.zip(some).collect { case (p, true) => Seq((p(0), p(1)), (p(1), p(0))) }.flatten
    k <- Gen.frequency(4 -> 4, 4 -> 5, 1 -> 8)
    hanging <- Gen.oneOf(Vector.empty, Vector((0, k)), Vector((0, k), (k, k + 1), (k + 1, 0)))
    // Beyond five, orders of variables that are not alike are too many.
    ascending <- Gen.oneOf(true, false).map(_ && (k <= 5 || hanging.isEmpty))
    codes = (0 until vertices).toSet
    few <- Gen.someOf(codes).map(_.toSet)
    one = if (k > 5) Vector.empty[Int] else Vector(1)
    alike <- Gen.frequency(2 -> Vector.empty[Int], 1 -> Vector.range(0, k), 1 -> one)
  } yield {
    val clique = Vector.range(0, k).combinations(2).map(p => (p(0), p(1))).toVector
    val n = (clique ++ hanging).map(e => e._1.max(e._2)).max + 1
    CountCase(
      vertices,
      Vector(edges),
      GraphPattern(
        n,
        (clique ++ hanging).map { case (a, b) => PatternEdge(a, b) },
        if (ascending) (1 until k).map(v => Comparison(v - 1, ComparisonOp.Less, v))
        else Nil.toVector),
      Vector.tabulate(n)(v => if (alike.contains(v)) few else codes))
  }

  test("variables that are joined each with each are as many as nested loops find") {
    var chosen = 0
    forAll(together, casesOf(100, 10000)) { c =>
      Seq(Use.Never, Use.Always).foreach { use =>
        val found = counted(c, use)
        assert(found.exists(BigInt(_) == NaiveCount(c)), s"$use: $found")
      }
      val byGroup = Elimination.of(c.pattern, graphs(c), domains(c), None, Seq(0))
      assert(byGroup.isRight || c.pattern.variableCount >= 8)
      byGroup.foreach { e =>
        if (e.core.size == 1) chosen += 1
        val factors = new EliminationFactors(e, graphs(c), domains(c))
        val run = new EliminationRun(factors)
        (0 until c.vertices).foreach { x =>
          val found = if (x < factors.codeCount) run.ofGroup(x) else 0L
          assert(BigInt(found) == NaiveCount.ofGroups(c, (0, x)), s"vertex $x")
        }
      }
    }
    assert(chosen > casesOf(40, 4000))
  }

  private def wheel(spokes: Int): CsrGraph = {
    val ends =
      (1 to spokes).flatMap(v => Seq((0, v), (v, 0), (v, v % spokes + 1), (v % spokes + 1, v)))
    CsrBuilder.fromCodes(ends.map(_._1).toArray, ends.map(_._2).toArray, ends.size, spokes + 1)
  }

  private def plain(edges: (Int, Int)*): GraphPattern =
    GraphPattern(
      edges.flatMap(e => Seq(e._1, e._2)).max + 1,
      edges.map { case (a, b) => PatternEdge(a, b) }.toVector)

  private def eliminated(g: CsrGraph, p: GraphPattern): EliminationFactors = {
    val graphs = Array(g)
    val domains = Domain.of(p, graphs)
    val Right(e) = Elimination.of(p, graphs, domains, None): @unchecked
    new EliminationFactors(e, graphs, domains)
  }

  test("a pattern of many variables is declined before anything is looked for") {
    val ring = plain((0 until 24).map(i => (i, (i + 1) % 24)): _*)
    val g = wheel(10)
    val below = Some(BelowMoments.of(g.byDegree.forward))
    val found = Elimination.of(ring, Array(g), Array.fill(24)(Domain.whole(g.vertexCount)), below)
    assert(found.left.exists(_.contains("variables")))
  }

  test("the search for sums ends when it is interrupted, wherever it is at") {
    val g = wheel(10)
    val below = Some(BelowMoments.of(g.byDegree.forward))
    val chain = plain((0 until 6).map(i => (i, i + 1)): _*)
    val ring = plain((0 until 6).map(i => (i, (i + 1) % 6)): _*)
    def all(op: ComparisonOp, n: Int): Vector[Comparison] =
      (0 until n).combinations(2).map(p => Comparison(p(0), op, p(1))).toVector
    val cases = Seq(
      "orders of what < compares" -> chain.copy(comparisons = all(ComparisonOp.Less, 7)),
      "sums of <>" -> ring.copy(comparisons = all(ComparisonOp.NotEqual, 6)),
      "a core by degree" -> ring)
    for ((name, p) <- cases) {
      def search(interrupt: Runnable) = Elimination.of(
        p,
        Array(g),
        Array.fill(p.variableCount)(Domain.whole(g.vertexCount)),
        below,
        interrupt = interrupt)
      // What is known of the graph stays known.
      search(() => ())
      var looks = 0
      search(() => looks += 1)
      assert(looks > 20, name)
      for (at <- Seq(1, looks / 3 + 1, looks / 2 + 1, looks)) {
        var left = at
        intercept[InterruptedException](search { () =>
          left -= 1
          if (left == 0) throw new InterruptedException(name)
        })
        assert(left == 0, s"$name: went on after look $at of $looks")
      }
    }
  }

  test("a task that is killed leaves what it was at to others") {
    val bowTie = plain((0, 1), (1, 2), (2, 0), (0, 3), (3, 4), (4, 0))
    val cycle = plain((0, 1), (1, 2), (2, 3), (3, 4), (4, 0))
    for ((p, spokes) <- Seq((bowTie, 100000), (cycle, 500))) {
      val g = wheel(spokes)
      val expected = {
        val f = eliminated(g, p)
        EliminationRun.result(f.elimination, Seq(new EliminationRun(f).sum(0, f.codeCount)))
      }
      val factors = eliminated(g, p)
      var killed = 0
      var done: Option[Long] = None
      var looks = 0
      while (done.isEmpty) {
        looks += 1
        var left = looks
        try {
          val run = new EliminationRun(
            factors,
            () => {
              left -= 1
              if (left == 0) throw new InterruptedException
            })
          done = Some(
            EliminationRun.result(factors.elimination, Seq(run.sum(0, factors.codeCount))))
        } catch { case _: InterruptedException => killed += 1 }
      }
      assert(killed > 3, "it must look at the interrupt")
      assert(done.contains(expected))
    }
  }

  test("a task that is killed while it adds to groups leaves each vertex held once") {
    val g = wheel(30000)
    val p = plain((0, 1), (1, 2), (2, 3), (3, 4), (4, 0))
    val domains = Domain.of(p, Array(g))
    val below = Some(BelowMoments.of(g.byDegree.forward))
    val Right(e) =
      Elimination.of(p, Array(g), domains, below, Seq(0), byDegree = Use.Always): @unchecked
    assert(e.isSpread && e.byDegree)
    def fresh = new EliminationFactors(e, Array(g.byDegree), domains)
    def all(factors: EliminationFactors, look: Runnable): Seq[Long] = {
      val run = new EliminationRun(factors, look)
      (0 until factors.codeCount).map(run.ofGroup)
    }
    val expected = all(fresh, () => ())
    val factors = fresh
    var killed = 0
    var done: Option[Seq[Long]] = None
    while (done.isEmpty) {
      var left = killed + 1
      try done = Some(
          all(
            factors,
            () => {
              left -= 1
              if (left == 0) throw new InterruptedException
            }))
      catch { case _: InterruptedException => killed += 1 }
    }
    assert(killed > 3, "it must look at the interrupt")
    assert(done.contains(expected))
    val parts = new Array[Seq[Long]](4)
    val shared = fresh
    val threads = parts.indices.map(i => new Thread(() => parts(i) = all(shared, () => ())))
    threads.foreach(_.start())
    threads.foreach(_.join())
    assert(parts.forall(_ == expected))
  }

  test("sums by code that do not fit raise, whoever asks") {
    val sums = new PairSums(4)
    sums.add(0, 1L, 7L)
    sums.add(1, 4L, Long.MaxValue)
    val more = new PairSums(4)
    more.add(1, -1L, 5L)
    more.add(3, 3L, Long.MaxValue)
    more.add(3, -3L, Long.MaxValue - 2)
    sums.add(more)
    (1 to 2).foreach { _ =>
      sums.rewind()
      assert(sums.next(1L) && sums.code == 0 && sums.rows == 7L)
      intercept[ArithmeticException](sums.next(1L))
    }
    assert(sums.next(2L) && sums.code == 3 && sums.rows == 3L)
  }

  test("tasks that make factors together count what one counts") {
    val g = wheel(3000)
    val p = plain((0, 1), (1, 2), (2, 0), (0, 3), (3, 4), (4, 0), (2, 5))
    val alone = eliminated(g, p)
    val expected = new EliminationRun(alone).sum(0, alone.codeCount)
    val shared = eliminated(g, p)
    val cuts = (0 to 4).map(i => (shared.codeCount.toLong * i / 4).toInt)
    val parts = new Array[java.math.BigInteger](4)
    val threads = (0 until 4).map { i =>
      new Thread(() => parts(i) = new EliminationRun(shared).sum(cuts(i), cuts(i + 1)))
    }
    threads.foreach(_.start())
    threads.foreach(_.join())
    assert(parts.reduce(_ add _) == expected)
  }

  test("a number that does not fit raises, and one that only passes through more does not") {
    val star = plain((0, 1), (0, 2), (0, 3), (0, 4), (0, 5), (0, 6))
    val wide = eliminated(wheel(3000), star)
    intercept[ArithmeticException] {
      EliminationRun.result(
        wide.elimination,
        Seq(new EliminationRun(wide).sum(0, wide.codeCount)))
    }
    val sum = new WideSum
    sum.add(3L, Long.MaxValue)
    sum.add(-3L, Long.MaxValue - 5)
    sum.add(-1L, 20L)
    assert(sum.result.longValueExact == -5L)
  }
}
