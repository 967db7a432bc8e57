package io.wreath.spark

import java.util.{Collections, WeakHashMap}

import org.apache.spark.sql.execution.wreath.WreathConf
import org.apache.spark.sql.{SparkSessionExtensions, SparkSessionExtensionsProvider}

import io.wreath.spark.analysis.desugaring.{
  ResolveGraphMatch,
  ResolveSharedRowsHint,
  ResolveWcoJoinHint
}
import io.wreath.spark.analysis.graphs.{
  KeepGraphsFromViews,
  ResolveGraphFunction,
  ResolveInlinePropertyGraph,
  ResolvePropertyGraph
}
import io.wreath.spark.analysis.streams.MergeStreamingMatches
import io.wreath.spark.commands.HideGraphsAmongViews
import io.wreath.spark.execution.WriteRowsDirectly
import io.wreath.spark.optimizer.{
  ExtractWcoJoin,
  NarrowPathSearch,
  NarrowStreamingWcoJoin,
  PushBelowPathSearch
}
import io.wreath.spark.parser.GraphSqlParser
import io.wreath.spark.planning.{
  GraphComputationStrategy,
  PathSearchStrategy,
  SharedRowsStrategy,
  StreamingWcoJoinStrategy,
  WcoJoinStrategy
}

/**
 * TABLE OF CONTENTS: everything that Wreath adds to a Spark session, in the order it happens.
 *
 * {{{
 *   SQL text  --GraphSqlParser-->      UnresolvedGraphMatch   (parser)
 *             --ResolveWcoJoinHint-->  with its hints         (analyzer)
 *             --ResolvePropertyGraph--> with its tables       (analyzer)
 *             --ResolveGraphMatch-->   Spark's own joins      (analyzer)
 *             --ExtractWcoJoin-->      WcoJoin                (optimizer, before join reordering)
 *             --WcoJoinStrategy-->     BroadcastWcoJoinExec over CsrBroadcastExchangeExec
 * }}}
 * Functions over a whole graph go the same way as a GraphComputation (ResolveGraphFunction,
 * GraphComputationStrategy), and searches for paths as a PathSearch (NarrowPathSearch, PathSearchStrategy).
 *
 * Over a stream the joins become one StreamingWcoJoin in the analyzer, which NarrowStreamingWcoJoin
 * hands the conditions above it, and StreamingWcoJoinStrategy plans in each micro-batch.
 *
 * With AQE the exchange becomes a broadcast query stage and the join above it is planned once;
 * without, the exchange is reused as Spark reuses its own. Either way WriteRowsDirectly has the last
 * word on what is generated.
 *
 * Hooks only inject: no conf is set and nothing is started here.
 */
class WreathExtensions extends SparkSessionExtensionsProvider {

  override def apply(e: SparkSessionExtensions): Unit = {
    SparkLine.check()
    if (WreathExtensions.isFirst(e)) inject(e)
  }

  private def inject(e: SparkSessionExtensions): Unit = {
    // Loading the entries registers them, so that SET and spark.conf know them.
    require(WreathConf.entries.nonEmpty)
    // An error of a task is shown here, where no other may have come before it.
    WreathErrors.areKnownToSpark: Unit

    // parser: SQL text -> UnresolvedGraphMatch
    e.injectParser((_, delegate) => new GraphSqlParser(delegate))

    // analyzer: names -> columns, MATCH -> joins; what cannot run is refused here
    e.injectHintResolutionRule(_ => ResolveWcoJoinHint)
    e.injectHintResolutionRule(_ => ResolveSharedRowsHint)
    e.injectHintResolutionRule(_ => ResolveInlinePropertyGraph)
    e.injectHintResolutionRule(ResolvePropertyGraph(_, beforeTables = true))
    // Once more where Spark resolves: a session with Hive has no rules of others beside its hints.
    e.injectResolutionRule(_ => ResolveWcoJoinHint)
    e.injectResolutionRule(_ => ResolveSharedRowsHint)
    e.injectResolutionRule(_ => ResolveInlinePropertyGraph)
    e.injectResolutionRule(ResolvePropertyGraph(_, beforeTables = false))
    e.injectResolutionRule(_ => ResolveGraphMatch)
    e.injectResolutionRule(_ => ResolveGraphFunction)
    e.injectPostHocResolutionRule(_ => MergeStreamingMatches)
    e.injectPostHocResolutionRule(_ => HideGraphsAmongViews)
    e.injectCheckRule(KeepGraphsFromViews(_))

    // optimizer: conditions on where paths begin are asked before
    e.injectOptimizerRule(_ => PushBelowPathSearch)

    // optimizer: joins -> WcoJoin, after push-down and pruning, before Spark reorders joins
    e.injectPreCBORule(_ => ExtractWcoJoin)
    e.injectPreCBORule(_ => NarrowStreamingWcoJoin)
    e.injectPreCBORule(_ => NarrowPathSearch)

    // planner
    e.injectPlannerStrategy(WcoJoinStrategy(_))
    e.injectPlannerStrategy(GraphComputationStrategy(_))
    e.injectPlannerStrategy(PathSearchStrategy(_))
    e.injectPlannerStrategy(StreamingWcoJoinStrategy(_))
    e.injectPlannerStrategy(_ => SharedRowsStrategy)

    // preparation: which joins take part in generated code
    e.injectColumnar(_ => WriteRowsDirectly)
  }
}

private object WreathExtensions {

  private val configured =
    Collections.newSetFromMap(new WeakHashMap[SparkSessionExtensions, java.lang.Boolean])

  /** The service file and `spark.sql.extensions` may both name us for one session: once is enough. */
  def isFirst(e: SparkSessionExtensions): Boolean = synchronized(configured.add(e))
}
