"""Worst-case optimal graph pattern joins for Apache Spark.

>>> import wreath
>>> spark = wreath.start()
>>> edges = spark.createDataFrame([(1, 2), (2, 3), (1, 3)], "src bigint, dst bigint")
>>> wreath.Graph(edges).match("(a)-[]->(b), (b)-[]->(c), (a)-[]->(c)").count()
1
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wreath._explain import Explanation, explain
from wreath._jar import jar_path
from wreath._svg import Picture
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

if TYPE_CHECKING:
    from wreath._magic import Shell

__all__ = [
    "Explanation",
    "Graph",
    "GraphIndex",
    "Picture",
    "WreathError",
    "WreathJarNotFound",
    "WreathJavaNotFound",
    "WreathNotActive",
    "WreathNotSupported",
    "WreathVersionError",
    "__version__",
    "configure",
    "explain",
    "jar_path",
    "start",
]


def load_ipython_extension(ipython: Shell) -> None:
    """Serve ``%load_ext wreath``, which adds the cell magic ``%%graph``."""
    from wreath import _magic

    _magic.load(ipython)
