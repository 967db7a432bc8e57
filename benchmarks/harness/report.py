"""RUN-INFO.md: where and how it was measured, all tables, and each limit with its verdict."""

from __future__ import annotations

from collections import Counter

from benchmarks.harness import against, growth, limits, patterns, rows
from benchmarks.harness.against import BEFORE, NOW, Cell
from benchmarks.harness.balance import Balance
from benchmarks.harness.compare import COLD, EMPTY, SPARK, empty_seconds, join_seconds
from benchmarks.harness.growth import Size
from benchmarks.harness.limits import Verdict
from benchmarks.harness.records import LONG, Log, show

COLUMNS = {
    "cpp-marks": "C++ `marks`",
    "cpp-best": "C++ `shapes`, `cliques`",
    "cpp": "C++ `kernel`",
    "wreath": "Wreath",
    "join": "its join time",
    "wreath-cold": "Wreath, cold",
    "cold join": "its join time",
    "wreath-leapfrog": "Wreath by leapfrog",
    "empty": "empty aggregate",
    "ladybug": "Ladybug, hinted",
    "duckdb": "DuckDB, order fixed",
    "spark": "Spark",
    "spark-bhj": "Spark, broadcast",
    "spark-smj": "Spark, sort-merge",
}


def table(head: list[str], lines: list[list[str]]) -> list[str]:
    """Return a table in Markdown."""
    rule = "|" + "---|" * len(head)
    return ["| " + " | ".join(head) + " |", rule, *("| " + " | ".join(x) + " |" for x in lines)]


def run_info(
    title: str,
    about: dict[str, str],
    log: Log,
    graphs: list[str],
    queries: list[str],
    sizes: list[Size],
    balance: Balance | None,
    cells: list[Cell],
    verdicts: list[Verdict],
) -> str:
    """Return the whole text."""
    text = [f"# {title}", ""]
    text += table(["", ""], [[key, value] for key, value in about.items()])
    for part in (
        _summary(verdicts),
        _counting(log, graphs, queries),
        _rows(log, graphs),
        _growth(sizes) if sizes else [],
        _balance(balance) if balance is not None else [],
        _against(cells) if cells else [],
    ):
        text += ["", *part] if part else []
    return "\n".join(text) + "\n"


def _summary(verdicts: list[Verdict]) -> list[str]:
    tally = Counter(v.verdict for v in verdicts)
    said = ", ".join(f"{tally[v]} {v}" for v in (limits.HOLDS, limits.SHORT, limits.OPEN))
    lines = [
        [
            v.limit,
            v.case,
            v.measured,
            v.verdict if v.verdict == limits.HOLDS else f"**{v.verdict}**",
        ]
        for v in verdicts
    ]
    return [
        "## Limits",
        "",
        f"{said}. A reference of {limits.MEASURABLE} s or less is not a limit; join time is the "
        "whole query less the same query over a ring of 64 vertices, in the same run. Open: a "
        "contender was stopped for its time, and what it had taken by then decides nothing.",
        "",
        *table(["limit", "case", "measured", ""], lines),
    ]


def _counting(log: Log, graphs: list[str], queries: list[str]) -> list[str]:
    measured = {r.contender for r in log.runs}
    cold = any(log.keeps(COLD, g, q) for g in graphs for q in queries)
    own = {"join": EMPTY in measured, "empty": EMPTY in measured, COLD: cold, "cold join": cold}
    shown = [c for c in COLUMNS if own.get(c, c in measured)]
    if not any(log.find(c, g, q) for c in COLUMNS for g in graphs for q in queries):
        return []
    text = [
        "## Counting, best wall seconds, two threads",
        "",
        "Contenders take turns, query by query; every count agrees with the C++ reference's, or "
        f"no time is shown. {_runs(log, graphs, queries)} `> n`: stopped after n seconds. Cold: "
        "Wreath finds its index and nothing else; shown where it keeps more than that, such as a "
        "copy in order of degree, which the other column finds. C++ makes it anew each time.",
    ]
    for graph in graphs:
        lines = []
        for query in queries:
            if not any(log.find(c, graph, query) for c in COLUMNS):
                continue
            extra = {
                "join": join_seconds(log, graph, query),
                "cold join": join_seconds(log, graph, query, COLD),
                "empty": empty_seconds(log, graph, query),
            }
            cells = [
                (show(seconds) if (seconds := extra[c]) is not None else "")
                if c in extra
                else log.cell(c, graph, query)
                for c in shown
            ]
            truth = log.truth(graph, query)
            count = f"{truth:,}" if truth is not None else "not verified"
            lines.append([patterns.NAMES[query], count, *cells])
        if lines:
            head = ["query", "count", *(COLUMNS[c] for c in shown)]
            text += ["", f"### {graph}", "", *table(head, lines)]
    return [*text, "", *_joins(log)]


