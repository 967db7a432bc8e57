"""Starting Spark for a terminal: the JVM's log goes to a file, shown only if the start fails."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from wreath.session import start

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def quiet_session(
    app_name: str, master: str, conf: Mapping[str, object] | None = None
) -> SparkSession:
    """Start a session that writes nothing to the terminal and opens no web page."""
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")  # a laptop's host name may not resolve
    os.environ.pop("SPARK_REMOTE", None)  # the commands look at this machine
    quiet = {"spark.ui.enabled": False, "spark.ui.showConsoleProgress": False}
    with _stderr_to_file():
        return start(app_name, master, conf={**quiet, **(conf or {})})


@contextmanager
def _stderr_to_file() -> Iterator[None]:
    """Send standard error, which the JVM inherits for its life, to a file that has no name."""
    with tempfile.TemporaryFile() as log:
        sys.stderr.flush()
        terminal = os.dup(2)
        os.dup2(log.fileno(), 2)
        failed = True
        try:
            yield
            failed = False
        finally:
            sys.stderr.flush()
            os.dup2(terminal, 2)
            os.close(terminal)
            if failed:
                log.seek(0)
                sys.stderr.write(log.read().decode(errors="replace"))
