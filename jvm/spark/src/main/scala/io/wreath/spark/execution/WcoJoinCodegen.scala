package io.wreath.spark.execution

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.codegen.Block._
import org.apache.spark.sql.catalyst.expressions.codegen._
import org.apache.spark.sql.catalyst.expressions.{Attribute, BoundReference}
import org.apache.spark.sql.execution.CodegenSupport
import org.apache.spark.sql.types._

import io.wreath.spark.index.{KeyTable, LongKeyTable}
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
 * No constant is part of the text: two queries of one shape over different indexes share it.
 */
private[execution] trait WcoJoinCodegen extends CodegenSupport { join: BroadcastWcoJoinExec =>

  /** Counting, and rows of which each parallel edge is one, take the other way. */
  override def supportCodegen: Boolean =
    goal == JoinGoal.Rows && output.forall(isVariable) &&
      columns.forall(c => !atoms(c.atom).isEdge) && atoms.forall(_.differentFrom.isEmpty)

  private def isVariable(a: Attribute): Boolean = variables.exists(_.exprId == a.exprId)

  override def needCopyResult: Boolean = false

  /** To Spark our indexes are children, but rows come from us. */
  override protected def canCheckLimitNotReached: Boolean = true

  override def inputRDDs(): Seq[RDD[InternalRow]] = work match {
    case Left(rows) => Seq(rows)
    case Right(w) => Seq(w.morselRows(sparkContext))
  }

  override protected def doProduce(ctx: CodegenContext): String = work match {
    case Left(_) => produceRows(ctx)
    case Right(w) => produceRuns(ctx, w)
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

  private def produceRuns(ctx: CodegenContext, w: WcoJoinWork): String = {
    val input = inputOf(ctx)
    val evaluatorClass = classOf[WcoJoinEvaluator].getName
    val evaluator = ctx.addReferenceObj("wcoJoin", w.evaluator, evaluatorClass)
    val runs = ctx.addMutableState(classOf[BindingRuns].getName, "runs")
    val codesState = ctx.addMutableState("int[]", "codes")
    val posState = ctx.addMutableState(CodeGenerator.JAVA_INT, "position")
    val endState = ctx.addMutableState(CodeGenerator.JAVA_INT, "end")
    val numOutput = metricTerm(ctx, "numOutputRows")
    val Seq(morsel, codes, pos, end, start, more, binding, code) =
      Seq("morsel", "codes", "position", "end", "start", "more", "binding", "code")
        .map(ctx.freshName): @unchecked

    val last = w.lastVariable
    val decoded = output.map { o =>
      val v = variables.indexWhere(_.exprId == o.exprId)
      val at = if (v == last) code else s"$binding[$v]"
      (v == last, decode(ctx, evaluator, o, at, w.keyTable(o.dataType)))
    }
    val prefix = decoded.collect { case (false, d) => d.code.toString }.mkString("\n")
    val inner = decoded.collect { case (true, d) => d.code.toString }.mkString("\n")
    val values = decoded.map { case (_, d) => d.copy(code = EmptyBlock) }
    // Where rows leave one by one, the next call goes on at the row after.
    val stopCheck =
      if (!parent.needStopCheck) ""
      else {
        s"""
           |if (shouldStop()) {
           |  $posState = $pos;
           |  $numOutput.add($pos - $start);
           |  return;
           |}
         """.stripMargin
      }
    s"""
       |if ($runs == null && $input.hasNext()) {
       |  InternalRow $morsel = (InternalRow) $input.next();
       |  $runs = $evaluator.runs(partitionIndex, $morsel);
       |}
       |boolean $more = $runs != null;
       |while ($limitNotReachedCond $more) {
       |  if ($posState >= $endState) {
       |    $more = $runs.next();
       |    $codesState = $runs.codes();
       |    $posState = $runs.from();
       |    $endState = $runs.until();
       |  }
       |  if ($more) {
       |    final int[] $binding = $runs.binding();
       |    $prefix
       |    final int[] $codes = $codesState;
       |    final int $start = $posState;
       |    final int $end = $endState;
       |    int $pos = $start;
       |    while ($limitNotReachedCond $pos < $end) {
       |      final int $code = $codes[$pos];
       |      $pos++;
       |      $inner
       |      ${consume(ctx, values).trim}
       |      $stopCheck
       |    }
       |    $posState = $pos;
       |    $numOutput.add($pos - $start);
       |  }
       |}
     """.stripMargin
  }

  /** The id of the vertex with the code at `at`. */
  private def decode(
      ctx: CodegenContext,
      evaluator: String,
      o: Attribute,
      at: String,
      table: KeyTable): ExprCode = {
    val tpe = o.dataType
    val value = ctx.freshName("vertex")
    val javaType = CodeGenerator.javaType(tpe)
    val text = table match {
      case LongKeyTable(dictionary) =>
        val id = if (dictionary.isDense) {
          val least = ctx.addMutableState(
            CodeGenerator.JAVA_LONG,
            "leastId",
            v => s"$v = $evaluator.leastId(${typeReference(ctx, tpe)});")
          s"($least + $at)"
        } else {
          val ids = ctx.addMutableState(
            "long[]",
            "ids",
            v => s"$v = $evaluator.ids(${typeReference(ctx, tpe)});")
          s"$ids[$at]"
        }
        fromLong(tpe, id)
      case _ =>
        val keys = ctx.addMutableState(
          classOf[io.wreath.spark.index.VertexKeys].getName,
          "keys",
          v => s"$v = $evaluator.keys(${typeReference(ctx, tpe)});")
        s"($javaType) $keys.value($at)"
    }
    ExprCode(
      code"final $javaType $value = $text;",
      FalseLiteral,
      JavaCode.variable(value, tpe))
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
