"""Pictures of plans and of matches: what they say, and that nobody's text becomes markup."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from subprocess import CompletedProcess
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession
from support import connect_port

import wreath
from wreath import _draw_plan, _layout, _plan, _plot

SVG = "{http://www.w3.org/2000/svg}"
TRIANGLE = "(a)-[]->(b)-[]->(c), (a)-[]->(c)"


def words(picture: wreath.Picture) -> list[str]:
    """The lines of text in a picture, which is well-formed XML."""
    root = ElementTree.fromstring(picture.svg)
    assert root.tag == f"{SVG}svg"
    return [element.text or "" for element in root.iter(f"{SVG}text")]


def shapes(picture: wreath.Picture, name: str) -> list[dict[str, str]]:
    root = ElementTree.fromstring(picture.svg)
    return [element.attrib for element in root.iter(f"{SVG}{name}")]


# --- what a plan says ----------------------------------------------------------------------------


def only_join(line: str) -> _plan.Join:
    (join,) = _plan.joins(f"AdaptiveSparkPlan\n+- *(3) {line}\n")
    return join


def test_a_plan_before_it_runs_has_the_pattern_and_no_order() -> None:
    join = only_join(
        "BroadcastWcoJoin (a)->(b), (b)-(c), not exists (a)->(c), "
        "where [a < b, isnotnull(w#3), (w#3 > 4)], order c (hinted), then from statistics"
    )
    assert join.edges == [
        _plan.Edge("a", "b"),
        _plan.Edge("b", "c", directed=False),
        _plan.Edge("a", "c", test="not exists"),
    ]
    assert join.conditions == ["a < b", "(w > 4)"]
    assert join.hint == "c"
    assert not join.levels


def test_a_plan_that_ran_has_order_bindings_and_techniques() -> None:
    join = only_join("BroadcastWcoJoin (a)->(b), counted by a, bound b (1,204), a (7) by marks, x")
    assert join.levels == [_plan.Level("b", 1204), _plan.Level("a", 7, "marks")]
    assert join.goal == "counted by a"
    assert join.notes == ["x"]


def test_a_plan_that_found_nothing_has_a_picture() -> None:
    join = only_join("BroadcastWcoJoin (a)->(b), bound a (0), b (0) by list")
    said = words(wreath.Picture(_draw_plan.picture([join])))
    assert "1. a" in said
    assert said[-2:] == ["2. b", "0 by list"]


def test_names_may_hold_what_a_plan_is_written_with() -> None:
    join = only_join("BroadcastWcoJoin (a, b)->(x(1) by), bound a, b (40), x(1) by (48) by list")
    assert join.edges == [_plan.Edge("a, b", "x(1) by")]
    assert join.levels == [_plan.Level("a, b", 40), _plan.Level("x(1) by", 48, "list")]


def test_of_lengths_the_longest_is_drawn() -> None:
    join = only_join(
        "BroadcastWcoJoin (a)->(b): 1 to 2 edges [(a)->(b), where [(a#1 < 3)] | "
        "(a)->(anonymous #2), (anonymous #2)->(b), where [(a#1 < 3)]], counted, "
        "bound a, b by list | a, anonymous #2 by list, b by list"
    )
    assert join.lengths == "(a)->(b): 1 to 2 edges"
    assert [e.target for e in join.edges] == ["anonymous #2", "b"]
    assert [level.variable for level in join.levels] == ["a", "anonymous #2", "b"]
    assert join.conditions == ["(a < 3)"]


def test_what_is_meant_to_run_is_not_told_as_what_ran() -> None:
    ran = "+- BroadcastWcoJoin (a)->(b), bound a (1), b (2) by list\n"
    index = "   +- CachedCsrIndex default.e, 300 edges, 4.6 KiB\n"
    meant = "+- == Initial Plan ==\n   BroadcastWcoJoin (a)->(b), order from the statistics\n"
    (join,) = _plan.joins(f"== Final Plan ==\n{ran}{index}{meant}")
    assert len(join.levels) == 2
    assert join.indexes == [_plan.Index("default.e", "reused", "300 edges", "4.6 KiB")]


def test_reasons_are_told() -> None:
    (declined,) = _plan.joins("+- *(3) WcoJoinDeclined vertices are named by DOUBLE\n")
    assert declined.declined == "vertices are named by DOUBLE"
    refused = only_join(
        "BroadcastWcoJoin (a)->(b), order from the index's statistics, not used: [WREATH_X] It is "
        "too large. SQLSTATE: 54000 Spark's joins ran in its place"
    )
    assert refused.declined == "It is too large."


def test_a_stream_has_a_search_from_each_edge() -> None:
    join = only_join(
        "StreamingWcoJoin (a)->(b), (b)->(a), from (a)->(b) c by list, from (b)->(a), "
        "state info [1]"
    )
    assert len(join.edges) == 2
    assert join.notes == ["from (a)->(b) c by list", "from (b)->(a)"]


def test_a_plan_that_is_written_otherwise_is_no_error() -> None:
    join = only_join("NewWcoJoin something else [entirely (")
    assert join.operator == "NewWcoJoin"
    assert not join.edges


# --- wreath.explain ------------------------------------------------------------------------------


def test_explain_before_and_after(spark: SparkSession) -> None:
    edges = spark.range(20).selectExpr("id AS src", "(id + 1) % 20 AS dst").cache()
    try:
        ring = wreath.Graph(edges).match("(a)-[]->(b)-[]->(c)", where="a < c")
        before = wreath.explain(ring)
        assert "the order is chosen when the index is there" in words(before)
        assert "where a < c" in words(before)
        ring.collect()
        after = wreath.explain(ring)
        assert "bound" in after.text
        assert str(after) == repr(after) == after.text
        said = words(after)
        assert {"1.", "2.", "3."} <= set(said)
        assert any("by list" in line for line in said)
        assert any("list elements" in line for line in said)
        again = wreath.explain(wreath.Graph(edges).match("(a)-[]->(b)-[]->(c)"))
        assert any(line.startswith("index there already: 20 edges") for line in words(again))
    finally:
        edges.unpersist()


def test_explain_says_where_spark_does_the_work(spark: SparkSession, triangle: DataFrame) -> None:
    spark.conf.set("spark.wreath.join.mode", "binary")
    try:
        said = words(wreath.explain(wreath.Graph(triangle).match("(a)-[]->(b)-[]->(c)")))
    finally:
        spark.conf.unset("spark.wreath.join.mode")
    assert "because spark.wreath.join.mode is 'binary'" in said
    assert "No pattern of Wreath's in this plan" in words(wreath.explain(triangle))


def test_explain_of_a_stream_has_its_pattern(spark: SparkSession) -> None:
    rate = spark.readStream.format("rate").load().selectExpr("value AS src", "value % 7 AS dst")
    explained = wreath.explain(wreath.Graph(rate).match(TRIANGLE))
    assert "StreamingWcoJoin" in words(explained)
    assert {"a", "b", "c"} <= set(words(explained))


def test_explain_takes_a_dataframe_only() -> None:
    with pytest.raises(TypeError, match="not str"):
        wreath.explain("(a)-[]->(b)")  # type: ignore[arg-type]


def test_conditions_are_text(triangle: DataFrame) -> None:
    text = triangle.selectExpr("string(src) AS src", "string(dst) AS dst")
    where = "a <> '<script>' AND b <> '&\\t]'"
    found = wreath.Graph(text).match("(a)-[]->(b)-[]->(c)", where=where)
    shown = wreath.explain(found)
    assert "<script>" not in shown.svg
    assert any("<script>" in line for line in words(shown))


# --- Graph.plot ----------------------------------------------------------------------------------


def test_a_plot_has_the_edges_between_the_vertices_of_a_match(triangle: DataFrame) -> None:
    g = wreath.Graph(triangle)
    shown = g.plot(g.match(TRIANGLE))
    assert words(shown)[0] == "1 match"
    assert {"a", "b", "c", "1", "2", "3"} <= set(words(shown))
    assert "4" not in words(shown)
    assert len(shapes(shown, "polygon")) == 3
    assert shown.svg == g.plot(TRIANGLE).svg


def test_a_plot_is_the_same_whatever_order_rows_come_in(triangle: DataFrame) -> None:
    g = wreath.Graph(triangle)
    one = g.match("(a)-[]->(b)")
    assert g.plot(one.sort("a", "b")).svg == g.plot(one.sort("b", "a", ascending=False)).svg


def test_a_plot_stops_at_its_limit(spark: SparkSession) -> None:
    edges = spark.range(30).selectExpr("id AS src", "id + 100 AS dst")
    g = wreath.Graph(edges)
    some = g.plot("(a)-[]->(b)", limit=4)
    assert words(some)[0] == "The first 4 matches"
    assert len(shapes(some, "polygon")) == 4
    assert words(g.plot("(a)-[]->(b)", limit=30))[0] == "30 matches"


def test_a_plot_takes_names_for_names(spark: SparkSession, triangle: DataFrame) -> None:
    people = spark.createDataFrame([(1, "<b>Ann"), (2, "Bob")], "id bigint, name string")
    g = wreath.Graph(triangle, people)
    shown = g.plot(g.match("(a)-[]->(b)", columns=["a", "a.name AS name", "b"]))
    assert "<b>" not in shown.svg
    assert {"1", "2"} <= set(words(shown))
    named = g.plot(g.find("(a)-[e]->(b)"))
    assert len(shapes(named, "polygon")) == 1


def test_a_plot_writes_ids_as_text(spark: SparkSession) -> None:
    rows = [("</svg><script>", "b\x00c"), ("b\x00c", "'\"&")]
    edges = spark.createDataFrame(rows, "src string, dst string")
    shown = wreath.Graph(edges).plot("(a)-[]->(b)")
    assert "<script>" not in shown.svg
    assert any(line.startswith("</svg>") for line in words(shown))


def test_a_plot_of_nothing_says_so(triangle: DataFrame) -> None:
    g = wreath.Graph(triangle)
    assert "Nothing was found." in words(g.plot("(a)-[]->(b)-[]->(a)"))


@pytest.mark.parametrize("limit", [0, -1, True, 1.5])
def test_a_limit_that_is_none_is_refused(triangle: DataFrame, limit: Any) -> None:
    with pytest.raises(ValueError, match="limit is"):
        wreath.Graph(triangle).plot("(a)-[]->(b)", limit=limit)


def test_a_stream_cannot_be_drawn(spark: SparkSession) -> None:
    rate = spark.readStream.format("rate").load().selectExpr("value AS src", "value % 7 AS dst")
    with pytest.raises(ValueError, match="stream cannot be drawn"):
        wreath.Graph(rate).plot("(a)-[]->(b)")


def test_pictures_have_colours_for_dark_pages(triangle: DataFrame) -> None:
    shown = wreath.Graph(triangle).plot(TRIANGLE)
    assert "@media (prefers-color-scheme:dark)" in shown.svg
    assert shown._repr_svg_() == shown._repr_html_() == shown.svg


def test_a_picture_is_a_file(triangle: DataFrame, tmp_path: Any) -> None:
    shown = wreath.Graph(triangle).plot(TRIANGLE)
    shown.save(tmp_path / "a.svg")
    assert (tmp_path / "a.svg").read_text(encoding="utf-8") == shown.svg


# --- layouts -------------------------------------------------------------------------------------


def test_fifty_matches_stay_apart_and_within_the_page() -> None:
    edges = [(i, (i * 7 + 3) % 120) for i in range(120)]
    places, wide, _ = _layout.packed(120, edges, 860, 30)
    assert (places, wide) == _layout.packed(120, edges, 860, 30)[:2]
    assert wide <= 860
    assert all(0 <= x <= wide for x, _ in places)
    near = [
        (i, j)
        for i, (x, y) in enumerate(places)
        for j, (v, w) in enumerate(places[:i])
        if (x - v) ** 2 + (y - w) ** 2 < 12**2
    ]
    assert len(near) <= 2


def test_parallel_edges_bend_apart_and_a_single_one_is_straight() -> None:
    assert _layout.bends([(0, 1)]) == [0.0]
    one, other = _layout.bends([(0, 1), (1, 0)])
    # Seen from their own starts both bend to the same side, so they lie on different ones.
    assert one == other != 0.0
    assert len(set(_layout.bends([(0, 1), (0, 1), (0, 1)]))) == 3


def test_components() -> None:
    assert _layout.components(5, [(3, 1), (4, 0)]) == [[0, 4], [1, 3], [2]]


def test_a_match_reads_structs_and_leaves_other_columns_out() -> None:
    from pyspark.sql import Row
    from pyspark.sql.types import LongType

    row = Row(a=Row(id=1), e=Row(src=1, dst=2), b=2, name="x", flag=True, none=None)
    assert _plot.match_of(row, LongType()) == _plot.Match({"a": 1, "b": 2}, [(1, 2)])


# --- what notebooks show -------------------------------------------------------------------------


def test_graphs_and_indexes_show_themselves(spark: SparkSession) -> None:
    edges = spark.range(4).selectExpr("id AS src", "id AS dst", "id AS `<b>`").cache()
    g = wreath.Graph(edges)
    assert repr(g) == "Graph(edges=[src bigint, dst bigint, <b> bigint])"
    assert "&lt;b&gt; bigint" in g._repr_html_()
    assert "<b> bigint" not in g._repr_html_()
    people = spark.range(4).selectExpr("id", "'x' AS name")
    assert "name string" in wreath.Graph(edges, people)._repr_html_()
    index = g.index()
    try:
        assert "<th" in index._repr_html_()
        assert ">4<" in index._repr_html_()
    finally:
        index.unpersist()
        edges.unpersist()


CLIENT = """
import wreath

spark = wreath.start("client")
edges = spark.createDataFrame([(1, 2), (2, 3), (1, 3)], "src bigint, dst bigint")
g = wreath.Graph(edges)
found = g.match("(a)-[]->(b)-[]->(c), (a)-[]->(c)")
found.collect()
explained = wreath.explain(found)
print("BroadcastWcoJoin" in explained.text, "BroadcastWcoJoin" in explained.svg)
print(g.plot(found).svg.count("<polygon"), "src bigint" in g._repr_html_())
print(sorted(tuple(row) for row in g.degrees().collect()))
print(sorted(tuple(row) for row in g.triangles().collect()))
"""


def test_pictures_over_connect(
    spark: SparkSession, run_python: Callable[..., CompletedProcess[str]]
) -> None:
    done = run_python(CLIENT, SPARK_REMOTE=f"sc://127.0.0.1:{connect_port(spark)}")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "True True",
        "3 True",
        "[(1, 2), (2, 2), (3, 2)]",
        "[(1, 1), (2, 1), (3, 1)]",
    ]
