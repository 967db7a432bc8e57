// Modules: kernel (scala-library only) <- spark, spark42 (Spark provided); kernel <- benchmarks.
// spark and spark42 are the same sources, each compiled against its own Spark.

// The one place of the version is python/wreath/version.py: the wheel and the jar carry the same.
val wreathVersion = {
  val text = IO.read(file("python/wreath/version.py"))
  """__version__ = "([^"]+)"""".r
    .findFirstMatchIn(text)
    .map(_.group(1))
    .getOrElse(sys.error("python/wreath/version.py has no __version__"))
}

ThisBuild / organization := "io.wreath"
ThisBuild / version := wreathVersion
// The kernel is compiled once, by the oldest Scala of all lines: a newer 2.13 runs what an older compiled.
ThisBuild / scalaVersion := Versions.spark41.scala

val commonSettings = Seq(
  scalacOptions ++= Seq(
    "-release:17",
    "-deprecation",
    "-feature",
    "-unchecked",
    "-Xlint:_,-byname-implicit",
    "-Wunused",
    "-Wdead-code",
    "-Werror"),
  libraryDependencies ++= Seq(
    "org.scalatest" %% "scalatest" % Versions.scalaTest % Test,
    "org.scalacheck" %% "scalacheck" % Versions.scalaCheck % Test),
  // Forked, because Spark needs --add-opens, and so that a test's heap is its own.
  Test / fork := true,
  Test / javaOptions ++= JvmOptions.forTests,
  // -oS: short stack traces; -W: say which test is slow rather than hang in silence.
  Test / testOptions += Tests.Argument(TestFrameworks.ScalaTest, "-oS", "-W", "120", "60"))

lazy val kernel = (project in file("jvm/kernel"))
  .settings(commonSettings)
  .settings(
    name := "wreath-kernel",
    Test / sourceDirectory := (ThisBuild / baseDirectory).value / "tests" / "kernel")

def sparkModule(id: String, line: Versions.SparkLine): Project = Project(id, file("jvm/spark"))
  .dependsOn(kernel % "compile->compile;test->test")
  .settings(commonSettings)
  .settings(
    name := s"wreath-spark-${line.minor}",
    scalaVersion := line.scala,
    // Each line compiles into a folder of its own, so that neither makes the other's stale.
    target := baseDirectory.value / "target" / s"spark-${line.minor}",
    Test / sourceDirectory := (ThisBuild / baseDirectory).value / "tests" / "spark",
    libraryDependencies ++= Seq(
      "org.apache.spark" %% "spark-sql" % line.spark % Provided,
      "io.delta" %% s"delta-spark_${line.minor}" % line.delta % Provided,
      "org.apache.spark" %% "spark-core" % line.spark % Test classifier "tests",
      "org.apache.spark" %% "spark-catalyst" % line.spark % Test classifier "tests",
      "org.apache.spark" %% "spark-sql" % line.spark % Test classifier "tests"),
    // The jar knows its line, so that it can refuse another (io.wreath.spark.SparkLine).
    Compile / resourceGenerators += Def.task {
      val file = (Compile / resourceManaged).value / "io" / "wreath" / "spark" / "spark-line"
      IO.write(file, line.minor)
      Seq(file)
    }.taskValue,
    // One file for spark-submit --jars: the kernel's classes are merged in.
    Compile / packageBin / mappings ++= (kernel / Compile / packageBin / mappings).value,
    Compile / packageBin / artifactPath :=
      (ThisBuild / baseDirectory).value / "target" /
        s"wreath-spark-${line.minor}_${scalaBinaryVersion.value}-${version.value}.jar")

lazy val spark = sparkModule("spark", Versions.spark41)
lazy val spark42 = sparkModule("spark42", Versions.spark42)

lazy val benchmarks = (project in file("benchmarks/jmh"))
  .dependsOn(kernel)
  .enablePlugins(JmhPlugin)
  .settings(commonSettings)
  .settings(name := "wreath-benchmarks", publish / skip := true)

lazy val root = (project in file("."))
  .aggregate(kernel, spark, benchmarks)
  .settings(name := "wreath", publish / skip := true)
