"""Where Spark's joins run instead, the log says so: for SQL, for calls and over Connect."""

from __future__ import annotations

from collections.abc import Callable
from subprocess import CompletedProcess

#: What a user does, with a session that may be either kind. Each query is named on the log first.
QUERIES = """
import sys
import wreath

def queries(way, spark):
    def run(name, frame):
        print(f"=== {way} {name}", file=sys.stderr, flush=True)
        frame().collect()

    for aqe in ("true", "false"):
        spark.conf.set("spark.sql.adaptive.enabled", aqe)
        few = spark.range(400).selectExpr("id % 10 AS src", "id % 7 AS dst")
        real = few.selectExpr("CAST(src AS DOUBLE) AS src", "CAST(dst AS DOUBLE) AS dst")
        people = spark.range(10)
        for kind, edges in (("fits", few), ("floats", real), ("large", few)):
            edges.createOrReplaceTempView("fallback_edges")
            if kind == "large":
                spark.conf.set("spark.wreath.index.maxBytes", "300")
            sql = "SELECT count(*) FROM GRAPH_TABLE (fallback_edges MATCH (a)->(b)->(c), (a)->(c))"
            graph = wreath.Graph(edges)
            run(f"{kind} sql", lambda: spark.sql(sql))
            run(f"{kind} match", lambda: graph.match("(a)-[]->(b)-[]->(a)"))
            run(f"{kind} find", lambda: graph.find("(a)-[e]->(b); (b)-[]->(a)"))
            run(f"{kind} all", lambda: graph.match_all({"one": "(a)-[]->(b)-[]->(a)"}))
            with_vertices = wreath.Graph(edges, people.selectExpr("CAST(id AS DOUBLE) AS id")
                                         if kind == "floats" else people)
            run(f"{kind} vertices", lambda: with_vertices.match("(a)-[]->(b)-[]->(a)"))
            spark.conf.set("spark.wreath.join.mode", "binary")
            run(f"wished {kind}", lambda: graph.match("(a)-[]->(b)-[]->(a)"))
            spark.conf.set("spark.wreath.join.mode", "auto")
            spark.conf.set("spark.wreath.index.maxBytes", "1g")
"""

CLASSIC = """
spark = wreath.start("fallback", "local[2]", conf={
    "spark.ui.enabled": False,
    "spark.sql.shuffle.partitions": 2,
    "spark.wreath.index.cache.enabled": False,
    "spark.plugins": "org.apache.spark.sql.connect.SparkConnectPlugin",
    "spark.connect.grpc.binding.port": 0,
})
queries("classic", spark)

import os, subprocess
service = getattr(spark._jvm, "org.apache.spark.sql.connect.service.SparkConnectService$")
url = f"sc://127.0.0.1:{getattr(service, 'MODULE$').localPort()}"
kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYSPARK_", "SPARK_"))}
client = os.environ["WREATH_TEST_CLIENT"]
subprocess.run([sys.executable, "-c", client], env={**kept, "SPARK_REMOTE": url}, check=True)
print("=== end", file=sys.stderr, flush=True)
"""

CONNECT = QUERIES + 'queries("connect", wreath.start("fallback client"))\n'


def test_a_fallback_is_told_once_a_query_whatever_asked(
    run_python: Callable[..., CompletedProcess[str]],
) -> None:
    done = run_python(QUERIES + CLASSIC, WREATH_TEST_CLIENT=CONNECT)
    assert done.returncode == 0, done.stderr[-3000:]
    told: dict[str, list[list[str]]] = {}
    for section in done.stderr.split("=== ")[1:-1]:
        name, *lines = section.splitlines()
        told.setdefault(name, []).append([x for x in lines if "runs on Spark's joins" in x])
    assert len(told) == 2 * (3 * 5 + 3)
    for name, runs in told.items():
        assert len(runs) == 2, name  # with AQE and without
        for lines in runs:
            if name.split()[1] in ("fits", "wished"):
                assert not lines, name
            else:
                assert len(lines) == 1, (name, lines)
                assert "WARN" in lines[0]
                assert "set spark.wreath.join.mode to 'broadcast'" in lines[0]
                reason = "maxBytes" if " large " in name else "DOUBLE"
                assert reason in lines[0], name
