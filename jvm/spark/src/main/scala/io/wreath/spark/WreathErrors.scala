package io.wreath.spark

import java.util.Locale

import org.apache.spark.sql.catalyst.trees.Origin
import org.apache.spark.sql.catalyst.util.{quoteIdentifier, quoteIfNeeded}
import org.apache.spark.sql.execution.wreath.{SparkConditions, SparkInternals, WreathConf}
import org.apache.spark.sql.types.DataType
import org.apache.spark.unsafe.types.UTF8String
import org.apache.spark.{ErrorClassesJsonReader, QueryContext}

/**
 * One method per error condition of `error/wreath-error-conditions.json`.
 *
 * An error that has a place in the user's text takes its [[Origin]] first.
 */
object WreathErrors {

  private lazy val conditions = new ErrorClassesJsonReader(
    Seq(getClass.getClassLoader.getResource("error/wreath-error-conditions.json")))

  /** Whether Spark knows them now, which PySpark asks for the text of an error. */
  lazy val areKnownToSpark: Boolean = SparkConditions.add(conditions)

  def syntax(at: Origin, token: String, problem: String): Throwable =
    parseError(at, "WREATH_SYNTAX_ERROR", Map("token" -> s"'$token'", "problem" -> problem))

  def unsupportedSyntax(at: Origin, feature: String, wayOut: String): Throwable =
    parseError(
      at,
      "WREATH_UNSUPPORTED_FEATURE",
      Map("feature" -> feature, "wayOut" -> wayOut))

  /** @param what is more than can be planned in reasonable time */
  def tooComplex(at: Origin, what: String, wayOut: String): Throwable =
    parseError(at, "WREATH_TOO_COMPLEX", Map("what" -> what, "wayOut" -> wayOut))

  def unsupportedFeature(at: Origin, feature: String, wayOut: String): Throwable =
    analysisError(
      at,
      "WREATH_UNSUPPORTED_FEATURE",
      Map("feature" -> feature, "wayOut" -> wayOut))

  /** @param wayOut what else to do than to take the suggestion */
  def missingColumn(
      at: Origin,
      graph: String,
      column: String,
      columns: Seq[String],
      wayOut: String): Throwable =
    analysisError(
      at,
      "WREATH_MISSING_COLUMN",
      Map(
        "graph" -> graph,
        "column" -> quoteIdentifier(column),
        "columns" -> list(columns),
        "suggestion" -> suggestion(column, columns),
        "wayOut" -> wayOut))

  /** @param problem with its way out, in whole sentences */
  def functionArgument(at: Origin, function: String, problem: String): Throwable =
    analysisError(
      at,
      "WREATH_FUNCTION_ARGUMENT",
      Map("function" -> function, "problem" -> problem))

  def unknownArgument(
      at: Origin,
      function: String,
      argument: String,
      known: Seq[String]): Throwable =
    functionArgument(
      at,
      function,
      s"It has no argument ${quoteIdentifier(argument)}, but ${list(known)}." +
        suggestion(argument, known))

  /** Raised while a query runs whose answer only an index can give. */
  def needsIndex(function: String, reason: String): Throwable =
    runtimeError("WREATH_NEEDS_INDEX", Map("function" -> function, "reason" -> reason))

  /** Raised while a query runs. */
  def invalidCost(table: String, source: String, target: String, cost: String): Throwable =
    runtimeError(
      "WREATH_INVALID_COST",
      Map("table" -> table, "source" -> source, "target" -> target, "cost" -> cost))

  /** Raised while a query runs, before its tasks do. */
  def pathTooLarge(bytes: Long, limit: Long): Throwable =
    runtimeError(
      "WREATH_PATH_TOO_LARGE",
      Map(
        "size" -> SparkInternals.bytesToString(bytes),
        "limit" -> SparkInternals.bytesToString(limit),
        "conf" -> WreathConf.PATH_MAX_BYTES.key))

  def unsupportedKeyType(at: Origin, graph: String, column: String, tpe: DataType): Throwable =
    analysisError(
      at,
      "WREATH_UNSUPPORTED_KEY_TYPE",
      Map("graph" -> graph, "column" -> quoteIdentifier(column), "type" -> s"\"${tpe.sql}\""))

  def keyTypeMismatch(at: Origin, graph: String, src: DataType, dst: DataType): Throwable =
    analysisError(
      at,
      "WREATH_KEY_TYPE_MISMATCH",
      Map("graph" -> graph, "src" -> s"\"${src.sql}\"", "dst" -> s"\"${dst.sql}\""))

