package io.wreath.kernel.path

/**
 * Which sequences of edges a path may be: a regular expression over labels, which are numbers here. What
 * a label means, a [[Route]] says.
 */
sealed trait RegularPath {

  /** The same paths, from their ends. */
  def reversed: RegularPath
}

object RegularPath {

  /** One edge. */
  final case class Step(label: Int) extends RegularPath {
    override def reversed: RegularPath = this
  }

  final case class Sequence(parts: RegularPath*) extends RegularPath {
    override def reversed: RegularPath = Sequence(parts.reverse.map(_.reversed): _*)
  }

  final case class Choice(parts: RegularPath*) extends RegularPath {
    override def reversed: RegularPath = Choice(parts.map(_.reversed): _*)
  }

  /** A part as often as `times` says. */
  final case class Repeat(part: RegularPath, times: Hops) extends RegularPath {
    override def reversed: RegularPath = Repeat(part.reversed, times)
  }
}
