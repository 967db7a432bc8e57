"""The only module that reaches into the JVM; everything else is SQL text and public PySpark."""

from __future__ import annotations

import contextlib
import os
import re
from collections import Counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


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


def teach_local_rows(spark: SparkSession) -> None:
    """Show the JVM how PySpark makes a DataFrame of rows of the driver, so that it knows others.

    PySpark sends the rows through a Python function that gives them back. To the JVM that is a
    function like any other, which may give other rows each time, unless it has seen this one.
    """
    from py4j.protocol import Py4JError  # type: ignore[import-untyped]
    from pyspark.sql.types import IntegerType, StructType

    if not hasattr(spark, "_jsparkSession"):
        return
    jvm: Any = spark._jvm
    rows = jvm.org.apache.spark.sql.execution.wreath.PythonRows
    schema = StructType().add("x", IntegerType()).json()

    def specimen(rows_of_batch: int) -> Any:
        local = spark.sparkContext.parallelize([(0,)] * rows_of_batch, 1)
        arrays = jvm.SerDeUtil.toJavaArray(local._to_java_object_rdd())
        return spark._jsparkSession.applySchemaToPythonRDD(arrays.rdd(), schema)

    # What is not known is only not kept: another PySpark may do this in another way.
    with contextlib.suppress(AttributeError, TypeError, Py4JError):
        if not rows.isTaught(spark.sparkContext._jsc.sc()):
            # A batch has up to 1024 rows, a number written in one byte or in two.
            rows.learn(specimen(1), specimen(2))
            rows.learn(specimen(256), specimen(1023))


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


def tasks_of_joins(df: DataFrame) -> list[str]:
    """Return what each WcoJoin's tasks touched, least, median and most, in the order of the plan.

    Spark keeps it for queries that ran as ``df`` itself; else the texts are empty.
    """
    session = df.sparkSession
    store = session._jsparkSession.sharedState().statusStore()
    count = store.executionsCount()
    kept = store.executionsList(max(0, count - _EXECUTIONS), _EXECUTIONS)
    # The last one that knows the metric is the one that ran.
    executions = [kept.apply(i).executionId() for i in reversed(range(kept.size()))]
    texts = []
    for number in _metrics_of(df._jdf.queryExecution().executedPlan(), "elementsOfTask"):
        found = (store.executionMetrics(e).get(number) for e in executions)
        texts.append(next((str(text.get()) for text in found if text.isDefined()), ""))
    return texts


#: How many of the last queries are looked through for what their tasks did.
_EXECUTIONS = 20


def _metrics_of(plan: Any, name: str) -> list[int]:
    """Return the ids of a metric of the WcoJoins in a plan, from top to bottom."""
    kind = plan.getClass().getSimpleName()
    if kind == "AdaptiveSparkPlanExec":
        return _metrics_of(plan.executedPlan(), name)
    if kind.endswith("QueryStageExec"):
        return _metrics_of(plan.plan(), name)
    if kind == "ReusedExchangeExec":
        return []
    metric = plan.metrics().get(name) if str(plan.nodeName()).endswith("WcoJoin") else None
    ids = [metric.get().id()] if metric is not None and metric.isDefined() else []
    children = plan.children()
    return ids + [i for c in range(children.size()) for i in _metrics_of(children.apply(c), name)]


def explained(df: DataFrame) -> str:
    """Return the plan of a stream, which has none that was executed."""
    from pyspark import SparkContext

    jvm = SparkContext._jvm
    assert jvm is not None
    text: str = jvm.PythonSQLUtils.explainString(df._jdf.queryExecution(), "simple")
    return text
