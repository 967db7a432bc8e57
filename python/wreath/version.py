"""The version of the wheel and of the jars inside it; the build reads it from here."""

from __future__ import annotations

__version__ = "0.1.0"

SPARK_MINORS: tuple[tuple[int, int], ...] = ((4, 1), (4, 2))
"""The Spark lines that the wheel has a jar for, oldest first, as in project/Versions.scala."""
