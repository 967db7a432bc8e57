"""What was measured: one JSON line a run, and the questions that a report asks of them."""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

# A run longer than this is never repeated.
LONG = 15.0
# Programs whose count is believed before any other's.
REFERENCES = ["cpp-best", "cpp-marks", "cpp"]


@dataclass(frozen=True)
class Run:
    """One run of one contender; seconds are those of a failure where it failed."""

    contender: str
    graph: str
    query: str
    seconds: float
    count: int | None = None
    status: str = "ok"  # ok, timeout, oom, died, error, skipped
    threads: int = 2
    extra: dict[str, Any] = field(default_factory=dict)
    timed: bool = True  # else a first run, which warms up


class Log:
    """All runs, on disk as they happen."""

    def __init__(self, file: Path) -> None:
        self._file = file
        # Whether the runs that are added now are first ones.
        self.untimed = False
        self.runs: list[Run] = []
        file.write_text("")

    def add(self, run: Run) -> Run:
        """Keep a run and write it down."""
        run = replace(run, timed=run.timed and not self.untimed)
        self.runs.append(run)
        now = {"ts": int(time.time()), "load": round(os.getloadavg()[0], 1)}
        line = {**asdict(run), "seconds": round(run.seconds, 6), **now}
        line.update(line.pop("extra"))
        with self._file.open("a") as out:
            out.write(json.dumps(line) + "\n")
        return run

    def find(self, contender: str, graph: str, query: str, threads: int = 2) -> list[Run]:
        """Return the runs of one cell."""
        return [
            r
            for r in self.runs
            if (r.contender, r.graph, r.query, r.threads) == (contender, graph, query, threads)
        ]

    def timed(self, contender: str, graph: str, query: str, threads: int = 2) -> list[Run]:
        """Return the runs of one cell that count: those that were answered and timed.

        Where a first run took so long that it was the only one, it is timed for want of another.
        """
        runs = [r for r in self.find(contender, graph, query, threads) if r.status == "ok"]
        return [r for r in runs if r.timed] or [r for r in runs if r.seconds > LONG]

    def keeps(self, contender: str, graph: str, query: str) -> bool:
        """Tell whether a contender has left anything for later runs of a query."""
        return any(r.extra.get("kept") for r in self.find(contender, graph, query))

    def settled(self, contender: str, graph: str, query: str) -> bool:
        """Tell whether another run would say nothing new: it failed before, or takes long."""
        return any(r.status != "ok" or r.seconds > LONG for r in self.find(contender, graph, query))

    def failed_before(self, contender: str, query: str) -> str | None:
        """Return the graph on which a contender has failed with a query, if any."""
        for r in self.runs:
            if (r.contender, r.query) == (contender, query) and r.status not in ("ok", "skipped"):
                return r.graph
        return None

    def truth(self, graph: str, query: str) -> int | None:
        """Return the count that a reference gives, else one on which two contenders agree."""
        counts: dict[str, int] = {}
        for r in self.runs:
            if (r.graph, r.query, r.status) == (graph, query, "ok") and r.count is not None:
                counts.setdefault(r.contender, r.count)
        for reference in REFERENCES:
            if reference in counts:
                return counts[reference]
        # The variants of Spark's joins are one voice.
        voices = Counter({(c.split("-")[0], n) for c, n in counts.items()})
        agreed = Counter(n for _, n in voices)
        count, votes = agreed.most_common(1)[0] if agreed else (None, 0)
        return count if votes >= 2 else None

    def wrong(self) -> list[Run]:
        """Return the runs whose count is not the right one."""
        return [
            r
            for r in self.runs
            if r.status == "ok"
            and r.count is not None
            and self.truth(r.graph, r.query) not in (None, r.count)
        ]

    def best(self, contender: str, graph: str, query: str, threads: int = 2) -> float | None:
        """Return the least seconds of runs whose count is verified."""
        truth = self.truth(graph, query)
        right = [
            r.seconds
            for r in self.timed(contender, graph, query, threads)
            if r.count is not None and r.count == truth
        ]
        return min(right, default=None)

    def at_least(self, contender: str, graph: str, query: str) -> float | None:
        """Return the seconds after which a contender was stopped, if it was for its time."""
        return max(
            (r.seconds for r in self.find(contender, graph, query) if r.status == "timeout"),
            default=None,
        )

    def cell(self, contender: str, graph: str, query: str) -> str:
        """Return what a table shows: seconds, or why there are none."""
        seconds = self.best(contender, graph, query)
        if seconds is not None:
            return show(seconds)
        runs = self.find(contender, graph, query)
        if not runs:
            return ""
        last = runs[-1]
        if last.status == "ok" and not last.timed:
            return ""
        if last.status == "ok":
            known = self.truth(graph, query) is not None
            return "**wrong count**" if known else f"{show(last.seconds)} (count unverified)"
        if last.status == "timeout":
            return f"> {last.seconds:.0f}"
        return {"oom": "out of memory", "skipped": str(last.extra.get("why"))}.get(
            last.status, last.status
        )


def show(seconds: float) -> str:
    """Return seconds with as many digits as mean something."""
    if seconds >= 10:
        return f"{seconds:.1f}"
    if seconds >= 0.1:
        return f"{seconds:.2f}"
    return f"{seconds:.3f}" if seconds >= 0.01 else f"{seconds:.4f}"
