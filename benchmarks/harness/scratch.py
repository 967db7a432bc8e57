"""A scratch place: the peers' scripts, graphs in their format, and the compiled references."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

SHARED = Path(__file__).resolve().parents[3] / "shared"
OWN_CPP = Path(__file__).resolve().parents[1] / "cpp"
FLAGS = ["-O3", "-march=native", "-std=c++17", "-pthread"]
# As in the README of ../shared/peers; the growth run has graphs of its own.
EDGE_FACTOR = 12


class Scratch:
    """A folder that holds all that is generated; what is there already is used again."""

    def __init__(self, folder: Path) -> None:
        if not (SHARED / "peers").is_dir():
            raise SystemExit("The benchmark needs ../shared/peers and ../shared/data.")
        self.folder = folder
        self.peers = folder / "peers"
        if not self.peers.exists():
            shutil.copytree(SHARED / "peers", self.peers, copy_function=shutil.copyfile)
        (self.peers / "graphs").mkdir(exist_ok=True)

    def graph(self, name: str, edge_factor: int = EDGE_FACTOR) -> Path:
        """Return the folder of a graph: ``rmat<scale>``, or a file of ../shared/data/graphs."""
        scale = name.removeprefix("rmat")
        rmat = name.startswith("rmat") and scale.isdigit()
        folder = name if edge_factor == EDGE_FACTOR else f"{name}-ef{edge_factor}"
        target = self.peers / "graphs" / folder
        if not (target / "meta.json").exists():
            source = SHARED / "data" / "graphs" / f"{name}.parquet"
            if not rmat and not source.is_file():
                raise SystemExit(f"There is no graph {name}: rmat<scale> or a file of ../shared.")
            how = ["rmat", scale, str(edge_factor)] if rmat else ["file", str(source)]
            command = [sys.executable, str(self.peers / "common" / "gen.py"), *how, folder]
            subprocess.run(command, check=True, capture_output=True)
        return target

    def edges(self, graph: Path) -> dict[str, int]:
        """Return the number of vertices (n) and of edges in o, u and d."""
        meta = json.loads((graph / "meta.json").read_text())
        return {key: int(meta[key]) for key in ("n", "o", "u", "d")}

    def program(self, name: str) -> Path:
        """Return a compiled C++ reference: ``kernel`` or ``marks`` of the peers, or one of ours."""
        binary = self.folder / name
        own = OWN_CPP / f"{name}.cpp"
        source = own if own.is_file() else self.peers / "cpp" / f"{name}.cpp"
        read = [source, *source.parent.glob("*.h")]
        if not binary.exists() or binary.stat().st_mtime < max(p.stat().st_mtime for p in read):
            if shutil.which("g++") is None:
                raise SystemExit("The C++ references need g++ (Debian: apt install g++).")
            subprocess.run(["g++", *FLAGS, str(source), "-o", str(binary)], check=True)
        return binary
