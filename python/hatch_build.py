"""Refuse to build a wheel without its jar: such a wheel would install and then not work."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class JarCheck(BuildHookInterface[Any]):
    """Looks for the staged jar before anything is written."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Raise unless the jar of this very version is staged."""
        package = Path(self.root) / "wreath"
        number = runpy.run_path(str(package / "version.py"))["__version__"]
        if not list((package / "jars").glob(f"wreath-spark-*_*-{number}.jar")):
            raise RuntimeError(
                f"The jar of Wreath {number} is not built yet: run `make wheel` in the top folder "
                "of the repository and install dist/wreath-*.whl."
            )
