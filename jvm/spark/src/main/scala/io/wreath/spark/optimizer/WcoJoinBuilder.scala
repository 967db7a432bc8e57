package io.wreath.spark.optimizer

import scala.collection.mutable

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Project}

import io.wreath.pattern.{Comparison, ComparisonOp, PatternEdge}
import io.wreath.spark.index.VertexKeys
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
final private[optimizer] class WcoJoinBuilder(
    atoms: Seq[EdgeAtom],
    conditions: Seq[Expression],
    required: AttributeSet) {

  private val ends = atoms.flatMap(a => Seq(a.source, a.target))
  private val endSet = AttributeSet(ends)

  /** Columns of the pattern's leaves, by whatever name, to columns of its edge tables. */
  private val columns = AttributeMap(atoms.flatMap(_.columns) ++ ends.map(e => e -> e))

  private def overEdges(e: Expression): Expression = e.transform { case a: Attribute =>
    columns.getOrElse(a, a)
  }

  private val (inside, between) = conditions.partition(c => isInside(overEdges(c)))
  private val (onEdges, onEdgesOnly) = atoms.flatMap(_.conditions).partition(isInside)

  /** All that the join itself has to see to. */
  private val local = inside.map(overEdges) ++ onEdges

  /** What is left to the operators above. */
  private val outside = between ++ onEdgesOnly

  private def isInside(c: Expression): Boolean =
    c.references.nonEmpty && c.references.subsetOf(endSet) && isEvaluable(c)

  private def isEvaluable(c: Expression): Boolean =
    c.deterministic && !SubqueryExpression.hasSubquery(c) && NeverRaises(c)

  /** The variable of each end. */
  private val variableOf: AttributeMap[Int] = {
    val parent = mutable.LinkedHashMap(ends.map(e => e.exprId -> e.exprId): _*)
    def root(id: ExprId): ExprId = if (parent(id) == id) id else root(parent(id))
    local.foreach {
      case EqualTo(a: Attribute, b: Attribute) if endSet.contains(a) && endSet.contains(b) =>
        parent(root(b.exprId)) = root(a.exprId)
      case _ =>
    }
    val numbers = ends.map(e => root(e.exprId)).distinct.zipWithIndex.toMap
    AttributeMap(ends.map(e => e -> numbers(root(e.exprId))))
  }

  private lazy val variables: Seq[AttributeReference] = {
    val names = atoms.flatMap { a =>
      Seq(a.source, a.target).zip(a.mark.variables)
    }
    (0 to variableOf.values.max).map { v =>
      val name = names.collectFirst { case (end, n) if variableOf(end) == v => n }.get
      AttributeReference(name, ends.head.dataType, nullable = false)()
    }
  }

  /** The join with the columns it stands for, and the conditions that are left to others. */
  def build(): Either[String, (LogicalPlan, Seq[Expression])] =
    reasonAgainst.toLeft {
      val (comparisons, predicates) = local
        .filterNot(isBinding)
        .map(c => toComparison(c).toLeft(overVariables(c)))
        .distinct
        .partitionMap(identity)
      val relation = atoms.head.relation
      val needed = columns.keys.filter((required ++ AttributeSet(outside)).contains).toSeq
      def variable(column: Attribute): Attribute = variables(variableOf(columns(column)))
      val join = WcoJoin(
        relations = Seq(relation),
        keys = relation.output,
        edges = atoms.map(a => PatternEdge(variableOf(a.source), variableOf(a.target))),
        variables = variables,
        comparisons = comparisons,
        predicates = predicates,
        order = atoms.head.mark.hints.order.flatMap(variableNamed).distinct,
        counted = None,
        output = variables.filter(v => needed.exists(variable(_).exprId == v.exprId)))
      (Project(needed.map(c => Alias(variable(c), c.name)(exprId = c.exprId)), join), outside)
    }

  private def overVariables(e: Expression): Expression = e.transform { case a: Attribute =>
    variables(variableOf(a))
  }

  private def reasonAgainst: Option[String] = {
    val read = columns.collect {
      case (column, original)
          if !endSet.contains(
            original) && (required ++ AttributeSet(conditions)).contains(column) =>
        original.name
    }
    // What the user wrote, rather than the IS NOT NULL that Spark inferred from it.
    val unknown = onEdgesOnly
      .filterNot(_.references.subsetOf(endSet))
      .sortBy(_.isInstanceOf[IsNotNull])
      .headOption
    val keyType = ends.head.dataType
    if (read.nonEmpty) {
      Some(s"the query reads columns of an edge other than its ends: ${list(read)}")
    } else if (unknown.isDefined) {
      Some(s"a condition reads more of an edge than its ends: ${unknown.get.sql}")
    } else if (ends.exists(_.dataType != keyType)) {
      Some(s"vertices are named by several types: ${list(ends.map(_.dataType.sql))}")
    } else if (!VertexKeys.isSupported(keyType)) {
      Some(
        s"vertices are named by ${keyType.sql}: floating-point numbers, collated strings, " +
          "decimals of more than 18 digits and nested values are not indexed")
    } else if (!atoms.forall(_.relation.deterministic)) {
      Some("the edge table is not deterministic")
    } else if (atoms.map(_.relation.canonicalized).distinct.size > 1) {
      Some("the edges of the pattern are read from plans that differ")
    } else {
      None
    }
  }

  private def list(names: Iterable[String]): String = names.toSeq.distinct.sorted.mkString(", ")

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
