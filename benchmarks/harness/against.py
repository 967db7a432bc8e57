"""The jar of this commit against another: both in one run, in turn, cell by cell.

Seconds of a busy machine say little, and one run of each says less. So the two alternate, the one
that goes first changes from round to round, and the least CPU time of each counts: what its JVM
used on all threads for the whole query, planning included.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.harness import rows
from benchmarks.harness.records import LONG, Log, Run, show
from benchmarks.harness.scratch import Scratch
from benchmarks.harness.worker import Worker

NOW, BEFORE = "now", "before"
# The first runs of both are not timed, for the compiler's threads count in the CPU time, and loops
# that wait for them are interpreted: so many rounds at most, and no more after so many seconds of
# CPU. By the clock, a busy machine would leave the compilers no time.
WARM_UP, WARM_UP_SECONDS = 40, 12.0
# Join time is a difference, and below this it is one of two noises.
LEAST_JOIN = 0.02
# Nothing may be slower: all cells together, and any one of them.
MOST_MEAN, MOST_CELL = 1.02, 1.15


@dataclass(frozen=True)
class Cell:
    """The least seconds of both jars for one query on one graph; join time is wall time."""

    graph: str
    query: str
    cpu: dict[str, float]
    join: dict[str, float]

    @property
    def cpu_ratio(self) -> float:
        """CPU time now over that of before."""
        return self.cpu[NOW] / self.cpu[BEFORE]

    @property
    def join_ratio(self) -> float | None:
        """Join time now over that of before, where there is enough of it to compare."""
        if max(self.join.values()) < LEAST_JOIN:
            return None
        return max(self.join[NOW], 1e-9) / max(self.join[BEFORE], LEAST_JOIN / 2)


def geometric_mean(ratios: list[float]) -> float:
    """Return the mean that takes twice and half as fast to be as far from the same."""
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else math.nan


class Against:
    """One run of this part; ``jar`` is the other commit's."""

    def __init__(
        self, jar: Path, scratch: Scratch, log: Log, rounds: int, say: Callable[[str], None]
    ) -> None:
        if not jar.name.startswith("wreath-spark-"):
            raise SystemExit(f"{jar.name} is no jar of Wreath: they are called wreath-spark-*.jar.")
        self._scratch = scratch
        self._log = log
        self._rounds = rounds
        self._say = say
        module = f"{__package__}.wreath_engine"
        self._workers = {
            NOW: Worker(module, scratch.folder / "now.log"),
            BEFORE: Worker(module, scratch.folder / "before.log", str(jar.resolve())),
        }

    def run(self, graphs: list[str], queries: list[str], timeout: float) -> list[Cell]:
        """Measure all cells: counts, and rows of the queries whose rows are measured."""
        found = []
        try:
            for name in graphs:
                graph = self._scratch.graph(name)
                for worker in self._workers.values():
                    worker.use(graph)
                for query in queries:
                    found.append(self._cell(graph, query, "count", timeout))
                for query in (q for q in rows.QUERIES if q in queries and q != "diamond"):
                    found.append(self._cell(graph, query, rows.ROWS, timeout))
        finally:
            for worker in self._workers.values():
                worker.close()
        return [cell for cell in found if cell is not None]

    def _cell(self, graph: Path, query: str, how: str, timeout: float) -> Cell | None:
        label = f"{query} {how}"
        empty = "empty" if how == "count" else "empty-rows"
        spent, warm, number = 0.0, 0, 0
        while number < warm + self._rounds:
            if number == warm and warm < WARM_UP and (warm < 2 or spent < WARM_UP_SECONDS):
                warm += 1
            self._log.untimed = number < warm
            both = list(self._workers)
            for jar in both if number % 2 == 0 else both[::-1]:
                for contender, asked in ((jar, how), (f"{jar}-empty", empty)):
                    run = self._once(jar, contender, graph, query, asked, timeout)
                    spent += float(run.extra.get("cpu", run.seconds))
                    if run.status != "ok" or run.seconds > LONG:
                        said = f"{jar} {run.status}, {show(run.seconds)} s"
                        self._say(f"{graph.name} {label}: {said}")
                        return None
            number += 1
        cell = self._best(graph.name, label)
        ratios = f"CPU {cell.cpu_ratio:.2f}x"
        if cell.join_ratio is not None:
            ratios += f", join {cell.join_ratio:.2f}x"
        self._say(f"{graph.name:<12} {label:<14} {ratios}")
        return cell

    def _once(
        self, jar: str, contender: str, graph: Path, query: str, how: str, timeout: float
    ) -> Run:
        reply = self._workers[jar].run(query, how, timeout)
        seconds, count, status = map(reply.pop, ("seconds", "count", "status"))
        # An empty aggregate counts nothing, so it has no say in what the count is.
        extra, seen = (
            (reply, count) if contender == jar else ({**reply, "empty_count": count}, None)
        )
        label = f"{query} {rows.ROWS if how.endswith('rows') else 'count'}"
        return self._log.add(Run(contender, graph.name, label, seconds, seen, status, extra=extra))

    def _best(self, graph: str, label: str) -> Cell:
        timed = {
            c: self._log.timed(c, graph, label)
            for jar in self._workers
            for c in (jar, f"{jar}-empty")
        }
        counts = {r.count for jar in self._workers for r in timed[jar]}
        if len(counts) > 1:
            raise AssertionError(f"The jars do not agree on {label} of {graph}: {counts}.")
        least = {c: min(r.seconds for r in runs) for c, runs in timed.items()}
        return Cell(
            graph,
            label,
            {jar: min(float(r.extra["cpu"]) for r in timed[jar]) for jar in self._workers},
            {jar: max(0.0, least[jar] - least[f"{jar}-empty"]) for jar in self._workers},
        )
