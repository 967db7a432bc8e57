from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest
from pyspark.sql import SparkSession
from support import JAR, SPARK

import wreath
from wreath.session import EXTENSION

Run = Callable[..., "CompletedProcess[str]"]

PRINT_OPTIONS = """
import json, wreath
from pyspark.sql import SparkSession
print(json.dumps(wreath.configure(SparkSession.builder)._options))
"""


def options(run: CompletedProcess[str]) -> dict[str, str]:
    assert run.returncode == 0, run.stderr
    read: dict[str, str] = json.loads(run.stdout)
    return read


def test_start_gives_a_session_that_answers_a_pattern(spark: SparkSession) -> None:
    spark.range(3).selectExpr("id AS src", "(id + 1) % 3 AS dst").createOrReplaceTempView("ring")
    query = "SELECT count(*) FROM GRAPH_TABLE (ring MATCH (a)-[]->(b)-[]->(c)-[]->(a))"
    assert spark.sql(query).collect()[0][0] == 3


def test_start_returns_the_running_session_and_applies_settings(spark: SparkSession) -> None:
    options: dict[str, Any] = {"spark.sql.shuffle.partitions": 4, "spark.wreath.test": "here"}
    again = wreath.start(**options)
    assert again.sparkContext is spark.sparkContext
    assert again.conf.get("spark.wreath.test") == "here"


def test_a_start_writes_nothing_that_looks_like_an_error(run_python: Run) -> None:
    run = run_python("import wreath; wreath.start(master='local[1]').stop()")
    assert run.returncode == 0, run.stderr
    assert "ERROR" not in run.stderr + run.stdout


def test_the_workers_of_a_local_session_run_this_python(run_python: Run, tmp_path: Path) -> None:
    wrong = tmp_path / "python3"
    wrong.write_text("#!/bin/sh\nexit 1\n")
    wrong.chmod(0o755)
    run = run_python(
        "import wreath; spark = wreath.start(master='local[1]');"
        "print(spark.sparkContext.parallelize([1, 2]).map(lambda x: x + 1).sum())",
        PATH=f"{tmp_path}:{os.environ['PATH']}",
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout == "5\n"


def test_start_refuses_a_keyword_that_is_no_setting_of_spark() -> None:
    with pytest.raises(TypeError, match="shuffle_partitions"):
        wreath.start(shuffle_partitions=8)


def test_a_session_without_wreath_is_named_not_returned(run_python: Run) -> None:
    run = run_python(
        """
from pyspark.sql import SparkSession
import wreath

spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", False).getOrCreate()
for call in (
    wreath.start,
    lambda: wreath.Graph(spark.range(1).selectExpr("id AS src", "id AS dst")).match("(a)-[]->(b)"),
):
    try:
        call()
    except wreath.WreathNotActive as e:
        print(e)
spark.stop()
print(wreath.start(master="local[1]").range(3).count())
"""
    )
    assert run.returncode == 0, run.stderr
    running, match, count = run.stdout.splitlines()
    assert "running already" in running
    assert "spark.stop()" in running
    assert "wreath.start()" in match
    assert count == "3"


def test_configure_sets_both_on_a_bare_builder(spark: SparkSession, run_python: Run) -> None:
    found = options(run_python(PRINT_OPTIONS))
    assert found == {"spark.jars": wreath.jar_path(), "spark.sql.extensions": EXTENSION}


def test_configure_appends_to_what_the_builder_has() -> None:
    builder = (
        SparkSession.builder.config("spark.jars", "a.jar, b.jar")
        .config("spark.sql.extensions", "io.delta.sql.DeltaSparkSessionExtension")
        .config("spark.jars.packages", "some:thing:1")
    )
    found = wreath.configure(builder)._options
    assert found["spark.jars"] == f"a.jar,b.jar,{wreath.jar_path()}"
    assert found["spark.sql.extensions"] == f"io.delta.sql.DeltaSparkSessionExtension,{EXTENSION}"
    assert found["spark.jars.packages"] == "some:thing:1"


def test_configure_twice_adds_nothing_twice() -> None:
    once = dict(wreath.configure(SparkSession.builder.config("spark.jars", "a.jar"))._options)
    twice = SparkSession.builder.config("spark.jars", "a.jar")
    wreath.configure(wreath.configure(twice))
    assert twice._options == once


def test_configure_returns_the_builder_it_was_given() -> None:
    builder = SparkSession.builder
    assert wreath.configure(builder) is builder


def test_configure_keeps_a_wreath_jar_that_the_user_chose() -> None:
    chosen = f"hdfs:///jars/wreath-spark-{SPARK}_2.13-9.9.9.jar"
    builder = wreath.configure(SparkSession.builder.config("spark.jars", chosen))
    assert builder._options["spark.jars"] == chosen


def test_configure_keeps_what_spark_defaults_say(run_python: Run, tmp_path: Path) -> None:
    (tmp_path / "spark-defaults.conf").write_text(
        "# a comment\n"
        "spark.jars              old.jar\n"
        "spark.jars              default.jar\n"
        "spark.jarsx = not.jar\n"
        "spark.sql.extensions=io.delta.sql.DeltaSparkSessionExtension\n"
    )
    found = options(run_python(PRINT_OPTIONS, SPARK_CONF_DIR=str(tmp_path)))
    assert found["spark.jars"] == f"default.jar,{wreath.jar_path()}"
    assert found["spark.sql.extensions"] == f"io.delta.sql.DeltaSparkSessionExtension,{EXTENSION}"


@pytest.mark.parametrize(
    "arguments",
    [
        "--jars mine.jar pyspark-shell",
        "--jars=mine.jar pyspark-shell",
        "--conf spark.jars=mine.jar pyspark-shell",
        "-c spark.jars=mine.jar pyspark-shell",
        "--conf 'spark.jars=mine.jar' --name x pyspark-shell",
        "--conf spark.jars=other.jar --jars mine.jar pyspark-shell",
        "--properties-file {properties} pyspark-shell",
    ],
)
def test_configure_keeps_what_submit_arguments_say(
    run_python: Run, tmp_path: Path, arguments: str
) -> None:
    properties = tmp_path / "mine.conf"
    properties.write_text("spark.jars mine.jar\n")
    (tmp_path / "spark-defaults.conf").write_text("spark.jars default.jar\n")
    found = options(
        run_python(
            PRINT_OPTIONS,
            PYSPARK_SUBMIT_ARGS=arguments.format(properties=properties),
            SPARK_CONF_DIR=str(tmp_path),
        )
    )
    assert found["spark.jars"] == f"mine.jar,{wreath.jar_path()}"


def test_configure_tells_a_connect_client_that_the_server_needs_the_jar() -> None:
    with pytest.raises(wreath.WreathError, match="server"):
        wreath.configure(SparkSession.builder.remote("sc://host:15002"))


def test_jar_path_names_the_spark_line_and_the_version() -> None:
    jar = Path(wreath.jar_path())
    assert jar.is_absolute()
    assert jar.name == JAR
