"""A graph without TEMPORARY is there for the next application, where the catalog is.

Hive's metastore is such a catalog. A session with Hive is built by other code of Spark's than one
without, so this also sees to it that graphs of all kinds are found there.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

#: Each application has a metastore of its own in memory, but its database is in files.
START = """
import wreath
spark = wreath.start("stored graphs", "local[1]", conf={{
    "spark.ui.enabled": False,
    "spark.sql.catalogImplementation": "hive",
    "spark.sql.warehouse.dir": "{folder}/warehouse",
    "spark.hadoop.javax.jdo.option.ConnectionURL":
        "jdbc:derby:;databaseName={folder}/metastore;create=true",
    "spark.hadoop.datanucleus.schema.autoCreateAll": True,
    "spark.hadoop.hive.metastore.schema.verification": False,
}})
"""

FIRST = """
spark.sql("CREATE DATABASE town")
spark.sql("USE town")
spark.sql("CREATE TABLE people USING parquet AS SELECT * FROM VALUES "
          "(1L, 'Ann', 30), (2L, 'B''ob', 40) AS t(id, name, age)")
spark.sql("CREATE TABLE knows USING parquet AS SELECT * FROM VALUES (1L, 2L), (2L, 1L) AS t(a, b)")
spark.sql(
    "CREATE PROPERTY GRAPH social "
    "VERTEX TABLES (people KEY (id) PROPERTIES (name, age + 1 AS older)) "
    "EDGE TABLES (knows SOURCE KEY (a) REFERENCES people DESTINATION KEY (b) REFERENCES people)")
spark.sql("CREATE VIEW friends AS "
          "SELECT * FROM GRAPH_TABLE (social MATCH (p)->(q) COLUMNS (p.name AS p, q.older AS q))")
print(sorted(map(tuple, spark.table("friends").collect())))
"""

SECOND = """
print(sorted(map(tuple, spark.table("town.friends").collect())))
print(spark.sql("SELECT count(*) FROM GRAPH_TABLE (town.social MATCH (p)->(q)->(p))").first()[0])
spark.sql("USE town")
print([tuple(row) for row in spark.sql("SHOW PROPERTY GRAPHS").collect()])
print(sorted(map(tuple, wreath.Graph(spark.table("knows"), spark.table("people"), src="a", dst="b")
      .match("(p)-[]->(q)", columns=["p.name AS p", "q.age + 1 AS q"]).collect())))
spark.sql("CREATE TEMPORARY PROPERTY GRAPH g VERTEX TABLES (people KEY (id))")
print(spark.sql("SELECT /*+ WCO_JOIN(p) */ count(*) FROM GRAPH_TABLE (g MATCH (p))").first()[0])
spark.sql("CREATE TABLE g USING parquet AS SELECT 1 AS src, 2 AS dst")
try:
    spark.sql("SELECT * FROM GRAPH_TABLE (g MATCH (p))")
except Exception as e:
    print(e.getCondition())
spark.sql("DROP PROPERTY GRAPH social")
print(spark.sql("SHOW PROPERTY GRAPHS").count())
"""


def test_a_stored_graph_is_there_for_the_next_application(
    tmp_path: Path, run_python: Callable[..., CompletedProcess[str]]
) -> None:
    friends = str([("Ann", 41), ("B'ob", 31)])
    start = START.format(folder=tmp_path)
    first = run_python(start + FIRST)
    assert first.returncode == 0, first.stderr
    assert first.stdout.splitlines() == [friends]
    second = run_python(start + SECOND)
    assert second.returncode == 0, second.stderr
    assert second.stdout.splitlines() == [
        friends,
        "2",
        "[('social', False)]",
        friends,
        "2",
        "WREATH_GRAPH_NAME_IS_TABLE",
        "1",
    ]
