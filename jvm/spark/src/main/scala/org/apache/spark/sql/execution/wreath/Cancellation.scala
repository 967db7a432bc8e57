package org.apache.spark.sql.execution.wreath

import org.apache.spark.sql.execution.SQLExecution
import org.apache.spark.{SparkContext, TaskContext}

/**
 * Lets long loops end where nobody waits for them any more.
 *
 * A task knows by its context that it was killed. What the driver does between jobs is in no job, so that
 * cancelling jobs, by group or tag, does not reach it, as it does not reach Spark's own broadcasts. It
 * ends when its thread is interrupted, as AQE does with the thread that builds an index and a stream
 * with its own when it is stopped, and when its query has ended, whatever ended it.
 */
object Cancellation {

  /** How many rows are gone through between two looks, about a tenth of a millisecond. */
  private val Rows = 1024

  /**
   * Throws if what the current thread does now has been cancelled since. It may be asked from any
   * thread, but is of the one that makes it.
   */
  def look(): Runnable = {
    val context = TaskContext.get()
    if (context != null) () => context.killTaskIfInterrupted() else ofDriver()
  }

  private def ofDriver(): Runnable = {
    val caller = Thread.currentThread
    val execution = SparkContext.getActive
      .flatMap(c => Option(c.getLocalProperty(SQLExecution.EXECUTION_ID_KEY)))
      .map(_.toLong)
      .filter(SQLExecution.getQueryExecution(_) != null)
    () => {
      if (caller.isInterrupted) throw new InterruptedException("the query was cancelled")
      if (execution.exists(SQLExecution.getQueryExecution(_) == null)) {
        throw new InterruptedException("the query has ended")
      }
    }
  }

  /** The same rows, with a look once in a while. */
  def looking[T](rows: Iterator[T]): Iterator[T] = {
    val look = this.look()
    new Iterator[T] {
      private var passed = 0

      override def hasNext: Boolean = rows.hasNext

      override def next(): T = {
        passed += 1
        if (passed % Rows == 0) look.run()
        rows.next()
      }
    }
  }
}
