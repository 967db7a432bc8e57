"""The command line: ``wreath doctor | jar | demo``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from wreath import demo, doctor
from wreath._jar import jar_path
from wreath.errors import WreathError
from wreath.version import __version__


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 if all is well, else 1."""
    parser = _parser()
    args = parser.parse_args(argv)
    if args.command is None:
        parser.print_help()
        return 0
    try:
        if args.command == "doctor":
            return 0 if doctor.run(lambda line: print(line, flush=True)) else 1
        if args.command == "jar":
            print(jar_path())
            return 0
        return 0 if demo.run(args.edges, args.master) else 1
    except (WreathError, ValueError) as e:
        print(f"wreath: {e}", file=sys.stderr)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="wreath", description="Worst-case optimal graph pattern joins for Apache Spark."
    )
    parser.add_argument("--version", action="version", version=f"wreath {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="command")
    commands.add_parser("doctor", help="check Python, Java, Spark, the jar, and run a triangle")
    commands.add_parser("jar", help="print the path of the jar, for spark-submit --jars")
    demo_parser = commands.add_parser("demo", help="find triangles in three ways and compare")
    demo_parser.add_argument(
        "--edges", type=int, default=200_000, help="size of the generated graph (default: 200000)"
    )
    demo_parser.add_argument(
        "--master", default="local[*]", help="where Spark runs (default: local[*])"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
