"""Measure patterns over streams: the kernel against its peers, whole queries, and the index.

make bench-stream
make bench-stream BENCH_ARGS='--sections kernel --graphs rmat14 --rounds 1'
"""

from __future__ import annotations

import argparse
import datetime
import json
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pyarrow.parquet as pq

from benchmarks.harness import machine, stream_kernels, stream_query
from benchmarks.harness.against import Cell
from benchmarks.harness.limits import HOLDS, OPEN, SHORT, Verdict, nothing_slower
from benchmarks.harness.records import Log, Run, show
from benchmarks.harness.report import table
from benchmarks.harness.scratch import Scratch
from benchmarks.harness.stream_kernels import BEFORE, PATTERNS, QUERIES, SIZES, best, least_cpu
from benchmarks.harness.stream_query import Batches

RESULTS = Path(__file__).resolve().parents[1] / "results"
SECTIONS = ["kernel", "query", "churn"]
MILLION = "power-law"


def options() -> argparse.Namespace:
    """Return what the command line asks for."""
    parser = argparse.ArgumentParser(prog="make bench-stream", description=__doc__)
    add = parser.add_argument
    add("--name", default="streams", help="results go to benchmarks/results/<name>")
    add("--scratch", type=Path, help="folder for graphs and programs, used again if it is there")
    add("--sections", default=",".join(SECTIONS))
    add("--graphs", default=f"rmat14,{MILLION}", help="of the section kernel")
    add("--edges", type=int, default=1_000_000, help=f"drawn for the graph {MILLION}")
    add("--batch", type=int, default=10_000, help="changes in a batch of a whole query")
    add("--rounds", type=int, default=2, help="visits to each contender")
    add("--timeout", type=float, default=180.0, help="seconds for one contender's run")
    add("--against", type=Path, help="section kernel: a jar of another commit takes its turn")
    return parser.parse_args()


def main() -> int:
    """Measure, write and print; return 1 if any count was wrong."""
    args = options()
    sections = args.sections.split(",")
    out = RESULTS / args.name
    out.mkdir(parents=True, exist_ok=True)
    # Where the scratch folder is says nothing to others.
    hidden = {"--scratch", "--against"}
    shown = [a for i, a in enumerate(sys.argv[1:]) if not hidden & set(sys.argv[i : i + 2])]
    command = " ".join(shlex.quote(a) for a in shown)
    about = {"command": f"make bench-stream BENCH_ARGS={shlex.quote(command)}"}
    about.update(machine.describe())
    began = time.perf_counter()
    log = Log(out / "runs.jsonl")
    wrong: list[str] = []
    verdicts: list[Verdict] = []
    text: list[str] = []
    with tempfile.TemporaryDirectory(prefix="wreath-bench-") as temporary:
        scratch = Scratch(args.scratch or Path(temporary))
        if MILLION in args.graphs or {"query", "churn"} & set(sections):
            draw(scratch, args.edges)
        if "kernel" in sections:
            graphs = [scratch.graph(g) for g in args.graphs.split(",")]
            visits = {"rounds": args.rounds, "timeout": args.timeout, "against": args.against}
            stream_kernels.measure(log, scratch, graphs, **visits)
            wrong += stream_kernels.disagreements(log)
            text += kernel_table(log, [g.name for g in graphs])
            verdicts += kernel_verdicts(log, [g.name for g in graphs])
            if args.against is not None:
                verdicts += nothing_slower(kernel_cells(log, [g.name for g in graphs]))
        if "query" in sections:
            graph = scratch.graph(MILLION)
            measured = whole_query(graph, Path(temporary), args.batch, args.timeout)
            after = stream_query.edges_after(graph, args.batch)
            expected = stream_kernels.whole_count(scratch, after, "clique4")
            if {measured.count, measured.joins_count, None} != {expected, None}:
                found = f"C++ {expected}, Spark's joins {measured.joins_count}"
                wrong.append(f"{measured.count} matches; {found}")
            log.add(Run("wreath", graph.name, "clique4", measured.seconds, measured.count))
            kernel = kernel_of(log, scratch, graph, args)
            text += query_table(measured, kernel)
            verdicts += query_verdicts(measured, kernel)
        if "churn" in sections:
            verdicts += churn(log, scratch.graph(MILLION))
    about["taken"] = f"{(time.perf_counter() - began) / 60:.0f} minutes"
    info = report(about, verdicts, text, wrong)
    (out / "RUN-INFO.md").write_text(info)
    print(info)
    return 1 if wrong else 0


