package io.wreath.spark

import java.nio.file.Files

/**
 * Plans are golden files in tests/plans: a change of plan is a change of the file, seen in review.
 *
 * `WREATH_GENERATE_GOLDEN=1` writes them anew; never edit one by hand.
 */
trait GoldenPlans extends WreathQueryTest {

  private val generate = sys.env.get("WREATH_GENERATE_GOLDEN").contains("1")

  protected def check(name: String, plan: String): Unit = {
    val file = RepositoryRoot.path.resolve(s"tests/plans/$name/explain.txt")
    if (generate) {
      Files.createDirectories(file.getParent)
      Files.writeString(file, plan)
    } else {
      assert(Files.exists(file), s"$file is missing: WREATH_GENERATE_GOLDEN=1 writes it")
      assert(plan == Files.readString(file))
    }
  }

  /** Without what differs from run to run: expression ids, plan ids, places of files. */
  protected def normalize(plan: String): String = {
    val ids = scala.collection.mutable.LinkedHashMap.empty[String, Int]
    val numbered = "#(\\d+)L?".r.replaceAllIn(
      plan,
      m => "#" + ids.getOrElseUpdate(m.group(1), ids.size + 1))
    numbered
      .replaceAll("plan_id=\\d+", "plan_id=x")
      .replaceAll("Location: .*", "Location: (files)")
      .replaceAll("Batched: .*", "Batched: x")
      .linesIterator
      .map(_.stripTrailing)
      .mkString("", "\n", "\n")
  }
}
