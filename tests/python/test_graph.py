"""Graph.match: its arguments become SQL, and the SQL gives the right rows."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf

import wreath
from wreath import _jvm, _sql

TRIANGLE = "(a)-[]->(b)-[]->(c), (a)-[]->(c)"

Rows = list[tuple[object, ...]]


def rows(df: DataFrame) -> Rows:
    return sorted(tuple(row) for row in df.collect())


def edges_of(spark: SparkSession, *pairs: tuple[int | None, int | None]) -> DataFrame:
    return spark.createDataFrame(list(pairs), "src bigint, dst bigint")


# --- rows ----------------------------------------------------------------------------------------


def test_a_triangle_is_found_and_named_after_its_variables(triangle: DataFrame) -> None:
    found = wreath.Graph(triangle).match(TRIANGLE)
    assert found.columns == ["a", "b", "c"]
    assert rows(found) == [(1, 2, 3)]


def test_the_columns_follow_the_first_mention(triangle: DataFrame) -> None:
    found = wreath.Graph(triangle).match("(z)-[]->(y), (x)-[]->(y), (z)-[]->(x)")
    assert found.columns == ["z", "y", "x"]
    assert rows(found) == [(1, 3, 2)]


def test_the_operator_is_in_the_plan(triangle: DataFrame) -> None:
    found = wreath.Graph(triangle).match(TRIANGLE)
    found.collect()
    assert "BroadcastWcoJoin" in _jvm.joins(_jvm.executed_plan(found))


def test_with_wreath_off_sparks_joins_give_the_same_rows(
    spark: SparkSession, triangle: DataFrame
) -> None:
    spark.conf.set("spark.wreath.enabled", "false")
    try:
        found = wreath.Graph(triangle).match(TRIANGLE)
        assert rows(found) == [(1, 2, 3)]
        assert "Wco" not in _jvm.executed_plan(found)
    finally:
        spark.conf.unset("spark.wreath.enabled")


def test_each_row_is_an_edge_of_its_own(spark: SparkSession) -> None:
    edges = edges_of(spark, (1, 2), (1, 2), (2, 3), (2, 3), (2, 3), (1, 3))
    assert rows(wreath.Graph(edges).match(TRIANGLE)) == [(1, 2, 3)] * 6


def test_a_null_endpoint_matches_nothing(spark: SparkSession) -> None:
    edges = edges_of(spark, (1, 2), (2, None), (None, 3), (None, None), (2, 3), (1, 3))
    assert rows(wreath.Graph(edges).match(TRIANGLE)) == [(1, 2, 3)]


def test_variables_may_bind_the_same_vertex(spark: SparkSession) -> None:
    assert rows(wreath.Graph(edges_of(spark, (7, 7))).match(TRIANGLE)) == [(7, 7, 7)]


def test_an_empty_graph_has_no_triangle(spark: SparkSession) -> None:
    assert rows(wreath.Graph(edges_of(spark)).match(TRIANGLE)) == []


def test_a_single_edge_and_a_path_are_patterns_too(triangle: DataFrame) -> None:
    graph = wreath.Graph(triangle)
    assert rows(graph.match("(a)-[]->(b)")) == [(1, 2), (1, 3), (2, 3), (3, 4)]
    assert rows(graph.match("(a)-[]->(b)-[]->(c)")) == [(1, 2, 3), (1, 3, 4), (2, 3, 4)]


def test_ids_may_be_strings(spark: SparkSession) -> None:
    edges = spark.createDataFrame([("x", "y"), ("y", "é"), ("x", "é")], "src string, dst string")
    assert rows(wreath.Graph(edges).match(TRIANGLE)) == [("x", "y", "é")]


# --- arguments -----------------------------------------------------------------------------------


def test_where_filters(spark: SparkSession) -> None:
    ring = wreath.Graph(edges_of(spark, (1, 2), (2, 3), (3, 1)))
    assert len(rows(ring.match("(a)-[]->(b)-[]->(c)-[]->(a)"))) == 3
    where = "a < b AND a.id < c"
    assert rows(ring.match("(a)-[]->(b)-[]->(c)-[]->(a)", where=where)) == [(1, 2, 3)]


def test_where_may_end_in_a_comment(triangle: DataFrame) -> None:
    found = wreath.Graph(triangle).match(TRIANGLE, where="a < b -- once", columns=["a -- start"])
    assert rows(found) == [(1,)]


def test_columns_choose_and_rename(triangle: DataFrame) -> None:
    found = wreath.Graph(triangle).match(TRIANGLE, columns=["c.id AS last", "a + 10 AS more", "b"])
    assert found.columns == ["last", "more", "b"]
    assert rows(found) == [(3, 11, 2)]


def test_columns_may_be_one_text(triangle: DataFrame) -> None:
    found = wreath.Graph(triangle).match(TRIANGLE, columns="a AS x, b AS y")
    assert found.columns == ["x", "y"]


@pytest.mark.parametrize("order", list(itertools.permutations("abc")))
def test_any_order_gives_the_same_rows(triangle: DataFrame, order: tuple[str, ...]) -> None:
    assert rows(wreath.Graph(triangle).match(TRIANGLE, order=order)) == [(1, 2, 3)]


def test_order_reaches_the_plan(triangle: DataFrame) -> None:
    texts = set()
    for order in (["a", "b", "c"], ["c", "b", "a"]):
        found = wreath.Graph(triangle).match(TRIANGLE, order=order)
        plan = _jvm.executed_plan(found)
        texts.add(next(line for line in plan.splitlines() if "BroadcastWcoJoin" in line))
    assert len(texts) == 2, texts


def test_braces_in_the_pattern_reach_the_parser(triangle: DataFrame) -> None:
    assert wreath.Graph(triangle).match("(a)-[]->{1,3}(b)").count() > 0
    query = _sql.graph_table("{wreath_edges}", "(a)->{1,3}(b)").format(wreath_edges="e")
    assert query == "SELECT * FROM GRAPH_TABLE (e CALL '(a)->{1,3}(b)')"


def test_braces_in_literals_stay(triangle: DataFrame) -> None:
    found = wreath.Graph(triangle).match(
        TRIANGLE, where="'{}' = '{' || '}'", columns=["'{a}' AS text"]
    )
    assert rows(found) == [("{a}",)]


def test_no_view_is_left_behind(spark: SparkSession, triangle: DataFrame) -> None:
    before = {table.name for table in spark.catalog.listTables()}
    wreath.Graph(triangle).match(TRIANGLE).collect()
    assert {table.name for table in spark.catalog.listTables()} == before


def test_cached_edges_stay_cached_and_are_read_from_the_cache(spark: SparkSession) -> None:
    edges = spark.range(50).selectExpr("id AS src", "(id + 1) % 50 AS dst").cache()
    try:
        edges.count()
        plans = []
        for _ in range(2):
            found = wreath.Graph(edges).match("(a)-[]->(b)-[]->(c)")
            assert len(rows(found)) == 50
            plans.append(_jvm.executed_plan(found))
        assert edges.storageLevel.useMemory
        assert "InMemoryTableScan" in plans[0]
        assert "CachedCsrIndex" in plans[1]  # the index of the first match serves the second
    finally:
        edges.unpersist()


def test_a_result_is_a_dataframe_like_any_other(triangle: DataFrame) -> None:
    found = wreath.Graph(triangle).match(TRIANGLE)
    joined = found.join(triangle, found.c == triangle.src).select("a", "dst")
    assert rows(joined) == [(1, 4)]
    assert rows(found.groupBy("a").agg(sf.count("*"))) == [(1, 1)]


# --- columns of the edges ------------------------------------------------------------------------


def test_endpoints_may_have_other_names(triangle: DataFrame) -> None:
    edges = triangle.withColumnsRenamed({"src": "from", "dst": "to.id"})
    graph = wreath.Graph(edges, src="from", dst="to.id")
    assert graph.edges.columns == ["src", "dst"]
    assert rows(graph.match(TRIANGLE)) == [(1, 2, 3)]


def test_endpoints_may_lie_in_a_struct(triangle: DataFrame) -> None:
    nested = triangle.select(sf.struct("src", "dst").alias("edge"))
    assert rows(wreath.Graph(nested, src="edge.src", dst="edge.dst").match(TRIANGLE)) == [(1, 2, 3)]


def test_swapped_endpoints_read_the_edges_backwards(triangle: DataFrame) -> None:
    backwards = wreath.Graph(triangle, src="dst", dst="src")
    assert rows(backwards.match("(a)-[]->(b)", where="a = 4")) == [(4, 3)]


def test_other_columns_stay_and_hidden_ones_go(triangle: DataFrame) -> None:
    edges = triangle.select("src", "dst", sf.lit(1).alias("weight"), sf.col("src").alias("from"))
    graph = wreath.Graph(edges, src="from")
    assert graph.edges.columns == ["src", "dst", "weight"]
    assert rows(graph.match(TRIANGLE)) == [(1, 2, 3)]


# --- vertices ------------------------------------------------------------------------------------


@pytest.fixture
def people(spark: SparkSession) -> DataFrame:
    """All of the triangle but 4."""
    rows = [(1, "Ann", 20), (2, "Bob", 40), (3, "Cid", 60)]
    return spark.createDataFrame(rows, "id bigint, name string, age int")


def test_columns_of_vertices_and_edges_may_be_read(triangle: DataFrame, people: DataFrame) -> None:
    edges = triangle.withColumn("since", sf.col("src") * 10 + sf.col("dst"))
    found = wreath.Graph(edges, people).match(
        "(a)-[x]->(b), (b)-[y]->(c), (a)-[]->(c)",
        where="a < b AND b.age > 30",
        columns=["a", "b.name AS friend", "x.since", "y.since AS later"],
    )
    assert found.columns == ["a", "friend", "since", "later"]
    assert rows(found) == [(1, "Bob", 12, 23)]


def test_an_edge_to_no_vertex_matches_nothing(triangle: DataFrame, people: DataFrame) -> None:
    assert (3, 4) in rows(wreath.Graph(triangle).match("(a)-[]->(b)"))
    found = wreath.Graph(triangle, people).match("(a)-[]->(b)")
    assert rows(found) == [(1, 2), (1, 3), (2, 3)]


def test_the_key_of_vertices_may_have_another_name(triangle: DataFrame, people: DataFrame) -> None:
    renamed = people.withColumnsRenamed({"id": "person.key", "age": "id"})
    graph = wreath.Graph(triangle, renamed, id="person.key")
    assert graph.vertices is not None
    assert graph.vertices.columns == ["id", "name"]
    assert rows(graph.match("(a)-[]->(b)", columns=["a.id", "b.name"])) == [
        (1, "Bob"),
        (1, "Cid"),
        (2, "Cid"),
    ]


def test_a_pattern_of_one_vertex(triangle: DataFrame, people: DataFrame) -> None:
    graph = wreath.Graph(triangle, people)
    assert rows(graph.match("(a)", where="a.age > 30", columns="a.name")) == [("Bob",), ("Cid",)]


def test_a_graph_with_vertices_leaves_nothing_behind(
    spark: SparkSession, triangle: DataFrame, people: DataFrame
) -> None:
    before = {table.name for table in spark.catalog.listTables()}
    graphs = spark.sql("SHOW PROPERTY GRAPHS").count()
    people.cache()
    try:
        people.count()
        wreath.Graph(triangle, people).match(TRIANGLE).collect()
        assert people.storageLevel.useMemory
        assert {table.name for table in spark.catalog.listTables()} == before
        assert spark.sql("SHOW PROPERTY GRAPHS").count() == graphs
    finally:
        people.unpersist()


def test_the_nearest_property_is_named(triangle: DataFrame, people: DataFrame) -> None:
    from pyspark.errors import AnalysisException

    with pytest.raises(AnalysisException, match="Did you mean `name`") as caught:
        wreath.Graph(triangle, people).match("(a)-[]->(b)", where="a.nam = 'Ann'")
    assert caught.value.getCondition() == "WREATH_UNKNOWN_PROPERTY"


# --- match modes ---------------------------------------------------------------------------------


def test_modes_say_which_elements_differ(spark: SparkSession) -> None:
    rows = [(1, 2), (1, 2), (2, 1), (1, 1), (2, 3), (3, 1)]
    graph = wreath.Graph(spark.createDataFrame(rows, "src bigint, dst bigint"))
    path = "(a)-[]->(b)-[]->(c)"
    pairs = [(x, y) for x in range(6) for y in range(6) if rows[x][1] == rows[y][0]]

    def matches(chosen: list[tuple[int, int]]) -> list[tuple[int, ...]]:
        return sorted((*rows[x], rows[y][1]) for x, y in chosen)

    def found(**options: Any) -> list[tuple[int, ...]]:
        return sorted(tuple(r) for r in graph.match(path, **options).collect())

    assert found(mode="Repeatable Elements") == found() == matches(pairs)
    assert found(mode="different edges") == matches([(x, y) for x, y in pairs if x != y])
    different = [(x, y) for x, y in pairs if len({rows[x][0], rows[x][1], rows[y][1]}) == 3]
    assert found(mode="different vertices") == matches(different)
    rings = graph.match("(a)-[]->(b)-[]->(c)-[]->(a)", mode="different vertices", unique=True)
    assert [tuple(r) for r in rings.collect()] == [(1, 2, 3), (1, 2, 3)]


# --- motifs --------------------------------------------------------------------------------------


def test_a_motif_has_a_struct_for_each_named_element(
    triangle: DataFrame, people: DataFrame
) -> None:
    found = wreath.Graph(triangle, people).find("(a)-[e]->(b); (b)-[]->(c); (a)-[]->(c)")
    assert found.columns == ["a", "e", "b", "c"]
    assert found.select("e.*").columns == triangle.columns
    assert found.select("a.*").columns == people.columns


def test_a_motif_with_quotes_and_braces_is_refused_at_its_place(triangle: DataFrame) -> None:
    from pyspark.errors import ParseException

    with pytest.raises(ParseException) as caught:
        wreath.Graph(triangle).find("(a)-['{x}']->(b)")
    assert caught.value.getCondition() == "WREATH_SYNTAX_ERROR"


# --- what is wrong -------------------------------------------------------------------------------


def test_wrong_arguments_are_named_before_spark_is_asked(triangle: DataFrame) -> None:
    graph = wreath.Graph(triangle)
    with pytest.raises(ValueError, match="pass vertices"):
        wreath.Graph(triangle, id="key")
    with pytest.raises(ValueError, match="pattern is empty"):
        graph.match("  ")
    with pytest.raises(TypeError, match="where takes SQL text"):
        graph.match(TRIANGLE, where=sf.col("a") > 1)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="columns is empty"):
        graph.match(TRIANGLE, columns=[])
    with pytest.raises(TypeError, match="order is a list"):
        graph.match(TRIANGLE, order="abc")
    with pytest.raises(ValueError, match="order is empty"):
        graph.match(TRIANGLE, order=[])
    with pytest.raises(ValueError, match="'different edges'"):
        graph.match(TRIANGLE, mode="different things")
    with pytest.raises(ValueError, match="unique=True means different vertices"):
        graph.match(TRIANGLE, mode="different edges", unique=True)
    with pytest.raises(ValueError, match="not the name of a variable"):
        graph.match(TRIANGLE, order=["a) */ x /* ("])


def test_a_quoted_name_is_a_variable_for_order() -> None:
    assert "/*+ WCO_JOIN(`my a`, b) */" in _sql.graph_table(
        "e", "(`my a`)-[]->(b)", order=["`my a`", "b"]
    )
