"""Charts as SVG, written by hand: dots on a logarithmic axis, and lines of growth."""

from __future__ import annotations

import math
from collections.abc import Callable
from html import escape

from benchmarks.harness import patterns
from benchmarks.harness.compare import SPARK
from benchmarks.harness.growth import Size
from benchmarks.harness.records import Log

FONT = "font-family='Helvetica, Arial, sans-serif'"
INK, FAINT, GRID = "#222222", "#6b6b6b", "#e4e4e4"
# Colours that stay apart for the colour-blind; shapes tell them apart in print.
SERIES = {
    "cpp": ("C++ reference", "#555555", "tick"),
    "wreath": ("Wreath", "#d55e00", "disc"),
    "ladybug": ("Ladybug, hinted", "#009e73", "square"),
    "duckdb": ("DuckDB, order fixed", "#0072b2", "triangle"),
    "spark": ("Spark's best join", "#cc79a7", "diamond"),
}
CORNERS: dict[str, list[tuple[float, float]]] = {
    "square": [(-4.2, -4.2), (4.2, -4.2), (4.2, 4.2), (-4.2, 4.2)],
    "triangle": [(0, -5), (5, 4), (-5, 4)],
    "diamond": [(0, -5.5), (5.5, 0), (0, 5.5), (-5.5, 0)],
}
STOPPED_APART = 9
PREPARED = (
    "What a contender needs is there before the clock starts: Wreath's index, Ladybug's database, "
    "DuckDB's tables, Spark's cached tables."
)
EMPTY = (
    "Hollow: stopped at that time without an answer. No mark: out of memory, or not run because it "
    "had failed on a smaller graph."
)
REFERENCES = ["cpp-marks", "cpp-best", "cpp"]


def _text(
    x: float, y: float, text: str, *, size: int = 12, anchor: str = "start", fill: str = INK,
    bold: bool = False,
) -> str:  # fmt: skip
    weight = " font-weight='bold'" if bold else ""
    return (
        f"<text x='{x:.1f}' y='{y:.1f}' font-size='{size}' text-anchor='{anchor}' "
        f"fill='{fill}' {FONT}{weight}>{escape(text)}</text>"
    )


def _line(x1: float, y1: float, x2: float, y2: float, colour: str, width: float = 1) -> str:
    return (
        f"<line x1='{x1:.1f}' y1='{y1:.1f}' x2='{x2:.1f}' y2='{y2:.1f}' "
        f"stroke='{colour}' stroke-width='{width}'/>"
    )


def _mark(x: float, y: float, shape: str, colour: str, *, hollow: bool = False) -> str:
    fill = "#ffffff" if hollow else colour
    paint = f"fill='{fill}' stroke='{colour}' stroke-width='1.6'"
    if shape == "tick":
        return _line(x, y - 8, x, y + 8, colour, 3)
    if shape == "disc":
        return f"<circle cx='{x:.1f}' cy='{y:.1f}' r='5.5' {paint}/>"
    points = " ".join(f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in CORNERS[shape])
    return f"<polygon points='{points}' {paint}/>"


def _page(width: float, height: float, title: str, parts: list[str]) -> str:
    head = (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width:.0f} {height:.0f}' "
        f"width='{width:.0f}' height='{height:.0f}' role='img'><title>{escape(title)}</title>"
        f"<rect width='100%' height='100%' fill='#ffffff'/>"
    )
    return "\n".join([head, *parts, "</svg>\n"])


def _seconds(log: Log, series: str, graph: str, query: str) -> tuple[float | None, bool]:
    """Return the least seconds and whether they are a bound from below, that of a stop."""
    names = {"cpp": REFERENCES, "spark": list(SPARK)}.get(series, [series])
    times = [t for n in names if (t := log.best(n, graph, query)) is not None]
    if times:
        return min(times), False
    stops = [t for n in names if (t := log.at_least(n, graph, query)) is not None]
    return min(stops, default=None), True


