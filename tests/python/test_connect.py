"""Graph.match and SQL over Spark Connect, from a process that has no JVM."""

from __future__ import annotations

from collections.abc import Callable
from subprocess import CompletedProcess

from pyspark.sql import SparkSession
from support import connect_port

CLIENT = """
import os
os.environ["JAVA_HOME"] = "/nowhere"
os.environ["PATH"] = ""
from pyspark.errors import AnalysisException, SparkRuntimeException
from pyspark.sql import SparkSession
import wreath

spark = wreath.start("client")
assert wreath.start("client") is spark
edges = spark.createDataFrame([(1, 2), (2, 3), (1, 3)], "src bigint, dst bigint")
graph = wreath.Graph(edges)
print(graph.match("(a)-[]->(b)-[]->(c), (a)-[]->(c)", where="a < b").collect())
people = spark.createDataFrame([(1, "Ann"), (2, "Bob")], "id bigint, name string")
print(wreath.Graph(edges, people).match("(a)-[]->(b)", columns=["a.name", "b"]).collect())
print(graph.match("(a)-[]-(b)", mode="different vertices", unique=True).count())
print(wreath.Graph(edges, people).find("(a)-[e]->(b); !(b)-[]->(a)").collect())
edges.createOrReplaceTempView("connect_edges")
print(spark.sql(
    "SELECT count(*) AS n "
    "FROM GRAPH_TABLE (connect_edges MATCH (a)-[]->(b)-[]->(c), (a)-[]->(c))"
).collect())
people.createOrReplaceTempView("connect_people")
spark.sql(
    "CREATE TEMPORARY PROPERTY GRAPH connect_graph VERTEX TABLES (connect_people AS p KEY (id)) "
    "EDGE TABLES (connect_edges SOURCE KEY (src) REFERENCES p DESTINATION KEY (dst) REFERENCES p)"
)
print(spark.sql("SELECT * FROM GRAPH_TABLE (connect_graph MATCH (a)->(b))").collect())
try:
    graph.match("(a)-[]->(b", where=None).collect()
except AnalysisException as e:
    print(e.getCondition())
try:
    spark.sql("SELECT * FROM GRAPH_TABLE (connect_edge MATCH (a)->(b))").collect()
except AnalysisException as e:
    print(e.getQueryContext()[0].fragment(), e.getMessageParameters()["suggestion"])
twice = spark.createDataFrame([(1, "Ann"), (1, "Ben")], "id bigint, name string")
try:
    wreath.Graph(edges, twice).match("(a)-[]->(b)", columns="a.name").collect()
except SparkRuntimeException as e:
    print(e.getCondition(), sorted(e.getMessageParameters().items()), e.getMessage()[:30])
try:
    wreath.configure(SparkSession.builder)
except wreath.WreathError as e:
    print(e)
"""


def test_a_connect_client_needs_neither_jar_nor_java(
    spark: SparkSession, run_python: Callable[..., CompletedProcess[str]]
) -> None:
    done = run_python(CLIENT, SPARK_REMOTE=f"sc://127.0.0.1:{connect_port(spark)}")
    assert done.returncode == 0, done.stderr
    (
        rows,
        friends,
        pairs,
        motifs,
        counted,
        created,
        condition,
        suggestion,
        failed,
        refused,
    ) = done.stdout.splitlines()
    assert rows == "[Row(a=1, b=2, c=3)]"
    assert friends == "[Row(name='Ann', b=2)]"
    assert pairs == "3"
    assert motifs == (
        "[Row(a=Row(id=1, name='Ann'), e=Row(src=1, dst=2), b=Row(id=2, name='Bob'))]"
    )
    assert counted == "[Row(n=1)]"
    assert created == "[Row(a=1, b=2)]"
    assert condition == "WREATH_SYNTAX_ERROR"
    assert suggestion == "connect_edge  Did you mean `connect_edges`?"
    assert failed == (
        "WREATH_DUPLICATE_VERTEX_KEY [('key', '1'), ('table', 'the DataFrame of vertices')] "
        "[WREATH_DUPLICATE_VERTEX_KEY] "
    )
    assert "server" in refused


START = """
import sys
import wreath
from wreath import _sql

url = sys.argv[1]
assert wreath.start(master=url).range(3).count() == 3
wreath.start().stop()
assert wreath.start(conf={"spark.remote": url}).range(3).count() == 3
wreath.start().stop()
_sql.is_active = lambda spark: False
try:
    wreath.start(master=url)
except wreath.WreathNotActive as e:
    print(e)
"""


def test_start_takes_the_url_of_a_server(
    spark: SparkSession, run_python: Callable[..., CompletedProcess[str]]
) -> None:
    url = f"sc://127.0.0.1:{connect_port(spark)}"
    done = run_python(START.replace("sys.argv[1]", repr(url)))
    assert done.returncode == 0, done.stderr
    assert f"server at {url} runs without Wreath: start it with --jars" in done.stdout


NO_VIEW = """
from pyspark.errors import AnalysisException
import wreath

spark = wreath.start("client")
spark.sql("CREATE TABLE no_view_edges USING parquet AS SELECT 1L AS src, 2L AS dst")
spark.sql("CREATE PROPERTY GRAPH no_view_graph "
          "VERTEX TABLES (no_view_edges AS v KEY (src)) "
          "EDGE TABLES (no_view_edges AS e KEY (src, dst) SOURCE KEY (src) REFERENCES v "
          "DESTINATION KEY (src) REFERENCES v)")
try:
    for text in (
        "SELECT count(*) FROM no_view_graph",
        "SELECT * FROM default.no_view_graph",
        "TABLE no_view_graph",
        "DROP VIEW no_view_graph",
        "DROP VIEW IF EXISTS no_view_graph",
        "ALTER VIEW no_view_graph AS SELECT 1 AS x",
        "ALTER VIEW no_view_graph RENAME TO other",
        "CREATE OR REPLACE VIEW no_view_graph AS SELECT 1 AS x",
        "CREATE VIEW through AS SELECT * FROM no_view_graph",
        "CACHE TABLE no_view_graph",
    ):
        try:
            spark.sql(text).collect()
            print("accepted:", text)
        except AnalysisException as e:
            print(e.getCondition())
    for name, call in (
        ("table", lambda: spark.table("no_view_graph").collect()),
        ("read", lambda: spark.read.table("no_view_graph").count()),
        ("graph", lambda: wreath.Graph(spark.table("no_view_graph")).match("(a)-[]->(b)")),
    ):
        try:
            call()
            print("accepted:", name)
        except AnalysisException as e:
            print(e.getCondition())
    print([row.viewName for row in spark.sql("SHOW VIEWS").collect()])
    matched = "SELECT count(*) AS n FROM GRAPH_TABLE (no_view_graph MATCH (a)->(b))"
    print(spark.sql(matched).collect())
finally:
    spark.sql("DROP PROPERTY GRAPH no_view_graph")
    spark.sql("DROP TABLE no_view_edges")
"""


def test_a_stored_graph_is_no_view_over_connect(
    spark: SparkSession, run_python: Callable[..., CompletedProcess[str]]
) -> None:
    done = run_python(NO_VIEW, SPARK_REMOTE=f"sc://127.0.0.1:{connect_port(spark)}")
    assert done.returncode == 0, done.stderr
    *refused, views, counted = done.stdout.splitlines()
    assert refused == ["WREATH_GRAPH_IS_NO_VIEW"] * 13
    assert views == "[]"
    assert counted == "[Row(n=1)]"