  /** @param known labels of such elements; none where the graph is a bare table of edges */
  def unknownLabel(at: Origin, graph: String, label: String, known: Seq[String]): Throwable =
    analysisError(
      at,
      "WREATH_UNKNOWN_LABEL",
      Map(
        "graph" -> graph,
        "label" -> quoteIdentifier(label),
        "wayOut" ->
          (if (known.isEmpty) {
             "A table with columns src and dst is a graph without labels: leave the label out."
           } else {
             s"Known labels: ${list(known)}.${suggestion(label, known)}"
           })))

  def unboundedQuantifier(at: Origin, quantifier: String): Throwable =
    parseError(at, "WREATH_UNBOUNDED_QUANTIFIER", Map("quantifier" -> quantifier))

  def propertyTypeMismatch(
      at: Origin,
      property: String,
      one: DataType,
      other: DataType): Throwable =
    analysisError(
      at,
      "WREATH_PROPERTY_TYPE_MISMATCH",
      Map(
        "property" -> quoteIdentifier(property),
        "one" -> s"\"${one.sql}\"",
        "other" -> s"\"${other.sql}\""))

  def graphAlreadyExists(at: Origin, graph: String): Throwable =
    analysisError(at, "WREATH_GRAPH_ALREADY_EXISTS", Map("graph" -> quoteIdentifier(graph)))

  def graphNotFound(at: Origin, graph: String, known: Seq[String]): Throwable =
    analysisError(
      at,
      "WREATH_GRAPH_NOT_FOUND",
      Map("graph" -> quoteIdentifier(graph), "suggestion" -> suggestion(graph, known)))

  def unknownGraph(at: Origin, graph: String, known: Seq[String]): Throwable =
    analysisError(
      at,
      "WREATH_UNKNOWN_GRAPH",
      Map("graph" -> graph, "suggestion" -> suggestion(graph, known)))

  def graphNameIsTable(at: Origin, graph: String): Throwable =
    analysisError(at, "WREATH_GRAPH_NAME_IS_TABLE", Map("graph" -> quoteIdentifier(graph)))

  def graphIsNoView(at: Origin, graph: String, wayOut: String): Throwable =
    analysisError(
      at,
      "WREATH_GRAPH_IS_NO_VIEW",
      Map("graph" -> quoteIdentifier(graph), "wayOut" -> wayOut))

  def temporaryGraphInView(at: Origin, graph: String): Throwable =
    analysisError(at, "WREATH_TEMPORARY_GRAPH_IN_VIEW", Map("graph" -> quoteIdentifier(graph)))

  def temporaryViewInGraph(at: Origin, graph: String, view: String): Throwable =
    analysisError(
      at,
      "WREATH_TEMPORARY_VIEW_IN_GRAPH",
      Map("graph" -> quoteIdentifier(graph), "view" -> view))

  def graphVersion(graph: String): Throwable =
    analysisError(Origin(), "WREATH_GRAPH_VERSION", Map("graph" -> quoteIdentifier(graph)))

  def unknownElementTable(at: Origin, table: String, known: Seq[String]): Throwable =
    analysisError(
      at,
      "WREATH_UNKNOWN_ELEMENT_TABLE",
      Map(
        "table" -> quoteIdentifier(table),
        "tables" -> list(known),
        "suggestion" -> suggestion(table, known)))

  def vertexTableInUse(at: Origin, vertex: String, edge: String): Throwable =
    analysisError(
      at,
      "WREATH_VERTEX_TABLE_IN_USE",
      Map("vertex" -> quoteIdentifier(vertex), "edge" -> quoteIdentifier(edge)))

  def duplicateName(
      at: Origin,
      kind: String,
      name: String,
      in: String,
      wayOut: String): Throwable =
    analysisError(
      at,
      "WREATH_DUPLICATE_NAME",
      Map("kind" -> kind, "name" -> quoteIdentifier(name), "in" -> in, "wayOut" -> wayOut))

  def unknownVertexTable(at: Origin, table: String, known: Seq[String]): Throwable =
    analysisError(
      at,
      "WREATH_UNKNOWN_VERTEX_TABLE",
      Map(
        "table" -> quoteIdentifier(table),
        "tables" -> list(known),
        "suggestion" -> suggestion(table, known)))

  def referenceMismatch(
      at: Origin,
      edge: String,
      vertex: String,
      columns: Seq[String],
      key: Seq[String]): Throwable =
    analysisError(
      at,
      "WREATH_REFERENCE_MISMATCH",
      Map(
        "edge" -> quoteIdentifier(edge),
        "vertex" -> quoteIdentifier(vertex),
        "columns" -> list(columns),
        "key" -> list(key)))

