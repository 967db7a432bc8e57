from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession
from support import REPOSITORY, clean_environment

import wreath

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    """The one session of the run. It also serves Spark Connect, on a port of its own choice."""
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    session = wreath.start(
        "wreath tests",
        "local[2]",
        conf={
            "spark.ui.enabled": False,
            "spark.sql.shuffle.partitions": 4,
            "spark.driver.memory": "2g",
            "spark.plugins": "org.apache.spark.sql.connect.SparkConnectPlugin",
            "spark.connect.grpc.binding.port": 0,
        },
    )
    session.sparkContext.setLogLevel("ERROR")
    yield session
    left = [row[0] for row in session.sql("SHOW PROPERTY GRAPHS").collect()]
    session.stop()
    assert not left, f"a test left property graphs behind: {left}"


@pytest.fixture
def triangle(spark: SparkSession) -> DataFrame:
    """1 -> 2 -> 3, 1 -> 3, and 3 -> 4 hanging off it."""
    return spark.createDataFrame([(1, 2), (2, 3), (1, 3), (3, 4)], "src bigint, dst bigint")


@pytest.fixture
def run_python(tmp_path: Path) -> Run:
    """Run a program in a Python of its own, outside the repository, with the package in sight."""

    def run(program: str, **env: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", program],
            cwd=tmp_path,
            env={**clean_environment(), "PYTHONPATH": str(REPOSITORY / "python"), **env},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )

    return run
