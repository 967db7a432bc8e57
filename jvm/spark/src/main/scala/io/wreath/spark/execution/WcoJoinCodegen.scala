package io.wreath.spark.execution

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.codegen._
import org.apache.spark.sql.catalyst.expressions.{
  Attribute,
  AttributeSet,
  BindReferences,
  BoundReference
}
import org.apache.spark.sql.execution.CodegenSupport
import org.apache.spark.sql.types._

import io.wreath.spark.index.keys.{KeyTable, LongKeyTable, VertexKeys}
import io.wreath.spark.logical.JoinGoal

/**
 * The part of [[BroadcastWcoJoinExec]] that joins Spark's generated code: the loop over the last
 * variable is written out, and what stands above the join runs inside it, on local variables. The
 * loops over the other variables are the kernel's.
 *
 * {{{
 *   while (runs.next()) {                     // the kernel: all variables but the last
 *     long a = …, b = …;                      // their ids, once for a run
 *     while (pos < end) {
 *       long c = ids[codes[pos++]];
 *       …                                     // filter, projection, aggregate above
 *       if (shouldStop()) return;             // only where rows leave one by one
 *     }
 *   }
 * }}}
 * Where rows read columns of elements, or parallel edges are told apart, the loop goes from row to row,
 * and columns are read in it, from where the index has them. Counting makes no rows, and is not generated.
 *
 * No constant is part of the text: two queries of one shape over different indexes share it.
 */
