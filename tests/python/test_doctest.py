"""Every example in a docstring of the package runs."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest
from pyspark.sql import SparkSession

import wreath


def examples() -> list[doctest.DocTest]:
    names = [
        "wreath",
        *(f"wreath.{module.name}" for module in pkgutil.iter_modules(wreath.__path__)),
    ]
    finder = doctest.DocTestFinder(exclude_empty=True)
    found = [test for name in names for test in finder.find(importlib.import_module(name), name)]
    return [test for test in found if test.examples]


EXAMPLES = examples()


def test_the_public_names_have_examples() -> None:
    having = {test.name.rsplit(".", 1)[-1] for test in EXAMPLES}
    assert having >= {"Graph", "match", "start", "configure", "jar_path", "power_law"}


@pytest.mark.parametrize("example", EXAMPLES, ids=[test.name for test in EXAMPLES])
def test_example(spark: SparkSession, example: doctest.DocTest) -> None:
    example.globs.update(spark=spark, wreath=wreath)
    report: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    outcome = runner.run(example, out=report.append, clear_globs=False)
    assert outcome.failed == 0, "".join(report)