def _runs(log: Log, graphs: list[str], queries: list[str]) -> str:
    """Say how many runs each contender had in a cell, which must be as many."""
    counts = Counter(
        len(runs)
        for contender in {r.contender for r in log.runs}
        for graph in graphs
        for query in queries
        if (runs := log.timed(contender, graph, query)) and max(r.seconds for r in runs) <= LONG
    )
    said = ", ".join(f"{n} in {cells} cells" for n, cells in sorted(counts.items()))
    return (
        f"Timed runs of a contender: {said}; before them one that is not timed. One that failed "
        f"or took over {LONG:.0f} s was not asked again."
    )


def _joins(log: Log) -> list[str]:
    seen: dict[str, Counter[str]] = {}
    for run in log.runs:
        if run.contender in SPARK and "joins" in run.extra:
            seen.setdefault(run.contender, Counter())[run.extra["joins"]] += 1
    said = (f"{COLUMNS[c]}: {', '.join(sorted(kinds))}" for c, kinds in seen.items())
    return [f"Joins in Spark's plans: {'; '.join(said)}."] if seen else []


def _rows(log: Log, graphs: list[str]) -> list[str]:
    lines = []
    for graph in graphs:
        for query in rows.QUERIES:
            label = f"{query} {rows.ROWS}"
            if not log.find("wreath", graph, label):
                continue
            truth, whole = log.truth(graph, label), log.best("wreath", graph, label)
            rate = f"{truth / whole / 1e6:.0f}" if truth and whole else ""
            cells = [log.cell(c, graph, label) for c in ("cpp", "wreath", rows.DUMMY)]
            join = join_seconds(log, graph, label)
            cells.insert(2, show(join) if join is not None else "")
            lines.append(
                [graph, patterns.NAMES[query], f"{truth:,}" if truth else "", *cells, rate]
            )
    if not lines:
        return []
    head = ["graph", "query", "rows", "C++ emit", "Wreath", "its join time", "dummy", "million/s"]
    return ["## Rows to a noop sink, best wall seconds", "", *table(head, lines)]


def _growth(sizes: list[Size]) -> list[str]:
    lines = [
        [
            s.graph,
            f"{s.edges:,}",
            show(s.build),
            show(s.first),
            show(s.later),
            f"{s.index_bytes:,} ({s.index_bytes / s.edges:.1f} an edge)",
            show(s.cpp_build),
            show(s.cpp_tri),
        ]
        for s in sizes
    ]
    head = ["graph", "edges", "index build", "first query", "later query", "index bytes"]
    steps = [
        [step, what, f"{ours:.2f}", f"{theirs:.2f}", f"{ours / theirs:.2f}"]
        for step, what, ours, theirs in growth.steps(sizes)
    ]
    return [
        "## Growth (triangles; best seconds)",
        "",
        *table([*head, "C++ build", "C++ `marks`"], lines),
        "",
        "![growth](growth.svg)",
        "",
        *table(["step", "measure", "Wreath grows", "C++ grows", "ratio"], steps),
    ]


def _balance(balance: Balance) -> list[str]:
    work = ", ".join(f"{value:,}" for value in balance.work)
    lines = [
        [name, *(show(times[threads]) for threads in (1, 2)), f"{times[1] / times[2]:.2f}"]
        for name, times in (("Wreath, join time", balance.wreath), ("C++ `marks`", balance.cpp))
    ]
    return [
        f"## Balance, 5-clique of {balance.graph}",
        "",
        f"List elements touched, by task: {work or 'not reported'}. "
        f"Largest over mean: {balance.skew:.2f}.",
        "",
        *table(["seconds", "1 thread", "2 threads", "ratio"], lines),
    ]


def _against(cells: list[Cell]) -> list[str]:
    lines = [
        [
            c.graph,
            c.query,
            *(show(c.cpu[jar]) for jar in (BEFORE, NOW)),
            f"{c.cpu_ratio:.2f}",
            *(show(c.join[jar]) for jar in (BEFORE, NOW)),
            "" if c.join_ratio is None else f"{c.join_ratio:.2f}",
        ]
        for c in cells
    ]
    joins = [c.join_ratio for c in cells if c.join_ratio is not None]
    cpu = [c.cpu_ratio for c in cells]
    said = f"CPU {against.geometric_mean(cpu):.3f}x, worst {max(cpu):.2f}x"
    if joins:
        said += f"; join time {against.geometric_mean(joins):.3f}x, worst {max(joins):.2f}x"
    head = ["graph", "query", "CPU before", "now", "ratio", "join time before", "now", "ratio"]
    return [
        "## Against another commit, least seconds",
        "",
        "Both jars in turn; CPU time is that of the whole query on all threads of its JVM. Join "
        f"times below {against.LEAST_JOIN} s have no ratio. Geometric means: {said}.",
        "",
        *table(head, lines),
    ]
