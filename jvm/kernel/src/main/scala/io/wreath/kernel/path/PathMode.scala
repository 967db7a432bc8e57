package io.wreath.kernel.path

/** What a path may visit again. */
sealed trait PathMode
object PathMode {

  /** Anything; the number of steps is bounded instead. */
  case object Walk extends PathMode

  /** No edge twice. */
  case object Trail extends PathMode

  /** No vertex twice, but that it may end where it began. */
  case object Simple extends PathMode

  /** No vertex twice. */
  case object Acyclic extends PathMode
}
