"""Starting Spark with Wreath."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from wreath import _jvm, _settings, _sql, _versions
from wreath._jar import jar_path
from wreath.errors import WreathError, WreathNotActive

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

EXTENSION = "io.wreath.spark.WreathExtensions"


def start(
    app_name: str = "wreath",
    master: str | None = "local[*]",
    conf: Mapping[str, object] | None = None,
    **options: object,
) -> SparkSession:
    """Return a Spark session with Wreath in it.

    A running session is returned if it has Wreath, as ``getOrCreate`` does. On a local master,
    Spark's Python workers run this Python unless ``PYSPARK_PYTHON`` names another.

    With ``SPARK_REMOTE`` in the environment, ``spark.remote`` among the settings or ``sc://`` as
    the master, the session is one of Spark Connect. A server that runs already has to have Wreath:
    start it with ``--jars "$(wreath jar)"`` and
    ``--conf spark.sql.extensions=io.wreath.spark.WreathExtensions``.

    .. versionadded:: 0.1.0

    Parameters
    ----------
    app_name : str, default "wreath"
        The application's name.
    master : str or None, default "local[*]"
        Where to run. ``None`` leaves it to ``spark-submit`` or ``spark-defaults.conf``;
        ``SPARK_REMOTE`` goes before it.
    conf : mapping, optional
        Spark's settings.
    **options
        Spark's settings too: ``start(**{"spark.sql.shuffle.partitions": 8})``.

    Returns
    -------
    :class:`pyspark.sql.SparkSession`

    Raises
    ------
    WreathNotActive
        If a session without Wreath is running already, or Spark could not load the extension.
    WreathVersionError, WreathJavaNotFound, WreathJarNotFound
        If something that Wreath needs is missing.

    Examples
    --------
    >>> import wreath
    >>> spark = wreath.start("example", conf={"spark.sql.shuffle.partitions": 4})
    >>> spark.range(3).count()
    3
    """
    from pyspark.sql import SparkSession
    from pyspark.sql.utils import is_remote

    settings = {**(conf or {}), **options}
    for key in settings:
        if not key.startswith("spark."):
            raise TypeError(
                f"start() has no argument {key!r}: Spark's settings begin with 'spark.', "
                "as in start(conf={'spark.sql.shuffle.partitions': 8})."
            )

    running = SparkSession.getActiveSession()
    if running is not None and not _sql.is_active(running):
        raise WreathNotActive(
            "A Spark session without Wreath is running already: stop it first (spark.stop()), "
            "or build it through wreath.configure()."
        )

    if running is not None and is_remote():
        return running
    remote = settings.pop("spark.remote", None) or os.environ.get("SPARK_REMOTE")
    if remote is None and master is not None and master.startswith("sc://"):
        remote = master
    if remote is not None:
        return _connected(app_name, str(remote), settings)

    if running is None and master is not None and master.startswith("local"):
        # Otherwise the first python3 on PATH serves, which without an activated venv is another.
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)

    builder = SparkSession.builder.appName(app_name)
    if master is not None:
        builder = builder.master(master)
    for key, value in settings.items():
        builder = builder.config(key, value)
    spark = configure(builder).getOrCreate()

    # Spark only logs a warning when it cannot load an extension, so ask.
    if not _sql.is_active(spark):
        spark.stop()
        raise WreathNotActive(
            "Spark started without Wreath although it was told to load it: "
            "look for a warning that names WreathExtensions in Spark's log, "
            "and run `wreath doctor`."
        )
    _jvm.teach_local_rows(spark)
    return spark


def _connected(app_name: str, remote: str, settings: Mapping[str, object]) -> SparkSession:
    """Return a session of Spark Connect. A URL names a server; all else starts one here."""
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.remote(remote).appName(app_name)
    for key, value in settings.items():
        builder = builder.config(key, value)
    if not remote.startswith("sc://"):
        builder = configure(builder)
    spark = builder.getOrCreate()
    if not _sql.is_active(spark):
        spark.stop()
        raise WreathNotActive(
            f"The Spark Connect server at {remote} runs without Wreath: start it with "
            f'--jars "$(wreath jar)" --conf spark.sql.extensions={EXTENSION}.'
        )
    return spark


def configure(builder: SparkSession.Builder) -> SparkSession.Builder:
    """Add Wreath to a session that is about to be built.

    Appends to ``spark.jars`` and ``spark.sql.extensions``; what the builder, ``spark-submit`` or
    ``spark-defaults.conf`` put there stays. Calling it twice adds nothing twice. What a cluster
    manager or a hosted platform sets after the start of the application cannot be seen from here:
    name Wreath there instead.

    .. versionadded:: 0.1.0

    Parameters
    ----------
    builder : :class:`pyspark.sql.SparkSession.Builder`
        It is changed, and returned.

    Returns
    -------
    :class:`pyspark.sql.SparkSession.Builder`

    Raises
    ------
    WreathVersionError, WreathJavaNotFound, WreathJarNotFound
        If something that Wreath needs is missing.

    Examples
    --------
    >>> from pyspark.sql import SparkSession
    >>> import wreath
    >>> builder = wreath.configure(SparkSession.builder.master("local[2]"))
    >>> builder.getOrCreate().range(3).count()
    3
    """
    options: dict[str, str] = builder._options
    remote = options.get("spark.remote") or os.environ.get("SPARK_REMOTE") or ""
    if remote.startswith("sc://"):
        raise WreathError(
            "A Spark Connect client cannot add a jar to its server: start the server with "
            f"--jars and --conf spark.sql.extensions={EXTENSION}; the client needs neither."
        )

    _versions.check_all()
    jar = jar_path()
    if jar in _append(builder, "spark.jars", jar, same=_is_wreath_jar):
        _jvm.add_jar(jar)
    _append(builder, "spark.sql.extensions", EXTENSION, same=EXTENSION.__eq__)
    return builder


def _append(
    builder: SparkSession.Builder, key: str, value: str, same: Callable[[str], bool]
) -> list[str]:
    """Append to a comma-separated setting unless an entry of it says the same already."""
    options: dict[str, str] = builder._options
    present = options.get(key) or _settings.lookup(key) or ""
    entries = [entry.strip() for entry in present.split(",") if entry.strip()]
    if not any(same(entry) for entry in entries):
        entries.append(value)
    builder.config(key, ",".join(entries))
    return entries


def _is_wreath_jar(entry: str) -> bool:
    """Tell whether a jar is Wreath's, ours or one that the user chose: two would clash."""
    return entry.rsplit("/", 1)[-1].startswith("wreath-spark-")
