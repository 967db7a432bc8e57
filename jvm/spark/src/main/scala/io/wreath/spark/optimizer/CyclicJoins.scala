package io.wreath.spark.optimizer

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.execution.datasources.LogicalRelation

import io.wreath.spark.index.keys.VertexKeys
import io.wreath.spark.logical._

/**
 * Joins that were not written as a pattern, of which a part is one all the same: a table that is joined by
 * two columns is an edge, and columns that are equal are a vertex.
 * {{{
 *   Join (x.src = z.src AND y.dst = z.dst)     MatchEdge (x.src)->(x.dst)   over the bare e
 *   :- Join (x.dst = y.src)                    MatchEdge (x.dst)->(y.dst)
 *   :  :- x: e                          ==>    MatchEdge (x.src)->(y.dst)
 *   :  +- y: e                                 with the tables' filters above them
 *   +- z: e
 * }}}
 * Only what [[CyclicCore]] leaves takes part, and tables that have two columns in it beside; others of the tree
 * are joined to it as before.
 *
 * @param tree as Spark has it
 * @param wishes what hints ask for
 */
final private[optimizer] class CyclicJoins private (tree: JoinTree, wishes: Seq[JoinsWish]) {

  private val leaves: IndexedSeq[PeeledLeaf] =
    tree.leaves.toIndexedSeq.map(l =>
      PeeledLeaf.of(JoinsWish.removed(l))(CyclicJoins.isHarmless))

  private val graph = new JoinGraph(
    leaves,
    JoinGraph.pairs(tree.conditions).filter { case (a, b) =>
      a.dataType == b.dataType && VertexKeys.isSupported(a.dataType)
    })

  private val core: Set[Int] = CyclicCore.ofEdges(graph.tables, leaves.indices.toSet)

  private val coreVariables: Set[Int] = {
    val inCore = core.toSeq.flatMap(graph.tables)
    inCore.filter(v => inCore.count(_ == v) > 1).toSet
  }

  /** The core, and what hangs on it by two of its variables: these intersect as the others do. */
  private val edges: Seq[Int] =
    leaves.indices.filter(i => variablesOf(i).size == 2)

  private def variablesOf(leaf: Int): Set[Int] = graph.tables(leaf).intersect(coreVariables)

  /** Whether they would be cyclic if all columns could be keys. */
  private def isCyclic: Boolean =
    core.nonEmpty ||
      CyclicCore.of(new JoinGraph(
        leaves,
        JoinGraph.pairsBelowCasts(tree.conditions)).tables).nonEmpty

  /** Whether a hint asks to leave them alone. */
  def isUnwanted: Boolean = wishes.exists(!_.isWanted)

  /** Why the core is no pattern, or not to be one. */
  def reasonAgainst: Option[String] = {
    val tables = edges.map(leaves(_).base)
    if (edges.isEmpty) {
      Some("tables in a cycle are joined by three or more columns, by columns of unlike types, or by " +
        "floating-point numbers or collated strings")
    } else if (!tables.forall(!_.exists(p => !p.expressions.forall(CyclicJoins.isHarmless)))) {
      Some("a table in a cycle is read through an expression that may raise an error")
    } else if (!tree.conditions.forall(CyclicJoins.isHarmless) && isPartial) {
      Some("a condition between tables may raise an error, and not all of them are in a cycle")
    } else if (JoinDecision.isForced || wishes.nonEmpty) {
      None
    } else {
      CyclicJoinCost.reasonAgainst(leaves, graph, edges)
    }
  }

  /** Whether something is joined to the pattern, so that not all of its rows are rows of the tree. */
  private def isPartial: Boolean = edges.size < leaves.size || components.size > 1

  /** Edges that share variables, however far. */
  private lazy val components: Seq[Seq[Int]] =
    edges.foldLeft(Seq.empty[Seq[Int]]) { (found, edge) =>
      val (touched, apart) =
        found.partition(_.exists(e => variablesOf(e).intersect(variablesOf(edge)).nonEmpty))
      apart :+ (touched.flatten :+ edge)
    }

  /** The tree with elements of patterns for leaves of the core. */
  lazy val marked: JoinTree = {
    val ids = components.flatMap { c =>
      val id = MatchMark.newMatchId()
      c.map(_ -> id)
    }.toMap
    JoinTree(
      tree.leaves.zipWithIndex.map { case (leaf, i) =>
        ids.get(i).fold(leaf)(element(leaf, i, _))
      },
      conditions)
  }

  /** Of each variable of an edge, the first of its columns in the leaf's table. */
  private def endsOf(leaf: Int): Seq[(Attribute, Int)] =
    leaves(leaf).base.output
      .flatMap(c => graph.variable(leaf, c).filter(variablesOf(leaf).contains).map(c -> _))
      .distinctBy(_._2)

  /** The table under names of its own: parts of one plan may be read by the same. */
  private def element(leaf: LogicalPlan, i: Int, matchId: Long): LogicalPlan = {
    val peeled = leaves(i)
    val ends = endsOf(i)
    val table = peeled.base.output.map(c => Alias(c, c.name)())
    val own = AttributeMap(peeled.base.output.zip(table.map(_.toAttribute)))
    val edge = MatchEdge(
      MatchMark(
        matchId,
        ends.map { case (_, v) => names(v) },
        MatchHints(),
        said = CyclicJoins.nameOf(peeled.base),
        isAsked = false),
      own(ends.head._1),
      own(ends.last._1),
      isUndirected = false,
      row = None,
      Project(table, peeled.base))
    val conditions = peeled.conditions.map(_.transform { case a: Attribute => own(a) })
    val filtered = Conjunction.of(conditions).map(Filter(_, edge)).getOrElse(edge)
    Project(
      leaf.output.map(c => Alias(own(peeled.columns(c)), c.name)(exprId = c.exprId)),
      filtered)
  }

  /** What each variable is called: a column of it, by its table's alias where that is known. */
  private lazy val names: Map[Int, String] = {
    val written = graph.equal.flatMap { case (a, b) => Seq(a, b) }
    written.groupBy(a => graph.variable(a)).collect { case (Some(v), columns) =>
      val column = columns.find(_.qualifier.nonEmpty).getOrElse(columns.head)
      v -> (column.qualifier.lastOption.toSeq :+ column.name).mkString(".")
    }
  }

  /**
   * What is equal to a variable of the pattern is said of one of its ends: by way of a table beside the
   * pattern, nobody could tell.
   */
  private def conditions: Seq[Expression] = {
    val columns = AttributeSet(tree.leaves.flatMap(_.output)).toSeq
    val ends = AttributeSet(edges.flatMap { i =>
      val own = endsOf(i).map(_._1.exprId).toSet
      tree.leaves(i).output.filter(c => own(leaves(i).columns(c).exprId))
    })
    val others = tree.conditions.filter {
      case EqualTo(a: Attribute, b: Attribute) =>
        !graph.variable(a).exists(v => coreVariables(v) && graph.variable(b).contains(v))
      case _ => true
    }
    others ++ columns
      .groupBy(c => graph.variable(c))
      .toSeq
      .collect { case (Some(v), all) if coreVariables(v) => v -> all }
      .sortBy(_._1)
      .flatMap { case (_, all) =>
        val end = all.find(ends.contains).get
        all.filterNot(_.exprId == end.exprId).map(EqualTo(end, _))
      }
  }
}

