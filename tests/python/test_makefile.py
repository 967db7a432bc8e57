"""A machine that lacks something is told what to install, in one sentence."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from support import REPOSITORY

TOOLS = ("awk", "cat", "find", "make", "printf", "sed", "sh", "test")


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """A folder for PATH with what every Debian has, but neither Java nor Python."""
    for tool in TOOLS:
        found = shutil.which(tool)
        assert found, tool
        (tmp_path / tool).symlink_to(found)
    return tmp_path


def run_make(*arguments: str, path: Path, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["make", "--no-print-directory", *arguments],
        cwd=REPOSITORY,
        env={"PATH": str(path), **env},
        capture_output=True,
        text=True,
        check=False,
    )


def make(target: str, path: Path, **env: str) -> tuple[int, list[str]]:
    done = run_make(target, path=path, **env)
    return done.returncode, done.stdout.splitlines()


def script(file: Path, text: str) -> None:
    file.parent.mkdir(exist_ok=True)
    file.write_text(f"#!/bin/sh\n{text}\n")
    file.chmod(0o755)


def test_no_python(bare: Path) -> None:
    code, lines = make("check-python", bare)
    assert code != 0
    assert len(lines) == 1
    assert "install Python 3.10 or newer" in lines[0]


def test_an_old_python(bare: Path) -> None:
    script(bare / "python3", '[ "$1" = --version ] && echo Python 3.9.2 || exit 1')
    code, lines = make("check-python", bare)
    assert code != 0
    assert lines == [
        "Python 3.9.2 is too old: install Python 3.10 or newer, "
        "or name it with PYTHON=/path/to/python3."
    ]


def test_a_python_without_venv(bare: Path) -> None:
    script(bare / "python3", 'case "$2" in *venv*) exit 1;; esac')
    code, lines = make("check-python", bare)
    assert code != 0
    assert len(lines) == 1
    assert "apt install python3-venv" in lines[0]


def test_no_java(bare: Path) -> None:
    code, lines = make("check-java", bare)
    assert code != 0
    assert len(lines) == 1
    assert "install a JDK 17 or newer" in lines[0]


def test_a_java_home_without_java(bare: Path) -> None:
    code, lines = make("check-java", bare, JAVA_HOME=str(bare))
    assert code != 0
    assert len(lines) == 1
    assert "JAVA_HOME has no bin/java" in lines[0]


@pytest.mark.parametrize(
    ("modules", "accepted"),
    [
        ("java.base@17.0.15 jdk.compiler@17.0.15", True),
        ("java.base@21 jdk.compiler@21", True),
        ("java.base@25-ea jdk.compiler@25-ea", True),
        ("java.base@11.0.20 jdk.compiler@11.0.20", False),
        ("java.base@9 jdk.compiler@9", False),
        ("java.base@17.0.15", False),  # a JRE
        ("", False),  # Java 8 does not know --list-modules
    ],
)
def test_a_jdk_is_told_from_an_old_one_and_from_a_jre(
    bare: Path, modules: str, accepted: bool
) -> None:
    answer = f"printf '%s\\n' {modules}" if modules else "exit 1"
    script(bare / "java", answer)
    code, lines = make("check-java", bare)
    assert (code == 0) is accepted
    assert len(lines) == (0 if accepted else 1)


def test_this_machine_has_what_it_takes() -> None:
    path = Path(os.environ["PATH"].split(os.pathsep)[0])
    environment = {k: v for k, v in os.environ.items() if k in ("PATH", "JAVA_HOME")}
    for target in ("check-java", "check-python"):
        code, lines = make(target, path, **environment)
        assert (code, lines) == (0, [])


def test_an_unknown_spark_is_refused_with_those_that_are_known(bare: Path) -> None:
    done = run_make("help", "SPARK=3.5.1", path=bare)
    assert done.returncode != 0
    assert "Spark 3.5.1 is not supported: choose SPARK= one of 4.1.3 4.2.0" in done.stderr


@pytest.mark.parametrize(
    ("spark", "venv", "module"),
    [("4.1.3", ".venv/bin", "spark/test;"), ("4.2.0", ".venv-4.2/bin", "spark42/test;")],
)
def test_a_spark_has_its_venv_and_its_module(spark: str, venv: str, module: str) -> None:
    path = Path(os.environ["PATH"].split(os.pathsep)[0])
    done = run_make("--dry-run", "test", f"SPARK={spark}", path=path, PATH=os.environ["PATH"])
    assert done.returncode == 0, done.stderr
    assert f"{venv}/python -m pytest -c python/pyproject.toml --rootdir=. tests" in done.stdout
    assert module in done.stdout


def test_make_alone_lists_every_target_of_the_readme(bare: Path) -> None:
    code, lines = make("help", bare)
    assert code == 0
    listed = {line.split()[1] for line in lines}
    assert listed >= {"demo", "test", "test-kernel", "wheel", "build", "lint", "fmt"}
    assert listed >= {"bench-smoke", "bench", "bench-jmh", "soak", "docs", "clean", "help"}
