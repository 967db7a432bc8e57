package io.wreath.spark.index

import scala.collection.mutable

import org.apache.spark.broadcast.Broadcast
import org.apache.spark.sql.execution.wreath.Cancellation
import org.apache.spark.sql.types.{DataType, StructField, StructType}

import io.wreath.kernel.csr.{CsrGraph, TranslatedLists, Undirected}
import io.wreath.kernel.dictionary.{SortedDictionary, Translation, VertexDictionary}
import io.wreath.kernel.lists.Pieces
import io.wreath.spark.index.keys.{KeyTable, KeyUnion, LongKeyTable, VertexKeys}

/**
 * The indexes of one join, brought together: ends of one type are coded alike, whatever table they
 * are in, so that they can meet in a variable and be compared.
 *
 * {{{
 *   knows(person, person)   codes of knows --+
 *                                            +--> one code space for the type of person
 *   likes(person, post)     codes of likes --+
 *   person(key)             looked up: a vertex without an edge is in no match
 * }}}
 * An index whose own codes are the space's is used as it is, which is every index that is joined
 * with itself and with vertex tables. Others are translated once for each executor.
 *
 * Thread-safety: immutable; all but the indexes themselves is computed once for each JVM that holds
 * the object, and never travels.
 *
 * @param relations in the order of the join
 * @param types of each relation's keys: two for edges, one for vertices
 */
final class JoinSpace(
    relations: IndexedSeq[Broadcast[CsrRelation]],
    types: IndexedSeq[Seq[DataType]])
    extends Serializable {

  private val kinds: IndexedSeq[Seq[DataType]] = types.map(_.map(JoinSpace.kind))

  def relation(r: Int): CsrRelation = relations(r).value

  def relationCount: Int = relations.size

  def isEdges(r: Int): Boolean = types(r).size == 2

  private def edgeRelations: Seq[Int] = relations.indices.filter(isEdges)

  /** The key tables of the edges' ends of each type; one that several ends share counts once. */
  @transient
  private lazy val parts: Map[DataType, Vector[KeyTable]] = {
    val found = mutable.LinkedHashMap.empty[DataType, Vector[KeyTable]]
    for (r <- edgeRelations; end <- 0 to 1) {
      val table = relation(r).keyTable(end)
      val known = found.getOrElse(kinds(r)(end), Vector.empty)
      if (!known.exists(_ eq table)) found(kinds(r)(end)) = known :+ table
    }
    found.toMap
  }

  /** By type, the keys of all ends, and the translation of each part to them. */
  @transient
  private lazy val unions: Map[DataType, (KeyTable, Seq[Translation])] =
    parts.map { case (kind, tables) => kind -> KeyUnion.of(tables, Cancellation.look()) }

  /** The keys of one type, in the order of their codes here. */
  def table(tpe: DataType): KeyTable = unions(JoinSpace.kind(tpe))._1

  /** For generated code, where ids are dense: the id with code 0. */
  def leastId(tpe: DataType): Long = dictionary(tpe).decode(0)

  /** For generated code, where ids have gaps: the id of each code. */
  def ids(tpe: DataType): Array[Long] = dictionary(tpe) match {
    case sorted: SortedDictionary => sorted.idArray
    case other => throw new IllegalStateException(s"$other has no table of ids")
  }

  private def dictionary(tpe: DataType): VertexDictionary = table(tpe) match {
    case LongKeyTable(d) => d
    case other => throw new IllegalStateException(s"$other is no table of integers")
  }

  private def translation(r: Int, end: Int): Translation = {
    val kind = kinds(r)(end)
    unions(kind)._2(parts(kind).indexWhere(_ eq relation(r).keyTable(end)))
  }

  /** The values of the vertices of one type, by their codes here. */
  def keys(tpe: DataType): VertexKeys = VertexKeys(table(tpe), tpe)

  @transient
  private lazy val graphs: Map[Int, CsrGraph] = {
    val made = edgeRelations.map { r =>
      val (sources, targets) = (translation(r, 0), translation(r, 1))
      r -> TranslatedLists.of(relation(r).graph, sources, targets, Cancellation.look())
    }.toMap
    isTranslated = true
    made
  }

  /** The lists of an edge relation over the codes here; edges keep their positions. */
  def graph(r: Int): CsrGraph = graphs(r)

  // Looked at by who counts bytes, and must not wait for who makes them.
  @volatile
  @transient
  private var isTranslated = false

  @volatile
  @transient
  private var hasUndirected = false

  /** Bytes of the copies that are made of the lists of an index: over the codes here, and with edges read both ways. */
  private[index] def copiedBytes(relation: Long): Long =
    edgeRelations.filter(relations(_).id == relation).map { r =>
      val translated =
        if (!isTranslated) 0L else graph(r).bytesBeside(this.relation(r).graph)
      val both =
        if (!hasUndirected) 0L
        else Option(undirectedGraphs.get(r)).fold(0L)(_.forward.sizeInBytes)
      translated + both
    }.sum

  @transient
  private lazy val undirectedGraphs = new java.util.concurrent.ConcurrentHashMap[Int, CsrGraph]

  /** The same with edges read both ways: made from the lists of both directions, once. */
  def undirected(r: Int): CsrGraph = {
    val both =
      undirectedGraphs.computeIfAbsent(r, _ => Undirected.of(graph(r), Cancellation.look()))
    hasUndirected = true
    both
  }

  @transient
  private lazy val rowsByCode: Map[Int, Array[Int]] =
    relations.indices.filterNot(isEdges).map { r =>
      val here = table(kinds(r).head)
      val rows = Array.fill(here.size)(-1)
      val codes = relation(r).keyTable(0).codesIn(here, Cancellation.look())
      codes.indices.foreach(c => if (codes(c) >= 0) rows(codes(c)) = relation(r).rowOf(c))
      r -> rows
    }.toMap

  /** By code here, the row of a vertex relation, or -1 where the vertex is not in it. */
  def vertexRows(r: Int): Array[Int] = rowsByCode(r)

  @transient
  private lazy val complete: Map[Int, Boolean] = rowsByCode.map { case (r, rows) =>
    val lists = for {
      e <- edgeRelations
      end <- 0 to 1 if kinds(e)(end) == kinds(r).head
    } yield graph(e).direction(isForward = end == 0)
    val look = Cancellation.look()
    var code = 0
    while (code < rows.length && (rows(code) >= 0 || !lists.exists(_.degree(code) > 0))) {
      if (Pieces.isDue(code, code + 1)) look.run()
      code += 1
    }
    r -> (code == rows.length)
  }

  /** Whether a vertex relation has every vertex of its type that an edge of the join leads to. */
  def hasAllVertices(r: Int): Boolean = complete(r)
}

object JoinSpace {

  /** Types whose values are equal where Spark says so: names and nullability of fields do not count. */
  def kind(tpe: DataType): DataType = tpe match {
    case s: StructType =>
      StructType(s.fields.zipWithIndex.map { case (f, i) =>
        StructField(i.toString, kind(f.dataType))
      })
    case other => other
  }
}
