package io.wreath.kernel.path

import scala.collection.mutable

import io.wreath.kernel.PropertyChecks
import io.wreath.kernel.path.RegularPath._
import org.scalacheck.Gen

/** Paths along routes are those that trying all of them finds, in the same order. */
class RouteSuite extends PropertyChecks {

  private val modes =
    Gen.oneOf(PathMode.Walk, PathMode.Trail, PathMode.Simple, PathMode.Acyclic)

  private val rounds = casesOf(100, 20000)

  /** Vertices, labels and copies of a path. */
  private def taken(source: Int, p: RoutePath): Vector[(Int, Int, Int)] = {
    assert(p.vertex(0) == source)
    Vector.tabulate(p.length)(i => (p.vertex(i + 1), p.label(i), p.copy(i)))
  }

  private def expected(found: NaiveRoutes.Found): Vector[(Int, Int, Int)] =
    found.map(s => (s.to, s.label, s.copy))

  test("an automaton accepts what a regular expression does") {
    forAll(NaiveRoutes.path, casesOf(60, 20000)) { path =>
      val automaton = Automaton.of(path, 4)
      val accepts = NaiveRoutes.accepts(path)
      val words = (0 to 4).flatMap { length =>
        (0 until length).foldLeft(Vector(Vector.empty[Int])) { (all, _) =>
          all.flatMap(w => (0 until 4).map(w :+ _))
        }
      }
      def isAccepted(automaton: Automaton, word: Seq[Int]): Boolean = {
        val end = word.foldLeft(0)((s, label) => if (s < 0) s else automaton.move(s, label))
        end >= 0 && automaton.accepts(end)
      }
      val reversed = Automaton.of(path.reversed, 4)
      words.foreach { word =>
        assert(isAccepted(automaton, word) == accepts(word))
        assert(isAccepted(reversed, word.reverse) == accepts(word))
      }
    }
  }

  test("all paths of a mode, from a source to one target or any") {
    val cases = for {
      c <- NaiveRoutes.routeCase
      mode <- modes
      source <- Gen.choose(0, c.n - 1)
      target <- Gen.option(Gen.choose(0, c.n - 1))
      least <- Gen.choose(0, 2)
      most <- if (mode == PathMode.Walk) Gen.choose(2, 4)
      else Gen.oneOf(Gen.const(Hops.Unbounded), Gen.choose(2, 4))
    } yield (c, mode, source, target, Hops(least, most))
    forAll(cases, rounds) { case (c, mode, source, target, hops) =>
      val paths = new PathEnumerator(c.route, mode)
      paths.aim(target.getOrElse(-1))
      val all = NaiveRoutes
        .paths(c, mode, source, target, Math.min(hops.most, 8))
        .filter(_.size >= hops.least)
      (0 until 2).foreach { _ =>
        paths.open(source, hops)
        val found =
          Iterator.continually(paths.next()).takeWhile(identity).map(_ => taken(source, paths))
        assert(found.toVector == all.map(expected))
      }
      // Whoever has enough begins anew.
      paths.open(source, hops)
      if (paths.next()) {
        paths.open(source, hops)
        assert(paths.next() && taken(source, paths) == expected(all.head))
      }
    }
  }

  test("a trail takes an edge once, also by a label that reads it the other way") {
    val edges = for {
      (s, t) <- Seq((0, 1), (1, 0))
      copies <- 1 to 3
      back <- 0 to 2
    } yield (Vector.fill(copies)((s, t)) ++ Vector.fill(back)((t, s))).sorted
    for {
      first <- edges
      labels <- Seq(Seq(0, 3), Seq(3, 0), Seq(1, 3), Seq(3, 1), Seq(0, 3, 1), Seq(3, 3, 0))
      source <- 0 to 1
    } {
      val c = RouteCase(first, Vector.empty, 2, Sequence(labels.map(Step(_)): _*))
      val paths = new PathEnumerator(c.route, PathMode.Trail)
      paths.aim(-1)
      // The second time nothing is left of the first.
      (0 until 2).foreach { _ =>
        paths.open(source, Hops.any)
        val found =
          Iterator.continually(paths.next()).takeWhile(identity).map(_ => taken(source, paths))
        val all = NaiveRoutes.paths(c, PathMode.Trail, source, None, 3)
        assert(found.toVector == all.map(expected))
      }
    }
  }

