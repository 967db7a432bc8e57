"""The Scala reference, from the comments of the public API."""

from __future__ import annotations

import re
from pathlib import Path

FOLDER = "jvm/spark/src/main/scala/io/wreath/spark/api"

INTRODUCTION = """# Scala

The same calls under the same names, in `io.wreath.spark.api`. The jar is the one that `wreath jar`
prints; its version of Scala is 2.13.

```scala
import io.wreath.spark.api.Graph

val graph = Graph(edges)                                   // edges: DataFrame with src and dst
graph.`match`("(a)-[]->(b)-[]->(c), (a)-[]->(c)", where = "a < b").show()
```

In SQL nothing differs: `spark.sql("SELECT … FROM GRAPH_TABLE (…)")`.
"""

_MEMBER = re.compile(
    r"^(?P<indent> *)/\*\*(?P<comment>(?:(?!\*/).)*)\*/\s*\n"
    r" *(?P<line>(?:final )?(?:class|object|def|val|case class) (?:(?!\n\n).)*?)"
    r"(?= extends|\s=\s*\n|\s=\s[^,)\n]*\n|\s\{\n|\n\n|\n *\})",
    re.MULTILINE | re.DOTALL,
)


def page(root: Path) -> str:
    """Return the page: what is public and has a comment."""
    parts = [INTRODUCTION]
    for file in sorted((root / FOLDER).glob("*.scala")):
        for member in _MEMBER.finditer(file.read_text(encoding="utf-8")):
            line = re.sub(r"\s+", " ", member["line"]).replace(" private (", "(").strip()
            name = re.search(r"(?:class|object|def|val) (`?\w+`?)", line)
            if name is None or line.startswith(("private", "protected")):
                continue
            depth = 2 if re.match(r"(final )?(case )?(class|object)", line) else 3
            title = "#" * depth + f" {name.group(1).strip('`')}"
            parts.append(f"{title}\n\n```scala\n{_folded(line)}\n```\n\n{_text(member['comment'])}")
    return "\n".join(parts)


def _folded(line: str) -> str:
    if len(line) < 90:
        return line
    head, _, rest = line.partition("(")
    # Only between arguments, not inside the brackets of a type.
    arguments = re.sub(r", (?=(?:val )?\w+: )", ",\n    ", rest.strip())
    return f"{head}(\n    {arguments}"


def _text(comment: str) -> str:
    lines = [re.sub(r"^\s*\* ?", "", line) for line in comment.strip().splitlines()]
    text = re.sub(r"\[\[([^\]]+)\]\]", r"`\1`", "\n".join(lines))
    text = re.sub(r"^@param (\S+)\s*", r"- `\1`: ", text, flags=re.MULTILINE)
    text = re.sub(r"(?<!\n)\n- `", "\n\n- `", text, count=1)
    return text.strip() + "\n"
