"""What Wreath runs on, and the checks of it. Versions are parsed, never compared as strings."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path

from wreath import _jvm
from wreath.errors import WreathJavaNotFound, WreathVersionError
from wreath.version import SPARK_MINORS

SCALA_BINARY = "2.13"
OLDEST_PYTHON = (3, 10)
OLDEST_JAVA = 17


def _pyspark_range() -> str:
    """Return what to ask pip for, as in pyproject.toml."""
    major, minor = SPARK_MINORS[-1]
    return f"pyspark>={_dotted(SPARK_MINORS[0])},<{major}.{minor + 1}"


def check_all() -> None:
    """Raise the error of the first check that fails.

    Java is not looked for where a JVM is running already, as in an application that
    ``spark-submit`` started.
    """
    check_python()
    check_spark()
    check_scala()
    if not _jvm.is_running():
        check_java()


def check_python() -> str:
    """Return Python's version, or raise if it is too old."""
    found = sys.version_info[:3]
    if tuple(found[:2]) < OLDEST_PYTHON:
        raise WreathVersionError(
            f"Python {_dotted(found)} is too old for Wreath: "
            f"use Python {_dotted(OLDEST_PYTHON)} or newer."
        )
    return _dotted(found)


def check_java() -> str:
    """Return Java's version and place, or raise if there is none or it is too old."""
    java = find_java()
    version = _java_version(java)
    major = _java_major(version)
    if major < OLDEST_JAVA:
        raise WreathVersionError(
            f"Java {version} ({java}) is too old for Spark 4: "
            f"install a JDK {OLDEST_JAVA} or newer and point JAVA_HOME at it."
        )
    return f"{version} ({java})"


def check_spark() -> str:
    """Return Spark's version, or raise if Wreath has no jar for it."""
    version = spark_version()
    if _minor(version) not in SPARK_MINORS:
        known = " or ".join(_dotted(minor) for minor in SPARK_MINORS)
        raise WreathVersionError(
            f"Spark {version} is not supported, this Wreath has a jar for Spark {known}: "
            f'run pip install "{_pyspark_range()}"{_spark_home_hint()}.'
        )
    return version


def check_scala() -> str:
    """Return the version of Spark's Scala, or raise if the jar is not built for it."""
    version = scala_version()
    if _minor(version) != _minor(SCALA_BINARY):
        raise WreathVersionError(
            f"This Spark is built for Scala {version} and Wreath's jar for Scala {SCALA_BINARY}: "
            f"use a Spark built for Scala {SCALA_BINARY}, "
            f'such as pip install "{_pyspark_range()}"{_spark_home_hint()}.'
        )
    return version


def find_java() -> Path:
    """Return the ``java`` that Spark would start: that of JAVA_HOME, else the one on PATH."""
    home = os.environ.get("JAVA_HOME")
    if home:
        java = Path(home) / "bin" / ("java.exe" if os.name == "nt" else "java")
        if not java.is_file():
            raise WreathJavaNotFound(
                f"JAVA_HOME is {home}, which has no bin/java: "
                f"point it at a JDK {OLDEST_JAVA} or newer, or unset it."
            )
        return java
    found = shutil.which("java")
    if found is None:
        raise WreathJavaNotFound(
            f"Java was not found: install a JDK {OLDEST_JAVA} or newer "
            f"(Debian: apt install openjdk-{OLDEST_JAVA}-jdk-headless) or set JAVA_HOME."
        )
    return Path(found)


def spark_version() -> str:
    """Return the version of the Spark that would run, which SPARK_HOME may take from PySpark."""
    return _version_of_jar("spark-core") or _pyspark_version()


def spark_minor() -> tuple[int, int]:
    """Return the part of Spark's version that decides which jar fits."""
    return _minor(spark_version())


def scala_version() -> str:
    """Return the version of the Scala library that Spark brings."""
    # Without Spark's jars (a Spark Connect client) there is no Scala that could differ.
    return _version_of_jar("scala-library") or SCALA_BINARY


def _version_of_jar(stem: str) -> str | None:
    """Return the version in the name of one of Spark's jars, as in spark-core_2.13-4.1.3.jar."""
    named = re.compile(rf"{re.escape(stem)}(?:_[\d.]+)?-(\d[^/]*)\.jar")
    jars = spark_home() / "jars"
    found = (named.fullmatch(path.name) for path in sorted(jars.glob(f"{stem}*.jar")))
    return next((match.group(1) for match in found if match), None)


def spark_home() -> Path:
    """Return the folder of the Spark that PySpark would start."""
    given = os.environ.get("SPARK_HOME")
    if given:
        return Path(given)
    _pyspark_version()
    import pyspark

    return Path(pyspark.__file__).parent


def _spark_home_hint() -> str:
    return " and unset SPARK_HOME" if os.environ.get("SPARK_HOME") else ""


def _pyspark_version() -> str:
    try:
        import pyspark
    except ImportError as e:
        raise WreathVersionError(
            f'PySpark is not installed: run pip install "{_pyspark_range()}".'
        ) from e
    version: str = getattr(pyspark, "__version__", "") or metadata.version("pyspark")
    return version


def _java_version(java: Path) -> str:
    answer = subprocess.run([str(java), "-version"], capture_output=True, text=True, check=False)
    text = answer.stderr + answer.stdout
    match = re.search(r'version "([^"]+)"', text)
    if match is None:
        raise WreathJavaNotFound(
            f"{java} -version does not answer like a Java "
            f"(exit code {answer.returncode}): install a JDK {OLDEST_JAVA} or newer."
        )
    return match.group(1)


def _java_major(version: str) -> int:
    """Return 8 for "1.8.0_392", 17 for "17.0.15" and 21 for "21-ea"."""
    numbers = [int(n) for n in re.findall(r"\d+", version)]
    return numbers[1] if numbers[0] == 1 and len(numbers) > 1 else numbers[0]


def _minor(version: str) -> tuple[int, int]:
    match = re.match(r"(\d+)\.(\d+)", version)
    if match is None:
        raise WreathVersionError(
            f'"{version}" is not a version Wreath can read: run pip install "{_pyspark_range()}".'
        )
    return int(match.group(1)), int(match.group(2))


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(str(part) for part in version)