  test("the shortest paths of a mode: some, or all of some lengths") {
    val most = 5
    val cases = for {
      c <- NaiveRoutes.routeCase
      mode <- modes
      source <- Gen.choose(0, c.n - 1)
      target <- Gen.choose(0, c.n - 1)
      count <- Gen.choose(1, 4)
      isGroups <- Gen.oneOf(true, false)
    } yield (c, mode, source, target, count, isGroups)
    forAll(cases, rounds) { case (c, mode, source, target, count, isGroups) =>
      val all = NaiveRoutes
        .paths(c, mode, source, Some(target), most)
        .sortBy(_.size)
        .map(expected)
      val wanted =
        if (!isGroups) all.take(count)
        else {
          val lengths = all.map(_.size).distinct.take(count)
          all.filter(p => lengths.contains(p.size))
        }
      val paths = ShortestRoutes(c.route, mode, count, isGroups)
      paths.aim(target)
      (0 until 2).foreach { _ =>
        paths.open(source)
        val found = Iterator
          .continually(paths.next())
          .takeWhile(identity)
          .map(_ => taken(source, paths))
          .take(10000)
          .takeWhile(_.size <= most)
          .toVector
        assert(found == wanted)
      }
    }
  }

  test("lanes reach by the least number of steps that the route accepts") {
    val most = 4
    val cases = for {
      c <- NaiveRoutes.routeCase
      sources <-
        Gen.choose(1, 4).flatMap(Gen.containerOfN[Vector, Int](_, Gen.choose(0, c.n - 1)))
    } yield (c, sources)
    forAll(cases, casesOf(40, 10000)) { case (c, sources) =>
      val search = new RouteLanes(c.route)
      (0 until 2).foreach { _ =>
        search.open(sources.toArray, 0, sources.size)
        val found = mutable.Map.empty[(Int, Int), Int]
        while (search.advance()) {
          (0 until search.freshCount).foreach { i =>
            sources.indices.filter(l => (search.freshLanes(i) >>> l & 1L) != 0).foreach { lane =>
              assert(found.put((lane, search.freshVertex(i)), search.level).isEmpty)
            }
          }
        }
        val wanted = for {
          (source, lane) <- sources.zipWithIndex
          (v, paths) <- NaiveRoutes
            .paths(c, PathMode.Walk, source, None, most)
            .groupBy(_.lastOption.fold(source)(_.to))
        } yield (lane, v) -> paths.map(_.size).min
        assert(found.toMap.filter(_._2 <= most) == wanted.toMap)
      }
    }
  }

  private def along(g: PathCase, path: RegularPath): Route =
    Route(path, RouteEdge(g.steps, 0, Way.Forward))

  private val some = Repeat(Step(0), Hops.some)

  test("ten of more than 10^12 trails come at once, and so do ten walks") {
    val n = 30
    val g = PathCase((for (s <- 0 until n; t <- 0 until n if s != t) yield (s, t)).toVector, n)
    Seq(PathMode.Trail, PathMode.Simple, PathMode.Acyclic).foreach { mode =>
      val paths = new PathEnumerator(along(g, some), mode)
      paths.aim(n - 1)
      paths.open(0, Hops.any)
      (0 until 10).foreach(_ => assert(paths.next()))
    }
    val walks = ShortestRoutes(along(g, some), PathMode.Walk, 10, isGroups = true)
    walks.aim(n - 1)
    walks.open(0)
    (0 until 1000).foreach(_ => assert(walks.next()))
    assert(walks.length == 4)
  }

  test("a chain of 100,000 vertices is one path of every kind") {
    val g = PathGen.longChain
    val last = g.n - 1
    Seq(PathMode.Walk, PathMode.Trail, PathMode.Simple, PathMode.Acyclic).foreach { mode =>
      val shortest = ShortestRoutes(along(g, some), mode, 2, isGroups = true)
      shortest.aim(last)
      shortest.open(0)
      assert(shortest.next() && shortest.length == last)
      assert((0 to last).forall(i => shortest.vertex(i) == i))
      assert(!shortest.next())
    }
    val lanes = new RouteLanes(along(g, some))
    lanes.open(Array(0), 0, 1)
    (1 to last).foreach(i => assert(lanes.advance() && lanes.level == i))
    assert(!lanes.advance())
  }

