from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from support import REPOSITORY, clean_environment

import wreath
from wreath import _jvm, cli, demo
from wreath.demo import Measured


def run(*arguments: str, cwd: Path, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "wreath.cli", *arguments],
        cwd=cwd,
        env={**clean_environment(), "PYTHONPATH": str(REPOSITORY / "python"), **env},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


def test_jar_prints_the_path_and_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["jar"]) == 0
    assert capsys.readouterr().out == wreath.jar_path() + "\n"


def test_an_error_is_one_line_without_a_stack_trace(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("wreath._jar.JARS", tmp_path)
    assert cli.main(["jar"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("wreath: The Wreath jar")
    assert err.count("\n") == 1


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        cli.main(["--version"])
    assert caught.value.code == 0
    assert capsys.readouterr().out == f"wreath {wreath.__version__}\n"


def test_no_command_shows_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    for command in ("doctor", "jar", "demo"):
        assert re.search(rf"^ +{command} +\w", out, re.MULTILINE), out


def test_an_unknown_command_is_a_usage_error() -> None:
    with pytest.raises(SystemExit) as caught:
        cli.main(["docter"])
    assert caught.value.code == 2


def test_doctor_is_content_and_quiet(tmp_path: Path) -> None:
    done = run("doctor", cwd=tmp_path)
    lines = done.stdout.splitlines()
    assert done.returncode == 0, done.stdout + done.stderr
    assert [line.split()[:2] for line in lines] == [
        ["ok", name] for name in ("Python", "Java", "PySpark", "Scala", "Jar", "Extension", "Query")
    ]
    assert "1 triangle found, by BroadcastWcoJoin" in lines[-1]
    assert done.stderr == ""


def test_doctor_names_all_that_is_missing(tmp_path: Path) -> None:
    (tmp_path / "jars").mkdir()
    (tmp_path / "jars" / "spark-core_2.12-3.5.1.jar").touch()
    (tmp_path / "jars" / "scala-library-2.12.18.jar").touch()
    done = run("doctor", cwd=tmp_path, SPARK_HOME=str(tmp_path), JAVA_HOME=str(tmp_path))
    assert done.returncode == 1
    failed = re.findall(r"^FAIL  (\w+)", done.stdout, re.MULTILINE)
    assert failed == ["Java", "PySpark", "Scala", "Jar"]
    assert "Traceback" not in done.stdout + done.stderr


def test_doctor_notices_that_wreath_is_switched_off(tmp_path: Path) -> None:
    (tmp_path / "spark-defaults.conf").write_text("spark.wreath.enabled false\n")
    done = run("doctor", cwd=tmp_path, SPARK_CONF_DIR=str(tmp_path))
    assert done.returncode == 1
    assert "FAIL  Query" in done.stdout
    assert "spark.wreath.enabled" in done.stdout


def test_demo_shows_three_ways_with_one_count(tmp_path: Path) -> None:
    done = run("demo", "--edges", "20000", "--master", "local[2]", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    table = re.findall(
        r"^(SQL GRAPH_TABLE|Graph\.match|Spark's joins) +([\d,]+) +[\d.]+ s +[\d.]+ s +(.+)$",
        done.stdout,
        re.MULTILINE,
    )
    assert [row[0] for row in table] == ["SQL GRAPH_TABLE", "Graph.match", "Spark's joins"]
    assert len({row[1] for row in table}) == 1
    assert table[0][1] != "0"
    assert "BroadcastWcoJoin" in table[0][2]
    assert "BroadcastWcoJoin" in table[1][2]
    assert "Wco" not in table[2][2]
    assert "10 of 10 planted rings found" in done.stdout
    assert done.stderr == ""


def test_demo_refuses_a_graph_too_small(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    done = run("demo", "--edges", "5", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr == "wreath: edges is 5, but must be at least 2000.\n"


WCO, HASH = "BroadcastWcoJoin", "2 x BroadcastHashJoin"


@pytest.mark.parametrize(
    ("counts", "operators", "found", "problems"),
    [
        ((7, 7, 7), (WCO, WCO, HASH), 3, 0),
        ((7, 7, 8), (WCO, WCO, HASH), 3, 1),
        ((7, 7, 7), (WCO, WCO, HASH), 2, 1),
        ((7, 7, 7), (HASH, WCO, HASH), 3, 1),
        ((7, 7, 7), (WCO, WCO, WCO), 3, 1),
    ],
)
def test_demo_notices_what_is_wrong(
    counts: tuple[int, ...], operators: tuple[str, ...], found: int, problems: int
) -> None:
    ways = [Measured("", n, 0.0, 0.0, op) for n, op in zip(counts, operators, strict=True)]
    assert len(demo._problems(ways, found, rings=3)) == problems


def test_joins_are_read_from_the_plan_that_ran() -> None:
    plan = """AdaptiveSparkPlan isFinalPlan=true
+- == Final Plan ==
   ResultQueryStage 1
   +- *(1) BroadcastHashJoin [b#1], [b#2], Inner, BuildRight, false
      +- *(1) BroadcastHashJoin [c#1], [c#2], Inner, BuildRight, false
+- == Initial Plan ==
   SortMergeJoin [b#1], [b#2], Inner
"""
    assert _jvm.joins(plan) == "2 x BroadcastHashJoin"
    assert _jvm.joins("BroadcastWcoJoin [a, b, c]\n+- CsrBroadcastExchange") == "BroadcastWcoJoin"
    assert _jvm.joins("LocalTableScan") == "no join"
