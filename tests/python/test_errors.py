from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest
from pyspark.errors import AnalysisException, ParseException, SparkRuntimeException
from pyspark.sql import DataFrame, SparkSession

import wreath
from wreath import _jar, _versions

TRIANGLE = "(a)-[]->(b)-[]->(c), (a)-[]->(c)"


def one_sentence(error: BaseException) -> str:
    text = str(error)
    assert text.endswith("."), text
    assert "\n" not in text, text
    return text


# --- the machine ---------------------------------------------------------------------------------


def test_a_package_without_its_jar_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(_jar, "JARS", tmp_path)
    with pytest.raises(wreath.WreathJarNotFound) as caught:
        wreath.configure(SparkSession.builder)
    assert "make wheel" in one_sentence(caught.value)
    assert isinstance(caught.value, FileNotFoundError)


def fake_spark(folder: Path, *jars: str) -> str:
    (folder / "jars").mkdir()
    for jar in jars:
        (folder / "jars" / jar).touch()
    return str(folder)


@pytest.mark.parametrize("version", ["3.5.1", "4.0.2", "4.3.0", "4.10.0", "5.1.0"])
def test_another_spark_is_refused_by_number(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, version: str
) -> None:
    monkeypatch.setenv("SPARK_HOME", fake_spark(tmp_path, f"spark-core_2.13-{version}.jar"))
    with pytest.raises(wreath.WreathVersionError) as caught:
        wreath.jar_path()
    text = one_sentence(caught.value)
    assert f"Spark {version} is not supported" in text
    assert "a jar for Spark 4.1 or 4.2" in text
    assert 'pip install "pyspark>=4.1,<4.3" and unset SPARK_HOME' in text


@pytest.mark.parametrize("version", ["4.1.0", "4.1.12", "4.1.3-SNAPSHOT", "4.2.0", "4.2.1"])
def test_every_patch_of_a_supported_spark_is_accepted(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, version: str
) -> None:
    monkeypatch.setenv("SPARK_HOME", fake_spark(tmp_path, f"spark-core_2.13-{version}.jar"))
    assert _versions.check_spark() == version
    assert f"wreath-spark-{version[:3]}_2.13-" in wreath.jar_path()


def test_another_scala_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    home = fake_spark(tmp_path, "spark-core_2.12-4.1.3.jar", "scala-library-2.12.18.jar")
    monkeypatch.setenv("SPARK_HOME", home)
    with pytest.raises(wreath.WreathVersionError) as caught:
        wreath.configure(SparkSession.builder)
    assert "Scala 2.12.18" in one_sentence(caught.value)


def test_the_installed_spark_and_scala_are_read_from_its_jars() -> None:
    import pyspark

    assert _versions.check_spark() == pyspark.__version__
    assert _versions.check_scala().startswith("2.13.")


def test_no_java_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(wreath.WreathJavaNotFound) as caught:
        _versions.check_java()
    assert "install a JDK 17" in one_sentence(caught.value)


def test_a_java_home_without_java_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(wreath.WreathJavaNotFound) as caught:
        _versions.check_java()
    assert str(tmp_path) in one_sentence(caught.value)


def fake_java(folder: Path, answer: str) -> None:
    java = folder / "bin" / "java"
    java.parent.mkdir()
    java.write_text(f"#!/bin/sh\necho '{answer}' >&2\n")
    java.chmod(0o755)


@pytest.mark.parametrize("version", ["1.8.0_392", "9.0.4", "11.0.20", "16-ea"])
def test_an_old_java_is_refused_by_number(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, version: str
) -> None:
    fake_java(tmp_path, f'openjdk version "{version}" 2023-01-01')
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(wreath.WreathVersionError) as caught:
        _versions.check_java()
    assert f"Java {version}" in one_sentence(caught.value)


@pytest.mark.parametrize("version", ["17.0.15", "21", "25-ea", "100.0.1"])
def test_a_new_java_is_accepted(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, version: str
) -> None:
    fake_java(tmp_path, f'openjdk version "{version}" 2023-01-01')
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    assert _versions.check_java().startswith(version)


def test_something_that_is_no_java_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    fake_java(tmp_path, "who knows")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(wreath.WreathJavaNotFound) as caught:
        _versions.check_java()
    one_sentence(caught.value)


