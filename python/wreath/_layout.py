"""Where the vertices of a drawing go. The same graph is always laid out the same way."""

from __future__ import annotations

import math
from collections.abc import Sequence

Point = tuple[float, float]

#: How far apart the ends of an edge would like to be, in pixels.
LENGTH = 74.0

#: The square of the distance beyond which vertices do not push: far ones would blow it all up.
FAR = (3.5 * LENGTH) ** 2

#: How much everything is drawn to the middle, as a part of its distance.
_GRAVITY = 0.02

#: How far apart parallel edges bend, as a part of their length.
BEND = 0.4


def on_circle(count: int, radius: float) -> list[Point]:
    """Return points on a circle around (0, 0), the first on top, clockwise."""
    if count == 1:
        return [(0.0, 0.0)]
    turns = [2 * math.pi * i / count - math.pi / 2 for i in range(count)]
    return [(radius * math.cos(t), radius * math.sin(t)) for t in turns]


def components(count: int, edges: Sequence[tuple[int, int]]) -> list[list[int]]:
    """Return the vertices that hang together, each list in order, by their first vertex."""
    parent = list(range(count))

    def root(v: int) -> int:
        while parent[v] != v:
            parent[v] = parent[parent[v]]
            v = parent[v]
        return v

    for a, b in edges:
        low, high = sorted((root(a), root(b)))
        parent[high] = low
    groups: dict[int, list[int]] = {}
    for v in range(count):
        groups.setdefault(root(v), []).append(v)
    return list(groups.values())


def by_forces(count: int, edges: Sequence[tuple[int, int]]) -> list[Point]:
    """Return a place for each vertex: edges pull, near vertices push, and all cools down.

    After Fruchterman and Reingold. Few vertices keep the circle that they start from.
    """
    radius = LENGTH / (2 * math.sin(math.pi / count)) if count > 2 else LENGTH / 2
    circle = on_circle(count, radius)
    pairs = sorted({(min(a, b), max(a, b)) for a, b in edges if a != b})
    if count <= 3 or len(pairs) == count * (count - 1) // 2:
        return circle
    # Neighbours start side by side, so that few edges have to untangle.
    start = dict(zip(_by_depth(count, pairs), circle, strict=True))
    places = [list(start[v]) for v in range(count)]
    steps = max(60, min(300, 2_000_000 // (count * count)))
    for step in range(steps):
        _push_and_pull(places, pairs, LENGTH * (1 - step / steps) * 0.5)
    return [(x, y) for x, y in places]


def _by_depth(count: int, pairs: list[tuple[int, int]]) -> list[int]:
    """Return the vertices in the order of a walk that goes deep first."""
    neighbours: list[list[int]] = [[] for _ in range(count)]
    for a, b in pairs:
        neighbours[a].append(b)
        neighbours[b].append(a)
    order: dict[int, None] = {}
    todo = [0]
    while todo:
        v = todo.pop()
        if v not in order:
            order[v] = None
            todo += reversed(neighbours[v])
    return [*order, *(v for v in range(count) if v not in order)]


def _push_and_pull(places: list[list[float]], pairs: list[tuple[int, int]], heat: float) -> None:
    count = len(places)
    moves = [[0.0, 0.0] for _ in range(count)]
    for i in range(count):
        x, y = places[i]
        move = moves[i]
        for j in range(i + 1, count):
            dx, dy = x - places[j][0], y - places[j][1]
            # Two vertices on one place part, each its own way.
            square = dx * dx + dy * dy
            if square < 0.01:
                dx, dy, square = 0.1 * (j - i), 0.1, 0.02
            if square > FAR:
                continue
            push = LENGTH * LENGTH / square
            move[0] += dx * push
            move[1] += dy * push
            moves[j][0] -= dx * push
            moves[j][1] -= dy * push
    for a, b in pairs:
        dx, dy = places[a][0] - places[b][0], places[a][1] - places[b][1]
        pull = math.hypot(dx, dy) / LENGTH
        for v, sign in ((a, -1), (b, 1)):
            moves[v][0] += sign * dx * pull
            moves[v][1] += sign * dy * pull
    for place, (pushed_x, pushed_y) in zip(places, moves, strict=True):
        mx, my = pushed_x - _GRAVITY * place[0], pushed_y - _GRAVITY * place[1]
        length = math.hypot(mx, my)
        if length > 0:
            part = min(length, heat) / length
            place[0] += mx * part
            place[1] += my * part


def bends(edges: Sequence[tuple[int, int]]) -> list[float]:
    """Return how far each edge bends to its left, so that parallel ones do not hide each other."""
    alike: dict[tuple[int, int], list[int]] = {}
    for i, (a, b) in enumerate(edges):
        alike.setdefault((min(a, b), max(a, b)), []).append(i)
    found = [0.0] * len(edges)
    for group in alike.values():
        for place, i in enumerate(group):
            away = (place - (len(group) - 1) / 2) * BEND
            found[i] = away if edges[i][0] <= edges[i][1] else -away
    return found


def _narrowed(spots: list[Point], width: float) -> list[Point]:
    """Make a part that is wider than the page narrower."""
    wide = max(x for x, _ in spots) - min(x for x, _ in spots)
    scale = min(1.0, width / wide) if wide else 1.0
    return [(x * scale, y * max(scale, 0.6)) for x, y in spots]


def packed(
    count: int, edges: Sequence[tuple[int, int]], width: float, margin: float
) -> tuple[list[Point], float, float]:
    """Lay out each part that hangs together by itself, and put them in rows.

    Returns the places, and the width and height that all of it takes.
    """
    places: list[Point] = [(0.0, 0.0)] * count
    left, top, row_height, most = 0.0, 0.0, 0.0, 0.0
    for vertices in components(count, edges):
        number = {v: i for i, v in enumerate(vertices)}
        inner = [(number[a], number[b]) for a, b in edges if a in number]
        spots = by_forces(len(vertices), inner)
        spots = _narrowed(spots, width - 2 * margin)
        low_x, low_y = min(x for x, _ in spots), min(y for _, y in spots)
        wide = max(x for x, _ in spots) - low_x + 2 * margin
        high = max(y for _, y in spots) - low_y + 2 * margin
        if left > 0 and left + wide > width:
            left, top, row_height = 0.0, top + row_height, 0.0
        for v, (x, y) in zip(vertices, spots, strict=True):
            places[v] = (left + margin + x - low_x, top + margin + y - low_y)
        left, row_height, most = left + wide, max(row_height, high), max(most, left + wide)
    return places, most, top + row_height