private[execution] trait WcoJoinCodegen extends CodegenSupport { join: BroadcastWcoJoinExec =>

  override def supportCodegen: Boolean =
    (leavesInRuns || leavesByCursor) && !isDirect && output.size <= WcoJoinCodegen.MostColumns

  /** Rows that read columns of elements, or of which each parallel edge is one. */
  private def leavesByCursor: Boolean = goal == JoinGoal.Rows && patterns.size == 1

  /** Rows of vertices alone, of which no edge is told apart. */
  private[execution] def leavesInRuns: Boolean =
    goal == JoinGoal.Rows && patterns.forall { p =>
      p.lastPredicates.isEmpty && p.values.forall(v => p.variables.exists(_.semanticEquals(v))) &&
      p.columns.forall(c => !p.atoms(c.atom).isEdge) && p.atoms.forall(_.differentFrom.isEmpty)
    }

  private[execution] def rowsAreOfFixedWidth: Boolean =
    leavesInRuns && output.forall(o => VertexKeys.isLong(o.dataType))

  override def needCopyResult: Boolean = false

  /** To Spark our indexes are children, but rows come from us. */
  override protected def canCheckLimitNotReached: Boolean = true

  override def inputRDDs(): Seq[RDD[InternalRow]] = work match {
    case Left(rows) => Seq(rows)
    case Right(w) => Seq(w.morselRows(sparkContext))
  }

  override protected def doProduce(ctx: CodegenContext): String = work match {
    case Left(_) => produceRows(ctx)
    case Right(w) => if (leavesInRuns) produceRuns(ctx, w) else produceByCursor(ctx, w)
  }

  /** Where Spark's joins ran in our place: their rows, passed on. */
  private def produceRows(ctx: CodegenContext): String = {
    val input = inputOf(ctx)
    val row = ctx.freshName("row")
    ctx.INPUT_ROW = row
    ctx.currentVars = null
    val values = output.zipWithIndex.map { case (a, i) =>
      BoundReference(i, a.dataType, a.nullable).genCode(ctx)
    }
    s"""
       |while ($limitNotReachedCond $input.hasNext()) {
       |  InternalRow $row = (InternalRow) $input.next();
       |  ${consume(ctx, values, row).trim}
       |  $shouldStopCheckCode
       |}
     """.stripMargin
  }

  private def inputOf(ctx: CodegenContext): String =
    ctx.addMutableState(
      "scala.collection.Iterator",
      "wcoJoinInput",
      v => s"$v = inputs[0];",
      forceInline = true)

  private def produceRuns(ctx: CodegenContext, w: PreparedJoin): String = {
    val input = inputOf(ctx)
    val join = ctx.addReferenceObj("wcoJoin", w, classOf[PreparedJoin].getName)
    val runs = ctx.addMutableState(classOf[BindingRuns].getName, "runs")
    val Seq(codes, pos, end, more, code) =
      Seq("codes", "position", "end", "more", "code").map(ctx.freshName): @unchecked

    val columns = output.zipWithIndex.map { case (o, column) =>
      def decoded(at: String): Decoded = decode(ctx, join, o, at, w.space.table(o.dataType))
      val inRuns = s"$runs.code($column)"
      w.patterns.toSeq.map(_.isLast(column)).distinct match {
        case Seq(true) => Column(decoded(code), isInner = true, Nil)
        case Seq(false) =>
          val d = decoded(inRuns)
          Column(d, isInner = false, Seq(inRun(ctx, d.javaType, d.name, d.text)))
        case _ =>
          // In one pattern it is the last variable, in another it is not.
          val Seq(isLast, fixed) = Seq("isLast", "fixed").map(ctx.freshName): @unchecked
          Column(
            decoded(s"($isLast ? $code : $fixed)"),
            isInner = true,
            Seq(
              inRun(ctx, CodeGenerator.JAVA_BOOLEAN, isLast, s"$runs.isLast($column)"),
              inRun(ctx, CodeGenerator.JAVA_INT, fixed, inRuns)))
      }
    }
    val prefix = columns.flatMap(_.kept)
    val inner = columns.filter(_.isInner).map(_.decoded.declared).mkString("\n")
    // Where rows leave one by one, the next call goes on at the row after.
    val stopCheck =
      if (!parent.needStopCheck) ""
      else {
        s"""
           |if (shouldStop()) {
           |  $runs.position_$$eq($pos);
           |  return;
           |}
         """.stripMargin
      }
    s"""
       |if ($runs == null) {
       |  $runs = $join.runs(partitionIndex, $input);
       |}
       |boolean $more = true;
       |while ($limitNotReachedCond $more) {
       |  if ($runs.position() >= $runs.until()) {
       |    $more = $runs.next();
       |    if ($more) {
       |      ${prefix.map(_.decoded).mkString("\n")}
       |    }
       |  }
       |  if ($more) {
       |    ${prefix.map(_.loaded).mkString("\n")}
       |    final int[] $codes = $runs.codes();
       |    final int $end = $runs.until();
       |    int $pos = $runs.position();
       |    while ($limitNotReachedCond $pos < $end) {
       |      final int $code = $codes[$pos];
       |      $pos++;
       |      $inner
       |      ${consume(ctx, columns.map(_.decoded.value)).trim}
       |      $stopCheck
       |    }
       |    $runs.position_$$eq($pos);
       |  }
       |}
     """.stripMargin
  }

  /** One row at a time, on the values in the index: nothing is made of them before they are asked for. */
  private def produceByCursor(ctx: CodegenContext, w: PreparedJoin): String = {
    val input = inputOf(ctx)
    val join = ctx.addReferenceObj("wcoJoin", w, classOf[PreparedJoin].getName)
    val cursor = ctx.addMutableState(classOf[BindingCursor].getName, "cursor")
    val pattern = patterns.head
    val only = w.patterns.head
    val read = AttributeSet(pattern.values).toSeq
    val variables = read.map { a =>
      pattern.columns.find(_.column.exprId == a.exprId) match {
        case Some(column) =>
          val element = s"$cursor.element(${only.placeOf(column)})"
          columnOf(ctx, a, element, only.elements.stored(column))
        case None =>
          val v = pattern.variables.indexWhere(_.exprId == a.exprId)
          val d = decode(ctx, join, a, s"$cursor.binding()[$v]", w.space.table(a.dataType))
          d.value.copy(code = CodeBlock(Seq(d.declared), Nil))
      }
    }
    // What several values read is read before them: each may be left out until it is asked for.
    val uses = pattern.values.flatMap(_.collect { case a: Attribute => a.exprId })
    val shared = evaluateVariables(
      read.zip(variables).collect { case (a, v) if uses.count(_ == a.exprId) > 1 => v })
    ctx.INPUT_ROW = null
    ctx.currentVars = variables
    val values = BindReferences.bindReferences(pattern.values, read).map(_.genCode(ctx))
    s"""
       |if ($cursor == null) {
       |  $cursor = $join.cursor(partitionIndex, $input);
       |}
       |while ($limitNotReachedCond $cursor.next()) {
       |  $shared
       |  ${consume(ctx, values).trim}
       |  $shouldStopCheckCode
       |}
     """.stripMargin
  }

  /** A column of the element that a row points at. */
  private def columnOf(
      ctx: CodegenContext,
      a: Attribute,
      element: String,
      ordinal: Int): ExprCode = {
    val javaType = CodeGenerator.javaType(a.dataType)
    val isNull = ctx.freshName("isNull")
    val value = ctx.freshName("column")
    val get = CodeGenerator.getValue(element, a.dataType, ordinal.toString)
    val code =
      s"""
         |final boolean $isNull = $element.isNullAt($ordinal);
         |final $javaType $value = $isNull ? ${CodeGenerator.defaultValue(a.dataType)} : ($get);
       """.stripMargin
    ExprCode(
      CodeBlock(Seq(code), Nil),
      JavaCode.isNullVariable(isNull),
      JavaCode.variable(value, a.dataType))
  }

  /** The value of a vertex: `text` computes it. */
  private case class Decoded(tpe: DataType, name: String, text: String) {
    def javaType: String = CodeGenerator.javaType(tpe)

    def declared: String = s"final $javaType $name = $text;"

    def value: ExprCode =
      ExprCode(EmptyBlock, FalseLiteral, JavaCode.variable(name, tpe))
  }

  /**
   * A column of the output.
   *
   * @param isInner whether it is decoded for each row
   * @param kept what it needs to know of the run
   */
  private case class Column(decoded: Decoded, isInner: Boolean, kept: Seq[InRun])

  /**
   * A value that stays through a run: found once, when the run begins, and loaded again whenever
   * generated code comes back to it, which may be for each row.
   */
  private case class InRun(decoded: String, loaded: String)

  private def inRun(ctx: CodegenContext, javaType: String, name: String, text: String): InRun = {
    val kept = ctx.addMutableState(javaType, name)
    InRun(s"$kept = $text;", s"final $javaType $name = $kept;")
  }

  /** The id of the vertex with the code at `at`. */
  private def decode(
      ctx: CodegenContext,
      join: String,
      o: Attribute,
      at: String,
      table: KeyTable): Decoded = {
    val tpe = o.dataType
    val text = table match {
      case LongKeyTable(dictionary) =>
        val id = if (dictionary.isDense) {
          val least = ctx.addMutableState(
            CodeGenerator.JAVA_LONG,
            "leastId",
            v => s"$v = $join.space().leastId(${typeReference(ctx, tpe)});")
          s"($least + $at)"
        } else {
          val ids = ctx.addMutableState(
            "long[]",
            "ids",
            v => s"$v = $join.space().ids(${typeReference(ctx, tpe)});")
          s"$ids[$at]"
        }
        fromLong(tpe, id)
      case _ =>
        val keys = ctx.addMutableState(
          classOf[VertexKeys].getName,
          "keys",
          v => s"$v = $join.space().keys(${typeReference(ctx, tpe)});")
        s"(${CodeGenerator.javaType(tpe)}) $keys.value($at)"
    }
    Decoded(tpe, ctx.freshName("vertex"), text)
  }

  private def typeReference(ctx: CodegenContext, tpe: DataType): String =
    ctx.addReferenceObj("keyType", tpe, classOf[DataType].getName)

  private def fromLong(tpe: DataType, id: String): String = tpe match {
    case BooleanType => s"($id) != 0L"
    case d: DecimalType =>
      s"${classOf[Decimal].getName}.createUnsafe($id, ${d.precision}, ${d.scale})"
    case _ if CodeGenerator.javaType(tpe) == CodeGenerator.JAVA_LONG => id
    case _ => s"(${CodeGenerator.javaType(tpe)}) $id"
  }
}

private object WcoJoinCodegen {

  /**
   * A column takes up to 75 bytecodes to read and to write, and HotSpot never compiles a method of more than
   * 8,000: this leaves 3,000 to what is fused with the join.
   */
  final private val MostColumns = 64
}
