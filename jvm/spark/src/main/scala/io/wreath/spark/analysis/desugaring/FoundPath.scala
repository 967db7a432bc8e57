package io.wreath.spark.analysis.desugaring

import java.util.Locale

import org.apache.spark.sql.catalyst.analysis.{Resolver, UnresolvedAttribute, UnresolvedFunction}
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.types.{ArrayType, StructType}

import io.wreath.spark.WreathErrors
import io.wreath.spark.analysis.graphs.{KeyForm, PathTable}
import io.wreath.spark.logical.GroupAggregate

/**
 * A path that a search has found, for those who read it.
 *
 * @param vertices keys from the start of the path on; `edges` likewise, an array of structs
 * @param key the columns of an edge that are its key, by their places; none: its two ends are
 * @param groups the edges of each group, an array of structs as `edges`
 * @param others names of groups of vertices, and of edges that cannot be told apart: nobody can read them
 */
final private[analysis] case class FoundPath(
    name: Option[String],
    form: KeyForm,
    length: Attribute,
    cost: Option[Attribute],
    vertices: Attribute,
    edges: Attribute,
    table: PathTable,
    groups: Seq[(String, Expression)],
    others: Seq[String]) {

  def columns: Seq[Attribute] = Seq(length, vertices, edges) ++ cost

  def mapColumns(f: Attribute => Attribute): FoundPath = {
    def mapped(e: Expression): Expression = e.transform {
      case a: AttributeReference if columns.exists(_.exprId == a.exprId) => f(a)
    }
    copy(
      length = f(length),
      cost = cost.map(f),
      vertices = f(vertices),
      edges = f(edges),
      groups = groups.map { case (n, e) => n -> mapped(e) })
  }

  def names: Seq[String] = name.toSeq ++ groups.map(_._1) ++ others
}

/** Functions of paths and of groups of edges, as conditions and columns call them. */
private[analysis] object FoundPath {

  val Functions: Seq[String] = Seq("PATH_LENGTH", "PATH_COST", "VERTICES", "EDGES")

  /** The value of `f` if it is a function of a path or of a group. */
  def value(
      f: UnresolvedFunction,
      paths: Seq[FoundPath],
      resolve: (Expression, (String, StructType, Expression)) => Expression,
      resolver: Resolver): Option[Expression] = f.nameParts match {
    case Seq(name) =>
      val function = name.toUpperCase(Locale.ROOT)
      if (Functions.contains(function)) ofPath(f, function, paths, resolver)
      else ofGroup(f, function, paths, resolve, resolver)
    case _ => None
  }

  private def ofPath(
      f: UnresolvedFunction,
      function: String,
      paths: Seq[FoundPath],
      resolver: Resolver): Option[Expression] = f.arguments match {
    case Seq(UnresolvedAttribute(Seq(name))) =>
      paths.find(_.name.exists(resolver(_, name))).map { path =>
        function match {
          case "PATH_LENGTH" => path.length
          case "VERTICES" => each(path.vertices)(path.form.visible)
          case "EDGES" => each(path.edges)(edgeKey(path, _))
          case _ =>
            path.cost.getOrElse(
              throw WreathErrors.unsupportedFeature(
                f.origin,
                s"PATH_COST of $name, whose edges have no COST",
                "Say at each edge of the path what it costs: -[e COST e.weight]->."))
        }
      }
    case _ => None
  }

  /** What names an edge. */
  private def edgeKey(path: FoundPath, edge: Expression): Expression = {
    def field(a: Attribute): Expression =
      GetStructField(edge, path.table.plan.output.indexWhere(_.exprId == a.exprId))
    path.table.key match {
      case Seq() =>
        def end(i: Int): Expression = path.form.visible(GetStructField(edge, i))
        CreateNamedStruct(Seq(Literal("src"), end(0), Literal("dst"), end(1)))
      case Seq(single) => field(single)
      case several =>
        CreateNamedStruct(several.flatMap { a =>
          val name = path.table.properties.collectFirst { case (n, c) if c == a => n }.get
          Seq(Literal(name), field(a))
        })
    }
  }

  /** An array with a value for each element of another. */
  private def each(array: Expression)(value: Expression => Expression): Expression = {
    val ArrayType(element, hasNull) = array.dataType: @unchecked
    val variable = NamedLambdaVariable("x", element, hasNull)
    value(variable) match {
      case same if same eq variable => array
      case other => ArrayTransform(array, LambdaFunction(other, Seq(variable)))
    }
  }

  private def ofGroup(
      f: UnresolvedFunction,
      function: String,
      paths: Seq[FoundPath],
      resolve: (Expression, (String, StructType, Expression)) => Expression,
      resolver: Resolver): Option[Expression] = {
    val heads = f.arguments.flatMap(_.collect { case a: UnresolvedAttribute => a.nameParts.head })
    val used = for {
      path <- paths
      (name, edges) <- path.groups if heads.exists(resolver(_, name))
    } yield (path, name, edges)
    if (used.isEmpty || !GroupAggregate.Functions.contains(function)) None
    else {
      if (used.size > 1) {
        throw WreathErrors.unsupportedFeature(
          f.origin,
          "an aggregate of two groups of edges at once",
          "Aggregate each of them by itself.")
      }
      val (path, name, edges) = used.head
      val element = edges.dataType.asInstanceOf[ArrayType].elementType.asInstanceOf[StructType]
      def lambda(array: Expression, e: Expression)(
          make: (Expression, Expression) => Expression): Expression = {
        val variable = NamedLambdaVariable(name, element, nullable = false)
        make(array, LambdaFunction(resolve(e, (name, element, variable)), Seq(variable)))
      }
      val kept = f.filter.map(lambda(edges, _)(ArrayFilter(_, _))).getOrElse(edges)
      val values = f.arguments.head match {
        case UnresolvedAttribute(Seq(group)) if resolver(group, name) =>
          if (function == "COUNT") {
            val variable = NamedLambdaVariable(name, element, nullable = false)
            val value = if (f.isDistinct) variable else Literal(1)
            ArrayTransform(kept, LambdaFunction(value, Seq(variable)))
          } else {
            val variable = NamedLambdaVariable(name, element, nullable = false)
            ArrayTransform(kept, LambdaFunction(edgeKey(path, variable), Seq(variable)))
          }
        case value => lambda(kept, value)(ArrayTransform(_, _))
      }
      val distinct = if (f.isDistinct) ArrayDistinct(values) else values
      Some(GroupAggregate(function, distinct, f.arguments.lift(1)))
    }
  }
}
