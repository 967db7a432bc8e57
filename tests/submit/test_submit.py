"""spark-submit with the built jar: in one JVM, with separate executors, by service file alone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pyspark
import pytest
from support import JAR, REPOSITORY, clean_environment

import wreath

HERE = Path(__file__).parent
EXTENSION = ["--conf", "spark.sql.extensions=io.wreath.spark.WreathExtensions"]


def run_submit(app: str, *options: str, cwd: Path, **env: str) -> subprocess.CompletedProcess[str]:
    home = Path(pyspark.__file__).parent
    quiet = ["--conf", "spark.ui.enabled=false", "--conf", "spark.sql.shuffle.partitions=4"]
    return subprocess.run(
        [str(home / "bin" / "spark-submit"), *options, *quiet, str(HERE / app)],
        cwd=cwd,
        env={
            **clean_environment(),
            "SPARK_HOME": str(home),
            "PYSPARK_PYTHON": sys.executable,
            **env,
        },
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


def submit(app: str, *options: str, cwd: Path, **env: str) -> dict[str, Any]:
    done = run_submit(app, *options, cwd=cwd, **env)
    reports = [line for line in done.stdout.splitlines() if line.startswith("REPORT ")]
    assert done.returncode == 0, done.stderr
    assert len(reports) == 1, done.stdout + done.stderr
    report: dict[str, Any] = json.loads(reports[0].removeprefix("REPORT "))
    return report


@pytest.mark.parametrize("master", ["local[2]", "local-cluster[2,1,1024]"])
def test_jar_and_extension_are_enough(tmp_path: Path, master: str) -> None:
    report = submit(
        "app.py", "--master", master, "--jars", wreath.jar_path(), *EXTENSION, cwd=tmp_path
    )
    assert report["count"] == 300
    assert "BroadcastWcoJoin" in report["plan"]
    assert "CsrBroadcastExchange" in report["plan"]
    assert report["master"] == master
    assert report["executors"] == (2 if "cluster" in master else 0)


@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="finds executors by /proc")
def test_an_executor_that_is_killed_in_mid_join_changes_no_row(tmp_path: Path) -> None:
    mark = f"-Dwreath.test.mark={tmp_path.name}"
    report = submit(
        "cluster_app.py",
        "--master",
        "local-cluster[2,1,1024]",
        "--jars",
        wreath.jar_path(),
        *EXTENSION,
        "--conf",
        f"spark.executor.extraJavaOptions={mark}",
        "--conf",
        "spark.speculation=true",
        "--conf",
        "spark.wreath.join.morselMinElements=0",
        cwd=tmp_path,
        KILL_MARK=mark,
    )
    assert all(report["same"])
    assert report["plan"]
    assert report["killed"] > 0, "the join ended before an executor could be killed"
    assert report["exact"]


def submit_with_a_small_heap(app: str, cwd: Path) -> dict[str, Any]:
    memory = ["--master", "local[2]", "--driver-memory", "1g"]
    return submit(app, *memory, "--jars", wreath.jar_path(), *EXTENSION, cwd=cwd)


def test_a_hundred_million_rows_leave_through_a_small_heap(tmp_path: Path) -> None:
    report = submit_with_a_small_heap("rows_app.py", tmp_path)
    side = 10_000
    assert report["rows"] == side * side
    # a runs over 0 until side, b is -1, c runs over side until 2 * side.
    assert report["summed"] == side * side * (side - 1) // 2 * 2 + side * side * (side - 1)
    assert report["limited"] == 7
    assert report["cancelled"]
    assert report["heap"] <= 1 << 30


MEMORY = ["keys", "properties", "two tables", "vertices", "text keys"]


@pytest.mark.skipif(os.environ.get("WREATH_SOAK") != "1", reason="minutes; WREATH_SOAK=1 runs it")
@pytest.mark.parametrize("master", ["local[2]", "local-cluster[2,1,512]"])
@pytest.mark.parametrize(
    "names",
    [
        *MEMORY,
        "keys,properties,two tables",
        pytest.param(
            ",".join(MEMORY),
            marks=pytest.mark.xfail(
                reason="an index that is not kept stays stored until the collector has found that "
                "nobody reads it, and readers of files in other queries do not wait for that"
            ),
        ),
    ],
)
def test_five_million_edges_are_answered_in_heaps_of_512_megabytes(
    tmp_path: Path, names: str, master: str
) -> None:
    heaps = ["--driver-memory", "512m", "--conf", "spark.executor.memory=512m"]
    jar = ["--jars", wreath.jar_path()]
    environment = {"ROWS": "5000000", "NAMES": names}
    report = submit(
        "memory_app.py", "--master", master, *heaps, *jar, *EXTENSION, cwd=tmp_path, **environment
    )
    assert set(report) == set(names.split(","))
    for pattern, plain, once_more in report.values():
        assert pattern == plain == once_more


STATE_STORE = "org.apache.spark.sql.execution.streaming.state."


@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="finds executors by /proc")
@pytest.mark.parametrize("store", ["HDFSBackedStateStoreProvider", "RocksDBStateStoreProvider"])
def test_executors_killed_in_mid_batch_change_no_row_of_a_stream(
    tmp_path: Path, store: str
) -> None:
    mark = f"-Dwreath.test.mark={tmp_path.name}"
    is_soak = os.environ.get("WREATH_SOAK") == "1"
    conf = {
        "spark.executor.extraJavaOptions": mark,
        "spark.sql.streaming.stateStore.providerClass": STATE_STORE + store,
        # So many executors are killed that Spark would give the application up.
        "spark.deploy.maxExecutorRetries": "-1",
    }
    report = submit(
        "stream_cluster_app.py",
        "--master",
        "local-cluster[2,1,1024]",
        "--jars",
        wreath.jar_path(),
        *EXTENSION,
        *(option for key, value in conf.items() for option in ("--conf", f"{key}={value}")),
        cwd=tmp_path,
        KILL_MARK=mark,
        KILLS="10" if is_soak else "1",
        KILL_SEED=str(len(store)),
    )
    assert set(report["matches"]) == {"stream", "table"}, report
    assert all(kill["pid"] > 0 for kill in report["kills"]), report
    assert all(kill["exact"] for kill in report["kills"]), report


def test_a_hub_of_a_stream_puts_out_a_hundred_million_matches_through_a_small_heap(
    tmp_path: Path,
) -> None:
    report = submit_with_a_small_heap("stream_app.py", tmp_path)
    assert report["matches"] == [0, 10**8, 10**8]
    assert report["heap"] <= 1 << 30


def test_the_jar_alone_activates_itself(tmp_path: Path) -> None:
    jars = f"spark.jars={wreath.jar_path()}"
    report = submit("app.py", "--master", "local[2]", "--conf", jars, cwd=tmp_path)
    assert report["count"] == 300
    assert "BroadcastWcoJoin" in report["plan"]


def test_the_jar_of_another_spark_line_is_refused_when_the_session_starts(tmp_path: Path) -> None:
    other = next(jar for jar in Path(wreath.jar_path()).parent.glob("*.jar") if jar.name != JAR)
    done = run_submit(
        "app.py", "--master", "local[1]", "--jars", str(other), *EXTENSION, cwd=tmp_path
    )
    assert done.returncode != 0
    # spark-submit passes on what Python writes, tracebacks too, as its own output.
    assert "[WREATH_WRONG_SPARK] This jar of Wreath is for Spark" in done.stdout


def test_an_application_that_configures_itself_keeps_the_submitted_jars(tmp_path: Path) -> None:
    other = tmp_path / "other.jar"
    with zipfile.ZipFile(other, "w") as jar:
        jar.writestr("other.txt", "something of the user's")
    report = submit(
        "configured_app.py",
        "--master",
        "local[2]",
        "--jars",
        str(other),
        cwd=tmp_path,
        PYTHONPATH=str(REPOSITORY / "python"),
    )
    assert report["count"] == 1
    assert report["master"] == "local[2]"
    assert [Path(jar).name for jar in report["jars"].split(",")] == [
        "other.jar",
        Path(wreath.jar_path()).name,
    ]
