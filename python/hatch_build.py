"""Refuse to build a wheel without its jars: such a wheel would install and then not work."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class JarCheck(BuildHookInterface[Any]):
    """Looks for the staged jars before anything is written."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Raise unless the jars of this very version are staged, one for each Spark line."""
        package = Path(self.root) / "wreath"
        facts = runpy.run_path(str(package / "version.py"))
        number = facts["__version__"]
        for major, minor in facts["SPARK_MINORS"]:
            if not list((package / "jars").glob(f"wreath-spark-{major}.{minor}_*-{number}.jar")):
                raise RuntimeError(
                    f"The jar of Wreath {number} for Spark {major}.{minor} is not built yet: "
                    "run `make wheel` in the top folder of the repository "
                    "and install dist/wreath-*.whl."
                )
