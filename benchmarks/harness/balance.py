"""Balance: how evenly the work lies over tasks, and what a second thread brings."""

from __future__ import annotations

import json
import shutil
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.harness import cpp
from benchmarks.harness.records import Log, Run
from benchmarks.harness.scratch import Scratch
from benchmarks.harness.wreath_engine import WreathEngine

QUERY = "clique5"
# In the log, for these runs are no part of the comparison.
LABEL = "balance clique5"
METRIC = "list elements touched"
# The compiler shares the cores with two threads, and not with one: both must have warmed up.
RUNS = 8


@dataclass(frozen=True)
class Balance:
    """Work by task, and least seconds by threads."""

    graph: str
    work: list[int]
    wreath: dict[int, float]
    cpp: dict[int, float]

    @property
    def busy(self) -> list[int]:
        """The tasks that had any work."""
        return [value for value in self.work if value > 0]

    @property
    def skew(self) -> float:
        """The largest over the mean of tasks with work; infinite where none reports any."""
        busy = self.busy
        return max(busy) * len(busy) / sum(busy) if busy else float("inf")


def measure(
    scratch: Scratch,
    log: Log,
    name: str,
    *,
    metric: str,
    rounds: int,
    timeout: float,
    say: Callable[[str], None],
) -> Balance:
    """Count 5-cliques with one and with two threads, in sessions that take turns."""
    graph = scratch.graph(name)
    work: list[int] = []
    for number in range(rounds):
        for threads in (1, 2):
            events = scratch.folder / "events" / f"{number}-{threads}"
            _session(graph, log, threads, events)
            if threads == 2:
                work = task_values(events, metric)
            for run in cpp.run(
                scratch, "marks", graph, {QUERY: LABEL}, threads=threads, runs=RUNS, timeout=timeout
            ):
                log.add(run)

    def least(contender: str, threads: int) -> float:
        whole = log.best(contender, graph.name, LABEL, threads)
        assert whole is not None, f"{contender} has no verified time of {QUERY}"
        return whole

    empty = {
        threads: min(r.seconds for r in log.find("wreath-empty", graph.name, LABEL, threads))
        for threads in (1, 2)
    }
    balance = Balance(
        graph.name,
        work,
        {threads: least("wreath", threads) - empty[threads] for threads in (1, 2)},
        {threads: least("cpp-marks", threads) for threads in (1, 2)},
    )
    say(f"{name} {QUERY}: tasks {balance.work}, Wreath {balance.wreath}, C++ {balance.cpp}")
    return balance


def _session(graph: Path, log: Log, threads: int, events: Path) -> None:
    # What an earlier run left in the scratch folder has stages of the same numbers.
    shutil.rmtree(events, ignore_errors=True)
    events.mkdir(parents=True)
    engine = WreathEngine(
        f"local[{threads}]",
        {
            "spark.eventLog.enabled": True,
            "spark.eventLog.dir": events.as_uri(),
            "spark.eventLog.rolling.enabled": False,
            "spark.eventLog.compress": False,
        },
    )
    try:
        engine.load(graph)
        for _ in range(RUNS):
            empty = engine.run(QUERY, "empty")
            seen = {"empty_count": empty["count"]}
            log.add(
                Run("wreath-empty", graph.name, LABEL, empty["seconds"], None, "ok", threads, seen)
            )
            run = engine.run(QUERY, "count")
            log.add(Run("wreath", graph.name, LABEL, run["seconds"], run["count"], "ok", threads))
    finally:
        engine.spark.stop()


def task_values(events: Path, metric: str) -> list[int]:
    """Return a metric of an operator by task, of the last stage in an event log that has it.

    Spark's status store keeps only sums of SQL metrics; its event log has them by task.
    """
    stages: dict[int, list[int]] = defaultdict(list)
    for file in events.iterdir():
        with file.open() as lines:
            for line in lines:
                if '"SparkListenerTaskEnd"' not in line:
                    continue
                event = json.loads(line)
                accumulables = event["Task Info"]["Accumulables"]
                values = [int(a["Update"]) for a in accumulables if a.get("Name") == metric]
                if values:
                    stages[event["Stage ID"]].append(sum(values))
    return stages[max(stages)] if stages else []
