package io.wreath.spark.analysis.graphs

import org.apache.spark.sql.catalyst.analysis.TypeCoercion
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical.{AnalysisHelper, LogicalPlan, Project}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.types._

import io.wreath.spark.WreathErrors
import io.wreath.spark.index.keys.VertexKeys
import io.wreath.spark.logical._

/** Gives functions over a whole graph their columns, and checks what they are given. */
private[wreath] object ResolveGraphFunction extends Rule[LogicalPlan] {

  override def apply(plan: LogicalPlan): LogicalPlan = plan.resolveOperatorsUp {
    case f: UnresolvedGraphFunction if f.childrenResolved && f.values.forall(_.resolved) =>
      resolve(f)
  }

  private def resolve(f: UnresolvedGraphFunction): LogicalPlan = {
    val tables = f.tables.map { t =>
      AnalysisHelper.allowInvokingTransformsInAnalyzer(SharedRows.in(t))
    }
    if (tables.exists(_.isStreaming)) {
      throw WreathErrors.unsupportedFeature(
        f.origin,
        s"${f.function} over a stream",
        "Call it over a table of the edges that are there, or match a pattern.")
    }
    val value = valueOf(f)
    val others = f.said.map(_._1).zip(tables).tail
    others.map(_._1).diff(Seq(Vertices)).headOption.foreach { name =>
      throw WreathErrors.functionArgument(
        f.origin,
        f.function,
        (if (name.isEmpty) "Only its first table stands alone."
         else s"It takes no table $name.") +
          s" A table of vertices is named: $Vertices => TABLE people.")
    }
    val ends = new EdgeEnds(
      tables.head,
      edgesInWords(f),
      f.origin,
      if (f.isCall) TablesOfCall.NameTheEnds else EdgeEnds.RenameColumns,
      conf.resolver)
    val vertices = others.headOption.map(_._2)
    val ids = vertices.map(idOf(_, f))
    val tpe = ids.fold(ends.source.dataType) { id =>
      TypeCoercion.findTightestCommonType(ends.source.dataType, id.dataType).getOrElse(
        throw WreathErrors.referenceTypeMismatch(
          f.origin,
          ("src", ends.source.dataType),
          ("id", id.dataType)))
    }
    if (!VertexKeys.isSupported(tpe)) {
      throw WreathErrors.unsupportedFeature(
        f.origin,
        s"${f.function} over vertices that are named by ${tpe.sql}",
        "Cast them to STRING or BIGINT, in a view or a subquery.")
    }
    def column(key: Expression, name: String): NamedExpression = key match {
      case a: Attribute if a.dataType == tpe => a
      case other => Alias(if (other.dataType == tpe) other else Cast(other, tpe), name)()
    }
    val edges = Project(Seq(column(ends.source, "src"), column(ends.target, "dst")), tables.head)
    val output = Seq(
      AttributeReference("id", tpe, nullable = false)(),
      AttributeReference(value.column, value.dataType(tpe), nullable = false)())
    GraphComputation(
      value,
      output,
      edges +: vertices.zip(ids).map { case (t, id) => Project(Seq(column(id, "id")), t) }.toSeq,
      edgesInWords(f) +: f.said.tail.map(s => if (f.isCall) TablesOfCall.Vertices else s._2))
  }

  private def edgesInWords(f: UnresolvedGraphFunction): String =
    if (f.isCall) TablesOfCall.Edges else f.said.head._2

  private def idOf(vertices: LogicalPlan, f: UnresolvedGraphFunction): Attribute =
    vertices.output
      .find(c => conf.resolver(c.name, "id"))
      .getOrElse(
        throw WreathErrors.missingColumn(
          f.origin,
          if (f.isCall) TablesOfCall.Vertices else f.said(1)._2,
          "id",
          vertices.output.map(_.name),
          "Rename the column that names a vertex to id, in a view or a subquery."))

  private def valueOf(f: UnresolvedGraphFunction): VertexValue = f.function match {
    case "GRAPH_COMPONENTS" =>
      arguments(f, Nil)
      VertexValue.Component
    case "GRAPH_PAGERANK" =>
      val values = arguments(f, Seq("damping", "iterations"))
      val damping = values.get("damping").fold(0.85)(number(f, "damping", _))
      if (!(damping >= 0.0 && damping < 1.0)) {
        refuse(f, s"damping is $damping, but must be at least 0 and below 1.")
      }
      val iterations = values.get("iterations").fold(20.0)(number(f, "iterations", _))
      if (iterations != iterations.floor || iterations < 0 || iterations > Int.MaxValue) {
        refuse(f, s"iterations is $iterations, but must be a whole number of at least 0.")
      }
      VertexValue.Rank(damping, iterations.toInt)
  }

  /** By name; those without a name in the order of `known`. */
  private def arguments(
      f: UnresolvedGraphFunction,
      known: Seq[String]): Map[String, Expression] = {
    val named = f.names.zip(f.values).zipWithIndex.map { case ((name, value), i) =>
      if (name.isEmpty) {
        if (i >= known.size || f.names.take(i).exists(_.nonEmpty)) {
          refuse(f, s"There are more values than it takes. Name them: $Vertices => TABLE people.")
        }
        known(i) -> value
      } else {
        known.find(_.equalsIgnoreCase(name)).getOrElse(
          throw WreathErrors.unknownArgument(
            f.origin,
            f.function,
            name,
            known :+ Vertices)) -> value
      }
    }
    named.diff(named.distinctBy(_._1)).headOption.foreach { case (name, _) =>
      refuse(f, s"$name stands there twice. Leave one out.")
    }
    named.toMap
  }

  private def number(f: UnresolvedGraphFunction, name: String, value: Expression): Double =
    value.dataType match {
      case _: NumericType if value.foldable =>
        Option(Cast(value, DoubleType).eval()).map(_.asInstanceOf[Double]).getOrElse(
          refuse(f, s"$name is NULL. Leave it out for its default."))
      case _ =>
        refuse(f, s"$name is ${value.sql}, but must be a number that is known beforehand.")
    }

  private def refuse(f: UnresolvedGraphFunction, problem: String): Nothing =
    throw WreathErrors.functionArgument(f.origin, f.function, problem)

  private val Vertices = "vertices"
}
