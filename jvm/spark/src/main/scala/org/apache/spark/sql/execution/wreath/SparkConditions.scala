package org.apache.spark.sql.execution.wreath

import org.apache.spark.{ErrorClassesJsonReader, SparkThrowableHelper}

/**
 * Our error conditions among Spark's own.
 *
 * PySpark asks Spark for the text of an error by the name of its condition: in `getMessage()`, and for
 * every error that has a place in a query. Spark reads one file of conditions and has no way to add
 * to them; what is not in there fails with an internal error, which the user would see instead.
 */
object SparkConditions {

  /** False where this Spark keeps its conditions in another way, and does not know them now. */
  def add(ours: ErrorClassesJsonReader): Boolean =
    try {
      val theirs = SparkThrowableHelper.errorReader
      val field = classOf[ErrorClassesJsonReader].getDeclaredField("errorInfoMap")
      field.setAccessible(true)
      field.set(theirs, theirs.errorInfoMap ++ ours.errorInfoMap)
      ours.errorInfoMap.keys.forall(SparkThrowableHelper.isValidErrorClass)
    } catch {
      case _: ReflectiveOperationException | _: java.lang.reflect.InaccessibleObjectException =>
        false
    }
}
