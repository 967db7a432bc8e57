package io.wreath.kernel.path

/**
 * What a label of a regular path means.
 *
 * @param relation edges of two labels are the same edge only if these numbers are the same
 */
final case class RouteEdge(steps: Steps, relation: Int, way: Way)

/** A regular path over the edges of a graph: what searches through (vertex, state) follow. */
final class Route private (path: RegularPath, edges: IndexedSeq[RouteEdge]) {

  val automaton: Automaton = Automaton.of(path, edges.size)

  val vertexCount: Int = edges.head.steps.vertexCount

  if (edges.exists(_.steps.vertexCount != vertexCount)) {
    throw new IllegalArgumentException("The edges of a path lead between vertices of one kind.")
  }

  if (pairCount > Int.MaxValue - 8) {
    throw new ArithmeticException(
      s"$vertexCount vertices in ${automaton.stateCount} states are more than an array can hold.")
  }

  def labelCount: Int = edges.size

  def steps(label: Int): Steps = edges(label).steps

  def edge(label: Int): RouteEdge = edges(label)

  /** Vertices times states. */
  def pairCount: Long = vertexCount.toLong * automaton.stateCount

  /** The number of a vertex in a state. */
  private[path] def pair(v: Int, state: Int): Int = state * vertexCount + v

  /** The same paths, followed from their ends. */
  def reversed: Route = {
    val turned = edges.map { e =>
      val way = e.way match {
        case Way.Forward => Way.Backward
        case Way.Backward => Way.Forward
        case Way.Both => Way.Both
      }
      RouteEdge(e.steps.reversed, e.relation, way)
    }
    new Route(path.reversed, turned)
  }
}

object Route {

  /** @param edges by label; at least one */
  def apply(path: RegularPath, edges: RouteEdge*): Route = new Route(path, edges.toIndexedSeq)
}
