package io.wreath.spark.analysis.graphs

import org.apache.spark.sql.catalyst.analysis.{Resolver, TypeCoercion}
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical.{
  Filter,
  LogicalPlan,
  OneRowRelation,
  Project,
  Union
}
import org.apache.spark.sql.catalyst.trees.Origin
import org.apache.spark.sql.types.DataType

import io.wreath.spark.WreathErrors
import io.wreath.spark.analysis.patterns.FlatPattern
import io.wreath.spark.logical._

/**
 * The element tables of a property graph.
 *
 * An element that may be of several tables reads all of them as one relation, a union with the
 * properties of each; a property that a table does not have is NULL in its rows.
 *
 * @param isCall whether the tables are those of a call, and have no names
 */
final private[analysis] class PropertyGraphSource(
    tables: PatternTables,
    isCall: Boolean,
    resolver: Resolver)
    extends PatternSource {

  private val graph = tables.definition
  private val chooser = new ChooseTables(tables.graph, graph, resolver)

  private val elements: Seq[(ElementTable, Seq[Attribute])] =
    tables.elements.zip(tables.children).map { case (e, relation) =>
      e -> ElementRelation.ends(e, relation)
    }

  private val keyTypes: Map[VertexTable, Seq[DataType]] =
    tables.elements.collect { case v: VertexTable =>
      v -> VertexKeyTypes(tables.graph, v, elements, resolver)
    }.toMap

  override def bind(
      alternatives: Seq[FlatPattern],
      known: String => Option[KeyForm]): Seq[BoundPattern] = {
    def earlier(name: String): Option[Seq[VertexTable]] =
      known(name).map(_.asInstanceOf[TableKeys].tables)
    def forms(
        chosen: Seq[(FlatPattern, TableChoice)],
        pattern: FlatPattern,
        choice: TableChoice): Seq[TableKeys] =
      pattern.vertices.zip(choice.vertices).map { case (v, own) =>
        TableKeys(chooser.naming(chosen, v, own, earlier), keyTypes, number)
      }
    val chosen = chooser.choose(alternatives, earlier)
    if (chosen.isEmpty) {
      val none = alternatives.head -> chooser.described(alternatives.head)
      Seq(new BoundToNothing(none._1, none._2, forms(Seq(none), none._1, none._2)))
    } else {
      chosen.map { case (pattern, choice) =>
        new BoundTables(pattern, choice, forms(chosen, pattern, choice))
      }
    }
  }

  override def isKey(property: String): Boolean = graph.vertices.exists {
    _.key match {
      case Seq(column) => resolver(column.text, property)
      case _ => false
    }
  }

  override def path(path: SearchedPath, from: KeyForm, needs: ScanNeeds): BoundPath =
    new SearchedTables(
      path,
      chooser.path(path, from.asInstanceOf[TableKeys].tables),
      from.asInstanceOf[TableKeys],
      needs)

  /** The tables that the edges of a path are of: each one relation, so that an edge is known again. */
  final private class SearchedTables(
      path: SearchedPath,
      chosen: PathTables,
      from: TableKeys,
      needs: ScanNeeds)
      extends BoundPath {

    override val form: TableKeys =
      // Of a path that cannot be there, the columns say what they would be.
      if (chosen.vertices.isEmpty) from else TableKeys(chosen.vertices, keyTypes, number)

    private val read: Seq[EdgeTable] = chosen.edgeTables

    private val shown: Seq[Seq[Attribute]] = read.map { t =>
      val element = source.elements.indexOf(t)
      ElementRelation.properties(t, source.children(element), resolver)
    }

    private val names: Seq[String] = shown.flatten.map(_.name).foldLeft(Vector.empty[String]) {
      (known, n) => if (known.exists(resolver(_, n))) known else known :+ n
    }

    private val types: Seq[DataType] = names.map { n =>
      val found = shown.flatten.filter(p => resolver(p.name, n)).map(_.dataType)
      found.tail.foldLeft(found.head) { (t, next) =>
        TypeCoercion.findTightestCommonType(t, next).getOrElse(
          throw WreathErrors.propertyTypeMismatch(path.origin, n, t, next))
      }
    }

    override val tables: Seq[PathTable] =
      if (read.isEmpty) Seq(none) else read.zip(shown).map { case (t, own) => relation(t, own) }

    private def none: PathTable = {
      val ends = Seq("source", "destination").map(needs.column(form.missing, _))
      val empty = Filter(Literal.FalseLiteral, Project(ends, OneRowRelation()))
      PathTable(empty, Nil, Nil, "no table")
    }

    private def relation(t: EdgeTable, own: Seq[Attribute]): PathTable = {
      val element = source.elements.indexOf(t)
      val (start, end) = elements(element)._2.splitAt(t.source.columns.size)
      val ends = Seq(
        "source key" -> form.key(vertexTable(t.source), start),
        "destination key" -> form.key(vertexTable(t.destination), end))
      val (plan, properties) =
        if (read.size == 1) union(Seq(ElementBranch(element, ends)), needs, path.origin)
        else {
          val all = names.zip(types).map { case (n, tpe) =>
            val value = own.find(p => resolver(p.name, n)) match {
              case Some(p) if p.dataType == tpe => p
              case Some(p) => Cast(p, tpe)
              case None => Literal(null, tpe)
            }
            needs.copy(renamed = true).column(value, n)
          }
          val columns = ends.map { case (n, e) => needs.copy(renamed = true).column(e, n) } ++ all
          val project = Project(columns, source.children(element))
          (project, names.zip(project.output.drop(2)))
        }
      val key =
        t.key.map(k => properties.collectFirst { case (n, c) if resolver(n, k.text) => c })
      PathTable(plan, properties, if (key.forall(_.isDefined)) key.flatten else Nil, nameOf(t))
    }

    override def tablesOf(edge: EdgePattern): Seq[Int] =
      chosen.edges.collectFirst { case (e, of) if e eq edge => of.map(read.indexOf(_)) }.get

    private def rowsOf(needs: ScanNeeds): (LogicalPlan, Seq[(String, Attribute)]) = {
      val branches = form.tables.map { t =>
        val element = source.elements.indexOf(t)
        ElementBranch(element, Seq(name(t.key, "key") -> form.key(t, elements(element)._2)))
      }
      union(branches, needs.copy(ends = false), path.origin)
    }

    override lazy val vertices: Option[PathTable] = {
      val (plan, properties) = rowsOf(needs)
      Some(PathTable(plan, properties, Nil, form.tables.map(nameOf).mkString(", ")))
    }

    override def isLabelled(key: Expression, labels: LabelExpression): Expression =
      form.isOf(key, chooser.verticesWith(labels))

    override def lookUp(needs: ScanNeeds): Option[ElementScan] = {
      val (plan, properties) = rowsOf(needs)
      Some(
        ElementScan(MatchVertex(MatchMark.none, plan.output.head, plan), properties))
    }
  }

  private def source: PatternTables = tables

  private def number(table: VertexTable): Int = graph.vertices.indexOf(table)

  private def vertexTable(end: EdgeEnd): VertexTable =
    graph.vertices.find(v => resolver(v.alias.text, end.vertex.text)).get

  final private class BoundTables(
      val pattern: FlatPattern,
      choice: TableChoice,
      forms: Seq[TableKeys])
      extends BoundPattern {

    override def form(i: Int): KeyForm = forms(i)

    /** What one edge of the pattern reads: some tables, each in one sense, or all in both. */
    private case class EdgeRows(
        branches: Seq[OrientedTable],
        source: TableKeys,
        target: TableKeys,
        isUndirected: Boolean)

    private val rows: Seq[EdgeRows] = pattern.edges.zip(choice.edges).map { case (e, oriented) =>
      val (source, target) =
        (forms(pattern.indexOf(e.source)), forms(pattern.indexOf(e.target)))
      val (forward, reversed) = oriented.partition(!_.isReversed)
      val isSymmetric =
        source == target && forward.map(_.table) == reversed.map(_.table)
      EdgeRows(if (isSymmetric) forward else oriented, source, target, isSymmetric)
    }

    override def overlap(i: Int, j: Int): Overlap =
      if (rows(i).branches.map(_.table).intersect(rows(j).branches.map(_.table)).isEmpty) {
        Overlap.Never
      } else if (rows(i).copy(isUndirected = false) == rows(j).copy(isUndirected = false) &&
        rows(i).branches.map(_.table).distinct.size == rows(i).branches.size) {
        Overlap.Same
      } else {
        Overlap.Partly
      }

    override def edge(i: Int, mark: MatchMark, needs: ScanNeeds): ElementScan = {
      val e = rows(i)
      val isCompared = needs.row && rows.indices.exists(overlap(i, _) == Overlap.Partly)
      val scans = e.branches.map { b =>
        val element = tables.elements.indexOf(b.table)
        val (own, other) = elements(element)._2.splitAt(b.table.source.columns.size)
        val (source, target) = if (b.isReversed) (other, own) else (own, other)
        val ends = Seq(
          name(b.source.columns, "source") -> e.source.key(vertexTable(b.source), source),
          name(b.target.columns, "destination") -> e.target.key(vertexTable(b.target), target))
        // An edge from a vertex to itself is read in one sense only.
        val isLoop =
          if (b.isReversed && e.branches.contains(b.copy(isReversed = false)) &&
            vertexTable(b.source) == vertexTable(b.target)) {
            val plain = TableKeys(Seq(vertexTable(b.source)), keyTypes, number)
            Some(
              EqualTo(
                plain.key(vertexTable(b.source), source),
                plain.key(vertexTable(b.target), target)))
          } else None
        ElementBranch(element, ends, isLoop, if (isCompared) Some(identity(element)) else None)
      }
      val origin = pattern.edges(i).pattern.origin
      val (columns, properties) = union(scans, needs, origin)
      val named = marked(mark, e.branches.map(_.table))
      ElementScan(
        MatchEdge(named, columns, e.isUndirected, needs.row),
        properties,
        if (isCompared) Some(columns.output.last) else None)
    }

    override def vertex(i: Int, mark: MatchMark, needs: ScanNeeds): Option[ElementScan] = {
      val scans = choice.vertices(i).map { table =>
        val element = tables.elements.indexOf(table)
        ElementBranch(
          element,
          Seq(name(table.key, "key") -> forms(i).key(table, elements(element)._2)))
      }
      val (columns, properties) =
        union(scans, needs.copy(ends = false), pattern.vertices(i).origin)
      val named = marked(mark, choice.vertices(i))
      Some(ElementScan(MatchVertex(named, columns.output.head, columns), properties))
    }
  }

  private def nameOf(table: ElementTable): String = table match {
    case _: VertexTable if isCall => TablesOfCall.Vertices
    case _: EdgeTable if isCall => TablesOfCall.Edges
    case _ => table.tableName
  }

  private def marked(mark: MatchMark, read: Seq[ElementTable]): MatchMark =
    mark.copy(
      table = read.map(_.alias.text).mkString(", "),
      said = read.map(nameOf).mkString(", "))

  /** A pattern that cannot match: the columns of its elements, named by no vertex. */
  final private class BoundToNothing(
      val pattern: FlatPattern,
      choice: TableChoice,
      forms: Seq[TableKeys])
      extends BoundPattern {

    override def isImpossible: Boolean = true

    override def form(i: Int): KeyForm = forms(i)

    override def overlap(i: Int, j: Int): Overlap = Overlap.Never

    override def edge(i: Int, mark: MatchMark, needs: ScanNeeds): ElementScan = {
      val e = pattern.edges(i)
      val ends = Seq("source" -> e.source, "destination" -> e.target).map { case (name, v) =>
        name -> forms(pattern.indexOf(v)).missing
      }
      val (columns, properties) =
        scans(choice.edges(i).map(_.table), ends, needs, e.pattern.origin)
      ElementScan(MatchEdge(mark, columns, isUndirected = false, needs.row), properties)
    }

    override def vertex(i: Int, mark: MatchMark, needs: ScanNeeds): Option[ElementScan] = {
      val (columns, properties) = scans(
        choice.vertices(i),
        Seq("key" -> forms(i).missing),
        needs.copy(ends = false),
        pattern.vertices(i).origin)
      Some(ElementScan(MatchVertex(mark, columns.output.head, columns), properties))
    }

    private def scans(
        from: Seq[ElementTable],
        ends: Seq[(String, Expression)],
        needs: ScanNeeds,
        at: Origin): (LogicalPlan, Seq[(String, Attribute)]) =
      if (from.nonEmpty) {
        union(from.map(t => ElementBranch(tables.elements.indexOf(t), ends)), needs, at)
      } else {
        // A graph may have no edge tables at all.
        (Project(ends.map { case (name, e) => needs.column(e, name) }, OneRowRelation()), Nil)
      }
  }

  /** The table of an edge and all its columns, in a form that is the same for all tables of edges. */
  private def identity(element: Int): Expression = {
    val rows = tables.elements.indices
      .filter(tables.elements(_).isInstanceOf[EdgeTable])
      .map { i =>
        val row = CreateNamedStruct(tables.children(i).output.zipWithIndex.flatMap {
          case (c, k) => Seq(Literal(s"_$k"), c)
        })
        if (i == element) row else Literal(null, row.dataType)
      }
    CreateNamedStruct((Literal(element) +: rows).zipWithIndex.flatMap { case (value, k) =>
      Seq(Literal(s"_$k"), value)
    })
  }

  /**
   * One table of an element.
   *
   * @param ends what names its vertices, with names for the columns
   * @param dropped rows that are left out, if any
   * @param identity which edge it is, where that is asked of edges of different tables
   */
  private case class ElementBranch(
      element: Int,
      ends: Seq[(String, Expression)],
      dropped: Option[Expression] = None,
      identity: Option[Expression] = None) {

    val properties: Seq[Attribute] =
      ElementRelation.properties(tables.elements(element), tables.children(element), resolver)

    def relation: LogicalPlan = dropped
      .map(d => Filter(Not(Coalesce(Seq(d, Literal(false)))), tables.children(element)))
      .getOrElse(tables.children(element))
  }

  /**
   * The tables once more, with columns of their own: `ends` first, then the properties that are not
   * one of them already. Also which column each property is.
   */
  private def union(
      branches: Seq[ElementBranch],
      required: ScanNeeds,
      at: Origin): (LogicalPlan, Seq[(String, Attribute)]) = {
    val names = branches.flatMap(_.properties.map(_.name)).foldLeft(Vector.empty[String]) {
      (known, n) => if (known.exists(resolver(_, n))) known else known :+ n
    }
    def column(b: ElementBranch, name: String): Option[Attribute] =
      b.properties.find(p => resolver(p.name, name))
    val types = names.map { n =>
      val found = branches.flatMap(column(_, n)).map(_.dataType)
      found.tail.foldLeft(found.head) { (t, next) =>
        TypeCoercion.findTightestCommonType(t, next).getOrElse(
          throw WreathErrors.propertyTypeMismatch(at, n, t, next))
      }
    }
    val isAlone = branches.size == 1 && !required.ends
    val needs = required.copy(renamed = required.renamed || !isAlone)
    def end(name: String): Int =
      if (!isAlone) -1
      else column(branches.head, name).map(p =>
        branches.head.ends.indexWhere(_._2.semanticEquals(p))).getOrElse(-1)
    val others = names.filter(end(_) < 0)
    val plans = branches.map { b =>
      Project(
        b.ends.map { case (name, e) => needs.column(e, name) } ++ others.map { n =>
          val tpe = types(names.indexOf(n))
          val value = column(b, n) match {
            case Some(p) if p.dataType == tpe => p
            case Some(p) => Cast(p, tpe)
            case None => Literal(null, tpe)
          }
          needs.column(value, n)
        } ++ b.identity.map(needs.column(_, "identity")),
        b.relation)
    }
    val plan = if (plans.size == 1) plans.head else Union(plans)
    val properties = names.map { n =>
      n -> plan.output(
        if (end(n) >= 0) end(n) else branches.head.ends.size + others.indexOf(n))
    }
    (plan, properties)
  }

  private def name(columns: Seq[GraphName], several: String): String =
    if (columns.size == 1) columns.head.text else several
}
