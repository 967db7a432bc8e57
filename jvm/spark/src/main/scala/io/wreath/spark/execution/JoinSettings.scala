package io.wreath.spark.execution

/**
 * What a session says of how its joins are done.
 *
 * @param counting how matches are counted
 * @param technique by which candidates are found, or 'auto'
 * @param isLeapfrog whether Leapfrog Triejoin is asked for
 */
final private[execution] case class JoinSettings(
    counting: String,
    technique: String,
    isLeapfrog: Boolean)
