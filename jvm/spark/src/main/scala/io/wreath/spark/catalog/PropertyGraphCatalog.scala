package io.wreath.spark.catalog

import java.util.WeakHashMap

import org.apache.spark.sql.SparkSession

import io.wreath.spark.logical.PropertyGraph

/**
 * The temporary property graphs of one session.
 *
 * A graph has a name and a definition; it holds no data and no plan, so a table or view that is
 * replaced later is read as it is then.
 */
final private[wreath] class PropertyGraphCatalog private (session: () => Option[SparkSession]) {

  private var graphs = Map.empty[String, PropertyGraph]

  def get(name: String): Option[PropertyGraph] = synchronized(find(name).map(graphs))

  /** In the order of their names. */
  def names: Seq[String] = synchronized(graphs.keys.toSeq.sorted)

  /** Adds the graph, in the place of one of that name if there is. */
  def put(name: String, graph: PropertyGraph): Unit = synchronized {
    graphs = graphs -- find(name) + (name -> graph)
  }

  /** Whether there was one. */
  def drop(name: String): Boolean = synchronized {
    val found = find(name)
    graphs = graphs -- found
    found.isDefined
  }

  /** By the session's own rule for names: `spark.sql.caseSensitive`. */
  private def find(name: String): Option[String] = {
    val same = session().map(s => PropertyGraphCatalog.resolver(s))
      .getOrElse((a: String, b: String) => a.equalsIgnoreCase(b))
    graphs.keys.find(same(_, name))
  }
}

private[wreath] object PropertyGraphCatalog {

  /** Weak, so that the graphs of a session go with it; no catalog holds its session. */
  private val catalogs = new WeakHashMap[SparkSession, PropertyGraphCatalog]

  def of(session: SparkSession): PropertyGraphCatalog = catalogs.synchronized {
    catalogs.computeIfAbsent(
      session,
      { s =>
        val weak = new java.lang.ref.WeakReference(s)
        new PropertyGraphCatalog(() => Option(weak.get))
      })
  }

  private def resolver(session: SparkSession): (String, String) => Boolean =
    if (session.conf.get("spark.sql.caseSensitive").toBoolean) (a, b) => a == b
    else (a, b) => a.equalsIgnoreCase(b)
}
