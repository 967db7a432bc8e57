"""Where the jar is: inside the package, one for each Spark line."""

from __future__ import annotations

from pathlib import Path

from wreath._versions import SCALA_BINARY, check_spark, spark_minor
from wreath.errors import WreathJarNotFound
from wreath.version import __version__

JARS = Path(__file__).resolve().parent / "jars"


def jar_path() -> str:
    """Return the path of the jar that fits the installed Spark.

    It is one file, the kernel included, for ``spark-submit --jars`` or ``spark.jars``.

    .. versionadded:: 0.1.0

    Returns
    -------
    str

    Raises
    ------
    WreathVersionError
        If there is no jar for the installed Spark.
    WreathJarNotFound
        If the package was put together without its jars.

    Examples
    --------
    >>> import os.path, wreath
    >>> os.path.basename(wreath.jar_path()).startswith("wreath-spark-4.")
    True
    """
    check_spark()
    major, minor = spark_minor()
    jar = JARS / f"wreath-spark-{major}.{minor}_{SCALA_BINARY}-{__version__}.jar"
    if not jar.is_file():
        raise WreathJarNotFound(
            f"The Wreath jar {jar} is missing: install the wheel (pip install wreath), "
            "or run `make wheel` in a checkout."
        )
    return str(jar)