private[optimizer] object CyclicJoins {

  /** Joins of which a part is cyclic. */
  def unapply(tree: JoinTree): Option[CyclicJoins] =
    if (tree.leaves.size < 3 || tree.tests.nonEmpty || !isPlain(tree)) None
    else {
      val wishes =
        (JoinsWish.among(tree.conditions) ++ tree.leaves.flatMap(l => JoinsWish.in(l))).distinct
      val conditions = tree.conditions.filterNot(_.isInstanceOf[JoinsWish])
      Some(new CyclicJoins(tree.copy(conditions = conditions), wishes))
        .filter(_.isCyclic)
    }

  /** What Spark itself must not reorder, we do not look at. */
  private def isPlain(tree: JoinTree): Boolean =
    tree.conditions.forall(_.deterministic) &&
      tree.leaves.forall(l => !l.isStreaming && l.deterministic)

  /** Whether an expression may be asked of any row, by whom and when it suits. */
  private def isHarmless(e: Expression): Boolean = e match {
    case Alias(child, _) => isHarmless(child)
    case other => other.deterministic && NeverRaises(other)
  }

  private def nameOf(table: LogicalPlan): String =
    table.collectLeaves().map {
      case LogicalRelation(_, _, Some(named), _, _) => named.identifier.unquotedString
      case other => other.nodeName
    }.distinct.mkString(", ")
}
