package io.wreath.kernel.count

/**
 * A number for each code of some variable while another one, the conditioned variable, is held still.
 * Few codes have one that is not zero. Equal vectors are made once for each vertex that is held.
 */
sealed private[count] trait Reached

/**
 * The neighbours of the held vertex.
 *
 * @param isBelow whether only codes after that of the held vertex are looked at: by degree, those are
 *   the vertices of lower degree
 */
final private[count] case class Row(edge: EdgeFactor, isBelow: Boolean) extends Reached

/** One step on from all codes of another vector. */
final private[count] case class Pushed(from: Reached, edge: EdgeFactor, isBelow: Boolean)
    extends Reached

/** The product of vectors, and of what weighs the variable by itself. */
final private[count] case class Product(of: Vector[Reached], factors: Vector[VertexFactor])
    extends Reached

/** A number while the conditioned variable is held still. */
sealed private[count] trait Total

final private[count] case class Sum(of: Reached) extends Total

/** The sum over all edges from codes of one vector to codes of another. */
final private[count] case class Joined(from: Reached, edge: EdgeFactor, to: Reached)
    extends Total

/**
 * The sum over all vertices, held one after the other, of the product of some numbers.
 *
 * @param times how often it counts, with its sign
 * @param held what weighs the held vertex
 */
final private[count] case class HeldSum(
    times: Long,
    held: Vector[VertexFactor],
    totals: Vector[Total])

private[count] object Conditioned {

  /**
   * The ways to sum over all variables but `x`, with `x` held still: none if the others form a cycle.
   * Each is a number for each tree of the others.
   *
   * @param below variables whose codes come after that of `x`
   */
  def ways(core: WeighedPattern, x: Int, below: Set[Int])(implicit
      relations: IndexedSeq[RelationTraits]): Vector[Vector[Total]] = {
    val others = core.variables.filter(_ != x).toSet
    val trees = componentsOf(core, others)
    val joins = core.edges.keySet.count { case (a, b) => a != x && b != x }
    if (joins != others.size - trees.size) Vector.empty
    else
      trees.foldLeft(Vector(Vector.empty[Total])) { (before, tree) =>
        val found = new Tree(core, x, below).ways(tree)
        for (b <- before; t <- found) yield b :+ t
      }
  }

  private def componentsOf(core: WeighedPattern, variables: Set[Int]): Vector[Set[Int]] = {
    def grow(found: Set[Int]): Set[Int] = {
      val more = found ++ found.flatMap(core.neighbours(_).intersect(variables))
      if (more == found) found else grow(more)
    }
    variables.toVector.sorted.map(v => grow(Set(v))).distinct
  }

  final private class Tree(core: WeighedPattern, x: Int, below: Set[Int])(implicit
      relations: IndexedSeq[RelationTraits]) {

    def ways(tree: Set[Int]): Vector[Total] =
      tree.toVector.sorted.flatMap { root =>
        val children = childrenOf(root, x)
        val whole = at(root, sources(root, children)).map(Sum(_): Total)
        val joined = children.flatMap { c =>
          for {
            from <- vector(c, root)
            to <- at(root, sources(root, children.filter(_ != c)))
          } yield Joined(from, core.edge(c, root), to): Total
        }
        whole.toVector ++ joined
      }

    private def childrenOf(v: Int, parent: Int): Vector[Int] =
      (core.neighbours(v) - x - parent).toVector.sorted

    private def vector(v: Int, parent: Int): Option[Reached] =
      at(v, sources(v, childrenOf(v, parent)))

    /** None where a variable below is not reached from `x`. */
    private def sources(v: Int, children: Vector[Int]): Option[Vector[Reached]] = {
      val row =
        if (core.neighbours(v)(x)) Vector(Some(Row(core.edge(x, v), below(v)))) else Vector.empty
      val pushed = children.map(c =>
        vector(c, v).map(from => Pushed(from, core.edge(c, v), below(v))))
      val all: Vector[Option[Reached]] = row ++ pushed
      if (all.isEmpty || all.exists(_.isEmpty)) None else Some(all.flatten)
    }

    private def at(v: Int, reached: Option[Vector[Reached]]): Option[Reached] = reached.map {
      case Vector(one) if core.factors(v).isEmpty => one
      case several => Product(several.sortBy(_.toString), core.factors(v))
    }
  }
}
