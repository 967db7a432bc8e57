package io.wreath.kernel.count

/**
 * The ways to sum over the variables of a core while some are held still. The others fall apart:
 * {{{
 *   a tree             vectors are pushed along its edges, from its leaves to wherever they meet
 *   two, one `<`       a vector of each, and the sum over what comes before each code
 *   what has cycles    one more variable is held still, at each code that a vector of it has
 * }}}
 *
 * @param cheapest of some totals, under variables that were held after the first one, at each code of vectors
 * @param byDegree whether interchangeable variables may be told apart by degree: of those that edges join the
 *   highest is held, and lower ones are walked to
 */
final private[count] class Conditioned(
    core: WeighedPattern,
    byDegree: Boolean,
    interrupt: Runnable,
    cheapest: (Vector[Total], Vector[Reached]) => Option[Total])(implicit
    relations: IndexedSeq[RelationTraits]) {

  private lazy val symmetries = core.symmetries

  /**
   * A sum over all variables but `x`, as a number for each part that is left without it.
   *
   * @param below variables whose codes come after that of `x`
   */
  def ways(x: Int, below: Set[Int]): Vector[HeldSum] = {
    val holding = new Holding(Vector(x), Vector(below), Vector.empty)
    val alone = HeldSum(1L, core.factors(x), Vector.empty)
    holding.parts(core.variables.toSet - x).foldLeft(Vector(alone)) { (before, part) =>
      val found = holding.totals(part)
      for (b <- before; t <- found) yield t match {
        case h: Held if core.groups.exists(part) => b.copy(groups = Some(h))
        case _ => b.copy(totals = b.totals :+ t)
      }
    }
  }

  /**
   * @param held by depth
   * @param below by depth, variables whose codes come after that of the held one
   * @param reached by depth but the first, the vector that the held vertices are of
   */
  final private class Holding(
      held: Vector[Int],
      below: Vector[Set[Int]],
      reached: Vector[Reached]) {

    /** What edges or `<` hold together. */
    def parts(variables: Set[Int]): Vector[Set[Int]] = {
      @annotation.tailrec
      def grow(found: Set[Int]): Set[Int] = {
        val ordered = core.less.collect {
          case (a, b) if found(a) => b
          case (a, b) if found(b) => a
        }
        val asked = core.asked.filter(_.of.exists(found)).flatMap(_.of)
        val more =
          found ++ (found.flatMap(core.neighbours) ++ ordered ++ asked).intersect(variables)
        if (more == found) found else grow(more)
      }
      variables.toVector.sorted.map(v => grow(Set(v))).distinct
    }

    def totals(part: Set[Int]): Vector[Total] = {
      interrupt.run()
      val asTree = if (isTree(part)) trees(part) else compared(part).toVector
      if (asTree.nonEmpty || held.size >= Conditioned.MostHeld) asTree
      else {
        val one = core.groups.find(part)
        one.fold(part.toVector.sorted)(Vector(_)).flatMap { y =>
          hold(part, y, Set.empty, 1L) ++ highest(part, y)
        }
      }
    }

    private def isTree(part: Set[Int]): Boolean =
      core.edges.keySet.count { case (a, b) => part(a) && part(b) } == part.size - 1 &&
        !core.less.exists { case (a, b) => part(a) && part(b) } && !core.groups.exists(part) &&
        !isAskedTogether(part)

    /** Whether a condition is left that reads several of these variables. */
    private def isAskedTogether(part: Set[Int]): Boolean =
      core.asked.exists(_.of.filter(part).distinct.sizeIs > 1)

    private def trees(tree: Set[Int]): Vector[Total] =
      tree.toVector.sorted.flatMap { root =>
        val children = childrenOf(tree, root, -1)
        val whole = at(root, sources(tree, root, children)).map(Sum(_): Total)
        val joined = children.flatMap { c =>
          for {
            from <- vector(tree, c, root)
            to <- at(root, sources(tree, root, children.filter(_ != c)))
          } yield Joined(from, core.edge(c, root), to): Total
        }
        whole.toVector ++ joined
      }

    /** Two trees that one `<` holds together. */
    private def compared(part: Set[Int]): Option[Total] =
      core.less.filter { case (a, b) => part(a) && part(b) }.toVector match {
        case Vector((a, b)) if !isAskedTogether(part) =>
          def side(v: Int): Option[Reached] = {
            val tree = joined(Set(v), part)
            if (isTree(tree)) vector(tree, v, -1) else None
          }
          for (less <- side(a) if !joined(Set(a), part)(b); than <- side(b))
            yield Compared(less, than)
        case _ => None
      }

    @annotation.tailrec
    private def joined(found: Set[Int], part: Set[Int]): Set[Int] = {
      val more = found ++ found.flatMap(core.neighbours).intersect(part)
      if (more == found) found else joined(more, part)
    }

    private def childrenOf(tree: Set[Int], v: Int, parent: Int): Vector[Int] =
      (core.neighbours(v).intersect(tree) - parent).toVector.sorted

    private def vector(tree: Set[Int], v: Int, parent: Int): Option[Reached] =
      at(v, sources(tree, v, childrenOf(tree, v, parent)))

    /** None where a leaf, or a variable of which the bounds have to be known, is not reached. */
    private def sources(
        tree: Set[Int],
        v: Int,
        children: Vector[Int]): Option[Vector[Reached]] = {
      val within = bounds(v)
      val rows = held.indices.toVector
        .filter(d => core.neighbours(v)(held(d)))
        .map(d => Option(Row(core.edge(held(d), v), d, within)))
      val pushed =
        children.map(c => vector(tree, c, v).map(Pushed(_, core.edge(c, v), within)))
      val all: Vector[Option[Reached]] = rows ++ pushed
      if (all.isEmpty || all.exists(_.isEmpty)) None else Some(all.flatten)
    }

    private def at(v: Int, sources: Option[Vector[Reached]]): Option[Reached] =
      sources.map { all =>
        val reached: Reached = all match {
          case Vector(one) if core.factors(v).isEmpty => one
          // In any order, but always in the same.
          case several => Product(several.sortBy(_.hashCode), core.factors(v))
        }
        // What else a condition reads is held by now, or asks again when it is.
        core.asked
          .filter(a => a.of.contains(v) && a.of.forall(u => u == v || held.contains(u)))
          .foldLeft(reached)((of, a) => Passing(of, a.test, a.of.map(held.indexOf(_))))
      }

    private def bounds(v: Int): Bounds = {
      val depths = held.indices.toVector
      val lower = depths.filter(d => below(d)(v) || core.less((held(d), v)))
      Bounds(
        // What comes after a vertex that comes after another comes after both.
        lower.filterNot(d => lower.exists(later => later > d && below(d)(held(later)))),
        depths.filter(d => core.less((v, held(d)))))
    }

    /**
     * Holds `y`, too. Trees that hang off it alone are summed up before.
     *
     * @param lower variables whose codes then come after that of `y`
     */
    private def hold(part: Set[Int], y: Int, lower: Set[Int], times: Long): Vector[Total] = {
      val (hung, rest) = parts(part - y).partition(p => hangsOff(p, y) && !p.exists(lower))
      val children = hung.map(_.intersect(core.neighbours(y)).head)
      val trees = hung.foldLeft(Set.empty[Int])(_ ++ _)
      val own = sources(trees, y, children)
        .orElse(if (hung.isEmpty) way(part, y).map(v => Vector(Among(v))) else None)
      val gathered = if (core.groups.contains(y)) gather(trees, y, children) else Vector.empty
      (at(y, own) ++ gathered).toVector.flatMap { of =>
        val after = reached :+ of
        val inner = new Holding(held :+ y, below :+ lower, after)
        rest
          .foldLeft(Option(Vector.empty[Total])) { (before, p) =>
            for (b <- before; best <- cheapest(inner.totals(p), after)) yield b :+ best
          }
          .map(Held(times, of, _))
      }
    }

    /** Where few codes of `y` are left by all but one of its children, they need not be pushed to. */
    private def gather(trees: Set[Int], y: Int, children: Vector[Int]): Vector[Reached] =
      children.flatMap { c =>
        for {
          among <- at(y, sources(trees, y, children.filter(_ != c)))
          of <- vector(trees, c, y)
        } yield Gathered(among, core.edge(y, c), of)
      }

    /** Along the shortest way from a held variable to `y`: where it may be at all. */
    private def way(part: Set[Int], y: Int): Option[Reached] = {
      def from(v: Int, open: Set[Int]): Option[Vector[Int]] =
        if (held.exists(core.neighbours(v))) Some(Vector(v))
        else {
          val ways = for {
            u <- core.neighbours(v).intersect(open).toVector.sorted
            w <- from(u, open - u)
          } yield w :+ v
          ways.minByOption(_.size)
        }
      from(y, part - y).map { path =>
        val first: Reached =
          Row(
            core.edge(held.find(core.neighbours(path.head)).get, path.head),
            held.indexWhere(core.neighbours(path.head)),
            bounds(path.head))
        path.zip(path.tail).foldLeft(first) { case (v, (a, b)) =>
          Pushed(v, core.edge(a, b), bounds(b))
        }
      }
    }

    private def hangsOff(p: Set[Int], y: Int): Boolean = {
      val on = p.intersect(core.neighbours(y))
      on.size == 1 && isTree(p) && vector(p, on.head, -1).isDefined &&
      !core.less.exists { case (a, b) => (a == y && p(b)) || (b == y && p(a)) } &&
      !core.asked.exists(a => a.of.contains(y) && a.of.exists(p))
    }

    /** Holds `y` where it is the highest of those that may take its place. */
    private def highest(part: Set[Int], y: Int): Vector[Total] =
      if (!byDegree || core.isOrdered) Vector.empty
      else {
        val same = symmetries.filter { g =>
          held.forall(h => g(h) == h) && below.forall(b => b.map(g) == b)
        }
        val orbit = same.map(_(y)).toSet
        val areJoined = orbit.forall(v => (orbit - v).subsetOf(core.neighbours(v)))
        if (orbit.size < 2 || orbit.min != y || !orbit.subsetOf(part) || !areJoined) Vector.empty
        else hold(part, y, orbit - y, orbit.size.toLong)
      }
  }
}

private[count] object Conditioned {

  final val MostHeld = 4
}
