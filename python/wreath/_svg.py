"""Pictures as text: a few shapes of SVG, in colours that suit a light page and a dark one.

A picture brings its own ground, so it is legible wherever it is shown. Its colours follow
the system's preference by one rule of CSS.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from html import escape
from pathlib import Path

#: Of vertices and bars, by number; each is legible on both grounds.
COLOURS = 8

_STYLE = """
.wreath{--ground:#fff;--ink:#1f2430;--soft:#667085;--line:#98a2b3;--rule:#e4e7ec;--warn:#b54708;
--c0:#2f6fde;--c1:#d9480f;--c2:#2b8a3e;--c3:#9c36b5;--c4:#a8640a;--c5:#0c7a8f;--c6:#c2255c;
--c7:#5f6b7a}
@media (prefers-color-scheme:dark){.wreath{--ground:#15181f;--ink:#e6e9ef;--soft:#a3adbd;
--line:#7d8797;--rule:#2c323d;--warn:#fdb022;--c0:#3d78dc;--c1:#d1531f;--c2:#358f49;--c3:#a74dbe;
--c4:#a97215;--c5:#188497;--c6:#cf3f72;--c7:#6d7888}}
.wreath text{font:12px system-ui,'Segoe UI','DejaVu Sans',sans-serif;fill:var(--ink)}
.wreath .soft{fill:var(--soft)}.wreath .warn{fill:var(--warn)}
.wreath .title{font-weight:600;font-size:14px}
.wreath .mid{text-anchor:middle}.wreath .on{fill:#fff;font-weight:600}
.wreath .edge{stroke:var(--line);fill:none;stroke-width:1.5}.wreath .tip{fill:var(--line)}
.wreath .small{font-size:10px}
.wreath .haloed{stroke:var(--ground);stroke-width:4;paint-order:stroke}
.wreath .dashed{stroke-dasharray:4 3}.wreath .rule{stroke:var(--rule)}
.wreath .halo{fill:var(--ground)}
"""


class Picture:
    """A drawing: a picture in a notebook, SVG in ``.svg`` and in a file.

    .. versionadded:: 0.1.0
    """

    def __init__(self, svg: str) -> None:
        #: The drawing as SVG, complete in itself.
        self.svg = svg

    def save(self, path: str | Path) -> None:
        """Write the drawing to an SVG file, which every browser shows.

        .. versionadded:: 0.1.0
        """
        Path(path).write_text(self.svg, encoding="utf-8")

    def _repr_svg_(self) -> str:
        return self.svg

    def _repr_html_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        """Say how to see it where no picture can be shown."""
        return f"<{type(self).__name__}: .save('picture.svg') writes it to a file>"


def document(parts: Iterable[str], width: float, height: float, title: str) -> str:
    """Return a whole picture of these parts."""
    rules = "".join(f".wreath .c{i}{{fill:var(--c{i})}}" for i in range(COLOURS))
    size = f'width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}"'
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="wreath" role="img" {size} '
            'style="max-width:100%;height:auto">',
            f"<title>{_escaped(title)}</title>",
            f"<style>{_STYLE}{rules}</style>",
            f'<rect class="halo" width="{width:.0f}" height="{height:.0f}" rx="8"/>',
            *parts,
            "</svg>",
        ]
    )


def text(x: float, y: float, words: object, style: str = "") -> str:
    """Return a line of text that begins at a point, or as ``style`` says."""
    named = f' class="{style}"' if style else ""
    return f'<text x="{x:.1f}" y="{y:.1f}"{named}>{_escaped(str(words))}</text>'


def circle(x: float, y: float, radius: float, colour: int, words: str = "") -> str:
    """Return a vertex; ``words`` are shown where the mouse rests on it."""
    shape = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" class="c{colour % COLOURS}"'
    return f"{shape}><title>{_escaped(words)}</title></circle>" if words else f"{shape}/>"


def bar(x: float, y: float, width: float, height: float, colour: int) -> str:
    """Return a bar with round ends."""
    place = f'x="{x:.1f}" y="{y:.1f}" width="{max(width, 1):.1f}" height="{height:.1f}"'
    return f'<rect {place} rx="3" class="c{colour % COLOURS}"/>'


def rule(x: float, y: float, width: float) -> str:
    """Return a thin line across."""
    return f'<path d="M{x:.1f} {y:.1f}h{width:.1f}" class="rule"/>'


def edge(
    start: tuple[float, float],
    end: tuple[float, float],
    radius: float,
    *,
    bend: float = 0.0,
    directed: bool = True,
    dashed: bool = False,
) -> str:
    """Return an edge between two vertices of a radius, bent to its left by a part of its length."""
    style = "edge dashed" if dashed else "edge"
    if start == end:
        return _loop(start, radius, directed, style)
    (x1, y1), (x2, y2) = start, end
    length = math.dist(start, end)
    dx, dy = (x2 - x1) / length, (y2 - y1) / length
    mx, my = (x1 + x2) / 2 + dy * bend * length, (y1 + y2) / 2 - dx * bend * length
    sx, sy = _towards(start, (mx, my), radius)
    ex, ey = _towards(end, (mx, my), radius + (5 if directed else 0))
    drawn = f'<path d="M{sx:.1f} {sy:.1f}Q{mx:.1f} {my:.1f} {ex:.1f} {ey:.1f}" class="{style}"/>'
    if directed:
        tx, ty = _towards(end, (mx, my), radius)
        drawn += _tip((tx, ty), (tx - mx, ty - my))
    return drawn


def _loop(at: tuple[float, float], radius: float, directed: bool, style: str) -> str:
    x, y = at
    side, top = radius * 0.6, y - radius * 0.8
    reach = radius * 1.9 + 6
    path = (
        f"M{x - side:.1f} {top:.1f}C{x - 2 * side:.1f} {y - reach:.1f} "
        f"{x + 2 * side:.1f} {y - reach:.1f} {x + side + 1:.1f} {top - 4:.1f}"
    )
    tip = _tip((x + side, top), (-0.3, 1.0)) if directed else ""
    return f'<path d="{path}" class="{style}"/>{tip}'


def _tip(at: tuple[float, float], towards: tuple[float, float]) -> str:
    length = math.hypot(*towards) or 1.0
    dx, dy = towards[0] / length, towards[1] / length
    back = (at[0] - 8 * dx, at[1] - 8 * dy)
    corners = [at, (back[0] + 4 * dy, back[1] - 4 * dx), (back[0] - 4 * dy, back[1] + 4 * dx)]
    return f'<polygon points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in corners)}" class="tip"/>'


def _towards(
    start: tuple[float, float], end: tuple[float, float], steps: float
) -> tuple[float, float]:
    length = math.dist(start, end) or 1.0
    part = steps / length
    return start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part


def _escaped(words: str) -> str:
    # XML has no way to say most control characters, so they are shown as what stands for them.
    shown = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in words)
    return escape(shown)
