"""The errors of queries, from the conditions file that the jar carries."""

from __future__ import annotations

import json
import re
from pathlib import Path

CONDITIONS = "jvm/spark/src/main/resources/error/wreath-error-conditions.json"

INTRODUCTION = """# Errors

An error of a query comes as an `AnalysisException`, a `ParseException` or, while it runs, a
`SparkRuntimeException`. It has a condition, which does not change from one release to the next, and
most have a place in your text:

```
try:
    graph.match("(a)-[]->(b")
except pyspark.errors.PySparkException as e:
    e.getCondition()            # 'WREATH_SYNTAX_ERROR'
    e.getSqlState()             # '42601'
    e.getMessageParameters()
    e.getQueryContext()         # where in your text it is
```

What stands in angle brackets is filled in. Errors of the Python package itself, such as a jar that
is missing, are [exceptions of their own](python.md#errors).

"""


def page(root: Path) -> str:
    """Return the page: a section for each condition."""
    conditions = json.loads((root / CONDITIONS).read_text(encoding="utf-8"))
    return INTRODUCTION + "\n".join(_section(name, c) for name, c in sorted(conditions.items()))


def _section(name: str, condition: dict[str, object]) -> str:
    message = condition["message"]
    assert isinstance(message, list)
    text = _shown(" ".join(message))
    lines = [f"## {name}", "", f"{text}", "", f"SQLSTATE {condition['sqlState']}", ""]
    parts = condition.get("subClass")
    if isinstance(parts, dict):
        lines += [f"- **{part}**: {_shown(' '.join(p['message']))}" for part, p in parts.items()]
        lines.append("")
    return "\n".join(lines)


def _shown(text: str) -> str:
    """Keep markup out of it: parameters are in angle brackets, and stars are quantifiers."""
    escaped = re.sub(r"([\\*_`\[\]|#])", r"\\\1", text.replace("&", "&amp;"))
    return escaped.replace("<", "&lt;").replace(">", "&gt;")
