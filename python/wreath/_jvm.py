"""The only module that reaches into the JVM; everything else is SQL text and public PySpark."""

from __future__ import annotations

import os
import re
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def is_running() -> bool:
    """Tell whether this process has a JVM, started by itself or by ``spark-submit``."""
    from pyspark import SparkContext

    return SparkContext._gateway is not None or "PYSPARK_GATEWAY_PORT" in os.environ


def setting(key: str) -> str | None:
    """Return a setting as a running JVM has it: a session's, else those of ``spark-submit``."""
    from pyspark import SparkConf, SparkContext

    context = SparkContext._active_spark_context
    if context is not None:
        return context.getConf().get(key, None)
    if not is_running():
        return None
    SparkContext._ensure_initialized()
    return SparkConf().get(key, None)


def add_jar(path: str) -> None:
    """Let a JVM that runs without a session find the classes of a jar.

    Spark puts ``spark.jars`` on the driver's class path only when it starts the JVM. Under
    ``spark-submit``, or in a notebook whose first session was stopped, that has happened before.
    """
    from py4j.java_gateway import is_instance_of  # type: ignore[import-untyped]
    from pyspark import SparkContext

    if not is_running() or SparkContext._active_spark_context is not None:
        return
    SparkContext._ensure_initialized()
    gateway, jvm = SparkContext._gateway, SparkContext._jvm
    assert jvm is not None
    loader = jvm.java.lang.Thread.currentThread().getContextClassLoader()
    if is_instance_of(gateway, loader, "org.apache.spark.util.MutableURLClassLoader"):
        loader.addURL(jvm.java.io.File(path).toURI().toURL())


def executed_plan(df: DataFrame) -> str:
    """Return the physical plan of ``df``; after an action on this very object, the one that ran."""
    plan: str = df._jdf.queryExecution().executedPlan().toString()
    return plan


def joins(plan: str) -> str:
    """Return the join operators in a plan: "BroadcastWcoJoin", or "2 x SortMergeJoin"."""
    # An adaptive plan shows what ran first and what was meant to run after it.
    ran = plan.split("== Initial Plan ==")[0]
    found = Counter(re.findall(r"\b[A-Z]\w*Join\b", ran))
    return ", ".join(f"{n} x {name}" if n > 1 else name for name, n in found.items()) or "no join"
