package io.wreath.kernel.count

import scala.runtime.ScalaRunTime

/**
 * Where codes of a variable lie, by the depths of held vertices: after all of some, before all of others.
 */
final private[count] case class Bounds(after: Vector[Int], before: Vector[Int]) {

  def size: Int = after.size + before.size

  /** The last of the held vertices that it depends on; -1 if there is none. */
  def depth: Int = (after ++ before).maxOption.getOrElse(-1)
}

/**
 * A number for each code of some variable while others, the held ones, stay as they are. Few codes have
 * one that is not zero. Equal vectors are made once for the same held vertices.
 */
sealed private[count] trait Reached {

  /** The last of the held vertices that it depends on. */
  def depth: Int
}

/**
 * The neighbours of a held vertex.
 *
 * @param of its depth
 */
final private[count] case class Row(edge: EdgeFactor, of: Int, bounds: Bounds) extends Reached {
  override lazy val hashCode: Int = ScalaRunTime._hashCode(this)

  override def depth: Int = Math.max(of, bounds.depth)
}

/** One step on from all codes of another vector. */
final private[count] case class Pushed(from: Reached, edge: EdgeFactor, bounds: Bounds)
    extends Reached {
  override lazy val hashCode: Int = ScalaRunTime._hashCode(this)

  override def depth: Int = Math.max(from.depth, bounds.depth)
}

/** The product of vectors, and of what weighs the variable by itself. */
final private[count] case class Product(of: Vector[Reached], factors: Vector[VertexFactor])
    extends Reached {
  override lazy val hashCode: Int = ScalaRunTime._hashCode(this)

  override def depth: Int = of.map(_.depth).max
}

/** One for each code that another vector has. */
final private[count] case class Among(of: Reached) extends Reached {
  override def depth: Int = of.depth
}

/**
 * What passes a condition of another vector's codes, and of held vertices.
 *
 * @param depths by place among what the condition reads, that of a held vertex; -1 for the vector's own code
 */
final private[count] case class Passing(of: Reached, test: Int, depths: Vector[Int])
    extends Reached {
  override lazy val hashCode: Int = ScalaRunTime._hashCode(this)

  override def depth: Int = Math.max(of.depth, depths.max)
}

/**
 * Of the codes of one vector, what they find along edges in another one: read from where it ends, not from where
 * it begins.
 */
final private[count] case class Gathered(at: Reached, edge: EdgeFactor, of: Reached)
    extends Reached {
  override lazy val hashCode: Int = ScalaRunTime._hashCode(this)

  override def depth: Int = Math.max(at.depth, of.depth)
}

/** The sum of some vectors that are pushed along the lists of another one: they are made with it. */
final private[count] case class Beside(lead: Pushed, terms: Vector[Pushed]) extends Reached {
  override lazy val hashCode: Int = ScalaRunTime._hashCode(this)

  override def depth: Int = lead.depth
}

/** A number while some variables are held still. */
sealed private[count] trait Total

final private[count] case class Sum(of: Reached) extends Total

/** The sum over all edges from codes of one vector to codes of another. */
final private[count] case class Joined(from: Reached, edge: EdgeFactor, to: Reached)
    extends Total

/** The sum over codes of two vectors of which the first is less than the second. */
final private[count] case class Compared(less: Reached, than: Reached) extends Total

/**
 * The sum over one variable more, held still at each code of a vector in turn: of the code's number times
 * the product of some totals.
 */
final private[count] case class Held(times: Long, of: Reached, totals: Vector[Total])
    extends Total

/**
 * The sum over all vertices, held one after the other, of the product of some numbers.
 *
 * @param times how often it counts, with its sign
 * @param held what weighs the held vertex
 * @param groups of a variable that is not summed over and not the one that is held, if there is one: a part of the
 *   product
 */
final private[count] case class HeldSum(
    times: Long,
    held: Vector[VertexFactor],
    totals: Vector[Total],
    groups: Option[Held] = None) {

  def all: Vector[Total] = totals ++ groups
}
