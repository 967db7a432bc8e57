"""``wreath doctor``: checks what Wreath needs, one thing after the other, then runs a query."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from wreath import _jvm, _versions
from wreath._jar import jar_path
from wreath._quiet import quiet_session
from wreath.demo import WCO_JOIN
from wreath.errors import WreathError
from wreath.graph import Graph
from wreath.session import EXTENSION

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Step = tuple[str, Callable[[], str]]


def run(say: Callable[[str], None]) -> bool:
    """Check one thing after the other and say how it went; return whether all is well.

    .. versionadded:: 0.1.0
    """
    needed: list[Step] = [
        ("Python", _versions.check_python),
        ("Java", _versions.check_java),
        ("PySpark", _versions.check_spark),
        ("Scala", _versions.check_scala),
        ("Jar", jar_path),
    ]
    # Every one is checked, so that a machine which lacks two things is told both.
    well = [_check(name, step, say) for name, step in needed]
    if not all(well):
        say("skip  Extension and query: they need all of the above")
        return False

    sessions: list[SparkSession] = []

    def extension() -> str:
        sessions.append(quiet_session("wreath doctor", "local[1]"))
        return f"{EXTENSION} is active"

    try:
        return _check("Extension", extension, say) and _check(
            "Query", lambda: _triangle(sessions[0]), say
        )
    finally:
        for spark in sessions:
            spark.stop()


def _check(name: str, step: Callable[[], str], say: Callable[[str], None]) -> bool:
    try:
        say(f"ok    {name:<10} {step()}")
    except Exception as e:
        # Anything may go wrong on a machine that needs a doctor; say it and go on.
        say(f"FAIL  {name:<10} {e if isinstance(e, WreathError) else f'{type(e).__name__}: {e}'}")
        return False
    return True


def _triangle(spark: SparkSession) -> str:
    rows = [(1, 2), (2, 3), (1, 3), (3, 4)]
    edges = spark.createDataFrame(rows, "src bigint, dst bigint")
    query = Graph(edges).match("(a)-[]->(b)-[]->(c), (a)-[]->(c)").groupBy().count()
    count = query.collect()[0][0]
    operator = _jvm.joins(_jvm.executed_plan(query))
    if count != 1:
        raise WreathError(f"A graph with 1 triangle gave {count}: please report this.")
    if WCO_JOIN not in operator:
        raise WreathError(
            f"The triangle was found by {operator} instead of Wreath's operator: look for "
            "spark.wreath.enabled and spark.wreath.join.mode in spark-defaults.conf."
        )
    return f"1 triangle found, by {operator}"
