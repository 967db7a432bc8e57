"""No argument of a call can say more than it is asked for: each is parsed by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession

import wreath

PAIR = "(a)-[]->(b)"
SECRETS = "SELECT s AS a, s AS b FROM secrets"

Call = Callable[[wreath.Graph, str], DataFrame]

#: Each argument that is SQL text, with one that does no harm.
ARGUMENTS: dict[str, tuple[str, Call]] = {
    "pattern": (PAIR, lambda g, text: g.match(text)),
    "where": ("true", lambda g, text: g.match(PAIR, where=text)),
    "columns": ("a", lambda g, text: g.match(PAIR, columns=text)),
    "a column": ("a", lambda g, text: g.match(PAIR, columns=["b", text])),
    "order": ("a", lambda g, text: g.match(PAIR, order=[text])),
    "motif": (PAIR, lambda g, text: g.find(text)),
    "a pattern of many": (PAIR, lambda g, text: g.match_all({"one": PAIR, "two": text})),
    "a pattern with a condition": (
        f"{PAIR} WHERE a > 0",
        lambda g, text: g.match_all({"one": text}),
    ),
}

ENDINGS = [
    ") UNION ALL (SELECT * FROM (" + SECRETS + ")",
    ") UNION ALL " + SECRETS + " --",
    ")) UNION ALL " + SECRETS + " --",
    ")) UNION ALL " + SECRETS + " /*",
    "') UNION ALL " + SECRETS + " --",
    "\\') UNION ALL " + SECRETS + " --",
    '") UNION ALL ' + SECRETS + " --",
    "`) UNION ALL " + SECRETS + " --",
    "*/) UNION ALL " + SECRETS + " --",
    "}) UNION ALL " + SECRETS + " --",
    "{wreath_edges}) UNION ALL " + SECRETS + " --",
    " ${wreath.test.closing} ",
    " {wreath_vertices}",
    "; DROP VIEW secrets",
]


@pytest.fixture(autouse=True)
def secrets(spark: SparkSession) -> Iterator[None]:
    spark.range(666, 667).withColumnRenamed("id", "s").createOrReplaceTempView("secrets")
    spark.conf.set("wreath.test.closing", "') UNION ALL " + SECRETS + " --")
    yield
    spark.conf.unset("wreath.test.closing")
    spark.catalog.dropTempView("secrets")


@pytest.fixture(params=[False, True], ids=["edges", "vertices"])
def graph(request: pytest.FixtureRequest, spark: SparkSession, triangle: DataFrame) -> wreath.Graph:
    people = spark.createDataFrame([(i, f"p{i}") for i in range(1, 5)], "id bigint, name string")
    return wreath.Graph(triangle, people if request.param else None)


@pytest.mark.parametrize("argument", ARGUMENTS)
def test_no_argument_can_end_its_clause(graph: wreath.Graph, argument: str) -> None:
    harmless, call = ARGUMENTS[argument]
    assert call(graph, harmless).count() > 0
    for ending in ENDINGS:
        # Whatever is wrong with it: nothing comes back.
        with pytest.raises((AnalysisException, ValueError)):
            call(graph, harmless + ending).collect()


def test_two_arguments_cannot_end_the_clause_together(graph: wreath.Graph) -> None:
    with pytest.raises(AnalysisException):
        graph.match(PAIR + " /*", where="*/ WHERE true) UNION ALL " + SECRETS + " --").collect()
    with pytest.raises(AnalysisException):
        graph.match(PAIR, where="'", columns="' = '') UNION ALL " + SECRETS + " --").collect()


@pytest.mark.parametrize(
    "options",
    [
        {"key": "x') UNION ALL " + SECRETS + " --"},
        {"key": "x`) UNION ALL " + SECRETS + " --"},
        {"expire_after": "1 day' MATCH (a)->(b)) UNION ALL " + SECRETS + " --"},
        {"expire_after": "1 day", "event_time": "ts` AFTER '1 day' MATCH (a)->(b)) --"},
    ],
)
def test_no_word_about_a_stream_can_end_the_clause(
    spark: SparkSession, options: dict[str, str]
) -> None:
    changes = spark.readStream.format("rate").load().selectExpr("value AS src", "value AS dst")
    with pytest.raises(AnalysisException):
        wreath.Graph(changes, **options).match(PAIR)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "name",
    [
        "it's",
        'a "name"',
        "back\\slash",
        "\\'",
        "new\nline",
        "{brace}",
        "${HOME}",
        "é 🌲",
        "`",
        "--",
    ],
)
def test_texts_reach_spark_as_they_are(spark: SparkSession, triangle: DataFrame, name: str) -> None:
    people = spark.createDataFrame([(1, name), (2, "x"), (3, "x")], "id bigint, name string")
    graph = wreath.Graph(triangle, people)
    quoted = "'" + name.replace("\\", "\\\\").replace("'", "\\'").replace("$", "\\u0024") + "'"
    found = graph.match(PAIR, where=f"a.name = {quoted}", columns=f"a.name, {quoted} AS said")
    assert {tuple(row) for row in found.collect()} == {(name, name)}
    by_name = graph.match_all({name: f"(a)-[]->(b) WHERE a.name = {quoted}"}).collect()
    assert {(row["pattern"], row["binding"]["a"]) for row in by_name} == {(name, 1)}


def test_settings_in_a_text_are_put_in_as_in_any_statement(
    spark: SparkSession, triangle: DataFrame
) -> None:
    spark.conf.set("wreath.test.least", "3")
    try:
        found = wreath.Graph(triangle).match(PAIR, where="a >= ${wreath.test.least}")
        assert [tuple(row) for row in found.collect()] == [(3, 4)]
    finally:
        spark.conf.unset("wreath.test.least")


def test_what_a_pattern_says_is_not_said_again(triangle: DataFrame) -> None:
    graph = wreath.Graph(triangle)
    whole = "(a)-[]->(b) WHERE a = 3 COLUMNS (a.id AS x)"
    assert [tuple(row) for row in graph.match(whole).collect()] == [(3,)]
    for options in ({"where": "b = 4"}, {"columns": "b"}):
        with pytest.raises(AnalysisException, match="already"):
            graph.match(whole, **options)  # type: ignore[arg-type]
    with pytest.raises(AnalysisException, match="already"):
        graph.match("DIFFERENT EDGES (a)-[]->(b)", mode="different vertices")


def test_a_parameter_has_no_value_in_a_call(triangle: DataFrame) -> None:
    graph = wreath.Graph(triangle)
    for where in ("a = :p", "a = ?"):
        with pytest.raises(AnalysisException, match="a call has no parameters"):
            graph.match(PAIR, where=where)
