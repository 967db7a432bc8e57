"""The notebooks run from top to bottom, and show pictures. They share one Spark, over Connect."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from support import REPOSITORY, clean_environment, connect_port

nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")

NOTEBOOKS = sorted((REPOSITORY / "examples/notebooks").glob("*.ipynb"))


def test_there_are_notebooks() -> None:
    names = {path.stem for path in NOTEBOOKS}
    assert names >= {"quick-start", "fraud-stream", "recommendations"}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_shows_pictures(
    spark: SparkSession, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in set(os.environ) - set(clean_environment()):
        monkeypatch.delenv(name)
    packages = [str(REPOSITORY / "python"), *map(str, Path(nbclient.__file__).parents[1:2])]
    monkeypatch.setenv("PYTHONPATH", ":".join(packages))
    monkeypatch.setenv("SPARK_REMOTE", f"sc://127.0.0.1:{connect_port(spark)}")
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    resources = {"metadata": {"path": str(tmp_path)}}
    nbclient.NotebookClient(notebook, timeout=240, resources=resources).execute()
    outputs = [o for cell in notebook.cells if cell.cell_type == "code" for o in cell.outputs]
    pictures = [o.data["image/svg+xml"] for o in outputs if "image/svg+xml" in o.get("data", {})]
    assert pictures
    assert all(picture.startswith("<svg") for picture in pictures)
    assert not [o for o in outputs if o.output_type == "error"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_stored_without_its_outputs(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert not any(cell.outputs or cell.execution_count for cell in code)
