package io.wreath.spark

/**
 * Paths by trying all of them, in plain Scala: what a path of a graph pattern is, written down once more and
 * without anything of ours.
 */
object PathOracle {

  final case class Edge(id: Int, source: Option[Long], target: Option[Long], w: Int)

  /** @param direction of the arrow: 1 along it, -1 against it, 0 either way */
  final case class Step(direction: Int, least: Int)

  /** Steps one after the other, as often as the bounds say. */
  final case class Block(steps: Seq[Step], least: Int, most: Option[Int])

  final case class Path(vertices: Vector[Long], edges: Vector[Int]) {
    def length: Int = edges.size
  }

  /** Where in the blocks a path is: the block, how often it is through, the step in it. */
  private type Place = (Int, Int, Int)

  def isAllowed(mode: String, p: Path): Boolean = mode match {
    case "TRAIL" => p.edges.distinct.size == p.edges.size
    case "ACYCLIC" => p.vertices.distinct.size == p.vertices.size
    case "SIMPLE" =>
      val inside = if (p.length > 0 && p.vertices.head == p.vertices.last) p.vertices.init
      else p.vertices
      inside.distinct.size == inside.size
    case _ => true
  }

  /**
   * All paths from a vertex that are no longer than `most`.
   *
   * @return None where there are too many to try
   */
  def paths(
      edges: Seq[Edge],
      blocks: Seq[Block],
      mode: String,
      from: Long,
      most: Int): Option[Set[Path]] = {
    def start(block: Int): Place = (block, 0, 0)
    def closed(places: Set[Place]): Set[Place] = {
      val more = places.flatMap { case (b, n, s) =>
        val canLeave = b < blocks.size && s == 0 && n >= blocks(b).least
        if (canLeave) Set((b, n, s), start(b + 1)) else Set((b, n, s))
      }
      if (more == places) places else closed(more)
    }
    def isEnd(places: Set[Place]): Boolean = places.exists(_._1 == blocks.size)
    var level = Map(Path(Vector(from), Vector.empty) -> closed(Set(start(0))))
    var found = level.filter(p => isEnd(p._2)).keySet
    var isTooMuch = false
    var n = 0
    while (n < most && level.nonEmpty && !isTooMuch) {
      n += 1
      val next = for {
        (p, places) <- level.toSeq
        edge <- edges
        s <- edge.source.toSeq
        t <- edge.target.toSeq
        to <- Seq((s, t, 1), (t, s, -1)).collect {
          case (`s`, other, 1) if s == p.vertices.last => (other, 1)
          case (first, other, -1) if first == p.vertices.last => (other, -1)
        }.distinct
        moved = closed(places.flatMap { case (b, times, at) =>
          if (b == blocks.size) None
          else {
            val block = blocks(b)
            val step = block.steps(at)
            val isOpen = block.most.forall(times < _)
            val fits = isOpen && edge.w >= step.least &&
              (step.direction == 0 || step.direction == to._2)
            if (!fits) None
            else if (at + 1 < block.steps.size) Some((b, times, at + 1))
            else Some((b, math.min(times + 1, math.max(block.least, block.most.getOrElse(0))), 0))
          }
        })
        if moved.nonEmpty
        q = Path(p.vertices :+ to._1, p.edges :+ edge.id)
        if isAllowed(mode, q)
      } yield q -> moved
      level = next.groupBy(_._1).map { case (q, all) => q -> all.flatMap(_._2).toSet }
      found ++= level.filter(p => isEnd(p._2)).keySet
      if (mode == "SIMPLE") level = level.filterNot(p => p._1.vertices.head == p._1.vertices.last)
      isTooMuch = found.size + level.size > 20000
    }
    if (isTooMuch) None else Some(found)
  }

  /** By length, then by the keys of the vertices. */
  val order: Ordering[Path] = new Ordering[Path] {
    override def compare(a: Path, b: Path): Int =
      if (a.length != b.length) a.length - b.length
      else {
        a.vertices.zip(b.vertices).map { case (x, y) => x.compare(y) }.find(_ != 0).getOrElse(0)
      }
  }

  /** Of the paths between two vertices. */
  def selected(prefix: String, paths: Seq[Path]): Seq[Path] = {
    val sorted = paths.sorted(order)
    prefix match {
      case "ANY" | "ANY SHORTEST" => sorted.take(1)
      case "ANY 2" | "SHORTEST 2" => sorted.take(2)
      case "ALL SHORTEST" => sorted.filter(_.length == sorted.head.length)
      case "SHORTEST 2 GROUPS" =>
        val lengths = sorted.map(_.length).distinct.take(2)
        sorted.filter(p => lengths.contains(p.length))
      case _ => sorted
    }
  }
}
