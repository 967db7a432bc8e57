"""Measure Wreath against Spark's joins, DuckDB, Ladybug and C++, and say which limits hold.

make bench
make bench BENCH_ARGS='--graphs wiki-vote --queries tri_o,clique4 --contenders wreath,cpp'
make bench BENCH_ARGS='--against /path/to/another/commits/wreath-spark-4.1_2.13-0.1.0.jar'
"""

from __future__ import annotations

import argparse
import datetime
import shlex
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.harness import balance, chart, growth, limits, machine, patterns, report
from benchmarks.harness.against import Against, Cell
from benchmarks.harness.compare import CONTENDERS, Comparison, Options
from benchmarks.harness.records import Log
from benchmarks.harness.rows import Rows
from benchmarks.harness.scratch import Scratch
from benchmarks.harness.wreath_engine import WreathEngine

RESULTS = Path(__file__).resolve().parents[1] / "results"
GRAPHS = ["wiki-vote", "rmat14", "cnr-2000", "ego-twitter", "rmat16"]
SECTIONS = ["compare", "rows", "growth", "balance"]
# --skip-slow: so long is asked at most, so that the whole run ends in less than half an hour.
SHORT_TIMEOUT = 20.0


def names(known: list[str] | None = None) -> Callable[[str], list[str]]:
    """Return what argparse makes of a list with commas."""

    def parse(text: str) -> list[str]:
        found = [name for name in text.split(",") if name]
        for name in found:
            if known is not None and name not in known:
                raise argparse.ArgumentTypeError(f"{name} is none of {', '.join(known)}")
        return found

    return parse


def options() -> argparse.Namespace:
    """Return what the command line asks for."""
    parser = argparse.ArgumentParser(prog="make bench", description=(__doc__ or "").split("\n")[0])
    add = parser.add_argument
    add("--name", default="engine", help="results go to benchmarks/results/<name>")
    add("--out", type=Path, help="... or to this folder")
    add("--scratch", type=Path, help="folder for graphs and programs, used again if it is there")
    add("--sections", type=names(SECTIONS), default=SECTIONS)
    add("--graphs", type=names(), default=GRAPHS, help="of ../shared/data, or rmat<scale>")
    known = [*patterns.QUERIES, *patterns.SHAPES]
    add("--queries", type=names(known), default=patterns.QUERIES)
    add("--contenders", type=names(CONTENDERS), default=CONTENDERS[:-1])
    add("--rounds", type=int, default=7, help="timed runs of each contender (default: 7)")
    add("--timeout", type=float, default=60.0, help="seconds for one query (default: 60)")
    add("--reference-timeout", type=float, default=120.0, help="... for a C++ reference")
    add("--skip-slow", action="store_true", help="a shorter timeout, and none asked twice in vain")
    add("--max-rows", type=int, default=300_000_000, help="rows that go to a noop sink at most")
    add("--growth-scales", type=names(), default=["14", "16", "18", "20"])
    add("--balance-graph", default="rmat16")
    add("--balance-metric", default=balance.METRIC, help="the operator's metric, by its name")
    add("--against", type=Path, help="compare with this jar of another commit, and do no more")
    return parser.parse_args()


def main() -> int:
    """Measure, write and print; return 1 if any count was wrong."""
    args = options()
    started = time.perf_counter()
    date = datetime.date.today().isoformat()
    out: Path = args.out or RESULTS / args.name
    out.mkdir(parents=True, exist_ok=True)
    about = {"command": f"make bench BENCH_ARGS={shlex.quote(arguments())}", **machine.describe()}

    def say(text: str) -> None:
        print(f"{time.perf_counter() - started:6.0f} s  {text}", flush=True)

    log = Log(out / "runs.jsonl")
    with tempfile.TemporaryDirectory(prefix="wreath-bench-") as temporary:
        folder: Path = (args.scratch or Path(temporary)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        scratch = Scratch(folder)
        cells: list[Cell] = []
        sizes: list[growth.Size] = []
        even: balance.Balance | None = None
        if args.against is not None:
            pair = Against(args.against, scratch, log, args.rounds, say)
            cells = pair.run(args.graphs, args.queries, args.timeout)
        else:
            sizes, even = measure(args, scratch, log, say)
    about["taken"] = f"{(time.perf_counter() - started) / 60:.0f} minutes"

    verdicts = limits.verdicts(log, args.graphs, args.queries, sizes, even)
    verdicts += limits.nothing_slower(cells)
    title = f"Wreath and its peers, {date}"
    info = report.run_info(
        title, about, log, args.graphs, args.queries, sizes, even, cells, verdicts
    )
    (out / "RUN-INFO.md").write_text(info)
    where = f"{about['processor']}, Spark {about['Spark']}, local[2], {date}, best of several runs"
    if "compare" in args.sections and args.against is None:
        picture = chart.comparison(log, args.graphs, args.queries, where)
        (out / "comparison.svg").write_text(picture)
    if sizes:
        (out / "growth.svg").write_text(chart.growth(sizes, where))

    print()
    for v in verdicts:
        print(f"{v.verdict:<12} {v.case:<36} {v.measured}   [{v.limit}]")
    for run in log.wrong():
        print(f"WRONG COUNT  {run}", file=sys.stderr)
    print(f"\nwritten to {out}")
    return 1 if log.wrong() else 0


def arguments() -> str:
    """Return the command line without what belongs to this machine."""
    kept = sys.argv[1:]
    for own in ("--out", "--scratch"):
        if own in kept:
            at = kept.index(own)
            del kept[at : at + 2]
    if "--against" in kept:
        at = kept.index("--against") + 1
        kept[at] = Path(kept[at]).name
    return shlex.join(kept)


def measure(
    args: argparse.Namespace, scratch: Scratch, log: Log, say: growth.Say
) -> tuple[list[growth.Size], balance.Balance | None]:
    """Run the parts that were asked for."""
    timeout = SHORT_TIMEOUT if args.skip_slow else args.timeout
    if "compare" in args.sections:
        compared = Options(
            args.graphs,
            args.queries,
            args.contenders,
            args.rounds,
            timeout,
            timeout if args.skip_slow else args.reference_timeout,
            args.skip_slow,
        )
        Comparison(compared, scratch, log, say).run()
    if "rows" in args.sections:
        wanted = {"rounds": args.rounds, "timeout": args.timeout, "max_rows": args.max_rows}
        Rows(scratch, log, **wanted, say=say).run(args.graphs)
    sizes: list[growth.Size] = []
    if "growth" in args.sections:
        engine = WreathEngine()
        try:
            scales = [int(scale) for scale in args.growth_scales]
            sizes = growth.measure(
                engine, scratch, log, scales, rounds=args.rounds, timeout=600.0, say=say
            )
        finally:
            engine.spark.stop()
    even = None
    if "balance" in args.sections:
        even = balance.measure(
            scratch,
            log,
            args.balance_graph,
            metric=args.balance_metric,
            rounds=2,
            timeout=600.0,
            say=say,
        )
    return sizes, even


if __name__ == "__main__":
    sys.exit(main())
