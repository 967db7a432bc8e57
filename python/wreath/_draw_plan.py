"""The picture of a plan: each join's pattern, and beside it what is done and what was done."""

from __future__ import annotations

import math
import re
import textwrap

from wreath import _layout, _svg
from wreath._plan import Index, Join, Level

_WIDTH = 780.0
_LEFT = 300.0
_RADIUS = 16.0
_LINE = 19.0


def picture(joins: list[Join]) -> str:
    """Return a picture of all joins, one below the other."""
    parts: list[str] = []
    top = 12.0
    if not joins:
        parts.append(_svg.text(20, top + 20, "No pattern of Wreath's in this plan", "title"))
        words = "Spark does all of it. The text says how."
        parts.append(_svg.text(20, top + 42, words, "soft"))
        top += 60
    for number, join in enumerate(joins):
        if number:
            parts.append(_svg.rule(16, top, _WIDTH - 32))
            top += 8
        drawn, height = _declined(join, top) if not join.edges else _join(join, top)
        parts += drawn
        top += height
    return _svg.document(parts, _WIDTH, top + 10, "How the patterns of this query are found")


def _join(join: Join, top: float) -> tuple[list[str], float]:
    """Return one join, the pattern to the left and the facts to the right."""
    parts = [_svg.text(20, top + 20, join.operator, "title")]
    order = [level.variable for level in join.levels]
    drawn, pattern_height = _pattern(join, order, top + 30)
    facts, facts_height = _facts(join, top + 12)
    return [*parts, *drawn, *facts], max(30 + pattern_height, 12 + facts_height) + 8


def _declined(join: Join, top: float) -> tuple[list[str], float]:
    parts = [_svg.text(20, top + 20, "Spark's own joins", "title")]
    lines = _wrapped(f"because {join.declined}" if join.declined else join.operator, 105)
    for i, line in enumerate(lines):
        parts.append(_svg.text(20, top + 42 + i * _LINE, line, "warn" if join.declined else "soft"))
    return parts, 50 + len(lines) * _LINE


def _pattern(join: Join, order: list[str], top: float) -> tuple[list[str], float]:
    names = list(dict.fromkeys([*order, *(v for e in join.edges for v in (e.source, e.target))]))
    number = {name: i for i, name in enumerate(names)}
    ends = [(number[e.source], number[e.target]) for e in join.edges]
    places, high = _spots(len(names), ends)
    places = [(10 + x, top + y) for x, y in places]
    middle = (sum(x for x, _ in places) / len(places), sum(y for _, y in places) / len(places))
    parts = []
    for edge, (a, b), bend in zip(join.edges, ends, _layout.bends(ends), strict=True):
        drawn = _svg.edge(
            places[a], places[b], _RADIUS, bend=bend, directed=edge.directed, dashed=bool(edge.test)
        )
        parts.append(drawn)
        if edge.test:
            x, y = (places[a][0] + places[b][0]) / 2, (places[a][1] + places[b][1]) / 2
            parts.append(_svg.text(x, y + 4, edge.test, "soft mid haloed"))
    for name, (x, y) in zip(names, places, strict=True):
        step = order.index(name) + 1 if name in order else 0
        parts.append(_svg.circle(x, y, _RADIUS, 0 if step else 7, name))
        parts.append(_svg.text(x, y + 4, _label(name), "mid on"))
        if step:
            # Away from the middle, where the edges are.
            away = math.hypot(x - middle[0], y - middle[1]) or 1.0
            at_x = x + (x - middle[0]) / away * (_RADIUS + 12)
            at_y = y + ((y - middle[1]) / away if away > 1 else -1) * (_RADIUS + 12)
            parts.append(_svg.text(at_x, at_y + 4, f"{step}.", "soft mid"))
    return parts, high


def _spots(count: int, ends: list[tuple[int, int]]) -> tuple[list[_layout.Point], float]:
    """Few vertices stand on a circle, in the order of binding; many go where edges pull them."""
    if count > 6:
        spots, wide, high = _layout.packed(count, ends, _LEFT, 40)
        scale = min(1.0, (_LEFT - 10) / wide)
        return [(x * scale, y * scale) for x, y in spots], high * scale + 6
    around = _layout.on_circle(count, 0.0 if count == 1 else 30.0 + 9 * count)
    left, top = min(x for x, _ in around) - 40, min(y for _, y in around) - 40
    high = max(y for _, y in around) - top + 46
    return [(x - left, y - top) for x, y in around], high


def _facts(join: Join, top: float) -> tuple[list[str], float]:
    parts: list[str] = []
    x, y = _LEFT + 30, top

    def say(words: str, style: str = "") -> None:
        nonlocal y
        for line in _wrapped(words, 66):
            y += _LINE
            parts.append(_svg.text(x, y, line, style))

    if join.declined:
        say("Spark's joins ran in its place: " + join.declined, "warn")
    if join.lengths:
        say(f"{join.lengths}; the longest is drawn", "soft")
    if join.levels:
        bars, height = _levels(join.levels, x, y + 6)
        parts += bars
        y += height + 6
    elif not join.declined and not join.notes:
        hinted = f"bound first, by your hint: {join.hint}; " if join.hint else ""
        say(f"{hinted}the order is chosen when the index is there", "soft")
    for note in join.notes:
        say(note, "soft")
    if join.conditions:
        say("where " + " and ".join(join.conditions))
    if join.goal:
        say({"counted": "matches are counted, not made into rows"}.get(join.goal, join.goal))
    for index in [] if join.declined else dict.fromkeys(join.indexes):
        say(_index(index), "soft")
    if join.skew:
        say(join.skew, "soft")
    return parts, y - top + 8


def _levels(levels: list[Level], x: float, y: float) -> tuple[list[str], float]:
    """Return a bar for each variable, its length the logarithm of how often it was bound."""
    parts: list[str] = []
    # Where nothing was found, every bar is as short as can be.
    most = max((level.bindings or 1 for level in levels), default=1)
    for i, level in enumerate(levels):
        line = y + (i + 1) * _LINE
        parts.append(_svg.text(x, line, f"{i + 1}. {_short(_said(level.variable), 12)}"))
        if level.bindings is not None:
            share = math.log1p(level.bindings) / math.log1p(most)
            parts.append(_svg.bar(x + 110, line - 10, 120 * share, 12, 0))
        words = "" if level.bindings is None else f"{level.bindings:,}"
        technique = f"by {level.technique}" if level.technique else ""
        parts.append(_svg.text(x + 238, line, f"{words} {technique}".strip(), "soft"))
    return parts, len(levels) * _LINE


def _label(name: str) -> str:
    return "" if _said(name) != name else _short(name, 4)


def _said(name: str) -> str:
    """Say in a word what EXPLAIN numbers: a vertex that the user gave no name."""
    return "unnamed" if re.fullmatch(r"anonymous #\d+", name) else name


def _index(index: Index) -> str:
    if index.state == "reused":
        return f"index there already: {index.rows}, {index.size}, of {index.name}"
    return f"index {index.state}"


def _wrapped(words: str, columns: int) -> list[str]:
    lines = textwrap.wrap(words, columns) or [""]
    return lines if len(lines) <= 4 else [*lines[:3], _short(lines[3], columns - 2) + " …"]


def _short(words: str, most: int) -> str:
    return words if len(words) <= most else words[: most - 1] + "…"
