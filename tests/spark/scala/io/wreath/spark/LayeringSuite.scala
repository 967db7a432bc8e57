package io.wreath.spark

import java.nio.file.{Files, Path, Paths}

import scala.jdk.CollectionConverters._

import org.scalatest.funsuite.AnyFunSuite

/** Holds the arrows of docs/ARCHITECTURE.md: a package imports from its own row or below. */
class LayeringSuite extends AnyFunSuite {

  private val root = RepositoryRoot.path

  /** Row of each package below io.wreath.spark; leaves may be imported by all. */
  private val rows = Map(
    "api" -> 5,
    "parser" -> 5,
    "commands" -> 5,
    "analysis" -> 4,
    "optimizer" -> 4,
    "planning" -> 3,
    "execution" -> 2,
    "index" -> 2,
    "streaming" -> 2,
    "catalog" -> 2,
    "logical" -> 0)

  /** Row of each package of the kernel: no two of one row know each other. */
  private val kernelRows = Map(
    "io.wreath.kernel.delta" -> 7,
    "io.wreath.kernel.partition" -> 6,
    "io.wreath.kernel.count" -> 6,
    "io.wreath.kernel.join" -> 5,
    "io.wreath.kernel.path" -> 4,
    "io.wreath.pattern" -> 4,
    "io.wreath.kernel.csr" -> 3,
    "io.wreath.kernel.intersect" -> 2,
    "io.wreath.kernel.trie" -> 1,
    "io.wreath.kernel.dictionary" -> 1,
    "io.wreath.kernel.lists" -> 0)

  /** What the analysis of one kind of thing may know of another. */
  private val analysisRows =
    Map("desugaring" -> 2, "graphs" -> 1, "streams" -> 1, "patterns" -> 0)

  private def sources(folder: String): Seq[Path] = {
    val stream = Files.walk(root.resolve(folder))
    try stream.iterator().asScala.filter(_.toString.endsWith(".scala")).toList
    finally stream.close()
  }

  private def imports(file: Path): Seq[String] =
    Files.readAllLines(file).asScala.toSeq.map(_.trim).collect {
      case line if line.startsWith("import ") => line.stripPrefix("import ")
    }

  test("a package imports from its own row or below") {
    val files = sources("jvm/spark/src/main/scala/io/wreath/spark")
    assert(files.size > 20)
    val wrong = for {
      file <- files
      here <- room(file).toSeq if rows.contains(here)
      imported <- imports(file)
      there <-
        """io\.wreath\.spark\.([a-z]+)\.""".r.findFirstMatchIn(imported).map(_.group(1)).toSeq
      if rows(there) > rows(here)
    } yield s"$file imports $imported"
    assert(wrong.isEmpty)
  }

  /** The package below io.wreath.spark that a file is in, whichever part of it. */
  private def room(file: Path): Option[String] =
    """^package io\.wreath\.spark\.([a-z]+)""".r.findFirstMatchIn(Files.readString(file)).map(
      _.group(1))

  test("a package of the kernel imports from below") {
    val files = sources("jvm/kernel/src/main/scala")
    def packageOf(name: String): String = name.split('.').takeWhile(_.head.isLower).mkString(".")
    val wrong = for {
      file <- files
      here = packageOf(Files.readString(file).linesIterator.next().stripPrefix("package ") + ".X")
      imported <- imports(file) if imported.startsWith("io.wreath")
      there = packageOf(imported) if there != here
      if kernelRows(there) >= kernelRows(here)
    } yield s"$file imports $imported"
    assert(wrong.isEmpty)
  }

  test("a part of the analysis imports from below") {
    val wrong = for {
      file <- sources("jvm/spark/src/main/scala/io/wreath/spark/analysis")
      here = file.getParent.getFileName.toString
      imported <- imports(file)
      there <-
        """io\.wreath\.spark\.analysis\.([a-z]+)""".r.findFirstMatchIn(imported).map(_.group(1))
      if there != here && analysisRows(there) >= analysisRows(here)
    } yield s"$file imports $imported"
    assert(wrong.isEmpty)
  }

  test("the bridge to what is private to Spark knows nothing of streams, plans and rules") {
    val bridge = sources("jvm/spark/src/main/scala/org/apache/spark/sql/execution/wreath")
    assert(bridge.size > 5)
    val allowed = Seq("io.wreath.kernel", "io.wreath.spark.index", "io.wreath.spark.logical")
    val wrong = for {
      file <- bridge
      imported <- imports(file)
      if imported.matches("""io\.wreath\..*\.[a-z]+\..*""") && !allowed.exists(
        imported.startsWith)
      if !imported.matches("""io\.wreath\.spark\.(\{.*|[A-Z].*)""")
    } yield s"$file imports $imported"
    assert(wrong.isEmpty)
  }

  test("a join knows relations, and not what they are made of") {
    val rooms = Seq("kernel/join", "kernel/partition", "kernel/intersect", "pattern")
      .map(r => s"jvm/kernel/src/main/scala/io/wreath/$r") :+
      "jvm/spark/src/main/scala/io/wreath/spark/execution"
    // By which relations it can be counted by elimination.
    val known = Set("CountingChoice.scala")
    val wrong = for {
      file <- rooms.flatMap(sources) if !known(file.getFileName.toString)
      if """\b(CsrGraph|Csr|VersionedGraph|GraphPart)\b""".r.findFirstIn(
        code(Files.readString(file))).isDefined
    } yield file
    assert(wrong.isEmpty)
  }

  /** A source without its comments. */
  private def code(source: String): String =
    source.linesIterator.map(_.replaceFirst("^\\s*(/?\\*|//).*", "")).mkString("\n")

  test("the kernel knows nothing of Spark") {
    val files = sources("jvm/kernel/src/main/scala")
    assert(files.size > 10)
    assert(files.filter(imports(_).exists(_.startsWith("org.apache.spark"))).isEmpty)
  }

  test("main code prints nothing") {
    val files = sources("jvm/kernel/src/main/scala") ++ sources("jvm/spark/src/main/scala")
    assert(files.filter(f => prints(Files.readString(f))).isEmpty)
  }

  test("what prints is seen wherever it stands in a line") {
    assert(Seq(
      "if (x) println(y)",
      "Console.err.println(x)",
      "System.out.printf(x)",
      "xs.foreach(println)",
      "error.printStackTrace()").forall(prints))
    assert(!Seq(
      "// println(x)",
      " * println(x)",
      "printer.of(x)",
      "x.sprintln(y)").exists(prints))
  }

  private def prints(source: String): Boolean =
    source.linesIterator.filterNot(l => l.trim.startsWith("*") || l.trim.startsWith("//"))
      .exists(
        """\b(print|println|printf|printStackTrace)\b\s*[(){]|System\.(out|err)\b""".r.findFirstIn(
          _).isDefined)
}

/** Forked tests start in their module's folder; files of the repository are found from its top. */
private[spark] object RepositoryRoot {
  val path: Path =
    Iterator
      .iterate(Paths.get("").toAbsolutePath)(_.getParent)
      .takeWhile(_ != null)
      .find(p => Files.exists(p.resolve("build.sbt")))
      .get
}
