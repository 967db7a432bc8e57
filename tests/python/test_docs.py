"""Pages that show what a query prints: it runs, and it prints that.

`WREATH_GENERATE_GOLDEN=1` writes what was printed into the page instead.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from support import REPOSITORY

import wreath

PAGES = ["cookbook.md", "coming-from.md"]
FENCE = re.compile(r"^```sql\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)
GENERATE = os.environ.get("WREATH_GENERATE_GOLDEN") == "1"


@pytest.fixture
def clean(spark: SparkSession) -> Iterator[SparkSession]:
    yield spark
    for name in [row[0] for row in spark.sql("SHOW PROPERTY GRAPHS").collect()]:
        spark.sql(f"DROP PROPERTY GRAPH {name}")


def statements(block: str) -> list[str]:
    return [text.strip() for text in re.split(r";\s*(?:\n|$)", block) if text.strip()]


def printed(spark: SparkSession, block: str) -> str:
    """What the last statement of a block shows, the others run before it."""
    *before, last = statements(block)
    for statement in before:
        spark.sql(statement)
    return str(spark.sql(last)._show_string()).rstrip("\n") + "\n"  # type: ignore[operator]


@pytest.mark.parametrize("page", PAGES)
def test_a_page_prints_what_it_shows(clean: SparkSession, page: str) -> None:
    path = REPOSITORY / "docs" / page
    text = path.read_text(encoding="utf-8")
    shown = 0
    for block, expected in FENCE.findall(text):
        if not expected:
            for statement in statements(block):
                clean.sql(statement).collect()
            continue
        shown += 1
        actual = printed(clean, block)
        if GENERATE:
            text = text.replace(expected, actual)
        else:
            assert actual == expected, block
    assert shown >= 3
    if GENERATE:
        path.write_text(text, encoding="utf-8")


def test_the_calls_that_a_page_shows_run(spark: SparkSession) -> None:
    text = (REPOSITORY / "docs/coming-from.md").read_text(encoding="utf-8")
    edges = spark.createDataFrame([(1, 2), (2, 3)], "src bigint, dst bigint")
    vertices = spark.createDataFrame([(1,), (2,), (3,)], "id bigint")
    names = {"wreath": wreath, "edges": edges, "vertices": vertices}
    blocks = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert blocks
    for block in blocks:
        *before, last = block.strip().splitlines()
        exec("\n".join(before), names)
        assert eval(last, names).count() == 1


@pytest.mark.parametrize("page", sorted((REPOSITORY / "docs").glob("**/*.md")), ids=str)
def test_what_a_page_links_to_is_there(page: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    missing = [x for x in links if "://" not in x and not (page.parent / x).exists()]
    assert not missing
