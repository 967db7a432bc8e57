package io.wreath.spark.parser

import scala.collection.mutable

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.trees.Origin

import io.wreath.kernel.path.PathMode
import io.wreath.spark.WreathErrors
import io.wreath.spark.logical._

/**
 * Parses the paths of a pattern:
 * {{{
 * path        [name =] [prefix] [mode] [PATH | PATHS] vertex { step vertex }
 * prefix      ANY [k] | ANY SHORTEST | ALL SHORTEST | SHORTEST k [GROUPS] | ANY CHEAPEST | CHEAPEST k | ALL
 * mode        WALK | TRAIL | ACYCLIC | SIMPLE
 * step        edge [quantifier] | ( vertex { step vertex } [WHERE expression] ) quantifier
 * quantifier  {n} | {n,m} | {,m} | {n,} | * | + | ?
 * }}}
 * Beside an edge in brackets and beside a sub-path, a vertex may be left out. Syntax that is not there yet is
 * recognised and refused by its name.
 *
 * @param refusals what is there in the language and not here, as it is found
 */
abstract private[parser] class PathParser(
    sql: SqlTokens,
    first: Int,
    last: Int,
    parseExpression: String => Expression,
    refusals: Refusals)
    extends ElementParser(sql, first, last, parseExpression, refusals) {

  import PathParser._

  /** @param place how many paths stand before it */
  protected def path(place: Int): ParsedPath = {
    val start = peek
    val name = pathName()
    val prefix = selector().map(asGroups)
    val mode = pathMode()
    val chosen = prefix.map(asGroups)
    val (vertices, steps) = verticesAndSteps()
    val all = chosen.getOrElse(PathSelector.All)
    val isWalk = mode.forall(_ == PathMode.Walk)
    if (all == PathSelector.All && isWalk) steps.foreach(refuseUnbounded)
    val isSearch = name.isDefined || chosen.isDefined || !isWalk || steps.exists {
      case EdgeStep(edge, times, _) => edge.cost.isDefined || times.exists(_.most.isEmpty)
      case _ => false
    }
    if (isSearch && steps.nonEmpty) {
      val search = SearchedPath(
        name,
        all,
        mode.getOrElse(PathMode.Walk),
        vertices.head,
        bodyOf(vertices.tail.init, steps),
        vertices.last,
        place,
        sql.origin(start, previous))
      new ParsedPath(Nil, Seq(search))
    } else {
      if (isSearch) {
        refuse(
          "a path of one vertex with a name, a prefix or a mode",
          "Write the vertex alone.",
          sql.origin(start, previous))
      }
      parts(vertices, steps, place)
    }
  }

  /** Of a walk only the sub-paths are searched for: what lies between is joined. */
  private def parts(
      vertices: Seq[VertexPattern],
      steps: Seq[PathStep],
      place: Int): ParsedPath =
    if (!steps.exists(_.isInstanceOf[SubPathStep])) {
      val edges = steps.collect { case step: EdgeStep => quantified(step) }
      new ParsedPath(Seq(PathPattern(vertices, edges)), Nil)
    } else {
      // A vertex that two parts have in common needs a name.
      val named = vertices.zipWithIndex.map { case (v, i) =>
        v.copy(name = v.name.orElse(Some(AnonymousName(s"vertex $i before token $next"))))
      }
      def isJoined(i: Int): Boolean =
        Seq(i - 1, i).flatMap(steps.lift).exists(_.isInstanceOf[EdgeStep])
      val joined = mutable.ArrayBuffer.empty[PathPattern]
      val searches = mutable.ArrayBuffer.empty[SearchedPath]
      def again(i: Int): VertexPattern = named(i).copy(label = None, where = None)
      steps.zipWithIndex.foreach {
        case (step: EdgeStep, i) =>
          val before =
            if (i > 0 && steps(i - 1).isInstanceOf[EdgeStep]) joined.remove(joined.size - 1)
            else PathPattern(Seq(named(i)), Nil)
          joined += PathPattern(
            before.vertices :+ named(i + 1),
            before.edges :+ quantified(step))
        case (SubPathStep(body, _), i) =>
          searches += SearchedPath(
            None,
            PathSelector.All,
            PathMode.Walk,
            if (i > 0) again(i) else named(i),
            body,
            if (isJoined(i + 1)) again(i + 1) else named(i + 1),
            place,
            body.origin)
      }
      new ParsedPath(joined.toSeq, searches.toSeq)
    }

  /** An edge of a path that is joined. */
  private def quantified(step: EdgeStep): EdgePattern =
    step.edge.copy(quantifier = for {
      times <- step.times
      most <- times.most
    } yield {
      if (most > PathParser.LongestPath) {
        refuse(
          s"a quantifier of more than ${PathParser.LongestPath} edges",
          "Give it a smaller bound, or name the path: p = ….",
          times.at)
      }
      Quantifier(times.least, most)
    })

  /** @param inner the vertices between the steps */
  private def bodyOf(inner: Seq[VertexPattern], steps: Seq[PathStep]): PathBody = {
    val parts = steps.map {
      case EdgeStep(edge, None, _) => PathBody.Edge(edge)
      case EdgeStep(edge, Some(times), _) =>
        PathBody.Repeat(PathBody.Edge(edge), times.least, times.most, None, edge.origin)
      case SubPathStep(body, _) => body
    }
    val between = inner.map(v => if (isPlain(v)) Nil else Seq(PathBody.Vertex(v))) :+ Nil
    parts.zip(between).flatMap { case (part, vertex) => part +: vertex } match {
      case Seq(single) => single
      case several => PathBody.Sequence(several)
    }
  }

  private def isPlain(v: VertexPattern): Boolean =
    v.name.isEmpty && v.label.isEmpty && v.where.isEmpty

  private def pathName(): Option[String] =
    if (!atEnd && sql.name(peek).isDefined && isAt(1, "=")) {
      next += 2
      sql.name(sql.tokens(next - 2))
    } else None

  private def selector(): Option[PathSelector] =
    if (accept("ANY")) {
      if (accept("SHORTEST")) Some(PathSelector.Shortest(1))
      else if (accept("CHEAPEST")) Some(PathSelector.Cheapest(1))
      else Some(PathSelector.Shortest(count().getOrElse(1)))
    } else if (accept("ALL")) {
      if (accept("CHEAPEST")) {
        next -= 1
        refuse("ALL CHEAPEST", "Write CHEAPEST and how many: CHEAPEST 3.")
        next += 1
      }
      Some(if (accept("SHORTEST")) PathSelector.ShortestGroups(1) else PathSelector.All)
    } else if (accept("SHORTEST")) {
      val k = count()
      if (k.isEmpty && !is("GROUP") && !is("GROUPS")) {
        fail("SHORTEST is followed by a number; of one write ANY SHORTEST, of all ALL SHORTEST")
      }
      Some(PathSelector.Shortest(k.getOrElse(1)))
    } else if (accept("CHEAPEST")) {
      val k = count()
      if (k.isEmpty) fail("CHEAPEST is followed by a number; of one write ANY CHEAPEST")
      k.map(PathSelector.Cheapest(_))
    } else None

  private def count(): Option[Int] = {
    val found = number()
    if (found.contains(0)) {
      next -= 1
      fail("how many paths are wanted is a number above 0")
    }
    found
  }

  private def pathMode(): Option[PathMode] = {
    val found = Modes.collectFirst { case (word, mode) if accept(word) => mode }
    if (!accept("PATHS")) accept("PATH")
    found
  }

  private def asGroups(selector: PathSelector): PathSelector = selector match {
    case PathSelector.Shortest(k) if accept("GROUPS") || accept("GROUP") =>
      PathSelector.ShortestGroups(k)
    case other => other
  }

  private def verticesAndSteps(): (Seq[VertexPattern], Seq[PathStep]) = {
    val vertices = mutable.ArrayBuffer(place(None))
    val steps = mutable.ArrayBuffer.empty[PathStep]
    while (startsEdge || startsSubPath) {
      steps += (if (startsEdge) edgeStep() else subPath())
      vertices += place(steps.lastOption)
    }
    (vertices.toSeq, steps.toSeq)
  }

  /** The vertex that stands here, or the one that is left out. */
  private def place(before: Option[PathStep]): VertexPattern = {
    val mayBeLeftOut = startsSubPath || startsLongEdge || before.exists(_.isLong)
    if (mayBeLeftOut && (startsSubPath || atEnd || !is("("))) {
      VertexPattern(None, None, None, sql.origin(if (next > 0) previous else peek))
    } else vertex()
  }

  private def startsEdge: Boolean =
    !atEnd && Seq("-", "->", "<", "<-", "~", "<~").exists(is)

  private def startsLongEdge: Boolean =
    !atEnd && ((is("-") && isAt(1, "[")) || (is("<") && isAt(1, "-") && isAt(2, "[")))

  private def startsSubPath: Boolean =
    !atEnd && is("(") && (isAt(1, "(") || isAt(1, "-") || isAt(1, "<") || isAt(1, "->"))

  private def edgeStep(): EdgeStep = {
    val isLong = startsLongEdge
    EdgeStep(edge(), times(), isLong)
  }

  private def subPath(): SubPathStep = {
    val start = peek
    expect("(", "a sub-path is written ( … )")
    val (vertices, steps) = verticesAndSteps()
    val where = if (accept("WHERE")) Some(expression(skipTo(")"), "a condition")) else None
    expect(")", "the sub-path is closed by ')'")
    val found = times()
    val at = sql.origin(start, previous)
    if (found.isEmpty || steps.isEmpty) {
      refuse(
        if (steps.isEmpty) "a parenthesised sub-path of one vertex"
        else "a parenthesised sub-path without a quantifier",
        "Leave its parentheses out.",
        at)
    }
    val ends = Seq(vertices.head, vertices.last).map { v =>
      if (isPlain(v) || steps.isEmpty) Nil else Seq(PathBody.Vertex(v))
    }
    val inside =
      if (steps.isEmpty) PathBody.Vertex(vertices.head)
      else {
        bodyOf(vertices.drop(1).dropRight(1), steps) match {
          case PathBody.Sequence(parts) => PathBody.Sequence(ends(0) ++ parts ++ ends(1))
          case single if ends.flatten.isEmpty => single
          case single => PathBody.Sequence((ends(0) :+ single) ++ ends(1))
        }
      }
    val how = found.getOrElse(Times(1, Some(1), at, ""))
    SubPathStep(
      PathBody.Repeat(inside, how.least, how.most, where, at),
      steps.flatMap(_.unbounded) ++ Some(how).filter(_.most.isEmpty))
  }

  private def refuseUnbounded(step: PathStep): Unit = step.unbounded.foreach { times =>
    refusals.add(
      times.at,
      s"the quantifier ${times.text}",
      "Give a path an upper bound, such as {1,5}, a search prefix, such as ANY SHORTEST, " +
        "or a mode: TRAIL, ACYCLIC or SIMPLE.",
      Some(WreathErrors.unboundedQuantifier(times.at, times.text)))
  }

  private def times(): Option[Times] =
    if (atEnd) None
    else if (accept("*")) Some(Times(0, None, sql.origin(previous), "*"))
    else if (accept("+")) Some(Times(1, None, sql.origin(previous), "+"))
    else if (accept("?")) Some(Times(0, Some(1), sql.origin(previous), "?"))
    else if (accept("{")) {
      val open = previous
      val least = number()
      val most = if (accept(",")) number() else least
      expect("}", "a quantifier is written {n}, {n,m}, {n,} or {,m}")
      val at = sql.origin(open, previous)
      val text = sql.slice(open.getStartIndex, previous.getStopIndex + 1)
      if (least.isEmpty && most.isEmpty) {
        throw WreathErrors.syntax(at, text, "a quantifier needs a number")
      }
      if (most.exists(_ < least.getOrElse(0))) {
        throw WreathErrors.syntax(at, text, "the least number of edges comes first")
      }
      Some(Times(least.getOrElse(0), most, at, text))
    } else None

  private def number(): Option[Int] = {
    val text = sql.textOf(peek)
    if (atEnd || !text.forall(Character.isDigit)) None
    else {
      next += 1
      Some(if (text.length > 9) Int.MaxValue else text.toInt)
    }
  }
}

private[parser] object PathParser {

  /** A path is written out as joins; beyond this Spark's planning would take too long. */
  val LongestPath = 32

  private val Modes = Seq(
    "WALK" -> PathMode.Walk,
    "TRAIL" -> PathMode.Trail,
    "ACYCLIC" -> PathMode.Acyclic,
    "SIMPLE" -> PathMode.Simple)

  /** What one path of the text is: paths that are joined, and paths that are searched for. */
  final private[parser] class ParsedPath(
      val joined: Seq[PathPattern],
      val searches: Seq[SearchedPath])

  final private case class Times(least: Int, most: Option[Int], at: Origin, text: String)

  /** What stands between two vertices. */
  sealed private trait PathStep {

    /** Whether the vertices beside it may be left out. */
    def isLong: Boolean

    /** The quantifiers in it that have no upper bound. */
    def unbounded: Seq[Times]
  }

  final private case class EdgeStep(edge: EdgePattern, times: Option[Times], isLong: Boolean)
      extends PathStep {
    override def unbounded: Seq[Times] = times.filter(_.most.isEmpty).toSeq
  }

  final private case class SubPathStep(body: PathBody.Repeat, unbounded: Seq[Times])
      extends PathStep {
    override def isLong: Boolean = true
  }
}
