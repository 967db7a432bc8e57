"""The cell magic %%graph, without a notebook around it."""

from __future__ import annotations

from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession
from test_pictures import TRIANGLE, words

import wreath


class Shell:
    """What the magic needs of IPython."""

    def __init__(self, **names: Any) -> None:
        self.user_ns: dict[str, Any] = names
        self.magics: dict[str, Any] = {}

    def register_magic_function(self, func: Any, magic_kind: str, magic_name: str) -> None:
        self.magics[f"{magic_kind} {magic_name}"] = func

    def graph(self, line: str, cell: str) -> wreath.Picture:
        wreath.load_ipython_extension(self)
        shown = self.magics["cell graph"](line, cell)
        assert isinstance(shown, wreath.Picture)
        return shown


@pytest.mark.parametrize("kind", ["view", "DataFrame", "Graph"])
def test_a_cell_draws_what_it_matches(triangle: DataFrame, kind: str) -> None:
    triangle.createOrReplaceTempView("magic_view")
    shell = Shell(frame=triangle, g=wreath.Graph(triangle))
    name = {"view": "magic_view", "DataFrame": "frame", "Graph": "g"}[kind]
    shown = shell.graph(f"{name} --into found", f"{TRIANGLE}\nWHERE a < c;\n")
    assert words(shown)[0] == "1 match"
    assert shell.user_ns["found"].columns == ["a", "b", "c"]
    assert words(shell.graph(f"{name} --limit 2", "(a)-[]->(b)"))[0] == "The first 2 matches"
    braces = "(a)-[]->(b) WHERE NOT EXISTS { (b)-[]->(c) }"
    assert words(shell.graph(name, braces))[0] == "1 match"


def test_a_cell_reads_a_property_graph(spark: SparkSession, triangle: DataFrame) -> None:
    triangle.createOrReplaceTempView("magic_knows")
    spark.range(1, 5).createOrReplaceTempView("magic_person")
    spark.sql(
        "CREATE TEMPORARY PROPERTY GRAPH magic_graph VERTEX TABLES (magic_person KEY (id)) EDGE "
        "TABLES (magic_knows SOURCE KEY (src) REFERENCES magic_person "
        "DESTINATION KEY (dst) REFERENCES magic_person)"
    )
    try:
        shown = Shell().graph("magic_graph", "(a IS magic_person)-[]->(b) WHERE a = 1")
        assert words(shown)[0] == "2 matches"
        assert "3" in words(shown)
        assert "4" not in words(shown)
    finally:
        spark.sql("DROP PROPERTY GRAPH magic_graph")


def test_a_cell_explains(triangle: DataFrame) -> None:
    shown = Shell(g=wreath.Graph(triangle)).graph("g --explain", TRIANGLE)
    assert isinstance(shown, wreath.Explanation)


@pytest.mark.parametrize(
    ("line", "cell", "said"),
    [
        ("", "(a)", "required: graph"),
        ("g --nothing", "(a)", "unrecognized arguments: --nothing"),
        ("g --limit x", "(a)", "invalid int value"),
        ("g", " \n", "the cell is empty"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(line: str, cell: str, said: str) -> None:
    with pytest.raises(ValueError, match=f"%%graph: .*{said}"):
        Shell().graph(line, cell)
