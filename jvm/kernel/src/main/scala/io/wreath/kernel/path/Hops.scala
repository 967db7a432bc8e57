package io.wreath.kernel.path

/** How many steps a path may have: `{least,most}` of a pattern. */
final case class Hops(least: Int, most: Int) {
  if (least < 0 || most < least) {
    throw new IllegalArgumentException(s"A path cannot have {$least,$most} steps.")
  }
}

object Hops {
  final val Unbounded = Int.MaxValue

  /** `*`: the path without a step is one. */
  val any: Hops = Hops(0, Unbounded)

  /** `+` */
  val some: Hops = Hops(1, Unbounded)
}
