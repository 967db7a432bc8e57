package io.wreath.spark.index

import java.lang.ref.SoftReference

import scala.collection.mutable

import org.apache.spark.SparkContext
import org.apache.spark.broadcast.Broadcast

/**
 * The spaces of recent joins, so that the next query over the same indexes finds its translations
 * made. Kept softly: they can be made again, and go before memory runs out. The copies that they have of an
 * index' lists are counted with it ([[CsrIndexCache]]).
 *
 * Thread-safety: all methods may be called by many threads.
 */
final class JoinSpaces {

  // By the broadcasts of the indexes; the one that was used longest ago comes first.
  private val entries =
    mutable.LinkedHashMap.empty[Seq[Long], SoftReference[Broadcast[JoinSpace]]]

  private[index] def getOrMake(key: Seq[Long])(
      make: => Broadcast[JoinSpace]): Broadcast[JoinSpace] = synchronized {
    val space = entries.remove(key).flatMap(r => Option(r.get)).getOrElse(make)
    entries(key) = new SoftReference(space)
    if (entries.size > JoinSpaces.Most) entries.remove(entries.head._1)
    space
  }

  /** Bytes of the copies of an index' lists that are kept. */
  private[index] def bytesBeside(relation: Long): Long = synchronized {
    entries.iterator.collect {
      case (key, space) if key.contains(relation) =>
        Option(space.get).fold(0L)(_.value.copiedBytes(relation))
    }.sum
  }

  /** Forgets those that an index is part of. */
  private[index] def forget(relation: Long): Unit = synchronized {
    entries.keys.filter(_.contains(relation)).toSeq.foreach(entries.remove)
  }

  private[index] def clear(): Unit = synchronized(entries.clear())
}

private object JoinSpaces {
  private val Most = 16
}

object JoinSpaceCache {

  private val spaces = new java.util.WeakHashMap[SparkContext, JoinSpaces]

  private[index] def of(context: SparkContext): JoinSpaces =
    spaces.synchronized(spaces.computeIfAbsent(context, _ => new JoinSpaces))

  /** Forgets them all: while a space is here, its indexes are in memory. */
  def clear(context: SparkContext): Unit = of(context).clear()

  /**
   * The space itself where nothing has to be computed to use it, so that it may travel with every
   * task; else a broadcast of it.
   *
   * @param computes whether something is computed even from a single index
   */
  def get(
      context: SparkContext,
      relations: IndexedSeq[Broadcast[CsrRelation]],
      modes: IndexedSeq[CsrBroadcastMode],
      computes: Boolean): Either[JoinSpace, Broadcast[JoinSpace]] = {
    val space = new JoinSpace(relations, modes.map(_.keyTypes))
    if (relations.size == 1 && !computes) Left(space)
    else Right(of(context).getOrMake(relations.map(_.id))(context.broadcast(space)))
  }
}
