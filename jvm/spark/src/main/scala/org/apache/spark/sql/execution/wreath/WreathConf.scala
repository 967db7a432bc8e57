package org.apache.spark.sql.execution.wreath

import java.util.Locale

import org.apache.spark.internal.config.ConfigEntry
import org.apache.spark.network.util.ByteUnit
import org.apache.spark.sql.internal.SQLConf

/**
 * Every conf entry of Wreath: `spark.wreath.<area>.<camelCase>`, booleans end in `.enabled`.
 *
 * Lives in Spark's package because `ConfigBuilder` is `private[spark]`. Read through [[SQLConf]],
 * so that each session and each query has its own values.
 */
object WreathConf {

  val ENABLED: ConfigEntry[Boolean] = SQLConf
    .buildConf("spark.wreath.enabled")
    .doc("Whether Wreath plans joins at all. When false, GRAPH_TABLE runs as Spark's own joins " +
      "and gives the same rows.")
    .version("0.1.0")
    .booleanConf
    .createWithDefault(true)

  val JOIN_MODE: ConfigEntry[String] = SQLConf
    .buildConf("spark.wreath.join.mode")
    .doc("How a pattern is joined. 'auto' picks WcoJoin over a broadcast index where it can and " +
      "says in EXPLAIN where it cannot; 'broadcast' fails where it cannot; 'binary' always runs " +
      "Spark's own joins.")
    .version("0.1.0")
    .stringConf
    .transform(_.toLowerCase(Locale.ROOT))
    .checkValue(
      Set("auto", "broadcast", "binary").contains,
      "must be 'auto', 'broadcast' or 'binary'; 'partitioned', for graphs larger than one " +
        "machine's memory, is not there yet")
    .createWithDefault("auto")

  val JOIN_TECHNIQUE: ConfigEntry[String] = SQLConf
    .buildConf("spark.wreath.join.technique")
    .doc("How a WcoJoin intersects lists. 'auto' chooses by the pattern and the lists; 'lists' merges " +
      "and searches, 'marks' marks lists and looks others up in the marks, 'bits' runs on a bit matrix of " +
      "one neighbourhood where the pattern allows it, 'confined' makes lists of the vertices that " +
      "conditions leave, however many these are. The rows are the same; for tests and measurements.")
    .version("0.1.0")
    .stringConf
    .transform(_.toLowerCase(Locale.ROOT))
    .checkValues(Set("auto", "lists", "marks", "bits", "confined"))
    .createWithDefault("auto")

  /** A value of [[JOIN_ALGORITHM]]. */
  val LEAPFROG = "leapfrog"

  val JOIN_ALGORITHM: ConfigEntry[String] = SQLConf
    .buildConf("spark.wreath.join.algorithm")
    .doc(
      "How a WcoJoin binds variables. 'generic' intersects whole lists and counts where it need " +
        "not bind; 'leapfrog' is Leapfrog Triejoin, which binds every row one by one: the baseline, for " +
        "measurements. The rows are the same. Streams are always joined by 'generic'.")
    .version("0.1.0")
    .stringConf
    .transform(_.toLowerCase(Locale.ROOT))
    .checkValues(Set("generic", LEAPFROG))
    .createWithDefault("generic")

  val JOIN_COUNTING: ConfigEntry[String] = SQLConf
    .buildConf("spark.wreath.join.counting")
    .doc("How the matches of a pattern are counted where nothing else is asked of them. 'eliminate' sums " +
      "over one variable after the other, wherever that can be done; 'enumerate' binds variables and " +
      "multiplies what is left; 'auto' does what costs less. The number is the same; EXPLAIN says after the " +
      "query what was done.")
    .version("0.1.0")
    .stringConf
    .transform(_.toLowerCase(Locale.ROOT))
    .checkValues(Set("auto", "eliminate", "enumerate"))
    .createWithDefault("auto")

  val MORSELS_PER_CORE: ConfigEntry[Int] = SQLConf
    .buildConf("spark.wreath.join.morselsPerCore")
    .doc(
      "Into how many tasks of about equal estimated cost, per core of the cluster, the work of a " +
        "WcoJoin is cut at most. More tasks balance skewed graphs better and cost more scheduling.")
    .version("0.1.0")
    .intConf
    .checkValue(_ > 0, "must be positive")
    .createWithDefault(16)

  val MORSEL_MIN_ELEMENTS: ConfigEntry[Long] = SQLConf
    .buildConf("spark.wreath.join.morselMinElements")
    .doc(
      "How many list elements a task of a WcoJoin should read at least, by the estimate. With more " +
        "work than that for each core, tasks become as many and as large as its square root.")
    .version("0.1.0")
    .longConf
    .checkValue(_ >= 0, "must not be negative")
    .createWithDefault(4000000L)

  val INDEX_MAX_BYTES: ConfigEntry[Long] = SQLConf
    .buildConf("spark.wreath.index.maxBytes")
    .doc("The largest index, in bytes, that may be built and broadcast, and the most that the " +
      "indexes kept for later queries may take together, within what Spark sets aside for stored " +
      "data: the one used longest ago goes first. A stream whose index grows beyond it ends, and can " +
      "be restarted with more.")
    .version("0.1.0")
    .bytesConf(ByteUnit.BYTE)
    .createWithDefaultString("2g")

  val INDEX_CACHE_ENABLED: ConfigEntry[Boolean] = SQLConf
    .buildConf("spark.wreath.index.cache.enabled")
    .doc(
      "Whether an index is kept for later queries of the application. Where the data's state is " +
        "not known (an RDD, a JDBC table), it never is.")
    .version("0.1.0")
    .booleanConf
    .createWithDefault(true)

  val PATH_MAX_BYTES: ConfigEntry[Long] = SQLConf
    .buildConf("spark.wreath.path.maxBytes")
    .doc("The most memory, in bytes, that a task may take for a search for paths. It is known before the " +
      "search begins: up to 32 bytes a vertex, and for a path of several steps as much for each of its " +
      "states. Where 64 sources at once would take more, they are searched from one by one; what takes more " +
      "then is refused.")
    .version("0.1.0")
    .bytesConf(ByteUnit.BYTE)
    .createWithDefaultString("1g")

  val REWRITE_JOINS: ConfigEntry[Boolean] = SQLConf
    .buildConf("spark.wreath.rewriteJoins.enabled")
    .doc("Whether joins written by hand that form a pattern are rewritten too. Reserved: joins " +
      "written by hand are left alone for now, whatever the value.")
    .version("0.1.0")
    .booleanConf
    .createWithDefault(false)

  val STREAMING_MISSING_DELETES: ConfigEntry[String] = SQLConf
    .buildConf("spark.wreath.streaming.missingDeletes")
    .doc("What happens when a stream deletes an edge that is not there: 'error' ends the query " +
      "before the batch takes effect, 'ignore' goes on. Both count it in the query's progress.")
    .version("0.1.0")
    .stringConf
    .transform(_.toLowerCase(Locale.ROOT))
    .checkValues(Set("error", "ignore"))
    .createWithDefault("error")

  /** In the order of the documentation. */
  val entries: Seq[ConfigEntry[_]] =
    Seq(
      ENABLED,
      JOIN_MODE,
      JOIN_TECHNIQUE,
      JOIN_ALGORITHM,
      JOIN_COUNTING,
      MORSELS_PER_CORE,
      MORSEL_MIN_ELEMENTS,
      INDEX_MAX_BYTES,
      INDEX_CACHE_ENABLED,
      PATH_MAX_BYTES,
      REWRITE_JOINS,
      STREAMING_MISSING_DELETES)
}