def test_an_old_python_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 9, 18, "final", 0))
    with pytest.raises(wreath.WreathVersionError) as caught:
        _versions.check_python()
    assert "Python 3.9.18" in one_sentence(caught.value)


# --- the query -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pattern", "where", "condition"),
    [
        ("(a)-[]->(b", None, "WREATH_SYNTAX_ERROR"),
        ("a to b", None, "WREATH_SYNTAX_ERROR"),
        (TRIANGLE, "d.id > 1", "WREATH_UNKNOWN_VARIABLE"),
        ("(a IS Person)-[]->(b)", None, "WREATH_UNKNOWN_LABEL"),
    ],
)
def test_an_error_in_the_query_has_a_condition_and_a_sqlstate(
    triangle: DataFrame, pattern: str, where: str | None, condition: str
) -> None:
    with pytest.raises(AnalysisException) as caught:
        wreath.Graph(triangle).match(pattern, where=where)
    assert caught.value.getCondition() == condition
    assert caught.value.getSqlState()


def test_a_syntax_error_is_a_parse_exception_at_the_column_of_the_pattern(
    triangle: DataFrame,
) -> None:
    with pytest.raises(ParseException) as caught:
        wreath.Graph(triangle).match("(a)-[]->(b) (c)")
    assert "line 1, pos 12" in str(caught.value)
    assert str(caught.value).endswith(
        "== SQL of argument pattern ==\n(a)-[]->(b) (c)\n------------^^^"
    )


def test_an_error_shows_its_place_and_its_text(spark: SparkSession, triangle: DataFrame) -> None:
    triangle.createOrReplaceTempView("places")
    try:
        with pytest.raises(AnalysisException) as caught:
            spark.sql("SELECT * FROM GRAPH_TABLE (places\n MATCH (a)->(b) WHERE c > 1)")
    finally:
        spark.catalog.dropTempView("places")
    (context,) = caught.value.getQueryContext()
    assert context.fragment() == "c"
    assert "(line 2, pos 22)" in str(caught.value)
    assert str(caught.value).splitlines()[-1] == "-" * 22 + "^^^"
    assert caught.value.getMessage().startswith("[WREATH_UNKNOWN_VARIABLE] `c` is not a variable")


def test_a_syntax_error_has_its_text_and_its_context(spark: SparkSession) -> None:
    with pytest.raises(ParseException) as caught:
        spark.sql("SELECT * FROM GRAPH_TABLE (places MATCH (a)->)")
    (context,) = caught.value.getQueryContext()
    assert context.fragment() == ")"
    assert caught.value.getMessage().startswith("[WREATH_SYNTAX_ERROR] Syntax error")


def test_edges_without_dst_are_refused(spark: SparkSession) -> None:
    with pytest.raises(AnalysisException) as caught:
        wreath.Graph(spark.range(3).withColumnRenamed("id", "src")).match(TRIANGLE)
    assert caught.value.getCondition() == "WREATH_MISSING_COLUMN"


def test_ids_that_cannot_be_keys_are_refused(spark: SparkSession) -> None:
    edges = spark.range(3).selectExpr("map('k', id) AS src", "map('k', id) AS dst")
    with pytest.raises(AnalysisException) as caught:
        wreath.Graph(edges).match(TRIANGLE)
    assert caught.value.getCondition() == "WREATH_UNSUPPORTED_KEY_TYPE"


def test_a_column_that_is_not_there_is_told_by_its_argument(
    spark: SparkSession, triangle: DataFrame
) -> None:
    people = spark.createDataFrame([(1, "Ann")], "id bigint, name string")
    swapped: list[dict[str, Any]] = [{"src": "from"}, {"dst": "from"}]
    for options in swapped:
        with pytest.raises(ValueError, match=r"='from' is no column of edges, .* are src, dst"):
            wreath.Graph(triangle, **options)
    with pytest.raises(ValueError, match=r"id='key' is no column of vertices, .* are id, name"):
        wreath.Graph(triangle, people, id="key")
    # In another case, and within a struct.
    structs = triangle.selectExpr("named_struct('from', src) AS Ends", "dst")
    for edges in (triangle.withColumnRenamed("src", "From"), structs):
        src = "ends.from" if edges is structs else "from"
        assert wreath.Graph(edges, src=src).match(TRIANGLE).count() == 1


