package io.wreath.spark.streaming

import org.apache.spark.sql.catalyst.expressions.{
  BoundReference,
  Expression,
  GreaterThan,
  Literal
}
import org.apache.spark.sql.types.LongType

import org.scalatest.funsuite.AnyFunSuite

/** Each vertex is asked once, from the second batch on that has the condition. */
class VertexConditionsSuite extends AnyFunSuite {

  private def above(x: Long): Expression =
    GreaterThan(BoundReference(0, LongType, nullable = false), Literal(x))

  private class Asked extends (Int => Boolean) {
    var codes = Vector.empty[Int]
    override def apply(code: Int): Boolean = {
      codes :+= code
      code % 3 == 0
    }
  }

  private def has(bits: Array[Long], size: Int): Seq[Int] =
    (0 until size).filter(c => (bits(c >>> 6) >>> c & 1L) != 0L)

  test("nothing is asked in the first batch, then each code once") {
    val conditions = new VertexConditions
    val asked = new Asked
    assert(conditions.bits(above(1), batch = 1, size = 70)(asked) == null)
    assert(conditions.bits(above(1), batch = 1, size = 70)(asked) == null)
    assert(asked.codes.isEmpty)
    assert(has(conditions.bits(above(1), 2, 70)(asked), 70) == (0 until 70 by 3))
    val first = conditions.bits(above(1), 2, 70)(asked)
    assert(asked.codes == Vector.range(0, 70))
    assert(has(conditions.bits(above(1), 3, 200)(asked), 200) == (0 until 200 by 3))
    assert(asked.codes == Vector.range(0, 200))
    // A task of the batch before may still read what it was given.
    assert(has(first, 70) == (0 until 70 by 3) && first.length == 2)
  }

  test("a condition that is another in every batch is never asked of all vertices") {
    val conditions = new VertexConditions
    val asked = new Asked
    (1 to 500).foreach(i => assert(conditions.bits(above(i), i, 10)(asked) == null))
    assert(asked.codes.isEmpty)
  }
}
