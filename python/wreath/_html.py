"""What a notebook shows of objects that are no pictures: a table of two columns."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape


def facts(title: str, rows: Sequence[tuple[str, object]]) -> str:
    """Return a small table of facts. Whatever stands in them is text."""
    body = "".join(
        f'<tr><th style="text-align:left">{escape(name)}</th>'
        f'<td style="text-align:left">{escape(str(value))}</td></tr>'
        for name, value in rows
    )
    return f"<table><caption><b>{escape(title)}</b></caption><tbody>{body}</tbody></table>"


def size(count: int) -> str:
    """Return a number of bytes as people read it."""
    amount = float(count)
    for unit in ("B", "KiB", "MiB", "GiB"):
        if amount < 1024:
            return f"{count} B" if unit == "B" else f"{amount:.1f} {unit}"
        amount /= 1024
    return f"{amount:.1f} TiB"
