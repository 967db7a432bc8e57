"""A contender in a process of its own, so that one which hangs or dies takes nothing with it.

The parent writes one JSON line a request and reads one a reply:

    {"graph": "/…/graphs/wiki-vote"}                  load the tables
    {"query": "tri_o", "how": "count", "timeout": 60} run a query
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import IO, Any, Protocol

# After a contender was told to stop, and before its process is ended.
GRACE = 25.0
LOAD_TIMEOUT = 600.0


class Engine(Protocol):
    """What a contender has to be able to do."""

    def load(self, graph: Path) -> None:
        """Load a graph's tables and prepare what is resident in a comparison."""

    def run(self, query: str, how: str) -> dict[str, Any]:
        """Run a query; return its seconds, its count and what else is worth keeping."""

    def interrupt(self) -> None:
        """Stop what runs; called from another thread."""

    def recovered(self) -> bool:
        """Tell, after a failure, whether nothing is left of it; else the process is ended."""


def serve(engine: Engine) -> None:
    """Answer requests until the parent closes the pipe."""
    replies = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # whatever a library prints must not be read as a reply
    for line in sys.stdin:
        request = json.loads(line)
        if "graph" in request:
            started = time.perf_counter()
            engine.load(Path(request["graph"]))
            reply: dict[str, Any] = {"seconds": time.perf_counter() - started, "status": "ok"}
        else:
            reply = _answer(engine, request)
        replies.write(json.dumps(reply) + "\n")
        replies.flush()


def _answer(engine: Engine, request: dict[str, Any]) -> dict[str, Any]:
    late: list[bool] = []

    def stop() -> None:
        late.append(True)
        engine.interrupt()

    timer = threading.Timer(request["timeout"], stop)
    started = time.perf_counter()
    timer.start()
    try:
        return {"status": "ok", **engine.run(request["query"], request["how"])}
    except Exception as failure:
        text = " ".join(str(failure).split())
        memory = any(word in text for word in ("emory", "heap space", "uffer pool", "max_temp"))
        status = "timeout" if late else "oom" if memory else "error"
        seconds = time.perf_counter() - started
        again = status == "oom" or not engine.recovered()
        reply = {"seconds": seconds, "status": status, "count": None, "err": text[:300]}
        return {**reply, "restart": True} if again else reply
    finally:
        timer.cancel()


class Worker:
    """The parent's side: starts a contender when it is needed, and again when it is gone."""

    def __init__(self, module: str, log: Path, *arguments: str) -> None:
        self._command = [sys.executable, "-m", module, *arguments]
        self._log = log
        self._process: subprocess.Popen[str] | None = None
        self._graph: Path | None = None
        self._loaded: Path | None = None

    def use(self, graph: Path) -> None:
        """Say which graph the next queries are about."""
        self._graph = graph

    def run(self, query: str, how: str, timeout: float) -> dict[str, Any]:
        """Run a query; a contender that does not answer has a status that says so."""
        if self._graph != self._loaded or self._process is None:
            loaded = self._ask({"graph": str(self._graph)}, LOAD_TIMEOUT)
            if loaded["status"] != "ok":
                return {**loaded, "err": "the graph could not be loaded: " + loaded["err"]}
            self._loaded = self._graph
        reply = self._ask({"query": query, "how": how, "timeout": timeout}, timeout + GRACE)
        if reply.pop("restart", False):
            self.close()  # what it left behind would slow others down
        return reply

    def close(self) -> None:
        """End the process, and what it started."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        self._process = None
        self._loaded = None

    def _ask(self, request: dict[str, Any], timeout: float) -> dict[str, Any]:
        process = self._process or self._start()
        assert process.stdin is not None
        assert process.stdout is not None
        started = time.perf_counter()
        try:
            process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()
            line = _line(process.stdout, timeout)
        except BrokenPipeError:
            line = ""
        if line:
            return dict(json.loads(line))
        self.close()
        seconds = time.perf_counter() - started
        status = "died" if line == "" else "timeout"
        return {"seconds": seconds, "status": status, "count": None, "err": "its process ended"}

    def _start(self) -> subprocess.Popen[str]:
        with self._log.open("a") as log:
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                start_new_session=True,  # so that a JVM goes with it
            )
        return self._process


def _line(stream: IO[str], timeout: float) -> str | None:
    """Return a line, the empty string at the end of the stream, or None after the time."""
    ready, _, _ = select.select([stream], [], [], timeout)
    return stream.readline() if ready else None