  def referenceTypeMismatch(
      at: Origin,
      column: (String, DataType),
      key: (String, DataType)): Throwable =
    analysisError(
      at,
      "WREATH_REFERENCE_TYPE_MISMATCH",
      Map(
        "column" -> quoteIdentifier(column._1),
        "columnType" -> s"\"${column._2.sql}\"",
        "key" -> key._1,
        "keyType" -> s"\"${key._2.sql}\""))

  /** @param wayOut what else to do than to take the suggestion */
  def unknownVariable(
      at: Origin,
      variable: String,
      known: Seq[String],
      wayOut: String): Throwable =
    analysisError(
      at,
      "WREATH_UNKNOWN_VARIABLE",
      Map(
        "variable" -> quoteIdentifier(variable),
        "variables" -> list(known),
        "suggestion" -> suggestion(variable, known),
        "wayOut" -> wayOut))

  def needsColumns(at: Origin, variable: String, property: String): Throwable =
    analysisError(
      at,
      "WREATH_NEEDS_COLUMNS",
      Map(
        "variable" -> quoteIdentifier(variable),
        "property" -> s"${quoteIfNeeded(variable)}.${quoteIfNeeded(property)}"))

  def unknownProperty(
      at: Origin,
      variable: String,
      property: String,
      known: Seq[String]): Throwable =
    analysisError(
      at,
      "WREATH_UNKNOWN_PROPERTY",
      Map(
        "variable" -> quoteIdentifier(variable),
        "property" -> quoteIdentifier(property),
        "properties" -> list(known),
        "suggestion" -> suggestion(property, known)))

  def variableKind(at: Origin, variable: String): Throwable =
    analysisError(at, "WREATH_VARIABLE_KIND", Map("variable" -> quoteIdentifier(variable)))

  def cannotUseWcoJoin(mode: String, reason: String): Throwable =
    analysisError(
      Origin(),
      "WREATH_CANNOT_USE_WCO_JOIN",
      Map("conf" -> WreathConf.JOIN_MODE.key, "mode" -> mode, "reason" -> reason))

  def cannotIndex(table: String, reason: String): Throwable =
    analysisError(
      Origin(),
      "WREATH_CANNOT_INDEX",
      Map("table" -> table, "reason" -> reason))

  /** Raised while the index is built, so it is not an analysis error. */
  def indexTooLarge(
      relation: String,
      size: String,
      limit: Long,
      conf: String,
      isShortOfHeap: Boolean = false): Throwable =
    runtimeError(
      "WREATH_INDEX_TOO_LARGE",
      Map(
        "relation" -> relation,
        "size" -> size,
        "limit" -> SparkInternals.bytesToString(limit),
        "conf" -> conf,
        "modeConf" -> WreathConf.JOIN_MODE.key),
      isShortOfHeap)

  /** Raised while the index is built. */
  def tooManyRows(relation: String, rows: Long, limit: Long): Throwable =
    indexLimit(relation, s"$rows rows", s"$limit")

  def rowsTooWide(rows: Int, bytes: Long, limit: Long): Throwable =
    indexLimit(
      "a table with long values",
      s"${SparkInternals.bytesToString(bytes)} in $rows rows",
      SparkInternals.bytesToString(limit))

  private def indexLimit(relation: String, what: String, limit: String): Throwable =
    runtimeError(
      "WREATH_INDEX_LIMIT",
      Map(
        "relation" -> relation,
        "what" -> what,
        "limit" -> limit,
        "modeConf" -> WreathConf.JOIN_MODE.key))

  /** Raised while the index is built. */
  def duplicateVertexKey(table: String, key: String): Throwable =
    runtimeError("WREATH_DUPLICATE_VERTEX_KEY", Map("table" -> table, "key" -> key))

  def wrongSpark(line: String, spark: String): Throwable =
    runtimeError("WREATH_WRONG_SPARK", Map("line" -> line, "spark" -> spark))

  private def runtimeError(
      condition: String,
      parameters: Map[String, String],
      isShortOfHeap: Boolean = false): Throwable =
    new WreathRuntimeException(
      condition,
      parameters,
      message(condition, parameters),
      conditions.getSqlState(condition),
      isShortOfHeap)

  def ambiguousChange(at: Origin, graph: String): Throwable =
    analysisError(at, "WREATH_STREAM_AMBIGUOUS_CHANGE", Map("graph" -> graph))

  def changeColumnType(at: Origin, column: String, tpe: DataType): Throwable =
    analysisError(
      at,
      "WREATH_STREAM_CHANGE_TYPE",
      Map("column" -> quoteIdentifier(column), "type" -> s"\"${tpe.sql}\""))

