"""The C++ references, each a process that prints one JSON line a run."""

from __future__ import annotations

import json
import subprocess
import threading
import time
from pathlib import Path
from typing import Any

from benchmarks.harness.records import Run
from benchmarks.harness.scratch import Scratch

CONTENDERS = {"kernel": "cpp", "marks": "cpp-marks", "shapes": "cpp-best", "cliques": "cpp-best"}


def run(
    scratch: Scratch,
    program: str,
    graph: Path,
    queries: dict[str, str],
    *,
    runs: int = 3,
    threads: int = 2,
    symmetries: int = 1,
    timeout: float,
) -> list[Run]:
    """Run a program until it has done what was asked, or the time is over.

    Parameters
    ----------
    queries : dict
        What a query is called here, by what the program calls it.
    symmetries : int
        How many of the program's matches are one of the query's.
    """
    command = [str(scratch.program(program)), str(graph), str(threads), str(runs)]
    if program != "marks":  # which always counts all it knows
        command.append(",".join(queries))
    found: list[Run] = []
    late: list[bool] = []
    started = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None

        def stop() -> None:
            late.append(True)
            process.kill()

        timer = threading.Timer(timeout, stop)
        timer.start()
        for line in process.stdout:
            read: dict[str, Any] = json.loads(line) if line.endswith("}\n") else {}
            if read.get("query") in queries:
                name = queries[read["query"]]
                # Counts for each vertex are told by one number, as patterns.count does.
                count = int(read["count"]) // symmetries + int(read.get("weighted", 0))
                extra = {"cpu": read["cpu"]} if "cpu" in read else {}
                who, where = CONTENDERS[program], graph.name
                found.append(
                    Run(who, where, name, float(read["secs"]), count, "ok", threads, extra)
                )
            if len(found) == runs * len(queries):
                process.kill()  # the rest of what it knows was not asked for
        timer.cancel()
    seconds = time.perf_counter() - started
    missing = [name for name in queries.values() if name not in [r.query for r in found]]
    if missing:
        # The others had no chance.
        status = "timeout" if late else "died"
        found.append(
            Run(CONTENDERS[program], graph.name, missing[0], seconds, None, status, threads)
        )
    return found
