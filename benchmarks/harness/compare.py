"""Counting: every contender in turn, query by query, round by round.

In a round each contender runs each query once, so that all have as many runs to be the best of;
the first round is not timed. Only one that failed, or took long, is not asked again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.harness import cpp, patterns
from benchmarks.harness.records import Log, Run
from benchmarks.harness.scratch import Scratch
from benchmarks.harness.worker import Worker

EMPTY = "wreath-empty"
COLD = "wreath-cold"
LEAPFROG = "wreath-leapfrog"
ENGINES = {
    "wreath": "wreath_engine",
    "duckdb": "duckdb_engine",
    "ladybug": "ladybug_engine",
    "spark": "spark_engine",
}
# The variants of Spark's joins, and the operator that makes one the same as Spark's own choice.
SPARK = {"spark": "", "spark-bhj": "BroadcastHashJoin", "spark-smj": "SortMergeJoin"}
CONTENDERS = ["cpp", "wreath", LEAPFROG, "duckdb", "ladybug", *SPARK]


@dataclass(frozen=True)
class Options:
    """What to compare, and for how long."""

    graphs: list[str]
    queries: list[str]
    contenders: list[str]
    rounds: int
    timeout: float
    reference_timeout: float
    skip_slow: bool


class Comparison:
    """One run of the comparison."""

    def __init__(
        self, options: Options, scratch: Scratch, log: Log, say: Callable[[str], None]
    ) -> None:
        self._options = options
        self._scratch = scratch
        self._log = log
        self._say = say
        self._workers: dict[str, Worker] = {}
        for contender in options.contenders:
            engine = ENGINES.get(contender.split("-")[0])
            if engine is not None and engine not in self._workers:
                arguments = [] if engine == "wreath_engine" else [str(scratch.peers)]
                module = f"{__package__}.{engine}"
                log_file = scratch.folder / f"{engine}.log"
                self._workers[engine] = Worker(module, log_file, *arguments)

    def run(self) -> None:
        """Measure all graphs."""
        try:
            for name in self._options.graphs:
                graph = self._scratch.graph(name)
                sizes = self._scratch.edges(graph)
                self._say(f"{name}: {sizes['n']:,} vertices, {sizes['o']:,} edges in o")
                for worker in self._workers.values():
                    worker.use(graph)
                for number in range(1 + self._options.rounds):
                    self._log.untimed = number == 0
                    self._round(graph, number)
                for query in self._options.queries:
                    self._say(self._line(graph.name, query))
        finally:
            for worker in self._workers.values():
                worker.close()

    def _round(self, graph: Path, number: int) -> None:
        if "cpp" in self._options.contenders:
            marked = [q for q in patterns.MARKS if q in self._options.queries]
            if marked and not any(self._log.settled("cpp-marks", graph.name, q) for q in marked):
                self._cpp("marks", graph, {q: q for q in marked})
        for query in self._options.queries:
            contenders = self._options.contenders
            first = number % len(contenders)
            for contender in contenders[first:] + contenders[:first]:
                if contender == "cpp":
                    self._references(graph, query)
                else:
                    self._visit(contender, graph, query)

    def _references(self, graph: Path, query: str) -> None:
        if query in patterns.KERNEL and not self._log.settled("cpp", graph.name, query):
            self._cpp("kernel", graph, {patterns.KERNEL[query]: query})
        if query in patterns.BEST and not self._log.settled("cpp-best", graph.name, query):
            program, name, symmetries = patterns.BEST[query]
            self._cpp(program, graph, {name: query}, symmetries)

    def _cpp(self, program: str, graph: Path, queries: dict[str, str], symmetries: int = 1) -> None:
        how = {"runs": 1, "symmetries": symmetries}
        timeout = self._options.reference_timeout
        for run in cpp.run(self._scratch, program, graph, queries, **how, timeout=timeout):
            self._log.add(run)

    def _visit(self, contender: str, graph: Path, query: str) -> None:
        if self._log.settled(contender, graph.name, query):
            return
        if query in patterns.SHAPES and contender != "wreath":
            return  # peers have no text of it
        reason = self._reason_to_skip(contender, graph, query)
        if reason:
            run = Run(contender, graph.name, query, 0.0, None, "skipped", extra={"why": reason})
            self._log.add(run)
        elif contender == "wreath":
            self._turns(graph, query)
        elif contender == LEAPFROG:
            self._once(contender, "leapfrog", graph, query)
        else:
            self._once(contender, contender, graph, query)

    def _reason_to_skip(self, contender: str, graph: Path, query: str) -> str | None:
        if self._options.skip_slow and contender != "wreath":
            before = self._log.failed_before(contender, query)
            if before is not None and before != graph.name:
                return f"failed on {before}"
        operator = SPARK.get(contender)
        chosen = self._log.find("spark", graph.name, query)
        if operator and chosen and chosen[0].status == "ok":
            joins = {join.split()[-1] for join in chosen[0].extra["joins"].split(", ")}
            if joins == {operator}:
                return "as Spark chose"
        return None

    def _turns(self, graph: Path, query: str) -> None:
        turns = {"wreath": "count", EMPTY: "empty", COLD: "cold"}
        if not self._log.untimed and not self._log.keeps(COLD, graph.name, query):
            del turns[COLD]  # cold and warm are the same where nothing is kept
        for contender, how in turns.items():
            if self._once(contender, how, graph, query).status != "ok":
                return

    def _once(self, contender: str, how: str, graph: Path, query: str) -> Run:
        engine = ENGINES[contender.split("-")[0]]
        reply = self._workers[engine].run(query, how, self._options.timeout)
        seconds, count, status = (reply.pop(key) for key in ("seconds", "count", "status"))
        # An empty aggregate counts nothing, so it has no say in what the count is.
        extra = {"empty_count": count, **reply} if contender == EMPTY else reply
        seen = None if contender == EMPTY else count
        return self._log.add(Run(contender, graph.name, query, seconds, seen, status, extra=extra))

    def _line(self, graph: str, query: str) -> str:
        shown = [
            "cpp-marks",
            "cpp-best",
            "cpp",
            "wreath",
            COLD,
            LEAPFROG,
            "duckdb",
            "ladybug",
            *SPARK,
        ]
        cells = ((c, self._log.cell(c, graph, query)) for c in shown)
        return f"  {query:<8} " + "  ".join(f"{c} {cell}" for c, cell in cells if cell)


def empty_seconds(log: Log, graph: str, query: str) -> float | None:
    """Return the least seconds of the empty aggregate of the same shape, in the same run."""
    runs = log.timed(EMPTY, graph, query)
    return min((r.seconds for r in runs), default=None)


def join_seconds(log: Log, graph: str, query: str, contender: str = "wreath") -> float | None:
    """Return the whole query's time less that of the empty aggregate."""
    whole, empty = log.best(contender, graph, query), empty_seconds(log, graph, query)
    return None if whole is None or empty is None else max(0.0, whole - empty)
