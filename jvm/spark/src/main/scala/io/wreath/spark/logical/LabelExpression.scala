package io.wreath.spark.logical

import org.apache.spark.sql.catalyst.trees.Origin

/** What stands after IS: which labels an element may have. */
sealed trait LabelExpression {

  /** @param has whether an element has the label of a name */
  def admits(has: String => Boolean): Boolean = this match {
    case LabelName(name, _) => has(name)
    case AnyLabel => true
    case NotLabel(l) => !l.admits(has)
    case BothLabels(l, r) => l.admits(has) && r.admits(has)
    case EitherLabel(l, r) => l.admits(has) || r.admits(has)
  }

  /** The names that stand in it, in the order of the text. */
  def names: Seq[LabelName] = this match {
    case name: LabelName => Seq(name)
    case AnyLabel => Nil
    case NotLabel(l) => l.names
    case BothLabels(l, r) => l.names ++ r.names
    case EitherLabel(l, r) => l.names ++ r.names
  }
}

final case class LabelName(name: String, origin: Origin) extends LabelExpression {

  /** The same label at another place is the same. */
  override def equals(other: Any): Boolean = other match {
    case LabelName(n, _) => n == name
    case _ => false
  }

  override def hashCode: Int = name.hashCode
}

/** `%`: every element of a graph has a label. */
case object AnyLabel extends LabelExpression

/** `!l` */
final case class NotLabel(label: LabelExpression) extends LabelExpression

/** `l & r` */
final case class BothLabels(left: LabelExpression, right: LabelExpression)
    extends LabelExpression

/** `l | r` */
final case class EitherLabel(left: LabelExpression, right: LabelExpression)
    extends LabelExpression
