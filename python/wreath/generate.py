"""A graph made of nothing but arithmetic: the same edges on every machine and at every parallelism.

Endpoints are drawn independently from a power law. A uniform number u in [0, 1) is taken from the
hash of a counter, and the vertex is floor(vertices * u * u * u), so vertex i is drawn in proportion
to (i + 1) ** (-2/3), which gives degrees a tail with exponent 2.5. Only multiplications of doubles
are used, which IEEE 754 defines to the last bit, where pow() may differ between machines.

On top, rings of three are planted (a -> b -> c -> a) on vertices of their own, each of which also
has one edge to and one edge from the rest of the graph. So these, and no other, are the cycles of
length three whose vertices are all planted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

EDGES_PER_VERTEX = 10
EDGES_PER_RING = 2_000


class PlantedGraph(NamedTuple):
    """A generated graph and what is known about it.

    .. versionadded:: 0.1.0
    """

    edges: DataFrame
    """Distinct edges without self-loops, in the columns ``src`` and ``dst``."""

    vertices: int
    """Ordinary vertices have the ids below this number, planted ones the ids from it on."""

    rings: int
    """How many rings were planted; ring i is ``vertices + 3 * i`` and the two ids after it."""


def power_law(spark: SparkSession, edges: int = 200_000, *, seed: int = 1) -> PlantedGraph:
    """Return a power-law graph with planted rings.

    .. versionadded:: 0.1.0

    Parameters
    ----------
    spark : :class:`pyspark.sql.SparkSession`
        Nothing is computed before the edges are used.
    edges : int, default 200000
        How many edges to draw. Somewhat fewer remain, as self-loops and repetitions are dropped.
    seed : int, default 1
        Another seed gives another graph.

    Returns
    -------
    PlantedGraph

    Examples
    --------
    >>> from wreath.generate import power_law
    >>> graph = power_law(spark, edges=2_000)
    >>> graph.vertices, graph.rings
    (200, 1)
    >>> ring = "(a)-[]->(b)-[]->(c)-[]->(a)"
    >>> wreath.Graph(graph.edges).match(ring, where="a < b AND b < c AND a >= 200").collect()
    [Row(a=200, b=201, c=202)]
    """
    from pyspark.sql import functions as sf

    check_size(edges)
    vertices = edges // EDGES_PER_VERTEX
    rings = edges // EDGES_PER_RING

    def uniform(stream: int) -> Column:
        hashed = sf.xxhash64("id", sf.lit(seed).cast("bigint"), sf.lit(stream).cast("bigint"))
        return sf.shiftrightunsigned(hashed, 11).cast("double") * sf.lit(2.0**-53)

    def ordinary(stream: int) -> Column:
        u = uniform(stream)
        rank = sf.floor(sf.lit(float(vertices)) * (u * u * u)).cast("bigint")
        # Ids must not follow degrees, or comparing ids would be comparing degrees.
        return sf.pmod(rank * sf.lit(_coprime(vertices)), sf.lit(vertices)).cast("bigint")

    drawn = spark.range(edges).select(ordinary(1).alias("src"), ordinary(2).alias("dst"))

    planted_id = sf.col("id") + sf.lit(vertices)
    place = sf.col("id") % 3
    next_in_ring = planted_id - place + (place + 1) % 3
    planted = spark.range(3 * rings)
    ring = planted.select(planted_id.alias("src"), next_in_ring.alias("dst"))
    outwards = planted.select(planted_id.alias("src"), ordinary(3).alias("dst"))
    inwards = planted.select(ordinary(4).alias("src"), planted_id.alias("dst"))

    everything = drawn.union(ring).union(outwards).union(inwards)
    return PlantedGraph(everything.where("src <> dst").distinct(), vertices, rings)


def check_size(edges: int) -> None:
    """Raise unless a graph of so many edges has room for a ring."""
    if edges < EDGES_PER_RING:
        raise ValueError(f"edges is {edges}, but must be at least {EDGES_PER_RING}.")


def _coprime(vertices: int) -> int:
    """Return a prime that does not divide ``vertices``, so that multiplying by it permutes."""
    return next(prime for prime in (7_919, 7_927, 7_933) if vertices % prime)
