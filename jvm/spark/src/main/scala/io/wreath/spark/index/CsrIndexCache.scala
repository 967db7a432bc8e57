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
 * @param columns that it keeps beside the keys
 * @param grownFrom the one whose columns it took over, and whose place it takes
 */
final class CsrIndex(
    val name: String,
    val relation: Broadcast[CsrRelation],
    val keyCount: Int,
    val rows: Long,
    val vertices: Long,
    val columns: Seq[IndexedColumn],
    ownBytes: Long,
    val buildMillis: Long,
    grownFrom: Option[CsrIndex] = None) {

  /** Tells indexes of one name apart. */
  val id: Long = grownFrom.fold(CsrIndex.lastId.incrementAndGet())(_.id)

  private val hitCount = new AtomicLong(grownFrom.fold(0L)(_.hits))

  def hits: Long = hitCount.get

  @volatile private[index] var besideBytes: Long = 0L

  /** Bytes of the copies that spaces of joins have of its lists. */
  @volatile private[index] var copied: () => Long = () => 0L

  /** With what queries have made of it and keep beside it. */
  def bytes: Long = ownBytes + besideBytes + copied()

  private[index] def hit(): Unit = hitCount.incrementAndGet()
}

private object CsrIndex {
  private val lastId = new AtomicLong
}

/**
 * The indexes of one application, shared by all its sessions and queries.
 *
 * An index is found by its [[RelationFingerprint]], the plan of the keys and the state of their
 * data, so a stale one is never found, only forgotten; and by the columns asked for, which it must
 * have and may exceed. It is built once, however many queries ask for it at the same time: the first
 * builds, the others wait. One with more columns takes the place of the
 * old one. Bounded in bytes: the index that was used longest ago goes first, unless pinned; one that
 * is larger than the bound by itself serves who asked for it, and is not kept.
 * Forgetting drops a reference and destroys nothing; what a running query reads stays until the
 * query is done with it.
 *
 * Thread-safety: all methods may be called by many threads. Building happens outside the lock.
 *
 * @param spaces of joins over its indexes: the copies that they have of an index' lists count as its own, and go with it
 */
final class CsrIndexCache(spaces: JoinSpaces = new JoinSpaces) {

  final private class Entry(
      val fingerprint: RelationFingerprint,
      wanted: Set[IndexedColumn]) {
    val index = new CompletableFuture[CsrIndex]
    var pinned = false
    var lastUse = 0L

    def built: Option[CsrIndex] =
      if (index.isDone && !index.isCompletedExceptionally) Some(index.join()) else None

    /** At least; once it is built there may be more. */
    def columns: Set[IndexedColumn] = built.fold(wanted)(wanted ++ _.columns)
  }

  private val entries = mutable.HashMap.empty[RelationFingerprint, List[Entry]]
  private var uses = 0L

  /** An index that is there already; counts as a use and as a hit. */
  def find(fingerprint: RelationFingerprint, columns: Seq[IndexedColumn]): Option[CsrIndex] = {
    val found = peek(fingerprint, columns)
    found.foreach(_.hit())
    found
  }

  /** The same, but not a hit: nobody joins with it. */
  def peek(fingerprint: RelationFingerprint, columns: Seq[IndexedColumn]): Option[CsrIndex] =
    synchronized {
      val found = having(fingerprint, columns.toSet).filter(_.built.isDefined)
      found.headOption.foreach(touch)
      found.headOption.flatMap(_.built)
    }

  /**
   * The index, built by `build` unless it is there or being built by someone else.
   *
   * A failed build is not remembered: who waited for it tries for himself.
   *
   * @param columns that `build` will collect
   * @param mostKept bytes of all that are kept together
   * @param pinned whether it is kept whatever its size and age
   * @param build gets the indexes of the same keys that are there: it may start from one
   */
  def getOrBuild(
      fingerprint: RelationFingerprint,
      columns: Seq[IndexedColumn],
      mostKept: Long,
      pinned: Boolean = false)(build: Seq[CsrIndex] => CsrIndex): CsrIndex = {
    val (entry, mine) = synchronized {
      having(fingerprint, columns.toSet).headOption match {
        case Some(known) =>
          touch(known)
          known.pinned ||= pinned
          (known, false)
        case None =>
          val fresh = new Entry(fingerprint, columns.toSet)
          entries(fingerprint) = fresh :: of(fingerprint)
          touch(fresh)
          fresh.pinned = pinned
          (fresh, true)
      }
    }
    if (mine) buildInto(entry, mostKept)(build)
    else {
      try {
        val index = entry.index.get()
        index.hit()
        index
      } catch {
        // The other's failure may be its own, a cancelled query for instance.
        case _: ExecutionException =>
          getOrBuild(fingerprint, columns, mostKept, pinned)(build)
      }
    }
  }

