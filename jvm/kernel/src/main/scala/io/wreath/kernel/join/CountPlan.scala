package io.wreath.kernel.join

/**
 * Variables of the tail that are counted together: they have the same candidates, and comparisons
 * only among themselves.
 *
 * @param level one of them, of the least level
 * @param size how many they are
 * @param dependsOn the last level that decides what their candidates are; -1 if none does
 */
final private[join] class TailGroup(
    val level: Int,
    val size: Int,
    val polynomial: OrderPolynomial,
    val dependsOn: Int)
    extends Serializable

/**
 * How a join is counted without binding all of its variables.
 *
 * The levels from `prefix` on, the tail, hang off the levels before it and not off each other. Under
 * a binding of the prefix their numbers of candidates are multiplied, and comparisons between them
 * are closed forms:
 * {{{
 *   diamond   (a)-(b), c < d both in N(a) and N(b)      C(|N(a) and N(b)|, 2) for each edge (a, b)
 *   star      (a)->(b), (a)->(c)                        out(a) * out(a)
 * }}}
 */
final private[join] class CountPlan(val prefix: Int, val groups: Array[TailGroup])
    extends Serializable {

  /** The only group, where it is all of the tail; else null. */
  val onlyGroup: TailGroup = if (groups.length == 1) groups(0) else null
}

private[join] object CountPlan {

  /** The plan with the shortest prefix of `least` levels or more; a tail of one level always works. */
  def of(state: JoinState, least: Int): CountPlan =
    (least until state.levelCount).iterator
      .flatMap(new Tail(state, _).plan)
      .nextOption()
      .getOrElse(throw new IllegalArgumentException(s"No tail is left after $least levels."))

  final private class Tail(state: JoinState, prefix: Int) {
    private val levels = state.levels
    private val tail = prefix until state.levelCount

    def plan: Option[CountPlan] =
      if (!isIndependent) None
      else {
        val (alone, compared) = components.partition(_.size == 1)
        val (plain, checked) = alone.flatten.partition(state.isCountable)
        // What has the same candidates is counted once.
        val merged = plain.groupBy(signature).values.flatMap { same =>
          if (same.size <= OrderPolynomial.MaxVariables) Seq(same) else same.map(Seq(_))
        }
        if (compared.forall(areTwins)) {
          val groups =
            (merged ++ compared ++ checked.map(Seq(_))).map(group).toArray.sortBy(_.level)
          Some(new CountPlan(prefix, groups))
        } else None
      }

    private def isIndependent: Boolean =
      tail.forall(levels(_).listLevel.forall(_ < prefix)) &&
        state.predicateLevels.forall(_.count(_ >= prefix) <= 1)

    /** Levels of the tail that comparisons hold together. */
    private def components: Seq[Seq[Int]] = {
      val linked = tail.map(t => t -> compared(t).toSet).toMap
      def grow(found: Set[Int]): Set[Int] = {
        val more = found ++ tail.filter(t => found(t) || linked(t).exists(found)) ++
          found.flatMap(linked)
        if (more == found) found else grow(more)
      }
      tail.map(t => grow(Set(t))).distinct.map(_.toSeq.sorted)
    }

    private def compared(t: Int): Seq[Int] = {
      val l = levels(t)
      (l.lowerLevel ++ l.upperLevel ++ l.notEqualLevel).filter(_ >= prefix).toSeq
    }

    /** All that decides which candidates a level has. */
    private def signature(t: Int): Any = {
      val l = levels(t)
      def before(by: Array[Int], shift: Array[Int]): Set[(Int, Int)] =
        by.zip(shift).filter(_._1 < prefix).toSet
      val d = state.domain(t)
      (
        l.listLevel.indices.map(i =>
          (l.listLevel(i), l.listRelation(i), l.listForward(i))).toSet,
        before(l.lowerLevel, l.lowerShift),
        before(l.upperLevel, l.upperShift),
        l.notEqualLevel.filter(_ < prefix).toSet,
        (d.size, d.from, d.until, Option(d.bits).map(_.toSeq)))
    }

    private def areTwins(component: Seq[Int]): Boolean =
      component.size <= OrderPolynomial.MaxVariables && component.forall(state.isCountable) &&
        component.map(signature).distinct.size == 1

    private def group(members: Seq[Int]): TailGroup =
      new TailGroup(
        members.head,
        members.size,
        OrderPolynomial.of(members.size)(holds(members, _)),
        CountPlan.dependsOn(levels(members.head), prefix, state.predicateLevels, members.head))

    private def holds(members: Seq[Int], places: IndexedSeq[Int]): Boolean =
      members.indices.forall { i =>
        val l = levels(members(i))
        def place(level: Int): Option[Int] =
          Some(members.indexOf(level)).filter(_ >= 0).map(places)
        l.lowerLevel.indices.forall(j =>
          place(l.lowerLevel(j)).forall(p => places(i) >= p + l.lowerShift(j))) &&
        l.upperLevel.indices.forall(j =>
          place(l.upperLevel(j)).forall(p => places(i) < p + l.upperShift(j))) &&
        l.notEqualLevel.forall(n => place(n).forall(_ != places(i)))
      }
  }

  private def dependsOn(
      l: JoinLevel,
      prefix: Int,
      predicates: Seq[Set[Int]],
      level: Int): Int = {
    val asked = predicates.filter(_.contains(level)).flatten
    (l.listLevel ++ l.lowerLevel ++ l.upperLevel ++ l.notEqualLevel ++ asked)
      .filter(_ < prefix)
      .maxOption
      .getOrElse(-1)
  }
}