  test("the shortest acyclic path is no cycle, and the shortest simple one may be") {
    val ring = PathCase(Vector((0, 1), (1, 2), (2, 0)), 3)
    def lengths(mode: PathMode, path: RegularPath): Seq[Int] = {
      val shortest = ShortestRoutes(along(ring, path), mode, 5, isGroups = false)
      shortest.aim(0)
      shortest.open(0)
      Iterator.continually(shortest.next()).takeWhile(identity).map(_ => shortest.length).toSeq
    }
    assert(lengths(PathMode.Acyclic, some) == Nil)
    assert(lengths(PathMode.Simple, some) == Seq(3) && lengths(PathMode.Trail, some) == Seq(3))
    assert(lengths(PathMode.Walk, some) == Seq(3, 6, 9, 12, 15))
    val any = Repeat(Step(0), Hops.any)
    assert(lengths(PathMode.Acyclic, any) == Seq(0) && lengths(PathMode.Simple, any) == Seq(0, 3))
    // A bound that only going round again can meet.
    val four = Repeat(Step(0), Hops(4, Hops.Unbounded))
    assert(lengths(PathMode.Walk, four).head == 6 && lengths(PathMode.Trail, four) == Nil)
  }

  test("walks of odd length in a graph that has only even ones end at once") {
    // Between two columns of ten, 10^20 walks lead on, and none of an odd length to where it began.
    val n = 20
    val g =
      PathCase((for (s <- 0 until n; t <- 0 until n if s % 2 != t % 2) yield (s, t)).toVector, n)
    val odd = Sequence(Step(0), Repeat(Sequence(Step(0), Step(0)), Hops(10, 12)))
    Seq(true, false).foreach { isGroups =>
      val walks = ShortestRoutes(along(g, odd), PathMode.Walk, 3, isGroups)
      walks.aim(0)
      walks.open(2)
      assert(!walks.next())
      walks.open(1)
      assert(walks.next() && walks.length == 21)
    }
  }

  test("searches look at the interrupt") {
    val n = 12
    val g = PathCase((for (s <- 0 until n; t <- 0 until n) yield (s, t)).toVector, n)
    var stops = false
    val interrupt: Runnable = () => if (stops) throw new InterruptedException
    val paths = new PathEnumerator(along(g, some), PathMode.Trail, interrupt)
    paths.aim(-1)
    paths.open(0, Hops.any)
    stops = true
    assertThrows[InterruptedException](while (paths.next()) {})
    stops = false
    paths.open(0, Hops.any)
    assert(paths.next())
    val chain = along(PathGen.longChain, some)
    stops = true
    assertThrows[InterruptedException] {
      val walks = ShortestRoutes(chain, PathMode.Walk, 1, isGroups = false, interrupt)
      walks.aim(PathGen.longChain.n - 1)
      walks.open(0)
      walks.next()
    }
    assertThrows[InterruptedException] {
      val lanes = new RouteLanes(chain, interrupt)
      lanes.open(Array(0), 0, 1)
      while (lanes.advance()) {}
    }
  }

  test("however many walks are wanted, they take no more than arrays hold") {
    val route = along(PathGen.longChain, some)
    def bytes(count: Int): Long = ShortestRoutes.bytes(route, PathMode.Walk, count)
    assert(bytes(1) == 20L * route.pairCount)
    // No array has more places.
    assert(bytes(Int.MaxValue) == 4L * route.pairCount + 16L * (Int.MaxValue - 8))
  }

  test("what has no end or no bound is refused") {
    val g = PathCase(Vector((0, 1)), 2)
    val walks = new PathEnumerator(along(g, some), PathMode.Walk)
    assertThrows[IllegalArgumentException](walks.open(0, Hops.any))
    assertThrows[IllegalArgumentException](
      ShortestRoutes(along(g, some), PathMode.Walk, 0, isGroups = false))
    val e = intercept[IllegalArgumentException](
      along(g, Repeat(Step(0), Hops(1000000, Hops.Unbounded))))
    assert(e.getMessage.contains("states"))
  }
}
