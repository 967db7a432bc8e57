package io.wreath.spark

import java.nio.file.Files

import org.apache.spark.sql.execution.wreath.WreathConf

import org.scalatest.funsuite.AnyFunSuite

/** docs/configuration.md is written from [[WreathConf]]: `WREATH_GENERATE_GOLDEN=1` writes it. */
class ConfigurationDocSuite extends AnyFunSuite {

  private def document: String = {
    val rows = WreathConf.entries.map { e =>
      s"| `${e.key}` | `${e.defaultValueString}` | ${e.version} | ${e.doc} |"
    }
    val header =
      """# Configuration
        |
        |Every key may be set for the application (`spark-defaults.conf`, `--conf`) and changed in a
        |session (`SET key = value`, `spark.conf.set`). This page is generated from `WreathConf`.
        |
        || key | default | since | meaning |
        ||---|---|---|---|
        |""".stripMargin
    // Not through stripMargin: a row starts with the margin's own character.
    header + rows.mkString("", "\n", "\n")
  }

  test("docs/configuration.md lists every key as it is") {
    val file = RepositoryRoot.path.resolve("docs/configuration.md")
    if (sys.env.get("WREATH_GENERATE_GOLDEN").contains("1")) Files.writeString(file, document)
    assert(Files.exists(file) && Files.readString(file) == document)
  }

  test("keys follow the convention") {
    WreathConf.entries.foreach { e =>
      assert(e.key.matches("spark\\.wreath(\\.[a-z][A-Za-z]*)+"), e.key)
      assert(e.doc.nonEmpty && e.version.nonEmpty, e.key)
    }
  }
}