def draw(scratch: Scratch, edges: int) -> None:
    """Make the peers' files of a generated graph with a power law."""
    if (scratch.peers / "graphs" / MILLION / "meta.json").exists():
        return
    import wreath
    from wreath.generate import power_law

    spark = wreath.start("draw", "local[2]", conf={"spark.ui.enabled": False})
    file = scratch.folder / f"{MILLION}.parquet"
    pq.write_table(power_law(spark, edges).edges.toArrow(), file)
    spark.stop()
    gen = [sys.executable, str(scratch.peers / "common" / "gen.py"), "file", str(file), MILLION]
    subprocess.run(gen, check=True, capture_output=True)


def whole_query(graph: Path, folder: Path, size: int, timeout: float) -> Batches:
    """Run the 4-clique over the graph's batches on local[2]."""
    import wreath

    spark = wreath.start(
        "streaming benchmark",
        "local[2]",
        conf={
            "spark.ui.enabled": False,
            "spark.driver.memory": "6g",
            "spark.sql.shuffle.partitions": 4,
        },
    )
    spark.sparkContext.setLogLevel("ERROR")
    try:
        # Once over a small part of it, so that no class is loaded on the clock.
        stream_query.measure(spark, folder / "warm", graph, "tri", size, timeout)
        return stream_query.measure(spark, folder / "query", graph, "clique4", size, timeout)
    finally:
        spark.stop()


def kernel_of(log: Log, scratch: Scratch, graph: Path, args: argparse.Namespace) -> Run:
    """Return the kernel's run of the same batches, measured now if it has not been."""
    found = best(log, "wreath-delta", graph.name, "clique4_delta10000")
    if found is None:
        stream_kernels.measure(log, scratch, [graph], rounds=1, timeout=args.timeout)
        found = best(log, "wreath-delta", graph.name, "clique4_delta10000")
    assert found is not None, "the kernel did not end in time"
    return found


def per_batch(kernel: Run) -> float:
    """Return the kernel's seconds for one batch of 10,000."""
    return kernel.seconds / (float(kernel.extra["updates"]) / 10_000)


def kernel_table(log: Log, graphs: list[str]) -> list[str]:
    """Return seconds of each contender."""
    lines = []
    for graph in graphs:
        for pattern, words in PATTERNS.items():
            for size in SIZES:
                runs = [
                    best(log, c, graph, f"{QUERIES[pattern]}_delta{size}")
                    for c in stream_kernels.CONTENDERS
                ]
                cells = [
                    "not run or too long"
                    if r is None
                    else f"{show(r.seconds)} s, {r.extra['updates'] / r.seconds:,.0f} changes/s"
                    for r in runs
                ]
                lines.append([graph, words, f"{size:,}", *cells])
    head = ["graph", "pattern", "batch", "Wreath's kernel", "C++ delta kernel", "dogs3, 1 worker"]
    return ["## Kernels, one thread, counting", "", *table(head, lines), ""]


def kernel_verdicts(log: Log, graphs: list[str]) -> list[Verdict]:
    """Compare with C++ and dogs3."""
    found = []
    for graph in graphs:
        for pattern, words in PATTERNS.items():
            for size in SIZES:
                query = f"{QUERIES[pattern]}_delta{size}"
                ours = best(log, "wreath-delta", graph, query)
                case = f"{graph}, {words}, batches of {size:,}"
                for peer, limit, least in (
                    ("cpp-delta", "at most 3x the C++ delta kernel", 3.0),
                    ("dogs3", "faster than dogs3 with one worker", 1.0),
                ):
                    theirs = best(log, peer, graph, query)
                    if ours is None or theirs is None:
                        found.append(Verdict(limit, case, "not measured", OPEN))
                        continue
                    ratio = ours.seconds / theirs.seconds
                    measured = f"{ratio:.2f}x ({show(ours.seconds)} / {show(theirs.seconds)} s)"
                    cpu = [least_cpu(log, c, graph, query) for c in ("wreath-delta", peer)]
                    if cpu[0] is not None and cpu[1] is not None:
                        measured += f"; {cpu[0] / cpu[1]:.2f}x by CPU time"
                    found.append(Verdict(limit, case, measured, HOLDS if ratio <= least else SHORT))
    return found


def kernel_cells(log: Log, graphs: list[str]) -> list[Cell]:
    """Return the least CPU time of this commit's kernel and of another's."""
    found = []
    for graph in graphs:
        for query in sorted({r.query for r in log.runs if r.contender == BEFORE}):
            cpu = {
                jar: least_cpu(log, contender, graph, query)
                for jar, contender in (("now", "wreath-delta"), ("before", BEFORE))
            }
            known = {jar: seconds for jar, seconds in cpu.items() if seconds is not None}
            if len(known) == 2:
                found.append(Cell(graph, query, known, dict.fromkeys(known, 0.0)))
    return found


