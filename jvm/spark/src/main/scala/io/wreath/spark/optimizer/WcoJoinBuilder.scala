package io.wreath.spark.optimizer

import scala.collection.mutable

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Project}

import io.wreath.pattern.{Comparison, ComparisonOp, PatternEdge}
import io.wreath.spark.index.VertexKey
import io.wreath.spark.logical.WcoJoin

/**
 * Builds the [[WcoJoin]] of one pattern, or says why it cannot be.
 *
 * Ends that must be equal are one variable. Of the conditions, those between two variables are
 * comparisons, decided on codes; other deterministic ones over the pattern's ends are predicates;
 * what reaches outside the pattern, or needs a plan of its own, is handed back.
 *
 * @param atoms the pattern's edges, at least two
 * @param conditions of the join tree
 * @param required what something above the tree reads
 */
final private[optimizer] case class WcoJoinBuilder(
    atoms: Seq[EdgeAtom],
    conditions: Seq[Expression],
    required: AttributeSet) {

  private val ends = atoms.flatMap(a => Seq(a.source, a.target))
  private val endSet = AttributeSet(ends)

  private val (inside, outside) = conditions.partition(isInside)

  private def isInside(c: Expression): Boolean =
    c.references.nonEmpty && c.references.subsetOf(endSet) && c.deterministic &&
      !SubqueryExpression.hasSubquery(c) && !c.exists(_.isInstanceOf[PythonUDF])

  private val local = inside ++ atoms.flatMap(_.predicates)

  /** The variable of each end. */
  private val variableOf: AttributeMap[Int] = {
    val parent = mutable.LinkedHashMap(ends.map(e => e.exprId -> e.exprId): _*)
    def root(id: ExprId): ExprId = if (parent(id) == id) id else root(parent(id))
    local.foreach {
      case EqualTo(a: Attribute, b: Attribute) => parent(root(b.exprId)) = root(a.exprId)
      case _ =>
    }
    val numbers = ends.map(e => root(e.exprId)).distinct.zipWithIndex.toMap
    AttributeMap(ends.map(e => e -> numbers(root(e.exprId))))
  }

  private val variables: Seq[AttributeReference] = {
    val names = atoms.flatMap(a => Seq(a.source -> a.sourceName, a.target -> a.targetName))
    (0 to variableOf.values.max).map { v =>
      val name = names.collectFirst { case (end, n) if variableOf(end) == v && n != "_" => n }
      AttributeReference(name.getOrElse(s"_$v"), ends.head.dataType, nullable = false)()
    }
  }

  private def overVariables(e: Expression): Expression = e.transform { case a: Attribute =>
    variables(variableOf(a))
  }

  /** The join with the columns it stands for, and the conditions that are left to others. */
  def build(): Either[String, (LogicalPlan, Seq[Expression])] =
    reasonAgainst.toLeft {
      val (compared, predicates) = local
        .flatMap(c => if (isBinding(c)) None else Some(toComparison(c).toLeft(overVariables(c))))
        .distinct
        .partitionMap(identity)
      val relation = atoms.head.relation
      val needed = ends.filter((required ++ AttributeSet(outside)).contains)
      val join = WcoJoin(
        relations = Seq(relation),
        keys = relation.output,
        edges = atoms.map(a => PatternEdge(variableOf(a.source), variableOf(a.target))),
        variables = variables,
        comparisons = compared,
        predicates = predicates,
        order = atoms.head.hints.order.flatMap(variableNamed).distinct,
        output = needed.map(e => variables(variableOf(e))).distinct)
      val columns = needed.map(e => Alias(variables(variableOf(e)), e.name)(exprId = e.exprId))
      (Project(columns, join), outside)
    }

  private def reasonAgainst: Option[String] = {
    val properties = AttributeSet.fromAttributeSets(atoms.map(_.others))
    val read = properties.intersect(required ++ AttributeSet(conditions))
    val keyType = ends.head.dataType
    if (read.nonEmpty) {
      Some(
        s"the query reads edge columns other than its ends: ${read.map(_.name).mkString(", ")}")
    } else if (!VertexKey.isSupported(keyType)) {
      Some(
        s"vertices are named by ${keyType.sql}, and only integral, date and timestamp columns " +
          "are indexed yet")
    } else if (atoms.exists(a => !a.relation.deterministic)) {
      Some("the edge table is not deterministic")
    } else if (atoms.map(_.relation.canonicalized).distinct.size > 1) {
      Some("a condition on a column other than src and dst holds for some edges of the pattern " +
        "only")
    } else {
      None
    }
  }

  private def variableNamed(name: String): Option[Int] =
    variables.indices.find(v => variables(v).name.equalsIgnoreCase(name))

  /** What made two ends one variable, or says of a variable that it is not NULL. */
  private def isBinding(c: Expression): Boolean = c match {
    case EqualTo(_: Attribute, _: Attribute) => true
    case IsNotNull(_: Attribute) => true
    case _ => false
  }

  private def toComparison(c: Expression): Option[Comparison] = {
    import ComparisonOp._
    def between(l: Expression, op: ComparisonOp, r: Expression): Option[Comparison] =
      (l, r) match {
        case (a: Attribute, b: Attribute) => Some(Comparison(variableOf(a), op, variableOf(b)))
        case _ => None
      }
    c match {
      case LessThan(l, r) => between(l, Less, r)
      case LessThanOrEqual(l, r) => between(l, LessOrEqual, r)
      case GreaterThan(l, r) => between(r, Less, l)
      case GreaterThanOrEqual(l, r) => between(r, LessOrEqual, l)
      case Not(EqualTo(l, r)) => between(l, NotEqual, r)
      case _ => None
    }
  }
}
