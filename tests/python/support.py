"""What several tests need and no fixture has to set up."""

from __future__ import annotations

import os
from pathlib import Path

import pyspark
from pyspark.sql import SparkSession

import wreath

REPOSITORY = Path(__file__).resolve().parents[2]

SPARK = ".".join(pyspark.__version__.split(".")[:2])
"""The Spark line of this run, "4.1"."""

JAR = f"wreath-spark-{SPARK}_2.13-{wreath.__version__}.jar"
"""The jar that fits it."""


def clean_environment() -> dict[str, str]:
    """The environment without what PySpark put there when this process started its JVM."""
    unwanted = ("PYSPARK_", "SPARK_", "PYTHON")
    kept = {k: v for k, v in os.environ.items() if not k.startswith(unwanted)}
    return {**kept, "SPARK_LOCAL_IP": "127.0.0.1"}


def connect_port(spark: SparkSession) -> int:
    """Where the session of the tests serves Spark Connect."""
    service = getattr(spark._jvm, "org.apache.spark.sql.connect.service.SparkConnectService$")
    port: int = getattr(service, "MODULE$").localPort()
    return port
