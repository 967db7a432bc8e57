"""Drawing matches: what was found, with every edge between the vertices of a match."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from wreath import _layout, _svg
from wreath._svg import Picture

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, Row

_WIDTH = 860.0
_MARGIN = 32.0
_RADIUS = 13.0
_TOP = 44.0


class Match(NamedTuple):
    """A match: its vertices by the names of their variables, and edges that it names itself."""

    vertices: dict[str, Any]
    edges: list[tuple[Any, Any]]


def draw(edges: DataFrame, matches: DataFrame, limit: int) -> Picture:
    """Draw the first matches, as :meth:`wreath.Graph.plot` says."""
    if not hasattr(matches, "sparkSession"):
        raise TypeError(f"matches is a DataFrame or a pattern, not {type(matches).__name__}.")
    if isinstance(limit, bool) or not isinstance(limit, int) or limit < 1:
        raise ValueError(f"limit is {limit!r}, but must be a whole number above 0.")
    if matches.isStreaming or edges.isStreaming:
        raise ValueError("A stream cannot be drawn: write it to a table, and draw from that.")
    rows = matches.limit(limit + 1).collect()
    more = len(rows) > limit
    # Spark returns rows in any order; the picture of the same rows is to be the same.
    found = [match_of(row, edges.schema["src"].dataType) for row in _sorted(rows[:limit])]
    ids = {v for match in found for v in match.vertices.values()}
    return Picture(picture(found, _between(edges, ids), more))


def match_of(row: Row, type_of_id: Any) -> Match:
    """Read a match from a row: columns of the ids' type are vertices, as a motif's structs are."""
    vertices: dict[str, Any] = {}
    edges: list[tuple[Any, Any]] = []
    for name, value in zip(row.__fields__, row, strict=True):
        fields = getattr(value, "__fields__", [])
        if "src" in fields and "dst" in fields:
            edges.append((value["src"], value["dst"]))
        elif "id" in fields:
            vertices[name] = value["id"]
        elif value is not None and not fields and _fits(value, type_of_id):
            vertices[name] = value
    return Match(vertices, edges)


def picture(matches: list[Match], edges: Iterable[tuple[Any, Any]], more: bool) -> str:
    """Return the drawing of matches: of ``edges``, those between vertices of one match."""
    together = {(a, b) for m in matches for a in m.vertices.values() for b in m.vertices.values()}
    named = {e for m in matches for e in m.edges}
    drawn = _sorted({e for e in edges if e in together} | named)
    ids = _sorted({v for e in drawn for v in e})
    number = {v: i for i, v in enumerate(ids)}
    ends = [(number[a], number[b]) for a, b in drawn]
    places, wide, high = _layout.packed(len(ids), ends, _WIDTH, _MARGIN)
    wide = max(wide, 360.0)
    places = [(x, y + _TOP) for x, y in places]
    roles = _roles(matches)
    names = list(dict.fromkeys(n for m in matches for n in m.vertices))
    parts = [_svg.text(16, 24, _title(len(matches), more), "title"), *_legend(names, roles, wide)]
    for (a, b), bend in zip(ends, _layout.bends(ends), strict=True):
        parts.append(_svg.edge(places[a], places[b], _RADIUS, bend=bend))
    for v, (x, y) in zip(ids, places, strict=True):
        role = roles.get(v, set())
        colour = names.index(next(iter(role))) if len(role) == 1 else _svg.COLOURS - 1
        parts.append(
            _svg.circle(x, y, _RADIUS, colour % _svg.COLOURS, f"{v} as {', '.join(sorted(role))}")
        )
        parts.append(_label(x, y, str(v)))
    if not ids:
        words = "No edge lies between the vertices of a match." if matches else "Nothing was found."
        parts.append(_svg.text(16, _TOP + 20, words, "soft"))
    return _svg.document(parts, wide, max(high, 40) + _TOP, _title(len(matches), more))


def _label(x: float, y: float, words: str) -> str:
    """Return an id inside its vertex, or below it where it is long."""
    if len(words) <= 3:
        return _svg.text(x, y + 4, words, "mid on small" if len(words) == 3 else "mid on")
    shown = words if len(words) <= 14 else words[:13] + "…"
    return _svg.text(x, y + _RADIUS + 13, shown, "mid haloed")


def _roles(matches: list[Match]) -> dict[Any, set[str]]:
    """By vertex, the variables that are bound to it."""
    roles: dict[Any, set[str]] = {}
    for match in matches:
        for name, vertex in match.vertices.items():
            roles.setdefault(vertex, set()).add(name)
    return roles


def _legend(names: list[str], roles: dict[Any, set[str]], width: float) -> list[str]:
    """Say which colour is which variable, and that grey is several."""
    entries = [(name, i) for i, name in enumerate(names[: _svg.COLOURS - 1])]
    if any(len(role) > 1 for role in roles.values()):
        entries.append(("several", _svg.COLOURS - 1))
    parts, x = [], 190.0
    for words, colour in entries:
        if x > width - 60:
            break
        parts += [_svg.circle(x, 20, 6, colour), _svg.text(x + 11, 24, words[:12], "soft")]
        x += 34 + 7 * min(len(words), 12)
    return parts


def _title(count: int, more: bool) -> str:
    if more:
        return f"The first {count} matches"
    return "1 match" if count == 1 else f"{count} matches"


def _between(edges: DataFrame, ids: set[Any]) -> list[tuple[Any, Any]]:
    """Return the edges whose ends are both among ``ids``, equal ones once."""
    from pyspark.sql import functions as sf

    if not ids:
        return []
    some = _sorted(ids)
    both = edges.where(sf.col("src").isin(some) & sf.col("dst").isin(some))
    return [(row["src"], row["dst"]) for row in both.select("src", "dst").distinct().collect()]


def _fits(value: Any, type_of_id: Any) -> bool:
    """Tell whether a value may be an id: a name is none where ids are numbers."""
    from pyspark.sql.types import IntegralType, StringType

    if isinstance(type_of_id, IntegralType):
        return isinstance(value, int) and not isinstance(value, bool)
    if isinstance(type_of_id, StringType):
        return isinstance(value, str)
    return isinstance(value, object) and getattr(value, "__hash__", None) is not None


def _sorted(values: Iterable[Any]) -> list[Any]:
    """Sort what can be compared by itself, and all else by what it looks like."""
    some = list(values)
    try:
        return sorted(some)
    except TypeError:
        return sorted(some, key=repr)
