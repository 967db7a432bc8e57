"""The errors that Wreath's Python side raises; each message is one sentence with the way out.

Errors in a query (syntax, unknown variable, missing column and so on) come from Spark as
:class:`pyspark.errors.ParseException` or :class:`pyspark.errors.AnalysisException`; their
``getCondition()`` starts with ``WREATH_`` and their ``getSqlState()`` is set.
"""

from __future__ import annotations


class WreathError(Exception):
    """Base of all errors raised by this package.

    .. versionadded:: 0.1.0
    """


class WreathJarNotFound(WreathError, FileNotFoundError):
    """The package has no jar for the installed Spark.

    .. versionadded:: 0.1.0
    """


class WreathVersionError(WreathError):
    """Python, Java, Spark or Scala is of a version that Wreath does not run on.

    .. versionadded:: 0.1.0
    """


class WreathJavaNotFound(WreathError):
    """There is no Java to start Spark with.

    .. versionadded:: 0.1.0
    """


class WreathNotActive(WreathError):
    """The Spark session runs without Wreath's extension.

    .. versionadded:: 0.1.0
    """


class WreathNotSupported(WreathError, NotImplementedError):
    """A feature that Wreath names but does not have yet.

    .. versionadded:: 0.1.0
    """
