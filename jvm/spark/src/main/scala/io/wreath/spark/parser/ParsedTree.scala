package io.wreath.spark.parser

import org.apache.spark.sql.catalyst.trees.TreeNode

/**
 * What Spark's parser made, with parts of it replaced.
 *
 * Goes through products rather than plans: a call also stands where `transform` does not look, such as the
 * definitions of a WITH, the plan inside EXPLAIN, or a subquery. What nothing is replaced in stays the
 * same object.
 */
private[parser] object ParsedTree {

  def replace[T <: AnyRef](parsed: T)(by: PartialFunction[Any, Any]): T =
    new ParsedTree(by).walk(parsed).asInstanceOf[T]
}

final private class ParsedTree(by: PartialFunction[Any, Any]) {

  def walk(x: Any): Any = by.applyOrElse(x, within)

  private def within(x: Any): Any = x match {
    case node: TreeNode[_] =>
      val arguments = node.productIterator.toArray
      val walked = arguments.map(walk)
      if (same(arguments, walked)) node
      else node.makeCopy(walked.asInstanceOf[Array[AnyRef]])
    case Some(value) =>
      val walked = walk(value)
      if (same(value, walked)) x else Some(walked)
    case (a, b) =>
      val (wa, wb) = (walk(a), walk(b))
      if (same(a, wa) && same(b, wb)) x else (wa, wb)
    case (a, b, c) =>
      val walked = (walk(a), walk(b), walk(c))
      if (same(a, walked._1) && same(b, walked._2) && same(c, walked._3)) x else walked
    case s: Seq[_] =>
      val walked = s.map(walk)
      if (s.zip(walked).forall { case (a, b) => same(a, b) }) s else walked
    case m: Map[_, _] =>
      val walked = m.map { case (k, v) => k -> walk(v) }
      if (m.forall { case (k, v) => same(v, walked(k)) }) m else walked
    case other => other
  }

  private def same(a: Any, b: Any): Boolean = a match {
    case r: AnyRef => (r eq b.asInstanceOf[AnyRef]) || (r.isInstanceOf[String] && r == b)
    case v => v == b
  }

  private def same(a: Array[Any], b: Array[Any]): Boolean =
    a.indices.forall(i => same(a(i), b(i)))
}
