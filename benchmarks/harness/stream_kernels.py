"""Batches of changes counted by one thread: Wreath's delta kernel, C++ and dogs3 in turn."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import pyspark
from numpy.typing import NDArray

from benchmarks.harness.records import Log, Run
from benchmarks.harness.scratch import Scratch

ROOT = Path(__file__).resolve().parents[2]
CONTENDERS = ["wreath-delta", "cpp-delta", "dogs3"]
# The kernel of another commit.
BEFORE = "wreath-delta-before"
OURS = ["wreath-delta", BEFORE]
PATTERNS = {"tri": "triangle", "clique4": "4-clique"}
QUERIES = {"tri": "tri_o", "clique4": "clique4"}
SIZES = [1000, 10000]
# A visit lasts some tenths of a second, of which a busy machine may take any part: the best counts.
# Wreath's kernel plays so often in one process, the others in as many.
PLAYS = 7
KEPT = ["cpu", "updates", "elements", "whole_elements", "whole_list_elements"]


def class_path(jar: Path | None = None) -> str:
    """Return where the kernel's benchmark is; ``make bench-stream`` has compiled it.

    The kernel itself may be that of another commit's jar, as long as the benchmark fits it.
    """
    classes = [
        ROOT / "benchmarks" / "jmh" / "target" / "scala-2.13" / "classes",
        jar or ROOT / "jvm" / "kernel" / "target" / "scala-2.13" / "classes",
    ]
    for entry in classes:
        if not entry.exists():
            raise SystemExit(f"{entry} is missing: run make bench-stream.")
    library = next((Path(pyspark.__file__).parent / "jars").glob("scala-library-*.jar"))
    return ":".join(str(entry) for entry in [*classes, library])


def java(main: str, *arguments: str, jar: Path | None = None) -> list[str]:
    """Return the command that runs a program of benchmarks/jmh."""
    return ["java", "-Xmx4g", "-cp", class_path(jar), f"io.wreath.bench.{main}", *arguments]


def dogs3(scratch: Scratch) -> Path | None:
    """Return the compiled dogs3 benchmark; None where there is no cargo or no registry."""
    folder = scratch.peers / "dogs3"
    binary = folder / "target" / "release" / "dogsbench"
    if not binary.exists():
        if shutil.which("cargo") is None:
            return None
        env = {**os.environ, "RUSTFLAGS": "-C target-cpu=native"}
        built = subprocess.run(["cargo", "build", "--release"], cwd=folder, env=env, check=False)
        if built.returncode:
            return None
    return binary


def measure(
    log: Log,
    scratch: Scratch,
    graphs: list[Path],
    *,
    rounds: int,
    timeout: float,
    against: Path | None = None,
) -> None:
    """Run all contenders on all graphs and patterns, ``rounds`` times in turn."""
    binary = dogs3(scratch)
    for graph in graphs:
        for pattern in PATTERNS:
            for _ in range(rounds):
                commands = {
                    "wreath-delta": java("DeltaFigures", str(graph), str(PLAYS), pattern),
                    "cpp-delta": [str(scratch.program("delta")), str(graph), pattern],
                }
                if against is not None:
                    arguments = ("DeltaFigures", str(graph), str(PLAYS), pattern)
                    commands[BEFORE] = java(*arguments, jar=against)
                if binary is not None:
                    commands["dogs3"] = [str(binary), str(graph), pattern, "delta", "-w", "1"]
                for contender, command in commands.items():
                    for _ in range(1 if contender in OURS else PLAYS):
                        _run(log, contender, graph.name, pattern, command, timeout)


def _run(
    log: Log, contender: str, graph: str, pattern: str, command: list[str], timeout: float
) -> None:
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=timeout, check=True
        ).stdout
    except subprocess.TimeoutExpired as e:
        done = e.stdout.decode() if isinstance(e.stdout, bytes) else (e.stdout or "")
        log.add(
            Run(contender, graph, f"{QUERIES[pattern]}_delta", timeout, None, "timeout", threads=1)
        )
    for line in done.splitlines():
        read = json.loads(line)
        if "_delta" in read["query"]:
            extra = {k: read[k] for k in KEPT if k in read}
            seconds, count = float(read["secs"]), int(read["count"])
            log.add(Run(contender, graph, read["query"], seconds, count, "ok", 1, extra))


def whole_count(scratch: Scratch, edges: NDArray[np.int32], pattern: str) -> int:
    """Return how often a pattern is in some edges, as the C++ delta kernel counts its base."""
    with tempfile.TemporaryDirectory(dir=scratch.folder) as folder:
        for name in ("o", "base_o"):
            edges.tofile(Path(folder, f"{name}.bin"))
        Path(folder, "updates.bin").write_bytes(b"")
        command = [str(scratch.program("delta")), folder, pattern]
        done = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return int(json.loads(done.splitlines()[0])["count"])


def disagreements(log: Log) -> list[str]:
    """Return the cases in which contenders count differently."""
    found = []
    for graph, query in sorted({(r.graph, r.query) for r in log.runs if r.status == "ok"}):
        runs = [r for r in log.runs if (r.graph, r.query, r.status) == (graph, query, "ok")]
        counts = {r.contender: r.count for r in runs if r.contender in [*CONTENDERS, BEFORE]}
        if len(set(counts.values())) > 1:
            found.append(f"{graph}, {query}: {counts}")
    return found


def best(log: Log, contender: str, graph: str, query: str) -> Run | None:
    """Return the fastest run of one cell."""
    runs = [r for r in log.find(contender, graph, query, threads=1) if r.status == "ok"]
    return min(runs, key=lambda r: r.seconds, default=None)


def least_cpu(log: Log, contender: str, graph: str, query: str) -> float | None:
    """Return the least CPU seconds of one cell, which say more where the machine is busy."""
    runs = log.find(contender, graph, query, threads=1)
    return min((float(r.extra["cpu"]) for r in runs if "cpu" in r.extra), default=None)
