"""Where a run took place: machine, versions, commit."""

from __future__ import annotations

import os
import platform
import subprocess
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def describe() -> dict[str, str]:
    """Return what has to stand beside any figure."""
    changed = _output("git", "-C", str(ROOT), "status", "--porcelain", "--untracked-files=no")
    return {
        "commit": _output("git", "-C", str(ROOT), "rev-parse", "--short=12", "HEAD")
        + (" with changes that are not committed" if changed else ""),
        "processor": f"{_processor()}, {os.cpu_count()} cores",
        "memory": f"{_memory() / 2**30:.0f} GiB",
        "system": _system(),
        "JDK": _output("java", "-version").split("\n")[0],
        "Python": platform.python_version(),
        "Spark": _version("pyspark"),
        "DuckDB": _version("duckdb"),
        "Ladybug": _version("ladybug"),
        "C++": _output("g++", "--version").split("\n")[0] + ", -O3 -march=native",
        "load at the start": f"{os.getloadavg()[0]:.1f}",
    }


def _output(*command: str) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return "not found"
    return (done.stdout or done.stderr).strip()


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "not installed"


def _lines(file: str) -> list[str]:
    path = Path(file)
    return path.read_text().splitlines() if path.is_file() else []


def _processor() -> str:
    for line in _lines("/proc/cpuinfo"):
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor()


def _memory() -> int:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def _system() -> str:
    for line in _lines("/etc/os-release"):
        if line.startswith("PRETTY_NAME="):
            return f"{line.split('=', 1)[1].strip(chr(34))}, {platform.machine()}"
    return platform.platform()
