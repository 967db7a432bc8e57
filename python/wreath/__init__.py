"""Worst-case optimal graph pattern joins for Apache Spark.

>>> import wreath
>>> spark = wreath.start()
>>> edges = spark.createDataFrame([(1, 2), (2, 3), (1, 3)], "src bigint, dst bigint")
>>> wreath.Graph(edges).match("(a)-[]->(b), (b)-[]->(c), (a)-[]->(c)").count()
1
"""

from __future__ import annotations

from wreath._jar import jar_path
from wreath.errors import (
    WreathError,
    WreathJarNotFound,
    WreathJavaNotFound,
    WreathNotActive,
    WreathNotSupported,
    WreathVersionError,
)
from wreath.graph import Graph
from wreath.index import GraphIndex
from wreath.session import configure, start
from wreath.version import __version__

__all__ = [
    "Graph",
    "GraphIndex",
    "WreathError",
    "WreathJarNotFound",
    "WreathJavaNotFound",
    "WreathNotActive",
    "WreathNotSupported",
    "WreathVersionError",
    "__version__",
    "configure",
    "jar_path",
    "start",
]
