// Modules: kernel (scala-library only) <- spark (Spark provided) <- benchmarks. Nothing depends on benchmarks.

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
ThisBuild / scalaVersion := Versions.scala

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

lazy val spark = (project in file("jvm/spark"))
  .dependsOn(kernel % "compile->compile;test->test")
  .settings(commonSettings)
  .settings(
    name := s"wreath-spark-${Versions.sparkMinor}",
    Test / sourceDirectory := (ThisBuild / baseDirectory).value / "tests" / "spark",
    libraryDependencies ++= Seq(
      "org.apache.spark" %% "spark-sql" % Versions.spark % Provided,
      "io.delta" %% s"delta-spark_${Versions.sparkMinor}" % Versions.delta % Provided,
      "org.apache.spark" %% "spark-core" % Versions.spark % Test classifier "tests",
      "org.apache.spark" %% "spark-catalyst" % Versions.spark % Test classifier "tests",
      "org.apache.spark" %% "spark-sql" % Versions.spark % Test classifier "tests"),
    // One file for spark-submit --jars: the kernel's classes are merged in.
    Compile / packageBin / mappings ++= (kernel / Compile / packageBin / mappings).value,
    Compile / packageBin / artifactPath :=
      (ThisBuild / baseDirectory).value / "target" /
        s"wreath-spark-${Versions.sparkMinor}_${scalaBinaryVersion.value}-${version.value}.jar")

lazy val benchmarks = (project in file("benchmarks/jmh"))
  .dependsOn(kernel)
  .enablePlugins(JmhPlugin)
  .settings(commonSettings)
  .settings(name := "wreath-benchmarks", publish / skip := true)

lazy val root = (project in file("."))
  .aggregate(kernel, spark, benchmarks)
  .settings(name := "wreath", publish / skip := true)
