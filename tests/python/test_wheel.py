"""The wheel alone, in an empty venv, with no repository near it."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pyspark
import pytest
from support import JAR, REPOSITORY, clean_environment

import wreath
from wreath.version import SPARK_MINORS

WHEEL = REPOSITORY / "dist" / f"wreath-{wreath.__version__}-py3-none-any.whl"
ALL_JARS = {f"wreath-spark-{line}_2.13-{wreath.__version__}.jar" for line in ("4.1", "4.2")}

TRIANGLE = """
import wreath
assert "site-packages" in wreath.__file__, wreath.__file__
spark = wreath.start(master="local[1]", conf={"spark.ui.enabled": False})
edges = spark.createDataFrame([(1, 2), (2, 3), (1, 3)], "src bigint, dst bigint")
print(wreath.Graph(edges).match("(a)-[]->(b)-[]->(c), (a)-[]->(c)").collect())
"""


@pytest.fixture(scope="module")
def empty_venv(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A venv with the wheel, which sees PySpark where it is: to install it again takes a minute."""
    assert WHEEL.is_file(), f"{WHEEL} is missing: run make wheel"
    folder = tmp_path_factory.mktemp("empty") / "venv"
    venv.create(folder, with_pip=False, symlinks=True)
    sites = folder / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"
    (sites / "borrowed.pth").write_text(str(Path(pyspark.__file__).parents[1]) + "\n")
    install = [sys.executable, "-m", "pip", "--python", str(folder / "bin" / "python"), "install"]
    options = ["--quiet", "--no-deps", "--no-index", "--ignore-installed", str(WHEEL)]
    subprocess.run([*install, *options], check=True, env=clean_environment(), cwd=folder)
    assert (sites / "wreath" / "__init__.py").is_file()
    return folder


def run(program: list[str], cwd: Path) -> str:
    done = subprocess.run(
        program,
        cwd=cwd,
        env=clean_environment(),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_wheel_has_the_jars_the_types_and_the_licence() -> None:
    assert WHEEL.is_file(), f"{WHEEL} is missing: run make wheel"
    with zipfile.ZipFile(WHEEL) as wheel:
        names = set(wheel.namelist())
        metadata = wheel.read(f"wreath-{wreath.__version__}.dist-info/METADATA").decode()
        jar = wheel.read(f"wreath/jars/{JAR}")
    assert {n for n in names if n.startswith("wreath/jars/")} == {
        f"wreath/jars/{j}" for j in ALL_JARS
    }
    assert "wreath/py.typed" in names
    assert any(n.endswith("LICENSE") and "dist-info" in n for n in names)
    assert not any("tests" in n or n.endswith(".pyc") for n in names)
    assert "Requires-Dist: pyspark<4.3,>=4.1" in metadata
    assert "Requires-Python: >=3.10" in metadata
    assert "License-Expression: Apache-2.0" in metadata
    assert jar == Path(wreath.jar_path()).read_bytes()


def test_the_build_and_the_package_name_the_same_spark_lines() -> None:
    build = (REPOSITORY / "project" / "Versions.scala").read_text()
    lines = re.findall(r'spark = "(\d+)\.(\d+)\.\d+"', build)
    assert tuple((int(major), int(minor)) for major, minor in lines) == SPARK_MINORS


def test_the_jar_holds_the_extension_the_kernel_and_nothing_of_spark() -> None:
    with zipfile.ZipFile(wreath.jar_path()) as jar:
        names = jar.namelist()
        service = "META-INF/services/org.apache.spark.sql.SparkSessionExtensionsProvider"
        provider = jar.read(service).decode().strip()
    assert provider.startswith("io.wreath.spark.")
    assert f"{provider.replace('.', '/')}.class" in names
    assert "io/wreath/spark/WreathExtensions.class" in names
    assert any(n.startswith("io/wreath/kernel/") and n.endswith(".class") for n in names)
    foreign = [
        n
        for n in names
        if n.endswith(".class")
        and not n.startswith(("io/wreath/", "org/apache/spark/sql/execution/wreath/"))
    ]
    assert foreign == []


def test_the_command_prints_the_jar_of_the_wheel(empty_venv: Path, tmp_path: Path) -> None:
    jar = Path(run([str(empty_venv / "bin" / "wreath"), "jar"], tmp_path).strip())
    assert jar.name == JAR
    assert empty_venv in jar.parents
    assert jar.is_file()


def test_a_triangle_comes_out_of_the_wheel(empty_venv: Path, tmp_path: Path) -> None:
    done = run([str(empty_venv / "bin" / "python"), "-c", TRIANGLE], tmp_path)
    assert done == "[Row(a=1, b=2, c=3)]\n"


@pytest.mark.parametrize("missing", sorted(ALL_JARS))
def test_a_checkout_without_one_of_its_jars_says_make_wheel(tmp_path: Path, missing: str) -> None:
    unstaged = tmp_path / "python"
    ignore = shutil.ignore_patterns(missing, "__pycache__")
    shutil.copytree(REPOSITORY / "python", unstaged, ignore=ignore)
    done = subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", str(unstaged)],
        env=clean_environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert "run `make wheel`" in done.stdout + done.stderr