def comparison(log: Log, graphs: list[str], queries: list[str], about: str) -> str:
    """Return the chart of whole queries: a panel a graph, a line a query, a mark a contender."""
    left, top, row, gap = 150.0, 96.0, 30.0, 38.0
    # Wide enough for the line that explains the marks.
    panel = max(150.0, (830 - left) / len(graphs) - gap)
    points = {(s, g, q): _seconds(log, s, g, q) for s in SERIES for g in graphs for q in queries}
    known = [t for t, _ in points.values() if t is not None]
    low, high = _decades(known)
    width = left + len(graphs) * (panel + gap)
    bottom = top + row * len(queries)

    def at(seconds: float) -> float:
        share = (math.log10(seconds) - low) / (high - low)
        return max(0.0, min(1.0, share)) * panel

    parts = [_text(16, 28, "Counting a pattern: seconds of the whole query", size=17, bold=True)]
    x = 16.0
    for label, colour, shape in SERIES.values():
        parts += [_mark(x + 6, 51, shape, colour), _text(x + 18, 55, label)]
        x += 40 + 6.6 * len(label)
    parts += [
        _mark(x + 6, 51, "square", FAINT, hollow=True),
        _text(x + 18, 55, "stopped, no answer"),
    ]
    for i, query in enumerate(queries):
        y = top + row * (i + 0.5)
        parts.append(_text(left - 10, y + 4, patterns.NAMES[query], anchor="end"))
    for i, graph in enumerate(graphs):
        start = left + i * (panel + gap)
        parts.append(_text(start + panel / 2, top - 10, graph, anchor="middle", bold=True))
        for decade in range(low, high + 1):
            x = start + (decade - low) / (high - low) * panel
            parts.append(_line(x, top, x, bottom, GRID))
            if (decade - low) % 2 == 0:
                parts.append(
                    _text(x, bottom + 16, _decade(decade), size=10, anchor="middle", fill=FAINT)
                )
        for j, query in enumerate(queries):
            y = top + row * (j + 0.5)
            parts.append(_line(start, y, start + panel, y, GRID))
            stops = [s for s in SERIES if points[s, graph, query][1]]
            stops = [s for s in stops if points[s, graph, query][0] is not None]
            # Wreath last, so that nothing hides it.
            for series in sorted(SERIES, key=lambda s: s == "wreath"):
                seconds, stopped = points[series, graph, query]
                if seconds is not None:
                    # Those that were stopped at one time stand one above the other.
                    place = stops.index(series) - (len(stops) - 1) / 2 if stopped else 0
                    _, colour, shape = SERIES[series]
                    parts.append(
                        _mark(
                            start + at(seconds),
                            y + STOPPED_APART * place,
                            shape,
                            colour,
                            hollow=stopped,
                        )
                    )
        parts.append(
            _text(start + panel / 2, bottom + 32, "seconds", size=10, anchor="middle", fill=FAINT)
        )
    for i, line in enumerate((EMPTY, PREPARED, f"Logarithmic axes. {about}")):
        parts.append(_text(16, bottom + 56 + 16 * i, line, size=11, fill=FAINT))
    return _page(width, bottom + 100, "Counting patterns, by contender", parts)


def growth(sizes: list[Size], about: str) -> str:
    """Return the chart of growth: seconds and bytes against edges, both axes logarithmic."""
    left, top, panel, height, gap = 60.0, 100.0, 420.0, 280.0, 80.0
    seconds: dict[str, tuple[str, str, Callable[[Size], float]]] = {
        "index build": ("#d55e00", "disc", lambda s: s.build),
        "first query": ("#e69f00", "square", lambda s: s.first),
        "later query": ("#0072b2", "triangle", lambda s: s.later),
        "C++ build": ("#888888", "disc", lambda s: s.cpp_build),
        "C++ triangles": ("#444444", "triangle", lambda s: s.cpp_tri),
    }
    held: dict[str, tuple[str, str, Callable[[Size], float]]] = {
        "index, both directions": ("#d55e00", "disc", lambda s: float(s.index_bytes)),
        "C++, one direction": ("#888888", "disc", lambda s: float(s.cpp_bytes)),
    }
    parts = [_text(16, 28, "Growth with the number of edges", size=17, bold=True)]
    across = _decades([float(s.edges) for s in sizes])
    for i, (title, lines) in enumerate({"seconds": seconds, "bytes": held}.items()):
        start = left + i * (panel + gap)
        low, high = _decades([f(s) for s in sizes for _, _, f in lines.values()])
        parts.append(_text(start, top - 42, title, bold=True))
        x = start + 6
        for label, (colour, shape, _) in lines.items():
            parts += [_mark(x, top - 22, shape, colour), _text(x + 9, top - 18, label, size=10)]
            x += 26 + 5.6 * len(label)
        for decade in range(low, high + 1):
            y = top + height - (decade - low) / (high - low) * height
            parts.append(_line(start, y, start + panel, y, GRID))
            label = _decade(decade)
            parts.append(_text(start - 6, y + 4, label, size=10, anchor="end", fill=FAINT))
        for decade in range(across[0], across[1] + 1):
            x = start + (decade - across[0]) / (across[1] - across[0]) * panel
            parts.append(_line(x, top, x, top + height, GRID))
            label = _decade(decade)
            parts.append(_text(x, top + height + 16, label, size=10, anchor="middle", fill=FAINT))
        for colour, shape, value in lines.values():
            spots = [
                (
                    start + _share(float(s.edges), across) * panel,
                    top + height - _share(value(s), (low, high)) * height,
                )
                for s in sizes
            ]
            path = " ".join(f"{x:.1f},{y:.1f}" for x, y in spots)
            parts.append(
                f"<polyline points='{path}' fill='none' stroke='{colour}' stroke-width='2'/>"
            )
            parts += [_mark(x, y, shape, colour) for x, y in spots]
        parts.append(
            _text(start + panel / 2, top + height + 34, "edges", anchor="middle", fill=FAINT)
        )
    parts.append(_text(16, top + height + 58, about, size=11, fill=FAINT))
    return _page(left + 2 * panel + gap + 30, top + height + 72, "Growth", parts)


def _decades(values: list[float]) -> tuple[int, int]:
    low = math.floor(math.log10(min(values)))
    return low, max(low + 1, math.ceil(math.log10(max(values))))


def _share(value: float, decades: tuple[int, int]) -> float:
    return (math.log10(value) - decades[0]) / (decades[1] - decades[0])


def _decade(decade: int) -> str:
    if decade <= 3:
        return f"{10.0**decade:g}"
    names = {4: "10 k", 5: "100 k", 6: "1 M", 7: "10 M", 8: "100 M", 9: "1 G", 10: "10 G"}
    return names.get(decade, f"1e{decade}")
