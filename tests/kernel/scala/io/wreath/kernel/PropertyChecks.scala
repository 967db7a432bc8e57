package io.wreath.kernel

import org.scalacheck.rng.Seed
import org.scalacheck.util.Pretty
import org.scalacheck.{Gen, Prop, Test}
import org.scalatest.funsuite.AnyFunSuite

/**
 * Base of the property suites: cases come from a fixed seed, so that a red run repeats. The seed
 * is in the message of a failure; `-Dwreath.test.seed=…` tries another.
 */
abstract class PropertyChecks extends AnyFunSuite {

  private val seed: Long = sys.props.get("wreath.test.seed").fold(42L)(_.toLong)

  /** How many cases a test takes: few by themselves, many with WREATH_SOAK. */
  protected def casesOf(few: Int, many: Int): Int =
    if (sys.env.contains("WREATH_SOAK")) many else few

  protected def forAll[A](gen: Gen[A], cases: Int)(check: A => Unit): Unit = {
    val parameters = Test.Parameters.default
      .withMinSuccessfulTests(cases)
      .withInitialSeed(Seed(seed))
    val result = Test.check(
      parameters,
      Prop.forAllNoShrink(gen) { a =>
        check(a)
        true
      })
    def message = s"With -Dwreath.test.seed=$seed: ${Pretty.pretty(result, Pretty.Params(2))}"
    result.status match {
      case Test.PropException(_, cause, _) => fail(message, cause)
      case _ => if (!result.passed) fail(message)
    }
  }
}
