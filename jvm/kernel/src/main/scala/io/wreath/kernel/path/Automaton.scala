package io.wreath.kernel.path

import scala.collection.mutable
import scala.collection.mutable.ArrayBuffer

import io.wreath.kernel.path.RegularPath._

/**
 * A regular path as states: an edge of a label leads from one state to at most one other. So a walk is in one
 * state only, and whoever goes through (vertex, state) finds each walk once.
 *
 * The first state is 0. From each state that an edge leads to, some accepting one can be reached.
 */
final class Automaton private (
    val labelCount: Int,
    moves: Array[Int],
    accepting: Array[Boolean]) {

  def stateCount: Int = accepting.length

  def accepts(state: Int): Boolean = accepting(state)

  /** Where an edge leads, or -1. */
  def move(state: Int, label: Int): Int = moves(state * labelCount + label)

  /** The states from which an edge of the label leads to `state`. */
  def origins(state: Int, label: Int): Array[Int] = reverse(state * labelCount + label)

  private[this] val reverse: Array[Array[Int]] = {
    val all = Array.fill(moves.length)(new ArrayBuffer[Int])
    moves.indices.foreach { i =>
      if (moves(i) >= 0) all(moves(i) * labelCount + i % labelCount) += i / labelCount
    }
    all.map(_.toArray)
  }
}

object Automaton {

  /** Bounds of a repetition are written out, so that large ones make many states. */
  final val MaxStates = 4096

  /** @param labelCount labels are below it */
  def of(path: RegularPath, labelCount: Int): Automaton = {
    val built = new Builder
    val end = built.append(path, built.newState())
    val states = mutable.LinkedHashMap.empty[Set[Int], Int]
    val waiting = mutable.Queue.empty[Set[Int]]
    def numberOf(set: Set[Int]): Int = states.getOrElseUpdate(
      set, {
        waiting += set
        checkCount(states.size)
        states.size
      })
    numberOf(built.closure(Set(0)))
    val moves = new ArrayBuffer[Array[Int]]
    while (waiting.nonEmpty) {
      val from = waiting.dequeue()
      moves += Array.tabulate(labelCount) { label =>
        val to = from.flatMap(built.targets(_, label))
        if (to.isEmpty) -1 else numberOf(built.closure(to))
      }
    }
    trimmed(labelCount, moves.toArray, states.keysIterator.map(_.contains(end)).toArray)
  }

  /** Leaves out the states from which nothing is accepted any more, but for the first. */
  private def trimmed(
      labelCount: Int,
      moves: Array[Array[Int]],
      accepting: Array[Boolean]): Automaton = {
    val isAlive = accepting.clone()
    var changed = true
    while (changed) {
      changed = false
      moves.indices.foreach { s =>
        if (!isAlive(s) && moves(s).exists(t => t >= 0 && isAlive(t))) {
          isAlive(s) = true
          changed = true
        }
      }
    }
    val kept = moves.indices.filter(s => s == 0 || isAlive(s))
    val numbers = kept.zipWithIndex.toMap
    new Automaton(
      labelCount,
      kept.iterator
        .flatMap(s => moves(s).map(t => if (t >= 0 && isAlive(t)) numbers(t) else -1))
        .toArray,
      kept.map(accepting(_)).toArray)
  }

  private def checkCount(states: Int): Unit = if (states > MaxStates) {
    throw new IllegalArgumentException(
      s"This path needs more than $MaxStates states; smaller bounds of its repetitions need less.")
  }

  /** States with edges and with steps that take none. */
  final private class Builder {
    private[this] val free = new ArrayBuffer[ArrayBuffer[Int]]
    private[this] val byLabel = new ArrayBuffer[ArrayBuffer[(Int, Int)]]

    def newState(): Int = {
      checkCount(free.size)
      free += new ArrayBuffer
      byLabel += new ArrayBuffer
      free.size - 1
    }

    def targets(state: Int, label: Int): Iterator[Int] =
      byLabel(state).iterator.collect { case (`label`, to) => to }

    def closure(states: Set[Int]): Set[Int] = {
      val all = mutable.Set.from(states)
      val waiting = mutable.Stack.from(states)
      while (waiting.nonEmpty) free(waiting.pop()).foreach(s => if (all.add(s)) waiting.push(s))
      all.toSet
    }

    /** Adds what a path takes after `from`; the state that it ends in. */
    def append(path: RegularPath, from: Int): Int = path match {
      case Step(label) =>
        val to = newState()
        byLabel(from) += label -> to
        to
      case Sequence(parts @ _*) => parts.foldLeft(from)((state, part) => append(part, state))
      case Choice(parts @ _*) =>
        val end = newState()
        parts.foreach(part => free(append(part, after(from))) += end)
        end
      case Repeat(part, times) =>
        val least = (0 until times.least).foldLeft(from)((state, _) => append(part, state))
        if (times.most == Hops.Unbounded) {
          val loop = after(least)
          free(append(part, loop)) += loop
          loop
        } else {
          val end = after(least)
          (times.least until times.most).foldLeft(least) { (state, _) =>
            val next = append(part, after(state))
            free(next) += end
            next
          }
          end
        }
    }

    private def after(state: Int): Int = {
      val next = newState()
      free(state) += next
      next
    }
  }
}