def query_table(m: Batches, kernel: Run) -> list[str]:
    """Return what a batch of the whole query took."""
    joins = show(m.joins_seconds) if m.joins_ended else f"> {m.joins_seconds:.0f}"
    lines = [
        ["edges loaded as the first batch", f"{m.edges:,} in {show(m.load_seconds)} s"],
        ["Wreath, a batch (median)", f"{show(m.seconds)} s"],
        ["Spark's deduplication, a batch (median)", f"{show(m.deduplication_seconds)} s"],
        ["the kernel alone, one thread, a batch", f"{show(per_batch(kernel))} s"],
        ["Spark's own joins, recomputing", f"{joins} s"],
        ["list elements touched, a batch (median)", f"{m.elements:,.0f}"],
        [
            "list elements of a recomputation by lists, as the delta join reads them",
            f"{kernel.extra['whole_list_elements']:,}",
        ],
        [
            "list elements of a recomputation by bit matrices, whose words are not list elements",
            f"{kernel.extra['whole_elements']:,}",
        ],
        ["index", f"{m.index_bytes:,} bytes"],
    ]
    title = f"## 4-clique, local[2], {m.batches} batches of {m.changes:,} changes"
    return [title, "", *table(["", ""], lines), ""]


def query_verdicts(m: Batches, kernel: Run) -> list[Verdict]:
    """Compare a batch with recomputing and with Spark's own state."""
    by_lists = kernel.extra["whole_list_elements"] / max(1.0, m.elements)
    by_bits = kernel.extra["whole_elements"] / max(1.0, m.elements)
    faster = m.joins_seconds / m.seconds
    allowed = 2 * (m.deduplication_seconds + 3 * per_batch(kernel))
    case = f"4-clique, {m.edges:,} edges, batches of {m.changes:,}"
    more = "" if m.joins_ended else "more than "
    return [
        Verdict(
            "50x fewer list elements a batch than a recomputation by lists",
            case,
            f"{by_lists:.1f}x",
            HOLDS if by_lists >= 50 else SHORT,
        ),
        Verdict(
            "the same, than a recomputation by bit matrices, whose words are not counted",
            case,
            f"{by_bits:.1f}x",
            HOLDS if by_bits >= 50 else SHORT,
        ),
        Verdict(
            "20x faster a batch than recomputing with Spark's own joins",
            case,
            f"{more}{faster:.1f}x",
            HOLDS if faster >= 20 else (SHORT if m.joins_ended else OPEN),
        ),
        Verdict(
            "a batch within 2x of (Spark's deduplication + 3x the kernel)",
            case,
            f"{show(m.seconds)} s, allowed {show(allowed)} s",
            HOLDS if m.seconds <= allowed else SHORT,
        ),
    ]


def churn(log: Log, graph: Path) -> list[Verdict]:
    """Play 1,000 batches of as many inserts as deletes, and compare with a fresh index."""
    command = stream_kernels.java("DeltaChurn", str(graph), "1000", "1000")
    done = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    read = json.loads(done.splitlines()[-1])
    log.add(Run("wreath-churn", graph.name, "churn", read["secs"], None, "ok", 1, read))
    ratio = read["index_bytes"] / read["fresh_bytes"]
    measured = f"{ratio:.2f}x ({read['index_bytes']:,} / {read['fresh_bytes']:,} bytes)"
    return [
        Verdict(
            "index bytes after 1,000 batches within 1.5x of a fresh index",
            f"{graph.name}, {read['edges']:,} edges, batches of 500 inserts and 500 deletes",
            measured,
            HOLDS if ratio <= 1.5 else SHORT,
        )
    ]


def report(
    about: dict[str, str], verdicts: list[Verdict], text: list[str], wrong: list[str]
) -> str:
    """Return RUN-INFO.md."""
    lines = [
        [v.limit, v.case, v.measured, v.verdict.replace(SHORT, f"**{SHORT}**")] for v in verdicts
    ]
    counts = ", ".join(
        f"{sum(v.verdict == kind for v in verdicts)} {kind}" for kind in (HOLDS, SHORT, OPEN)
    )
    return "\n".join(
        [
            f"# Patterns over streams, {datetime.date.today().isoformat()}",
            "",
            *table(["", ""], [[k, v] for k, v in about.items()]),
            "",
            *([f"**Wrong counts:** {'; '.join(wrong)}", ""] if wrong else []),
            "## Limits",
            "",
            f"{counts}. All counts agree." if not wrong else f"{counts}.",
            "",
            *table(["limit", "case", "measured", ""], lines),
            "",
            *text,
        ]
    )


if __name__ == "__main__":
    sys.exit(main())
