"""What a graph does to the DataFrames that it is given."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def check_frame(argument: str, frame: object) -> None:
    """Refuse what is no DataFrame of Spark, and say what makes one of it."""
    if not hasattr(frame, "sparkSession"):
        kind = f"{type(frame).__module__.split('.')[0]}'s {type(frame).__name__}"
        raise TypeError(
            f"{argument} is {kind}, but must be a DataFrame of Spark: "
            f"make one of it with spark.createDataFrame({argument})."
        )


def check_order(edges: DataFrame, vertices: DataFrame, src: str, dst: str) -> None:
    """Refuse ``Graph(vertices, edges)``, the order of GraphFrames."""
    if not {src, dst} & set(edges.columns) and {src, dst} <= set(vertices.columns):
        raise ValueError("Graph takes the edges first: write Graph(edges, vertices).")


def check_columns(argument: str, frame: DataFrame, **names: str) -> None:
    """Refuse names of columns that are not there, but for those that every frame should have."""
    for option, name in names.items():
        # What is quoted or has dots may lead into a struct: Spark knows.
        if name == option or "`" in name or "." in name:
            continue
        if name.lower() not in (column.lower() for column in frame.columns):
            raise ValueError(
                f"{option}={name!r} is no column of {argument}, whose columns are "
                f"{', '.join(frame.columns)}."
            )


def unlike_cached(df: DataFrame) -> DataFrame:
    """Return the same rows by another plan."""
    # PySpark hands a DataFrame over as a temporary view and drops it, and dropping a view uncaches
    # what has the same plan. A filter that keeps everything makes it another plan. The hint makes a
    # reference of rows that the driver holds: each rule of Spark would copy them, for a view too.
    return df.hint("wreath_rows").where("true")


def with_names(df: DataFrame, names: dict[str, str]) -> DataFrame:
    """Give the keys of ``names`` to the columns it maps them to, and put these first.

    The other columns stay, but for those that the new names hide.
    """
    if all(new == old for new, old in names.items()):
        return df
    from pyspark.sql import functions as sf

    # A name that is a column is meant whole, dots included; another may lead into a struct.
    def column(name: str) -> str:
        return quoted(name) if name in df.columns else name

    taken = {name.lower() for pair in names.items() for name in pair}
    others = [quoted(name) for name in df.columns if name.lower() not in taken]
    return df.select(*(sf.col(column(old)).alias(new) for new, old in names.items()), *others)


def quoted(name: str) -> str:
    """Return a name in backquotes."""
    return "`" + name.replace("`", "``") + "`"
