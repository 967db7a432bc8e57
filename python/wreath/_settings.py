"""Settings that Spark will use although the builder does not hold them.

A value set on a builder replaces what ``spark-submit`` or ``spark-defaults.conf`` say. Who appends
to a list must therefore know the whole list. Seen here, nearest first:

1. a running JVM (an application started by ``spark-submit``, or a session in this process),
2. ``--conf``, ``--jars`` and ``--properties-file`` in ``PYSPARK_SUBMIT_ARGS``,
3. ``spark-defaults.conf`` in ``SPARK_CONF_DIR``, else in the ``conf`` folder of Spark's home.

Not seen: what a cluster manager or a hosted platform adds after the application has started, and
properties files that use line continuations or escapes.
"""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

from wreath import _jvm
from wreath._versions import spark_home

_OPTION_OF_KEY = {"spark.jars": "--jars"}


def lookup(key: str) -> str | None:
    """Return the value that Spark would take for ``key`` if no builder named it."""
    return _jvm.setting(key) or _from_submit_args(key) or _from_properties(_defaults_file(), key)


def _from_submit_args(key: str) -> str | None:
    words = shlex.split(os.environ.get("PYSPARK_SUBMIT_ARGS", ""))
    options: list[tuple[str, str]] = []
    for i, word in enumerate(words):
        name, separator, value = word.partition("=")
        if name.startswith("--") and separator:
            options.append((name, value))
        elif word.startswith("-") and i + 1 < len(words):
            options.append((word, words[i + 1]))

    # Spark lets an option win over --conf, and --conf over the properties file.
    option = _OPTION_OF_KEY.get(key)
    found = None
    for name, value in options:
        if option is not None and name == option:
            return value
        if name in ("--conf", "-c") and value.startswith(key + "="):
            found = value[len(key) + 1 :]
    if found is None:
        files = [value for name, value in options if name == "--properties-file"]
        found = _from_properties(Path(files[-1]), key) if files else None
    return found


def _defaults_file() -> Path:
    folder = os.environ.get("SPARK_CONF_DIR")
    return (Path(folder) if folder else spark_home() / "conf") / "spark-defaults.conf"


def _from_properties(file: Path, key: str) -> str | None:
    if not file.is_file():
        return None
    found = None
    for line in file.read_text(encoding="utf-8").splitlines():
        match = re.match(r"\s*([^#!\s=:][^\s=:]*)\s*[=:\s]\s*(.*?)\s*$", line)
        if match and match.group(1) == key:
            found = match.group(2)
    return found or None
