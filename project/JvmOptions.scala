object JvmOptions {

  /** The packages that Spark opens for itself on JDK 17 (its `JavaModuleOptions`). */
  private val opened = Seq(
    "java.lang",
    "java.lang.invoke",
    "java.lang.reflect",
    "java.io",
    "java.net",
    "java.nio",
    "java.util",
    "java.util.concurrent",
    "java.util.concurrent.atomic",
    "sun.nio.ch",
    "sun.nio.cs",
    "sun.security.action",
    "sun.util.calendar")

  val forTests: Seq[String] =
    Seq("-Xmx3g", "-XX:+UseParallelGC", "-Djava.awt.headless=true") ++
      opened.map(p => s"--add-opens=java.base/$p=ALL-UNNAMED")
}
