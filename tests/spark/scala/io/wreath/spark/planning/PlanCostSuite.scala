package io.wreath.spark.planning

import org.apache.spark.sql.catalyst.analysis.EliminateSubqueryAliases
import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.RuleExecutor
import org.apache.spark.sql.catalyst.trees.TreeNode

import io.wreath.spark.WreathQueryTest
import io.wreath.spark.logical.WcoJoin
import io.wreath.spark.optimizer.ExtractWcoJoin

/**
 * What a pattern costs Spark's rules, which walk over the plan some hundred times: the columns of all
 * nodes together, and the depth of plans and conditions. The first grows as the pattern does and not
 * as its square, the second hardly at all. Durations would say the same, but not every time.
 */
class PlanCostSuite extends WreathQueryTest {

  private def chain(edges: Int): String =
    (0 to edges).map(i => s"(v$i)").mkString("-[]->")

  private def counting(graph: String, pattern: String): String =
    s"SELECT count(*) FROM GRAPH_TABLE ($graph MATCH $pattern)"

  private val texts: Seq[(String, Int => String)] = Seq(
    "a count" -> (n => counting("e", chain(n))),
    "rows" -> (n => s"SELECT * FROM GRAPH_TABLE (e MATCH ${chain(n)})"),
    "different edges" -> (n => counting("e", s"DIFFERENT EDGES ${chain(n)}")),
    "different vertices" -> (n => counting("e", s"DIFFERENT VERTICES ${chain(n)}")),
    "conditions" -> { n =>
      val where = (0 until n).map(i => s"v$i < v${i + 1}").mkString(" AND ")
      counting("e", s"${chain(n)} WHERE $where")
    },
    "inside elements" -> { n =>
      counting("e", (0 to n).map(i => s"(v$i WHERE v$i > $i)").mkString("-[]->"))
    },
    "a property graph" -> (n => counting("g", chain(n))))

  /** The plan as Spark's optimizer gets it. */
  private def analyzed(sqlText: String): LogicalPlan = {
    edges("e", 1L -> 2L)
    edges("e2", 1L -> 2L)
    spark.sql("CREATE OR REPLACE TEMPORARY VIEW people AS SELECT src AS id FROM e")
    spark.sql(
      "CREATE OR REPLACE TEMPORARY PROPERTY GRAPH g VERTEX TABLES (people KEY (id)) " +
        "EDGE TABLES (e2 SOURCE KEY (src) REFERENCES people (id) " +
        "DESTINATION KEY (dst) REFERENCES people (id))")
    spark.sql(sqlText).queryExecution.analyzed
  }

  private def columns(plan: LogicalPlan): Int = plan.collect { case p => p.output.size }.sum

  private def depth(tree: TreeNode[_]): Int =
    1 + tree.children.map(c => depth(c.asInstanceOf[TreeNode[_]])).maxOption.getOrElse(0)

  private def deepest(expressions: Seq[Expression]): Int =
    expressions.map(depth).maxOption.getOrElse(0)

  texts.foreach { case (name, text) =>
    test(s"four times the edges make a plan four times as large: $name") {
      val (few, many) = (analyzed(text(12)), analyzed(text(48)))
      assert(columns(many) <= columns(few) * 5)
      assert(depth(many) == depth(few))
      def conditions(plan: LogicalPlan): Seq[Expression] =
        plan.collect { case p => p.expressions }.flatten
      // Twice the depth is four times the leaves; what a user writes is as deep as Spark has it.
      assert(deepest(conditions(many)) <= deepest(conditions(few)) + 3)
    }
  }

  test("a pattern with quantified edges is built once, however many EXISTS stand above it") {
    val tests = Seq(
      "EXISTS { (b)->(a) }",
      "NOT EXISTS { (a)-(b) }",
      "EXISTS { (a)->(b) }",
      "NOT EXISTS { (b)-(a) }")
    // What Spark counts of its rules: each combination of lengths is simplified before it is built.
    def rulesRun(count: Int): Long = {
      val where = tests.take(count).mkString(" AND ")
      val plan = analyzed(s"SELECT a, b FROM GRAPH_TABLE (e MATCH (a)->{1,3}(b) WHERE $where)")
      val before = RuleExecutor.getCurrentMetrics().numRuns
      val joins = ExtractWcoJoin(EliminateSubqueryAliases(plan)).collect { case j: WcoJoin => j }
      assert(joins.map(_.patterns.size) == Seq(3), s"$where, in $plan")
      RuleExecutor.getCurrentMetrics().numRuns - before
    }
    val once = rulesRun(1)
    assert(once > 0 && rulesRun(2) == once && rulesRun(4) == once)
  }
}
