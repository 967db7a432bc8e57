package io.wreath.spark.index

import java.lang.ref.WeakReference

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.expressions.{
  Attribute,
  SubqueryExpression,
  UserDefinedExpression
}
import org.apache.spark.sql.catalyst.plans.QueryPlan
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.execution.LogicalRDD
import org.apache.spark.sql.execution.columnar.InMemoryRelation
import org.apache.spark.sql.execution.datasources.{FileIndex, HadoopFsRelation, LogicalRelation}
import org.apache.spark.sql.execution.wreath.PythonRows

import io.wreath.spark.logical.{RowsOfDriver, SharedRows}

/**
 * What an index was built from: the plan of the relation, and for each of its leaves what tells
 * one state of the data from another. Two equal fingerprints read equal rows.
 *
 * @param plan canonicalized, its leaves replaced by [[FingerprintedLeaf]]
 * @param settings of the session that may change the rows; see [[AnswerSettings]]
 */
final case class RelationFingerprint(plan: LogicalPlan, settings: Map[String, String]) {

  /** False once data that the index was built from is gone, and nobody can ask for it again. */
  def isReachable: Boolean = plan.collectLeaves().forall {
    case FingerprintedLeaf(c: CachedData, _) => c.isReachable
    case _ => true
  }
}

/** Stands for a leaf: `state` tells one state of its data from another. */
final case class FingerprintedLeaf(state: Any, output: Seq[Attribute]) extends LeafNode {
  override protected def doCanonicalize(): LogicalPlan =
    copy(output = output.map(QueryPlan.normalizeExpressions(_, output)))
}

/**
 * A table in Spark's cache, or rows that PySpark sent. Weak, so that an index does not keep what the
 * user uncached or let go.
 */
final class CachedData(data: AnyRef) {
  private val reference = new WeakReference(data)
  private val hash = System.identityHashCode(data)

  def isReachable: Boolean = reference.get != null

  override def hashCode: Int = hash

  override def equals(other: Any): Boolean = other match {
    case that: CachedData =>
      (this eq that) || (isReachable && (that.reference.get eq reference.get))
    case _ => false
  }
}

object RelationFingerprint {

  /**
   * None where nothing says whether the data has changed (an RDD, a JDBC table, a table format of
   * its own, a query that is not deterministic): such an index serves one query only.
   *
   * @param mayWait whether to wait until time stamps of files can be trusted, seconds at most
   */
  def of(
      relation: LogicalPlan,
      session: SparkSession,
      mayWait: Boolean = false): Option[RelationFingerprint] = {
    val deterministic = relation.deterministic && !relation.exists(!isPure(_))
    val leaves = relation.collectLeaves()
    val states = leaves.map(stateOf(_, session, mayWait))
    if (!deterministic || leaves.isEmpty || states.exists(_.isEmpty)) {
      None
    } else {
      val next = states.flatten.iterator
      val replaced = relation.transformUp { case leaf: LeafNode =>
        FingerprintedLeaf(next.next(), leaf.output)
      }
      Some(RelationFingerprint(replaced.canonicalized, AnswerSettings.of(relation)))
    }
  }

  private def stateOf(
      leaf: LogicalPlan,
      session: SparkSession,
      mayWait: Boolean): Option[Any] = leaf match {
    case s: SharedRows => Some(s.rows)
    case l: LocalRelation => Some(new RowsOfDriver(l.data))
    case r: Range => Some((r.start, r.end, r.step, r.numSlices))
    case _: OneRowRelation => Some(())
    case m: InMemoryRelation => Some(new CachedData(m.cacheBuilder))
    case r: LogicalRDD if !r.isStreaming && holdsRowsOfPython(r) => Some(new CachedData(r.rdd))
    // The names too: which column of a file is read goes by its name.
    case LogicalRelation(fs: HadoopFsRelation, output, _, false, _) =>
      val state =
        if (fs.location.getClass.getName.startsWith(deltaPackage)) {
          deltaState(fs.location).map((_, fs.options))
        } else {
          FileStates.of(fs, session, mayWait)
        }
      state.map(_ -> output.map(_.name))
    case _ => None
  }

  /**
   * Operators whose rows follow from their input's rows alone. A sample also depends on how the
   * input is cut, a limit on which part comes first, and a function of the user's on anything.
   */
  private def isPure(plan: LogicalPlan): Boolean = {
    val operator = plan match {
      case _: Project | _: Filter | _: Union | _: Join | _: Aggregate => true
      case _: RepartitionOperation | _: Sort => true
      case _ => plan.children.isEmpty
    }
    operator && !plan.expressions.exists(_.exists {
      case _: UserDefinedExpression | _: SubqueryExpression => true
      case _ => false
    })
  }

  /** Rows that lie on the driver and cannot change, though Spark knows them as an RDD. */
  private def holdsRowsOfPython(leaf: LogicalRDD): Boolean = {
    val known = pythonRows.synchronized(Option(pythonRows.get(leaf.rdd)))
    known.getOrElse {
      val plain = PythonRows.batchesOf(leaf.rdd).map(_.forall {
        case batch: Array[Byte] => PlainPickle.isPlain(batch)
        case _ => false
      })
      // Where nothing like it is known yet, it may be later.
      plain.foreach(p => pythonRows.synchronized(pythonRows.put(leaf.rdd, p)))
      plain.contains(true)
    }
  }

  /** What was found once: each plan asks. */
  private val pythonRows = new java.util.WeakHashMap[RDD[_], Boolean]

  private val deltaPackage = "org.apache.spark.sql.delta."

  private def deltaState(location: FileIndex): Option[Any] =
    try DeltaState.of(location)
    catch {
      // Another Delta than the one this was compiled with.
      case _: LinkageError => None
    }
}
