package io.wreath.pattern

import java.io.{
  ByteArrayInputStream,
  ByteArrayOutputStream,
  ObjectInputStream,
  ObjectOutputStream
}

import io.wreath.kernel.join.JoinProgram
import org.scalatest.funsuite.AnyFunSuite

class GraphPatternSuite extends AnyFunSuite {

  private def refusal(f: => Any): String = intercept[IllegalArgumentException](f).getMessage

  test("a pattern that cannot be meant is refused with a sentence that names the fault") {
    assert(refusal(GraphPattern(0, Vector.empty)).contains("at least one variable"))
    assert(refusal(GraphPattern(2, Vector(PatternEdge(0, 2)))).contains("Variable 2, the target"))
    assert(refusal(GraphPattern(
      2,
      Vector(PatternEdge(-1, 1)))).contains("Variable -1, the source"))
    assert(refusal(GraphPattern(
      2,
      Vector(PatternEdge(0, 0)))).contains("Variable 1 occurs in no"))
    assert(refusal(GraphPattern(
      1,
      Vector(PatternEdge(0, 0, -1)))).contains("must not be negative"))
    val stray = Comparison(0, ComparisonOp.Less, 5)
    assert(refusal(GraphPattern(
      1,
      Vector(PatternEdge(0, 0)),
      Vector(stray))).contains("Variable 5"))
  }

  test("self-loops, repeated edges and unconnected parts are patterns") {
    GraphPattern(1, Vector(PatternEdge(0, 0)))
    GraphPattern(2, Vector(PatternEdge(0, 1), PatternEdge(0, 1)))
    val p = GraphPattern(4, Vector(PatternEdge(0, 1), PatternEdge(2, 3, 4)))
    assert(p.relationCount == 5)
  }

  test("an order is a permutation of the pattern's variables") {
    assert(refusal(VariableOrder(Vector(0, 0))).contains("each of its 2 variables once"))
    assert(refusal(VariableOrder(Vector(1, 2))).contains("(1, 2)"))
    val p = GraphPattern(2, Vector(PatternEdge(0, 1)))
    assert(refusal(JoinProgram.compile(p, VariableOrder.natural(3))).contains("names 3"))
  }

  test("a program survives serialization") {
    val p = GraphPattern(
      3,
      Vector(PatternEdge(0, 1), PatternEdge(1, 2), PatternEdge(0, 2)),
      Vector(Comparison(0, ComparisonOp.Less, 1)))
    val bytes = new ByteArrayOutputStream
    new ObjectOutputStream(bytes).writeObject(JoinProgram.compile(p, VariableOrder.natural(3)))
    val back = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray)).readObject()
    assert(back.asInstanceOf[JoinProgram].pattern == p)
  }
}
