"""Rows to a sink that throws them away: against C++ that writes them to memory, and a dummy."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from benchmarks.harness import cpp, patterns
from benchmarks.harness.compare import EMPTY
from benchmarks.harness.records import Log, Run
from benchmarks.harness.scratch import Scratch
from benchmarks.harness.worker import Worker

ROWS = "rows"
DUMMY = "dummy"
QUERIES = [*patterns.KERNEL_ROWS, "diamond"]
# As many in a round for each, C++ included.
TURNS = 1


class Rows:
    """One run of this part."""

    def __init__(
        self,
        scratch: Scratch,
        log: Log,
        *,
        rounds: int,
        timeout: float,
        max_rows: int,
        say: Callable[[str], None],
    ) -> None:
        self._scratch = scratch
        self._log = log
        self._rounds = rounds
        self._timeout = timeout
        self._max_rows = max_rows
        self._say = say
        module = f"{__package__}.wreath_engine"
        self._worker = Worker(module, scratch.folder / "wreath_engine.log")

    def run(self, graphs: list[str]) -> None:
        """Measure all graphs."""
        try:
            for name in graphs:
                graph = self._scratch.graph(name)
                self._worker.use(graph)
                for query in QUERIES:
                    self._measure(graph, query)
                    shown = self._log.cell("wreath", name, f"{query} {ROWS}")
                    self._say(f"{name} {query} rows: {shown}")
        finally:
            self._worker.close()

    def _measure(self, graph: Path, query: str) -> None:
        label = f"{query} {ROWS}"
        self._reference(graph, query)
        count = self._log.truth(graph.name, label)
        if count is None or count > self._max_rows:
            why = {"why": "no count to go by" if count is None else f"{count} rows are too many"}
            self._log.add(Run("wreath", graph.name, label, 0.0, None, "skipped", extra=why))
            return
        # The noop sink does not tell how many rows it saw: they are counted once, untimed.
        checked = self._worker.run(query, "checked-rows", self._timeout)
        if checked["status"] != "ok" or checked["count"] != count:
            seen = self._run("wreath", graph, label, checked)
            self._say(f"{graph.name} {label}: {seen.count} rows, {seen.status}; right is {count}")
            return
        columns = 3 if query == "tri_o" else 4
        for number in range(self._rounds):
            if number > 0:
                self._reference(graph, query)
            for _ in range(TURNS):
                if self._log.settled("wreath", graph.name, label):
                    return
                reply = self._worker.run(query, "rows", self._timeout)
                self._run("wreath", graph, label, {**reply, "count": count})
                reply = self._worker.run(query, "empty-rows", self._timeout)
                self._run(EMPTY, graph, label, reply)
                reply = self._worker.run(f"{count}x{columns}", DUMMY, self._timeout)
                self._run(DUMMY, graph, label, {**reply, "count": count})

    def _reference(self, graph: Path, query: str) -> None:
        label = f"{query} {ROWS}"
        emits = query in patterns.KERNEL_ROWS
        # Of the diamond only the count is wanted: its rows are measured by the dummy.
        program, name = ("kernel", patterns.KERNEL_ROWS[query]) if emits else ("best", query)
        if not self._log.settled("cpp", graph.name, label):
            timeout = self._timeout
            for run in cpp.run(
                self._scratch, program, graph, {name: label}, runs=TURNS, timeout=timeout
            ):
                self._log.add(run)

    def _run(self, contender: str, graph: Path, label: str, reply: dict[str, object]) -> Run:
        seconds, count, status = (reply.pop(key) for key in ("seconds", "count", "status"))
        assert isinstance(seconds, float)
        assert count is None or isinstance(count, int)
        return self._log.add(
            Run(contender, graph.name, label, seconds, count, str(status), extra=reply)
        )