  def streamPropertyType(at: Origin, column: String, tpe: DataType): Throwable =
    analysisError(
      at,
      "WREATH_STREAM_PROPERTY_TYPE",
      Map("column" -> quoteIdentifier(column), "type" -> s"\"${tpe.sql}\""))

  def expiryType(at: Origin, column: String, tpe: DataType): Throwable =
    analysisError(
      at,
      "WREATH_STREAM_EXPIRY_TYPE",
      Map("column" -> quoteIdentifier(column), "type" -> s"\"${tpe.sql}\""))

  def snapshotType(
      at: Origin,
      table: String,
      column: String,
      is: DataType,
      needed: DataType): Throwable =
    analysisError(
      at,
      "WREATH_STREAM_SNAPSHOT_TYPE",
      Map(
        "table" -> table,
        "column" -> quoteIdentifier(column),
        "type" -> s"\"${is.sql}\"",
        "needed" -> s"\"${needed.sql}\""))

  /** Raised when a query starts again from its checkpoint. */
  def changedTable(table: String, known: String, now: String): Throwable =
    runtimeError(
      "WREATH_STREAM_TABLE_CHANGED",
      Map("table" -> table, "known" -> known, "now" -> now))

  /** Raised before a batch takes effect. */
  def streamIndexTooLarge(size: Long, limit: Long): Throwable =
    runtimeError(
      "WREATH_STREAM_INDEX_TOO_LARGE",
      Map(
        "size" -> SparkInternals.bytesToString(size),
        "limit" -> SparkInternals.bytesToString(limit),
        "conf" -> WreathConf.INDEX_MAX_BYTES.key))

  /** Raised before a batch takes effect. */
  def duplicateKey(count: Long, key: String): Throwable =
    runtimeError("WREATH_STREAM_DUPLICATE_KEY", Map("count" -> count.toString, "key" -> key))

  /** Raised before a batch takes effect. */
  def nullKey(): Throwable = runtimeError("WREATH_STREAM_NULL_KEY", Map.empty)

  /** Raised while a batch is read. */
  def unknownChange(column: String, value: String): Throwable =
    runtimeError(
      "WREATH_STREAM_UNKNOWN_CHANGE",
      Map("column" -> quoteIdentifier(column), "value" -> value))

  /** Raised when a query starts again from its checkpoint. */
  def changedPattern(what: String, known: String, now: String): Throwable =
    runtimeError(
      "WREATH_STREAM_PATTERN_CHANGED",
      Map("what" -> what, "known" -> known, "now" -> now))

  /** Raised before a batch takes effect. */
  def missingDelete(count: Long, row: String): Throwable =
    runtimeError(
      "WREATH_STREAM_MISSING_DELETE",
      Map(
        "count" -> count.toString,
        "row" -> row,
        "conf" -> WreathConf.STREAMING_MISSING_DELETES.key))

  /** The nearest known name, unless it has little in common with the wrong one. */
  private def suggestion(name: String, known: Seq[String]): String = {
    def distance(other: String): Int =
      UTF8String
        .fromString(name.toLowerCase(Locale.ROOT))
        .levenshteinDistance(UTF8String.fromString(other.toLowerCase(Locale.ROOT)))
    known
      .minByOption(distance)
      .filter { n =>
        distance(n) <= (name.length + 1) / 2 && distance(n) < math.max(name.length, n.length)
      }
      .map(n => s" Did you mean ${quoteIdentifier(n)}?")
      .getOrElse("")
  }

  private def list(names: Seq[String]): String = names.map(quoteIdentifier).mkString(", ")

  private def message(condition: String, parameters: Map[String, String]): String = {
    val text = conditions.getErrorMessage(condition, parameters)
    s"[$condition] $text SQLSTATE: ${conditions.getSqlState(condition)}"
  }

  private def analysisError(
      at: Origin,
      condition: String,
      parameters: Map[String, String]): Throwable =
    new WreathAnalysisException(
      condition,
      conditions.getSqlState(condition),
      conditions.getMessageTemplate(condition),
      message(condition, parameters),
      parameters,
      at,
      contexts(at))

  private def parseError(
      at: Origin,
      condition: String,
      parameters: Map[String, String]): Throwable =
    new WreathParseException(
      condition,
      conditions.getSqlState(condition),
      message(condition, parameters),
      parameters,
      at,
      contexts(at))

  /**
   * PySpark looks up the condition of an error that has a context among Spark's own, and fails in
   * place of the error where it is not there.
   */
  private def contexts(at: Origin): Array[QueryContext] =
    if (areKnownToSpark) at.getQueryContext else Array.empty
}
