"""The only module that reaches into the JVM; everything else is SQL text and public PySpark."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def executed_plan(df: DataFrame) -> str:
    """Return the physical plan of ``df``; after an action on this very object, the one that ran."""
    plan: str = df._jdf.queryExecution().executedPlan().toString()
    return plan


def joins(plan: str) -> str:
    """Return the join operators in a plan: "BroadcastWcoJoin", or "2 x SortMergeJoin"."""
    # An adaptive plan shows what ran first and what was meant to run after it.
    ran = plan.split("== Initial Plan ==")[0]
    found = Counter(re.findall(r"\b[A-Z]\w*Join\b", ran))
    return ", ".join(f"{n} x {name}" if n > 1 else name for name, n in found.items()) or "no join"
