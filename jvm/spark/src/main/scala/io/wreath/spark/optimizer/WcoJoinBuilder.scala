package io.wreath.spark.optimizer

import scala.collection.mutable

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.Inner
import org.apache.spark.sql.catalyst.plans.logical._

import io.wreath.spark.index.JoinSpace
import io.wreath.spark.index.keys.VertexKeys
import io.wreath.spark.logical._

/**
 * A pattern that can be joined.
 *
 * @param output the columns that are read of it
 * @param restored what the leaves of the tree call these
 * @param rest conditions of the tree that are left to others, over columns of the leaves
 * @param beyond conditions on an element that are left to others, over the same
 * @param tests that are left to others
 */
final private[optimizer] case class BuiltPattern(
    part: JoinPart,
    output: Seq[Attribute],
    restored: Seq[Alias],
    rest: Seq[Expression],
    beyond: Seq[Expression],
    tests: Seq[MatchExists]) {

  /** All that is left to others. */
  def left: Seq[Expression] = rest ++ beyond

  def join: WcoJoin = JoinPart.join(Seq(part), Nil, output)
}

/**
 * Builds the [[WcoJoin]] of one pattern, or says why it cannot be.
 *
 * Ends that must be equal are one variable. Of the conditions, those between two variables are
 * comparisons, decided on codes; other deterministic ones over the pattern's elements are
 * predicates; what reaches outside the pattern, or may raise an error, is handed back.
 *
 * Vertices that no edge leads to are loose: they say nothing of the others that an index could help with, and
 * are left to others too.
 *
 * @param all elements of the pattern, one of them an edge
 * @param tree that they stand in
 * @param required what something above the tree reads
 */
