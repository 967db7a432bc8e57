from __future__ import annotations

import pytest
from pyspark.sql import DataFrame, SparkSession

from wreath.generate import power_law


def checksum(edges: DataFrame) -> tuple[int, int]:
    row = edges.selectExpr("count(*)", "sum(pmod(src * 1000003 + dst, 2147483647))").collect()[0]
    return row[0], row[1]


def test_the_default_graph_is_the_same_everywhere(spark: SparkSession) -> None:
    assert checksum(power_law(spark).edges) == (193_619, 198_731_730_087_425)


def test_a_small_graph_is_the_same_everywhere(spark: SparkSession) -> None:
    assert checksum(power_law(spark, 2_000).edges) == (1_524, 142_777_571_972)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("spark.sql.leafNodeDefaultParallelism", "7"),
        ("spark.sql.ansi.enabled", "false"),
        ("spark.sql.codegen.wholeStage", "false"),
        ("spark.sql.shuffle.partitions", "1"),
    ],
)
def test_no_setting_changes_the_graph(spark: SparkSession, key: str, value: str) -> None:
    plain = checksum(power_law(spark, 5_000).edges)
    before = spark.conf.get(key, None)
    spark.conf.set(key, value)
    try:
        assert checksum(power_law(spark, 5_000).edges) == plain
    finally:
        if before is None:
            spark.conf.unset(key)
        else:
            spark.conf.set(key, before)


def test_another_seed_gives_another_graph(spark: SparkSession) -> None:
    assert checksum(power_law(spark, 5_000, seed=2).edges) != checksum(
        power_law(spark, 5_000).edges
    )


def test_edges_are_distinct_and_without_self_loops(spark: SparkSession) -> None:
    edges = power_law(spark, 20_000).edges
    assert edges.count() == edges.distinct().count()
    assert edges.where("src = dst").count() == 0
    assert edges.schema.simpleString() == "struct<src:bigint,dst:bigint>"


def test_degrees_are_skewed(spark: SparkSession) -> None:
    graph = power_law(spark, 20_000)
    degrees = graph.edges.groupBy("src").count()
    busiest = degrees.agg({"count": "max"}).collect()[0][0]
    average = graph.edges.count() / graph.vertices
    assert busiest > 20 * average


def test_the_planted_rings_are_exactly_the_cycles_among_planted_vertices(
    spark: SparkSession,
) -> None:
    # Found by Spark's joins, so that the generator does not vouch for Wreath nor the reverse.
    graph = power_law(spark, 20_000)
    spark.conf.set("spark.wreath.enabled", "false")
    try:
        found = spark.sql(
            """SELECT ab.src, bc.src, ca.src
               FROM {edges} ab JOIN {edges} bc ON ab.dst = bc.src
                               JOIN {edges} ca ON bc.dst = ca.src AND ca.dst = ab.src
               WHERE ab.src >= {first} AND bc.src >= {first} AND ca.src >= {first}
                 AND ab.src < bc.src AND ab.src < ca.src""",
            edges=graph.edges,
            first=graph.vertices,
        ).collect()
    finally:
        spark.conf.unset("spark.wreath.enabled")
    first = graph.vertices
    assert graph.rings == 10
    assert sorted(tuple(row) for row in found) == [
        (first + 3 * i, first + 3 * i + 1, first + 3 * i + 2) for i in range(graph.rings)
    ]


def test_planted_vertices_hang_together_with_the_rest(spark: SparkSession) -> None:
    graph = power_law(spark, 20_000)
    first = graph.vertices
    planted = 3 * graph.rings
    assert graph.edges.where(f"src >= {first} AND dst < {first}").count() == planted
    assert graph.edges.where(f"src < {first} AND dst >= {first}").count() == planted


def test_a_graph_too_small_for_a_ring_is_refused(spark: SparkSession) -> None:
    with pytest.raises(ValueError, match="at least 2000"):
        power_law(spark, 100)
