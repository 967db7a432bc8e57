package io.wreath.spark.analysis.graphs

import org.apache.spark.sql.catalyst.analysis.Resolver
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical.{Distinct, LogicalPlan, Project, Union}

import io.wreath.spark.WreathErrors
import io.wreath.spark.analysis.patterns.FlatPattern
import io.wreath.spark.logical._

/** Any table with columns src and dst: a graph of one kind of edges, whose vertices are ids. */
final private[analysis] class EdgeTableSource(
    table: LogicalPlan,
    clause: MatchClause,
    resolver: Resolver)
    extends PatternSource {

  override def bind(
      alternatives: Seq[FlatPattern],
      known: String => Option[KeyForm]): Seq[BoundPattern] =
    alternatives.map { p =>
      val labels = p.vertices.flatMap(_.mentions).map(_.label) ++ p.edges.map(_.pattern.label)
      refuseLabels(labels)
      new BoundEdges(p)
    }

  /** An id is all there is to a vertex. */
  private object IdForm extends KeyForm {
    override def visible(key: Expression): Expression = key

    override def value(key: Expression): Expression = key

    override def compared(
        key: Expression,
        other: KeyForm,
        otherKey: Expression): Option[(Expression, Expression)] = Some((key, otherKey))

    override def as(key: Expression, other: KeyForm): Expression = key
  }

  private def refuseLabels(labels: Seq[Option[LabelExpression]]): Unit =
    labels.flatten.flatMap(_.names).headOption.foreach { l =>
      throw WreathErrors.unknownLabel(l.origin, clause.graph, l.name, Nil)
    }

  override def isKey(property: String): Boolean = resolver(property, "id")

  override def path(path: SearchedPath, from: KeyForm, needs: ScanNeeds): BoundPath = {
    refuseLabels(
      (path.ends ++ path.body.vertices).map(_.label) ++ path.edges.map(_.label))
    val mark = MatchMark.none
    val scan = if (needs.ends) withEnds(mark, false, needs) else directed(mark, needs)
    new BoundPath {
      override val form: KeyForm = IdForm
      override val tables: Seq[PathTable] =
        Seq(PathTable(scan.plan.child, scan.properties, Nil, clause.graph))
      override def tablesOf(edge: EdgePattern): Seq[Int] = Seq(0)
      override def vertices: Option[PathTable] = None
      override def isLabelled(key: Expression, labels: LabelExpression): Expression =
        Literal.TrueLiteral
      override def lookUp(needs: ScanNeeds): Option[ElementScan] = None
    }
  }

  final private class BoundEdges(val pattern: FlatPattern) extends BoundPattern {

    override def form(i: Int): KeyForm = IdForm

    override def overlap(i: Int, j: Int): Overlap = Overlap.Same

    override def edge(i: Int, mark: MatchMark, needs: ScanNeeds): ElementScan = {
      val isUndirected = pattern.edges(i).isUndirected
      if (needs.ends) withEnds(mark, isUndirected, needs) else directed(mark, needs)
    }

    /** Ids that stand in no edge of the pattern are looked up among all of them. */
    override def vertex(i: Int, mark: MatchMark, needs: ScanNeeds): Option[ElementScan] =
      if (pattern.edgesAt(pattern.vertices(i).name).nonEmpty) None
      else {
        def ids(key: Expression): LogicalPlan = Project(Seq(needs.column(key, "id")), table)
        val all = Distinct(Union(Seq(ids(sourceKey), ids(targetKey))))
        Some(
          ElementScan(
            MatchVertex(said(mark), all.output.head, all),
            Seq("id" -> all.output.head)))
      }
  }

  /**
   * The edge table once more, with columns of its own: source and target come first, then what is
   * not one of them already.
   */
  private def directed(mark: MatchMark, needs: ScanNeeds): ElementScan = {
    val others = table.output.filterNot(c => isEnd(c, sourceKey) || isEnd(c, targetKey))
    val scan = MatchEdge(said(mark), scanOf(others, needs), isUndirected = false, needs.row)
    val (ends, rest) = scan.output.take(2 + others.size).splitAt(2)
    val named = rest.zip(others).map { case (c, o) => o.name -> c }
    // An end that was widened to the other's type is still there as the table has it.
    val keys = Seq("src", "dst").zip(ends).filterNot { case (name, _) =>
      others.exists(o => resolver(o.name, name))
    }
    ElementScan(scan, keys ++ named)
  }

  /** The ends may be either way round, but the columns of the edge are what they are. */
  private def withEnds(mark: MatchMark, isUndirected: Boolean, needs: ScanNeeds): ElementScan = {
    val scan = MatchEdge(said(mark), scanOf(table.output, needs), isUndirected, needs.row)
    ElementScan(scan, table.output.map(_.name).zip(scan.output.drop(2)))
  }

  private def said(mark: MatchMark): MatchMark = mark.copy(said = clause.graph)

  private def scanOf(others: Seq[Attribute], needs: ScanNeeds): Project =
    Project(
      needs.column(sourceKey, "src") +: needs.column(targetKey, "dst") +:
        others.map(c => needs.column(c, c.name)),
      table)

  private def isEnd(column: Attribute, key: Expression): Boolean = key match {
    case a: Attribute => a.exprId == column.exprId
    case _ => false
  }

  private val ends = new EdgeEnds(
    table,
    clause.graph,
    clause.origin,
    if (clause.isCall) TablesOfCall.NameTheEnds else EdgeEnds.RenameColumns,
    resolver)

  private def sourceKey: Expression = ends.source

  private def targetKey: Expression = ends.target
}