final private[optimizer] class WcoJoinBuilder(
    all: Seq[ElementAtom],
    tree: JoinTree,
    required: AttributeSet) {

  /** Columns of leaves, by whatever name, to columns of their tables. */
  private def columnsOf(elements: Seq[ElementAtom]): AttributeMap[Attribute] =
    AttributeMap(
      elements.flatMap(_.columns) ++ elements.flatMap(_.table.output).map(c => c -> c))

  private val allColumns = columnsOf(all)

  private def overTables(e: Expression): Expression = withoutCasts(e.transform {
    case a: Attribute => allColumns.getOrElse(a, a)
  })

  /** Spark casts structs that differ in what may be NULL inside them; their values are the same. */
  private def withoutCasts(e: Expression): Expression = e.transform {
    case c: Cast if JoinSpace.kind(c.child.dataType) == JoinSpace.kind(c.dataType) => c.child
  }

  /** The conditions of the tree, as they stand there and over columns of tables. */
  private val conditions: Seq[(Expression, Expression)] =
    tree.conditions.map(c => c -> overTables(c))

  /** By end, the end that stands for its variable. */
  private val sameAs: Attribute => ExprId = {
    val ends = AttributeSet(all.flatMap(_.ends))
    val parent = mutable.Map(ends.toSeq.map(e => e.exprId -> e.exprId): _*)
    def root(id: ExprId): ExprId = if (parent(id) == id) id else root(parent(id))
    (conditions.map(_._2) ++ all.flatMap(_.conditions).map(withoutCasts)).foreach {
      case EqualTo(a: Attribute, b: Attribute) if ends.contains(a) && ends.contains(b) =>
        parent(root(b.exprId)) = root(a.exprId)
      case _ =>
    }
    end => root(end.exprId)
  }

  val loose: Seq[ElementAtom] = {
    val reached = all.filter(_.isEdge).flatMap(_.ends.map(sameAs)).toSet
    all.filterNot(_.ends.forall(end => reached(sameAs(end))))
  }

  /** Those that are joined. */
  val elements: Seq[ElementAtom] = if (loose.isEmpty) all else all.diff(loose)

  private val ends = elements.flatMap(_.ends)
  private val endSet = AttributeSet(ends)
  private val tableColumnSet = AttributeSet(elements.flatMap(_.table.output))
  private val columns = if (loose.isEmpty) allColumns else columnsOf(elements)

  private val (inside, betweenLeaves) = conditions.partition(c => isInside(c._2))
  private val between = betweenLeaves.map(_._1)
  private val (onElements, beyond) =
    elements.flatMap(_.conditions).map(withoutCasts).partition(isInside)

  /** All that the join itself has to see to. */
  private val local = inside.map(_._2) ++ onElements

  /** What is left to the operators above. */
  private val outside = between ++ beyond

  private def isInside(c: Expression): Boolean =
    c.references.nonEmpty && c.references.subsetOf(tableColumnSet) && isEvaluable(c)

  private def isEvaluable(c: Expression): Boolean =
    c.deterministic && !SubqueryExpression.hasSubquery(c) && NeverRaises(c)

  private def areEnds(a: Attribute, b: Attribute): Boolean =
    endSet.contains(a) && endSet.contains(b)

  /** The variable of each end. */
  private val variableOf: AttributeMap[Int] = {
    val numbers = ends.map(sameAs).distinct.zipWithIndex.toMap
    AttributeMap(ends.map(e => e -> numbers(sameAs(e))))
  }

  private lazy val variables: Seq[AttributeReference] = {
    val names = elements.flatMap(e => e.ends.zip(e.mark.variables))
    (0 to variableOf.values.max).map { v =>
      val (end, name) = names.find { case (end, _) => variableOf(end) == v }.get
      AttributeReference(name, end.dataType, nullable = false)()
    }
  }

  /** Tests that the index can answer once the pattern is bound, and those that it cannot. */
  private lazy val (indexTests, otherTests): (Seq[EdgeQuestion], Seq[MatchExists]) =
    tree.tests.partitionMap { t =>
      EdgeQuestion.of(t, a => endOf(overTables(a)), withoutCasts).toLeft(t)
    }

  private def endOf(e: Expression): Option[Int] = e match {
    case a: Attribute => variableOf.get(a)
    case _ => None
  }

  /** Columns of the leaves that something beyond the join reads. */
  private lazy val needed: Seq[Attribute] = {
    val read = required ++ AttributeSet(outside ++ otherTests.flatMap(_.condition))
    columns.keys.filter(read.contains).toSeq
  }

  private val rows: AttributeMap[Int] =
    AttributeMap(elements.zipWithIndex.flatMap { case (e, i) => e.row.map(_ -> i) })

  /** Elements that must be different rows, of each pair the later one first. */
  private lazy val different: Seq[(Int, Int)] = local.collect {
    case DifferentRows(i, j) => (math.max(i, j), math.min(i, j))
  }.distinct

  /** Whether something else is asked of which row an edge is than what the index can tell. */
  private def isRowRead: Boolean = {
    val others = local.filterNot(DifferentRows.unapply(_).isDefined)
    (AttributeSet(others) ++ AttributeSet(needed.map(columns))).exists(rows.contains)
  }

  private object DifferentRows {
    def unapply(e: Expression): Option[(Int, Int)] = e match {
      case Not(EqualTo(a: Attribute, b: Attribute)) if rows.contains(a) && rows.contains(b) =>
        Some((rows(a), rows(b)))
      case _ => None
    }
  }

  /** Conditions that are not settled by what the variables are. */
  private lazy val (comparisons, predicates) =
    local
      .filterNot(c => isBinding(c) || DifferentRows.unapply(c).isDefined)
      .map(c => VariableComparison.of(c, variableOf.get).toLeft(c))
      .distinct
      .partitionMap(identity)

  /** The elements of each relation: those that read the same table by the same ends. */
  private lazy val relations: Seq[Seq[ElementAtom]] = {
    val groups = mutable.LinkedHashMap.empty[(LogicalPlan, Seq[Int]), Seq[ElementAtom]]
    (elements ++ indexTests.map(_.edge)).foreach(e =>
      groups(e.identity) = groups.getOrElse(e.identity, Nil) :+ e)
    groups.values.toSeq
  }

  private lazy val relationOf: Map[ElementAtom, Int] =
    relations.zipWithIndex.flatMap { case (group, r) => group.map(_ -> r) }.toMap

  /** Beside its ends, what is read of each element. */
  private lazy val read: AttributeSet =
    AttributeSet(predicates ++ needed.map(columns)) -- endSet

  /** By relation, the places in the table of the columns that any of its elements reads. */
  private lazy val positions: Seq[Seq[Int]] = relations.map { group =>
    group.flatMap(e => e.table.output.filter(read.contains).map(e.position)).distinct.sorted
  }

  private lazy val atomColumns: Seq[(Attribute, AtomColumn)] = for {
    (e, atom) <- elements.zipWithIndex
    c <- e.table.output if read.contains(c)
  } yield {
    val fresh =
      AttributeReference(MatchElement.nameInTable(c.name), c.dataType, c.nullable, c.metadata)()
    c -> AtomColumn(fresh, atom, positions(relationOf(e)).indexOf(e.position(c)))
  }

  /** What the join calls a column of one of its tables. */
  private lazy val produced: AttributeMap[Attribute] = AttributeMap(
    ends.map(e => e -> (variables(variableOf(e)): Attribute)) ++
      atomColumns.map { case (c, a) => c -> a.column })

  private lazy val atoms: Seq[JoinAtom] =
    elements.zipWithIndex.map { case (e, i) =>
      JoinAtom(
        relationOf(e),
        e.ends.map(variableOf),
        e.isUndirected,
        different.collect { case (`i`, earlier) => earlier })
    } ++ indexTests.map { q =>
      JoinAtom(
        relationOf(q.edge),
        q.variables,
        q.edge.isUndirected,
        test = Some(!q.test.isNegated))
    }

  /** The pattern, and what is left to others. */
  def build(): Either[String, BuiltPattern] =
    reasonAgainst.toLeft {
      val output = AttributeSet(needed.map(c => produced(columns(c)))).toSeq
      val pattern = JoinPattern(
        atoms = atoms,
        variables = variables,
        columns = atomColumns.map(_._2),
        comparisons = comparisons,
        predicates = predicates.map(_.transform { case a: Attribute => produced(a) }).distinct,
        lastPredicates = Nil,
        order = elements.head.mark.hints.order.flatMap(variableNamed).distinct,
        values = output)
      val read = relations.zip(positions).map { case (group, places) =>
        PartRelation(
          group.head.identity,
          group.head.table,
          group.head.ends,
          places,
          group.map(_.mark.said).distinct.mkString(", "),
          group.exists(_.mark.isAsked))
      }
      BuiltPattern(
        JoinPart(pattern, read, asJoins(output)),
        output,
        needed.map(c => Alias(produced(columns(c)), c.name)(exprId = c.exprId)),
        between,
        beyond,
        otherTests)
    }

  private def asJoins(output: Seq[Attribute]): LogicalPlan = {
    val crossed =
      elements.map(_.element.meaning).reduce(Join(_, _, Inner, None, JoinHint.NONE))
    val filtered = Conjunction.of(local).map(Filter(_, crossed)).getOrElse(crossed)
    val joined = indexTests.foldLeft(filtered: LogicalPlan) { (plan, q) =>
      val condition = q.test.condition.map(_.transform { case a: Attribute =>
        columns.getOrElse(a, a)
      })
      val right = q.test.right.transform { case e: MatchElement => e.meaning }
      MatchExists(plan, right, condition, q.test.isNegated).meaning
    }
    val origin = produced.toSeq.map { case (c, p) => p.exprId -> c }.toMap
    Project(output.map(o => Alias(origin(o.exprId), o.name)(exprId = o.exprId)), joined)
  }

  private def reasonAgainst: Option[String] = {
    val unsupported = ends.map(_.dataType).find(!VertexKeys.isSupported(_))
    val unlike = different.find { case (i, j) =>
      relationOf(elements(i)) != relationOf(elements(j))
    }
    if (unlike.isDefined || isRowRead) {
      Some("edges that must be different rows are read from different relations")
    } else if (unsupported.isDefined) {
      Some(
        s"vertices are named by ${unsupported.get.sql}: floating-point numbers, collated strings " +
          "and values that contain them are not indexed")
    } else if (!elements.forall(_.table.deterministic)) {
      Some("a table of the pattern is not deterministic")
    } else {
      None
    }
  }

  private def variableNamed(name: String): Option[Int] =
    variables.indices.find(v => variables(v).name.equalsIgnoreCase(name))

  /** What made two ends one variable, or says of a variable that it is not NULL. */
  private def isBinding(c: Expression): Boolean = c match {
    case EqualTo(a: Attribute, b: Attribute) => areEnds(a, b)
    case IsNotNull(a: Attribute) => endSet.contains(a)
    case _ => false
  }
}