def test_an_order_names_vertices_of_the_pattern(triangle: DataFrame) -> None:
    with pytest.raises(AnalysisException) as caught:
        wreath.Graph(triangle).match(TRIANGLE, order=["q"])
    text = str(caught.value)
    assert caught.value.getCondition() == "WREATH_UNKNOWN_VARIABLE"
    assert "order=[…], lists vertices" in text
    assert "another table" not in text


# --- what a call says --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pattern", "options", "position", "words"),
    [
        ("(a {id: 1})-[]->(b)", {}, 3, "a WHERE a.id ="),
        ("(a)-[e {w: 1}]->(b)", {}, 7, "e WHERE e.w ="),
        ("(a)-[e*1..3]->(b)", {}, 6, "-[e]->{1,3}"),
        ("(a)-[*1..3]->(b)", {}, 5, "-[e]->{1,3}"),
        ("(a)-[]->(b) RETURN a", {}, 12, "COLUMNS"),
        ("(a)-[]->(b) WHERE a > 1 RETURN a", {}, 24, "COLUMNS"),
        ("(a)-[]->(b) (a.id, b.id)", {}, 12, "COLUMNS"),
        ("(a)-[]->(b", {}, 10, "closed by ')'"),
        ("(a)-[]->(b)", {"where": "a:Person"}, 0, "(a IS Person)"),
        ("(a)-[]->(b)", {"columns": ["a.id", "b.id"]}, 0, "AS"),
        ("(a)-[]->(b)", {"where": "roads.src = a"}, 0, "WHERE of the query around"),
    ],
)
def test_an_error_of_a_call_says_what_to_write_at_its_place(
    triangle: DataFrame, pattern: str, options: dict[str, Any], position: int, words: str
) -> None:
    with pytest.raises(AnalysisException) as caught:
        wreath.Graph(triangle).match(pattern, **options)
    text = str(caught.value)
    assert words in text
    assert f"(line 1, pos {position})" in text
    assert "_pyspark" not in text
    assert "GRAPH_TABLE (" not in text


def test_all_that_is_refused_is_refused_at_once_and_no_advice_changes_the_rows(
    triangle: DataFrame,
) -> None:
    with pytest.raises(AnalysisException) as caught:
        wreath.Graph(triangle).match("(a {id: 7})-[]->*(b), (b)<-[]->(c)-[*1..3]->(d)")
    text = str(caught.value)
    for word in ("properties in braces", "the quantifier *", "<-[]->", "a length inside an edge"):
        assert word in text, text
    assert "eave it out" not in text


def test_frames_in_the_wrong_place_are_named(spark: SparkSession, triangle: DataFrame) -> None:
    people = spark.createDataFrame([(1, "Ann")], "id bigint, name string")
    with pytest.raises(ValueError, match=r"write Graph\(edges, vertices\)"):
        wreath.Graph(people, triangle)
    with pytest.raises(TypeError, match=r"spark.createDataFrame\(edges\)"):
        wreath.Graph([(1, 2)])  # type: ignore[arg-type]


@pytest.mark.parametrize("column", ["src", "dst", "id"])
def test_a_missing_column_is_told_by_the_argument_that_names_it(
    spark: SparkSession, triangle: DataFrame, column: str
) -> None:
    people = spark.createDataFrame([(1, "Ann")], "id bigint, name string")
    for vertices in [people] if column == "id" else [None, people]:
        edges = triangle.withColumnsRenamed({column: "other"})
        named = None if vertices is None else vertices.withColumnsRenamed({column: "other"})
        with pytest.raises(AnalysisException) as caught:
            wreath.Graph(edges, named).match("(a)-[]->(b)")
        text = str(caught.value)
        assert f"{column}=" in text, text
        assert "_pyspark" not in text
        assert "wreath_graph" not in text


