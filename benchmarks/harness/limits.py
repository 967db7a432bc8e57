"""The limits that Wreath is held to, each with what was measured and whether it holds.

A peer that was stopped for its time needs at least that long, so a limit can hold without its
time; where that does not decide it, the limit is open.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from benchmarks.harness import against, growth, patterns, rows
from benchmarks.harness.against import Cell
from benchmarks.harness.balance import Balance
from benchmarks.harness.compare import COLD, SPARK, empty_seconds, join_seconds
from benchmarks.harness.growth import Size
from benchmarks.harness.records import Log, show

HOLDS, SHORT, OPEN = "holds", "falls short", "open"
# Below this a reference's time is that of starting threads, not of counting.
MEASURABLE = 0.1
SMALL_KERNEL = 0.005
# A selective path is a few look-ups: DuckDB's time says what they cost where it is more than this.
MEASURABLE_PATH = 0.05
# Join time against C++ that counts the same way.
NEAR = 1.2
TWO_THREADS = 1.85


@dataclass(frozen=True)
class Verdict:
    """One line of the summary."""

    limit: str
    case: str
    measured: str
    verdict: str


def verdicts(
    log: Log, graphs: list[str], queries: list[str], sizes: list[Size], balance: Balance | None
) -> list[Verdict]:
    """Return all that can be said with what was measured."""
    found: list[Verdict] = []
    for graph in graphs:
        for query in queries:
            found += _counting(log, graph, query)
    for graph in graphs:
        found += _rows(log, graph)
    for graph in graphs:
        for query in queries:
            found += _peers(log, graph, query)
    for graph in graphs:
        for query in queries:
            found += _small(log, graph, query)
    found += _growth(sizes)
    if balance is not None:
        found += _balance(balance)
    return found


def _counting(log: Log, graph: str, query: str) -> Iterator[Verdict]:
    for contender, most in _references(query):
        text = f"join time at most {most:g}x of {_named(contender, query)}"
        reference = log.best(contender, graph, query)
        stopped = log.at_least(contender, graph, query)
        if reference is None and stopped is None:
            continue
        asked = log.best("cpp-marks" if query in patterns.MARKS else "cpp", graph, query)
        if contender == "cpp-best" and asked and reference and asked <= reference:
            continue  # not harder here
        if reference is not None and reference <= MEASURABLE:
            continue
        # C++ keeps nothing between its runs.
        for ours in ("wreath", COLD) if log.keeps(COLD, graph, query) else ("wreath",):
            case = f"{graph}, {patterns.NAMES[query]}{', cold' if ours == COLD else ''}"
            figures, verdict = _near(log, graph, query, ours, reference, stopped, most)
            yield Verdict(text, case, figures, verdict)


def _near(
    log: Log,
    graph: str,
    query: str,
    ours: str,
    reference: float | None,
    stopped: float | None,
    most: float,
) -> tuple[str, str]:
    """Return what was measured beside a reference, or beside the time when it was stopped."""
    join = join_seconds(log, graph, query, ours)
    if join is None:
        why = log.cell(ours, graph, query) or "not measured"
        beside = show(reference) if reference else "stopped"
        # Two contenders that were stopped say nothing about one another.
        return f"Wreath {why}, C++ {beside}", SHORT if reference else OPEN
    if reference is not None:
        ratio = join / reference
        figures = f"{ratio:.2f}x ({show(join)} / {show(reference)} s)"
        return figures, HOLDS if ratio <= most else SHORT
    assert stopped is not None
    ratio = join / stopped
    figures = f"below {ratio:.2f}x ({show(join)} / > {stopped:.0f} s)"
    return figures, HOLDS if ratio <= most else OPEN


def _references(query: str) -> list[tuple[str, float]]:
    if query in patterns.MARKS:
        return [("cpp-marks", NEAR), ("cpp-best", NEAR)]
    if query in patterns.SHAPES:
        return [("cpp-best", 2.0)]
    if query in patterns.BEST:
        return [("cpp", 2.0 if query == "cycle4" else 1.0), ("cpp-best", NEAR)]
    return []


def _named(contender: str, query: str) -> str:
    if contender == "cpp":
        return f"`kernel` {patterns.KERNEL[query]}"
    if contender == "cpp-marks":
        return "`marks`"
    program, name, _ = patterns.BEST[query]
    return f"`{program}` {name}"


def _rows(log: Log, graph: str) -> Iterator[Verdict]:
    for query in rows.QUERIES:
        label = f"{query} {rows.ROWS}"
        case = f"{graph}, {patterns.NAMES[query]}"
        whole = log.best("wreath", graph, label)
        if whole is None:
            continue
        if query in patterns.KERNEL_ROWS:
            reference = log.best("cpp", graph, label)
            join = join_seconds(log, graph, label)
            if reference is None or join is None or reference <= MEASURABLE:
                continue
            ratio = join / reference
            figures = f"{ratio:.2f}x ({show(join)} / {show(reference)} s)"
            text = f"rows to noop at most 4x of `kernel` {patterns.KERNEL_ROWS[query]}"
            yield Verdict(text, case, figures, HOLDS if ratio <= 4 else SHORT)
        else:
            dummy = log.best(rows.DUMMY, graph, label)
            if dummy is None:
                continue
            figures = f"{dummy / whole:.0%} ({show(whole)} s, dummy {show(dummy)} s)"
            text = "rows to noop at 70 % of a generated dummy's rate or more"
            yield Verdict(text, case, figures, HOLDS if dummy / whole >= 0.7 else SHORT)


def _peers(log: Log, graph: str, query: str) -> Iterator[Verdict]:
    for peer in ("duckdb", "ladybug"):
        name = {"duckdb": "DuckDB", "ladybug": "Ladybug"}[peer]
        needs, stopped = log.best(peer, graph, query), log.at_least(peer, graph, query)
        yield from _faster(log, graph, query, name, needs, stopped, [(5.0, 10.0), (1.0, 1.0)])
        if peer == "duckdb" and query == "path3" and needs and needs > MEASURABLE_PATH:
            join = join_seconds(log, graph, query)
            if join is not None:
                text = f"join time at most DuckDB's where that exceeds {MEASURABLE_PATH} s"
                figures = f"{join / needs:.2f}x ({show(join)} / {show(needs)} s)"
                case = f"{graph}, {patterns.NAMES[query]}"
                yield Verdict(text, case, figures, HOLDS if join <= needs else SHORT)
    variants = [v for v in SPARK if log.find(v, graph, query)]
    times = [t for v in variants if (t := log.best(v, graph, query)) is not None]
    stops = [t for v in variants if (t := log.at_least(v, graph, query)) is not None]
    needs = min(times, default=None)
    stopped = min(stops, default=None)
    yield from _faster(log, graph, query, "Spark's best join", needs, stopped, [(15.0, 50.0)])


def _faster(
    log: Log,
    graph: str,
    query: str,
    name: str,
    needs: float | None,
    stopped: float | None,
    bounds: list[tuple[float, float]],
) -> Iterator[Verdict]:
    """Yield the verdict on the first bound (over these seconds, this factor) that applies."""
    seconds = needs if needs is not None else stopped
    if seconds is None:
        return
    for least, factor in bounds:
        if seconds <= least:
            continue
        how = f"{factor:g}x faster" if factor > 1 else "faster"
        text = f"whole query {how} than {name} where that needs over {least:g} s"
        case = f"{graph}, {patterns.NAMES[query]}"
        whole = log.best("wreath", graph, query)
        more = "" if needs is not None else "> "
        if whole is None:
            why = log.cell("wreath", graph, query) or "not measured"
            verdict = SHORT if needs is not None else OPEN
            yield Verdict(text, case, f"Wreath {why}, {name} {more}{show(seconds)} s", verdict)
            return
        ratio = seconds / whole
        met = ratio >= factor if factor > 1 else ratio > 1
        figures = f"{more}{ratio:.1f}x ({show(whole)} s, {name} {more}{show(seconds)} s)"
        yield Verdict(text, case, figures, HOLDS if met else SHORT if needs is not None else OPEN)
        return


def _small(log: Log, graph: str, query: str) -> Iterator[Verdict]:
    references = [log.best(c, graph, query) for c in ("cpp", "cpp-marks", "cpp-best")]
    kernel = min((r for r in references if r is not None), default=None)
    whole, empty = log.best("wreath", graph, query), empty_seconds(log, graph, query)
    if kernel is None or kernel >= SMALL_KERNEL or whole is None or empty is None:
        return
    ratio = whole / empty
    figures = f"{ratio:.2f}x ({show(whole)} / {show(empty)} s; C++ {kernel * 1000:.1f} ms)"
    text = f"whole query at most {NEAR}x of the empty aggregate where the kernel needs under 5 ms"
    case = f"{graph}, {patterns.NAMES[query]}"
    yield Verdict(text, case, figures, HOLDS if ratio <= NEAR else SHORT)


def _growth(sizes: list[Size]) -> Iterator[Verdict]:
    for step, what, ours, theirs in growth.steps(sizes):
        ratio = ours / theirs
        figures = f"{ratio:.2f}x ({ours:.2f} times, C++ {theirs:.2f} times)"
        text = "growth at most 1.3x of the C++ reference's"
        yield Verdict(text, f"{what}, {step}", figures, HOLDS if ratio <= 1.3 else SHORT)


def _balance(balance: Balance) -> Iterator[Verdict]:
    case = f"{balance.graph}, 5-clique"
    busy, skew = len(balance.busy), balance.skew
    yield Verdict(
        "max/mean of list elements touched below 1.3 over 16 tasks or more",
        case,
        f"{skew:.2f} over {busy} tasks",
        HOLDS if skew < 1.3 and busy >= 16 else SHORT,
    )
    ratio = balance.wreath[1] / balance.wreath[2]
    figures = (
        f"{ratio:.2f}x ({show(balance.wreath[1])} / {show(balance.wreath[2])} s; "
        f"C++ {balance.cpp[1] / balance.cpp[2]:.2f}x)"
    )
    text = f"two threads at least {TWO_THREADS}x one (join time)"
    yield Verdict(text, case, figures, HOLDS if ratio >= TWO_THREADS else SHORT)


def nothing_slower(cells: list[Cell]) -> list[Verdict]:
    """Return what is said of this commit beside another: by all cells, and by the worst."""
    if not cells:
        return []
    ratios = [c.cpu_ratio for c in cells]
    mean, worst = against.geometric_mean(ratios), max(cells, key=lambda c: c.cpu_ratio)
    return [
        Verdict(
            f"CPU time at most {against.MOST_MEAN}x of before, all together",
            f"{len(cells)} cells",
            f"{mean:.3f}x",
            HOLDS if mean <= against.MOST_MEAN else SHORT,
        ),
        Verdict(
            f"CPU time at most {against.MOST_CELL}x of before in any cell",
            f"{worst.graph}, {worst.query}",
            f"{worst.cpu_ratio:.2f}x",
            HOLDS if worst.cpu_ratio <= against.MOST_CELL else SHORT,
        ),
    ]
