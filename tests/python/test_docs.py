"""Pages that show what code prints: it runs, and it prints that.

`WREATH_GENERATE_GOLDEN=1` writes what was printed into the page instead.
"""

from __future__ import annotations

import os
import re
import runpy
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession
from support import REPOSITORY

import wreath

DOCS = REPOSITORY / "docs"
SQL_PAGES = ["cookbook.md", "coming-from.md", "sql-by-example.md", "sizing.md", "paths.md"]
PYTHON_PAGES = ["quick-start.md", "tuning.md", "paths.md"]
FENCE = re.compile(
    r"^```(sql|python)\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL
)
GENERATE = os.environ.get("WREATH_GENERATE_GOLDEN") == "1"


@pytest.fixture
def clean(spark: SparkSession) -> Iterator[SparkSession]:
    yield spark
    for name in [row[0] for row in spark.sql("SHOW PROPERTY GRAPHS").collect()]:
        spark.sql(f"DROP PROPERTY GRAPH {name}")
    for table in ("ring", "knows", "roads"):
        spark.catalog.dropTempView(table)


def statements(block: str) -> list[str]:
    return [text.strip() for text in re.split(r";\s*(?:\n|$)", block) if text.strip()]


def printed_by_sql(spark: SparkSession, block: str) -> str:
    """What the last statement of a block shows, the others run before it."""
    *before, last = statements(block)
    for statement in before:
        spark.sql(statement)
    return str(spark.sql(last)._show_string())  # type: ignore[operator]


def printed_by_python(block: str, names: dict[str, Any]) -> str:
    out = StringIO()
    with redirect_stdout(out):
        exec(compile(block, "page", "exec"), names)
    return out.getvalue()


def check(page: str, language: str, run: Any) -> None:
    """Run the blocks of a page in their order, and compare what follows them."""
    path = DOCS / page
    text = path.read_text(encoding="utf-8")
    shown, written, end = 0, "", 0
    for block in FENCE.finditer(text):
        if block[1] != language:
            continue
        actual = run(block[2], block[3] is not None).rstrip() + "\n"
        if block[3] is not None:
            shown += 1
            if GENERATE:
                written += text[end : block.start(3)] + actual
                end = block.end(3)
            else:
                assert actual == block[3].rstrip() + "\n", block[2]
    assert shown >= 1
    if GENERATE:
        path.write_text(written + text[end:], encoding="utf-8")


@pytest.mark.parametrize("page", SQL_PAGES)
def test_a_page_prints_what_it_shows(clean: SparkSession, page: str) -> None:
    def run(block: str, is_shown: bool) -> str:
        if is_shown:
            return printed_by_sql(clean, block)
        for statement in statements(block):
            clean.sql(statement).collect()
        return ""

    check(page, "sql", run)


@pytest.mark.parametrize("page", PYTHON_PAGES)
def test_the_program_of_a_page_prints_what_it_shows(spark: SparkSession, page: str) -> None:
    names: dict[str, Any] = {}
    check(page, "python", lambda block, is_shown: printed_by_python(block, names))


def test_the_pictures_of_a_page_are_those_that_its_program_draws(spark: SparkSession) -> None:
    """The picture of a plan has a number of tasks in it, so it is not compared to the last dot."""
    names: dict[str, Any] = {}
    for block in FENCE.findall((DOCS / "pictures.md").read_text(encoding="utf-8")):
        exec(block[1], names)
    drawn = {"plot.svg": names["picture"], "explain.svg": names["explained"]}
    for file, picture in drawn.items():
        if GENERATE:
            picture.save(DOCS / file)
    assert (DOCS / "plot.svg").read_text(encoding="utf-8") == drawn["plot.svg"].svg
    assert "by marks" in (DOCS / "explain.svg").read_text(encoding="utf-8")


def test_the_calls_that_a_page_shows_run(spark: SparkSession) -> None:
    text = (DOCS / "coming-from.md").read_text(encoding="utf-8")
    edges = spark.createDataFrame([(1, 2), (2, 3)], "src bigint, dst bigint")
    vertices = spark.createDataFrame([(1,), (2,), (3,)], "id bigint")
    names = {"wreath": wreath, "edges": edges, "vertices": vertices}
    blocks = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert blocks
    for block in blocks:
        *before, last = block.strip().splitlines()
        exec("\n".join(before), names)
        assert eval(last, names).count() == 1


GENERATED = runpy.run_path(str(DOCS / "site/generated_pages.py"))["pages"]()


@pytest.mark.parametrize("page", sorted(DOCS.glob("**/*.md")), ids=str)
def test_what_a_page_links_to_is_there(page: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    missing = [x for x in links if "://" not in x and not (page.parent / x).exists()]
    assert set(missing) <= set(GENERATED)


def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs", reason="mkdocs is not installed: make docs installs it")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path)]
    done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stderr
    pages = list(tmp_path.glob("*.html"))
    assert len(pages) >= 20
    # A reader's browser fetches nothing from elsewhere.
    fetched = re.compile(r"<(?:script|link|img|iframe)[^>]+(?:src|href)=\"?https?://[^>]+>")
    assert not [x for page in pages for x in fetched.findall(page.read_text(encoding="utf-8"))]


def test_every_page_is_in_the_navigation() -> None:
    named = set(re.findall(r": ([\w/.-]+\.md)$", (REPOSITORY / "mkdocs.yml").read_text(), re.M))
    there = {page.name for page in DOCS.glob("*.md")} | set(GENERATED) | {"adr/README.md"}
    assert named == there


def test_the_python_reference_has_every_public_name() -> None:
    text = GENERATED["python.md"]
    for name in wreath.__all__:
        if name != "__version__":
            assert f"### wreath.{name}\n" in text, name
    for method in ("match", "find", "match_all", "index", "plot", "degrees", "triangles"):
        assert f"#### Graph.{method}\n" in text
    assert "versionadded" not in text
    assert ":class:" not in text


def test_the_scala_reference_has_every_call() -> None:
    text = GENERATED["scala.md"]
    for name in ("match", "find", "match_all", "index", "apply"):
        assert f"### {name}\n" in text


def test_the_error_catalogue_has_every_condition() -> None:
    assert "## WREATH_SYNTAX_ERROR\n" in GENERATED["errors.md"]
    assert GENERATED["errors.md"].count("SQLSTATE") >= 30