def test_an_error_of_a_call_is_not_logged_as_well(
    triangle: DataFrame, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(AnalysisException):
        wreath.Graph(triangle).match("(a)-[]->(b)", where="c = 1")
    with pytest.raises(AnalysisException):
        wreath.Graph(triangle).find("(a")
    assert "WREATH" not in capfd.readouterr().err


def test_a_motif_has_its_columns_in_the_order_of_mention(triangle: DataFrame) -> None:
    graph = wreath.Graph(triangle)
    found = graph.find("(a)<-[e]-(b)")
    assert found.columns == ["a", "e", "b"]
    assert {(row.a.id, row.b.id) for row in found.collect()} == {(2, 1), (3, 2), (3, 1), (4, 3)}
    assert graph.find("(b)-[e]->(a)").columns == ["b", "e", "a"]


def test_a_negated_edge_has_a_direction(triangle: DataFrame) -> None:
    with pytest.raises(ParseException, match="one direction"):
        wreath.Graph(triangle).find("(a)-[]->(b); !(a)-[]-(b)")


# --- while a query runs --------------------------------------------------------------------------


def twice(spark: SparkSession, triangle: DataFrame, key: str = "1L") -> wreath.Graph:
    people = spark.sql(f"SELECT {key} AS id, name FROM VALUES ('Ann'), ('Ben') AS t (name)")
    edges = triangle.selectExpr(f"IF(src = 1, {key}, NULL) AS src", f"{key} AS dst")
    return wreath.Graph(edges, people)


def test_a_failure_while_running_keeps_its_class_and_condition(
    spark: SparkSession, triangle: DataFrame
) -> None:
    with pytest.raises(SparkRuntimeException) as caught:
        twice(spark, triangle).match("(a)-[]->(b)", columns="a.name").collect()
    error = caught.value
    assert error.getCondition() == "WREATH_DUPLICATE_VERTEX_KEY"
    assert error.getSqlState() == "23505"
    assert error.getMessageParameters() == {"table": "the DataFrame of vertices", "key": "1"}
    assert error.getMessage().startswith("[WREATH_DUPLICATE_VERTEX_KEY] The vertex table")
    assert "the DataFrame of vertices has several rows with the key 1," in str(error)


@pytest.mark.parametrize(
    ("key", "shown"),
    [
        ("'x y'", "'x y'"),
        ("CAST(7 AS TINYINT)", "7"),
        ("DATE '2024-02-29'", "2024-02-29"),
        ("1.50BD", "1.50"),
        ("TIMESTAMP_NTZ '2024-02-29 01:02:03'", "2024-02-29 01:02:03"),
    ],
)
def test_a_key_is_named_as_people_write_it(
    spark: SparkSession, triangle: DataFrame, key: str, shown: str
) -> None:
    with pytest.raises(SparkRuntimeException) as caught:
        twice(spark, triangle, key).match("(a)-[]->(b)", columns="a.name").collect()
    assert (caught.value.getMessageParameters() or {})["key"] == shown


def test_an_index_too_large_names_the_table_of_the_query(
    spark: SparkSession, triangle: DataFrame
) -> None:
    triangle.repartition(2).createOrReplaceTempView("roads")
    spark.conf.set("spark.wreath.index.maxBytes", "10")
    spark.conf.set("spark.wreath.join.mode", "broadcast")
    try:
        for found, table in (
            (spark.sql("SELECT * FROM GRAPH_TABLE (roads MATCH (a)->(b)->(a))"), "roads"),
            (wreath.Graph(triangle).match(TRIANGLE), "the DataFrame of edges"),
        ):
            with pytest.raises(SparkRuntimeException) as caught:
                found.collect()
            assert caught.value.getCondition() == "WREATH_INDEX_TOO_LARGE"
            assert (caught.value.getMessageParameters() or {})["relation"].startswith(table)
            assert caught.value.getMessage()
    finally:
        spark.conf.unset("spark.wreath.join.mode")
        spark.conf.unset("spark.wreath.index.maxBytes")
        spark.catalog.dropTempView("roads")


def test_the_errors_share_a_base() -> None:
    names = [name for name in wreath.__all__ if name.startswith("Wreath")]
    assert len(names) == 6
    assert all(issubclass(getattr(wreath, name), wreath.WreathError) for name in names)


def test_java_is_not_looked_for_where_a_jvm_runs(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    assert os.environ["JAVA_HOME"] == str(tmp_path)
    wreath.configure(SparkSession.builder)