  private def buildInto(entry: Entry, mostKept: Long)(
      build: Seq[CsrIndex] => CsrIndex): CsrIndex =
    try {
      val index = build(synchronized(of(entry.fingerprint).flatMap(_.built)))
      synchronized {
        index.copied = () => spaces.bytesBeside(index.relation.id)
        entry.index.complete(index)
        // One that is not going to be kept takes nobody's place.
        if (entry.pinned || index.bytes <= mostKept) replaceNarrower(entry)
        evict(mostKept, newest = entry)
      }
      index
    } catch {
      case e: Throwable =>
        synchronized(remove(entry))
        entry.index.completeExceptionally(e)
        throw e
    }

  /**
   * Says that queries keep `bytes` beside an index, as long as it is there: the other indexes make room.
   *
   * @param mostKept bytes of all that are kept together
   */
  def keptBeside(relation: Broadcast[CsrRelation], bytes: Long, mostKept: Long): Unit =
    synchronized {
      byLastUse.find(_.built.exists(_.relation.id == relation.id)).foreach { e =>
        e.built.foreach(i => i.besideBytes = math.max(i.besideBytes, bytes))
        evict(mostKept, newest = e)
      }
    }

  /**
   * Lets the other indexes make room for the copies that a space has of the lists of some. Where there is none, the
   * space is not kept: it serves who made it.
   *
   * @param mostKept bytes of all that are kept together; asked only if there are copies
   */
  def settle(relations: Seq[Broadcast[CsrRelation]], mostKept: => Long): Unit =
    relations.distinctBy(_.id).filter(r => spaces.bytesBeside(r.id) > 0).foreach { r =>
      val most = mostKept
      if (r.value.sizeInBytes + spaces.bytesBeside(r.id) > most) spaces.forget(r.id)
      else {
        synchronized {
          byLastUse.find(_.built.exists(_.relation.id == r.id)).foreach(evict(most, _))
        }
      }
    }

  /** Keeps an index until it is unpinned, whatever its age. False if it is not there. */
  def pin(fingerprint: RelationFingerprint): Boolean = synchronized {
    of(fingerprint).foreach(_.pinned = true)
    of(fingerprint).nonEmpty
  }

  /** Forgets the index of these keys, and returns it, if it was there. */
  def remove(fingerprint: RelationFingerprint): Seq[CsrIndex] = synchronized {
    val gone = entries.remove(fingerprint).toSeq.flatten.flatMap(_.built)
    gone.foreach(i => spaces.forget(i.relation.id))
    gone
  }

  def clear(): Unit = synchronized {
    entries.clear()
    spaces.clear()
  }

  /** Forgets all that are built and not pinned, and returns them. */
  def forgetUnpinned(): Seq[CsrIndex] = synchronized {
    val gone = byLastUse.filter(e => !e.pinned && e.built.isDefined)
    gone.foreach(remove)
    gone.flatMap(_.built)
  }

  /** What is there now, with whether it is pinned; the one used longest ago first. */
  def list: Seq[(CsrIndex, Boolean)] = synchronized {
    forgetUnreachable()
    byLastUse.flatMap(e => e.built.map(_ -> e.pinned))
  }

  def sizeInBytes: Long = synchronized(byLastUse.flatMap(_.built).map(_.bytes).sum)

  private def of(fingerprint: RelationFingerprint): List[Entry] =
    entries.getOrElse(fingerprint, Nil)

  /** Entries with all of these columns, the ones that can be had at once first. */
  private def having(fingerprint: RelationFingerprint, columns: Set[IndexedColumn]): Seq[Entry] =
    of(fingerprint).filter(e => columns.subsetOf(e.columns)).sortBy(_.built.isEmpty)

  private def byLastUse: Seq[Entry] = entries.values.flatten.toSeq.sortBy(_.lastUse)

  private def touch(entry: Entry): Unit = {
    uses += 1
    entry.lastUse = uses
  }

  private def remove(entry: Entry): Unit = {
    entry.built.foreach(i => spaces.forget(i.relation.id))
    val others = of(entry.fingerprint).filterNot(_ eq entry)
    if (others.isEmpty) entries.remove(entry.fingerprint)
    else entries(entry.fingerprint) = others
  }

  /** Indexes that have no column that this one has not serve nobody any more. */
  private def replaceNarrower(entry: Entry): Unit =
    of(entry.fingerprint).filter { e =>
      !(e eq entry) && e.built.isDefined && e.columns.subsetOf(entry.columns)
    }.foreach { e =>
      entry.pinned ||= e.pinned
      remove(e)
    }

  private def evict(mostKept: Long, newest: Entry): Unit = {
    forgetUnreachable()
    if (!newest.pinned && newest.built.exists(_.bytes > mostKept)) remove(newest)
    byLastUse.filter(e => !e.pinned && !(e eq newest) && e.built.isDefined).foreach { e =>
      if (sizeInBytes > mostKept) remove(e)
    }
  }

  private def forgetUnreachable(): Unit =
    entries.keys.filterNot(_.isReachable).toSeq.foreach(remove)
}

object CsrIndexCache {

  private val caches = new java.util.WeakHashMap[SparkContext, CsrIndexCache]

  /** One for each application: it goes when its SparkContext does. */
  def of(context: SparkContext): CsrIndexCache = caches.synchronized {
    caches.computeIfAbsent(context, _ => new CsrIndexCache(JoinSpaceCache.of(context)))
  }
}
