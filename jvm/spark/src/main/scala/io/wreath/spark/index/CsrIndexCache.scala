package io.wreath.spark.index

import java.util.concurrent.atomic.AtomicLong
import java.util.concurrent.{CompletableFuture, ExecutionException}

import scala.collection.mutable

import org.apache.spark.SparkContext
import org.apache.spark.broadcast.Broadcast

/**
 * An index that was built.
 *
 * @param name the relation in words, for people
 */
final class CsrIndex(
    val name: String,
    val relation: Broadcast[CsrRelation],
    val edges: Long,
    val vertices: Long,
    val bytes: Long,
    val buildMillis: Long) {

  /** Tells indexes of one name apart. */
  val id: Long = CsrIndex.lastId.incrementAndGet()

  private val hitCount = new AtomicLong

  def hits: Long = hitCount.get

  private[index] def hit(): Unit = hitCount.incrementAndGet()
}

private object CsrIndex {
  private val lastId = new AtomicLong
}

/**
 * The indexes of one application, shared by all its sessions and queries.
 *
 * An index is found by its [[RelationFingerprint]]: the plan of the relation and the state of its
 * data, so a stale one is never found, only forgotten. It is built once, however many queries ask
 * for it at the same time: the first builds, the others wait. Bounded in bytes: the index that was
 * used longest ago goes first, unless pinned. Forgetting drops a reference and destroys nothing;
 * what a running query reads stays until the query is done with it.
 *
 * Thread-safety: all methods may be called by many threads. Building happens outside the lock.
 */
final class CsrIndexCache {

  final private class Entry(val fingerprint: RelationFingerprint) {
    val index = new CompletableFuture[CsrIndex]
    var pinned = false

    def built: Option[CsrIndex] =
      if (index.isDone && !index.isCompletedExceptionally) Some(index.join()) else None
  }

  /** In the order of use, the one used longest ago first. */
  private val entries = mutable.LinkedHashMap.empty[RelationFingerprint, Entry]

  /** An index that is there already; counts as a use and as a hit. */
  def find(fingerprint: RelationFingerprint): Option[CsrIndex] = {
    val found = peek(fingerprint)
    found.foreach(_.hit())
    found
  }

  /** The same, but not a hit: nobody joins with it. */
  def peek(fingerprint: RelationFingerprint): Option[CsrIndex] = synchronized {
    val found = entries.get(fingerprint).filter(_.built.isDefined)
    found.foreach(touch)
    found.flatMap(_.built)
  }

  /**
   * The index, built by `build` unless it is there or being built by someone else.
   *
   * A failed build is not remembered: who waited for it tries for himself.
   */
  def getOrBuild(
      fingerprint: RelationFingerprint,
      maxBytes: Long)(build: => CsrIndex): CsrIndex = {
    val (entry, mine) = synchronized {
      entries.get(fingerprint) match {
        case Some(known) =>
          touch(known)
          (known, false)
        case None =>
          val fresh = new Entry(fingerprint)
          entries(fingerprint) = fresh
          (fresh, true)
      }
    }
    if (mine) buildInto(entry, maxBytes)(build) else await(entry, fingerprint, maxBytes)(build)
  }

  private def buildInto(entry: Entry, maxBytes: Long)(build: => CsrIndex): CsrIndex =
    try {
      val index = build
      entry.index.complete(index)
      evict(maxBytes, keep = entry)
      index
    } catch {
      case e: Throwable =>
        synchronized {
          if (entries.get(entry.fingerprint).exists(_ eq entry)) entries.remove(entry.fingerprint)
        }
        entry.index.completeExceptionally(e)
        throw e
    }

  private def await(entry: Entry, fingerprint: RelationFingerprint, maxBytes: Long)(
      build: => CsrIndex): CsrIndex =
    try {
      val index = entry.index.get()
      index.hit()
      index
    } catch {
      // The other's failure may be its own, a cancelled query for instance.
      case _: ExecutionException => getOrBuild(fingerprint, maxBytes)(build)
    }

  /** Keeps an index until it is unpinned, whatever its age. False if it is not there. */
  def pin(fingerprint: RelationFingerprint): Boolean = synchronized {
    entries.get(fingerprint).exists { e => e.pinned = true; true }
  }

  /** Forgets an index and returns it, if it was there. */
  def remove(fingerprint: RelationFingerprint): Option[CsrIndex] = synchronized {
    entries.remove(fingerprint).flatMap(_.built)
  }

  def clear(): Unit = synchronized(entries.clear())

  /** What is there now, with whether it is pinned; the one used longest ago first. */
  def list: Seq[(CsrIndex, Boolean)] = synchronized {
    forgetUnreachable()
    entries.values.toSeq.flatMap(e => e.built.map(_ -> e.pinned))
  }

  def sizeInBytes: Long = synchronized(entries.values.flatMap(_.built).map(_.bytes).sum)

  private def touch(entry: Entry): Unit = {
    entries.remove(entry.fingerprint)
    entries(entry.fingerprint) = entry
  }

  private def evict(maxBytes: Long, keep: Entry): Unit = synchronized {
    forgetUnreachable()
    val candidates = entries.values.filter(e => !e.pinned && !(e eq keep) && e.built.isDefined)
    candidates.toSeq.foreach { e =>
      if (sizeInBytes > maxBytes) entries.remove(e.fingerprint)
    }
  }

  private def forgetUnreachable(): Unit =
    entries.keys.filterNot(_.isReachable).toSeq.foreach(entries.remove)
}

object CsrIndexCache {

  private val caches = new java.util.WeakHashMap[SparkContext, CsrIndexCache]

  /** One for each application: it goes when its SparkContext does. */
  def of(context: SparkContext): CsrIndexCache = caches.synchronized {
    caches.computeIfAbsent(context, _ => new CsrIndexCache)
  }
}
