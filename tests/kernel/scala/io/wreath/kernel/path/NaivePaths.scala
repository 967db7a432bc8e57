package io.wreath.kernel.path

/** What searches must find, by sets and by all walks of each length. */
object NaivePaths {

  /** By length within the bounds, the vertices that some walk of it leads to first. */
  def levels(g: PathCase, source: Int, hops: Hops): Map[Int, Int] = {
    val out = g.edges.groupMap(_._1)(_._2).view.mapValues(_.toSet).toMap
    // A walk of more steps than this visits some (vertex, steps below the lower bound) twice.
    val end = Math.min(hops.most.toLong, hops.least.toLong + g.n)
    var layer = Set(source)
    var found = Map.empty[Int, Int]
    var length = 0
    while (length <= end && layer.nonEmpty) {
      if (length >= hops.least) {
        layer.foreach(v => if (!found.contains(v)) found += v -> length)
      }
      layer = layer.flatMap(v => out.getOrElse(v, Set.empty[Int]))
      length += 1
    }
    found
  }

  /** Of the shortest walks the first, by the smallest vertices from the source on. */
  def first(g: PathCase, source: Int, target: Int, hops: Hops): Option[Vector[Int]] =
    levels(g, source, hops).get(target).map { length =>
      (0 until length).foldLeft(Vector(source)) { (path, i) =>
        val next = g.edges.collect { case (s, t) if s == path.last => t }.distinct.sorted
        path :+ next.find(v => exactly(g, v, target, length - i - 1)).get
      }
    }

  private def exactly(g: PathCase, from: Int, target: Int, length: Int): Boolean =
    (0 until length)
      .foldLeft(Set(from))((layer, _) => g.edges.collect { case (s, t) if layer(s) => t }.toSet)
      .contains(target)

  /** The cost of the cheapest path to each vertex that is reached, by relaxing until nothing changes. */
  def costs(g: PathCase, byRow: Seq[Long], source: Int, hops: Hops): Map[Int, Long] = {
    val rows = g.edges.zip(byRow)
    var found =
      if (hops.least == 0) Map(source -> 0L)
      else rows.collect { case ((`source`, t), cost) => t -> cost }.groupMapReduce(_._1)(_._2)(
        _ min _)
    var changed = true
    while (changed) {
      changed = false
      rows.foreach { case ((s, t), cost) =>
        found.get(s).foreach { c =>
          if (found.get(t).forall(_ > c + cost)) {
            found += t -> (c + cost)
            changed = true
          }
        }
      }
    }
    found
  }

  /** Of the cheapest paths the one of the fewest steps, and of those the smallest vertices. */
  def cheapest(
      g: PathCase,
      byRow: Seq[Long],
      source: Int,
      target: Int,
      hops: Hops): Vector[Int] = {
    val cost = costs(g, byRow, source, hops)
    val tight = g.edges.zip(byRow).collect {
      case ((s, t), c) if cost.get(s).exists(_ + c == cost(t)) => (s, t)
      case ((`source`, t), c) if hops.least == 1 && cost(t) == c => (source, t)
    }
    first(PathCase(tight, g.n), source, target, hops).get
  }

  def components(g: PathCase): Vector[Int] = {
    var labels = (0 until g.n).toVector
    var changed = true
    while (changed) {
      val next = g.edges.foldLeft(labels) { case (l, (s, t)) =>
        val low = Math.min(l(s), l(t))
        l.updated(s, low).updated(t, low)
      }
      changed = next != labels
      labels = next
    }
    labels
  }

  /** By the whole matrix of who goes where. */
  def pageRank(g: PathCase, damping: Double, rounds: Int): Vector[Double] = {
    val matrix = Vector.tabulate(g.n) { s =>
      val out = g.edges.collect { case (`s`, t) => t }
      Vector.tabulate(g.n) { t =>
        val byEdge = if (out.isEmpty) 1.0 / g.n else out.count(_ == t).toDouble / out.size
        damping * byEdge + (1 - damping) / g.n
      }
    }
    (0 until rounds).foldLeft(Vector.fill(g.n)(1.0 / g.n)) { (ranks, _) =>
      Vector.tabulate(g.n)(t => (0 until g.n).map(s => ranks(s) * matrix(s)(t)).sum)
    }
  }
}
