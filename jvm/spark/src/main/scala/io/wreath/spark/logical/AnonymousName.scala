package io.wreath.spark.logical

/** Names of vertices that the user gave none, and that parts of a pattern have in common. */
object AnonymousName {

  /** No user's variable has a space and a number sign in it unless they went looking. */
  private val Prefix = "unnamed #"

  def apply(what: String): String = s"$Prefix$what"

  def is(name: String): Boolean = name.startsWith(Prefix)
}
