"""What a physical plan says of Wreath's operators, read from the text that EXPLAIN prints.

The text is all that there is over Spark Connect, and what people see. What is not understood is
left out of the facts and stays in the text: a fact is never made up.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_NAME = r"\(((?:[^()]|\([^()]*\))*)\)"
_EDGE = re.compile(rf"(not exists |exists )?{_NAME}(->|-){_NAME}(?:, )?")
_OPERATOR = re.compile(r"^[\s:+\-*()0-9]*?(?:\*\(\d+\) )?(\w*(?:WcoJoin|WcoJoinDeclined)) (.*)$")
_INDEX = re.compile(r"\bCachedCsrIndex (.*), ([\d,]+) (edges|vertices), ([\d.]+ \w+)$")
_BUILD = re.compile(r"\bCsrBroadcastExchange (kept for later queries|for this query only)")
_WHERE = re.compile(
    r", where \[(.*)\](?=, counted|, any row|, order |, bound |, by elimination|, by Leap|\]|$)"
)
_REFUSED = re.compile(
    r", not used: (?:\[(\w+)\] )?(.*?)(?: SQLSTATE: \w+)?(?: Spark's joins ran .*)?$"
)
_IDS = re.compile(r"(?<=\S)#\d+L?")


@dataclass(frozen=True)
class Edge:
    """An edge of a pattern: its ends, and whether it is only asked for."""

    source: str
    target: str
    directed: bool = True
    test: str = ""


@dataclass(frozen=True)
class Level:
    """A variable in the order of binding, and after execution how often it was bound and how."""

    variable: str
    bindings: int | None = None
    technique: str = ""


@dataclass(frozen=True)
class Index:
    """An index below a join: reused, or to be built; its size is known where it is there."""

    name: str
    state: str
    rows: str = ""
    size: str = ""


@dataclass
class Join:
    """One operator of Wreath's in a plan, and what stands below it."""

    operator: str
    edges: list[Edge] = field(default_factory=list)
    lengths: str = ""
    conditions: list[str] = field(default_factory=list)
    goal: str = ""
    hint: str = ""
    levels: list[Level] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    indexes: list[Index] = field(default_factory=list)
    declined: str = ""
    skew: str = ""


def joins(plan: str) -> list[Join]:
    """Return Wreath's operators in a plan, from top to bottom."""
    # An adaptive plan shows what ran first, and what was meant to run after it.
    shown = plan.split("== Initial Plan ==")[0].split("== Physical Plan ==")[-1]
    found: list[Join] = []
    for line in shown.splitlines():
        operator = _OPERATOR.match(line)
        if operator and operator.group(1) == "WcoJoinDeclined":
            found.append(Join("WcoJoinDeclined", declined=operator.group(2)))
        elif operator:
            found.append(_join(*operator.groups()))
        elif found:
            found[-1].indexes += _indexes(line)
    return found


def _indexes(line: str) -> list[Index]:
    there = _INDEX.search(line)
    if there:
        name, rows, kind, size = there.groups()
        return [Index(name, "reused", f"{int(rows.replace(',', '')):,} {kind}", size)]
    build = _BUILD.search(line)
    if build:
        shared = "built once with another part of the query, " if "ReusedExchange" in line else ""
        return [Index("", f"{shared or 'built by this query, '}{build.group(1)}")]
    return []


def _join(operator: str, words: str) -> Join:
    join = Join(operator)
    refused = _REFUSED.search(words)
    if refused:
        join.declined = refused.group(2)
        words = words[: refused.start()]
    join.edges, rest = _edges(words)
    several = re.match(r"[^\[]*? edges \[(.*)\](?=, )", rest)
    if several:
        # Quantified edges: the pattern of the greatest lengths stands for all of them.
        join.lengths = words[: len(words) - len(rest)] + rest.split(" [", 1)[0]
        join.edges, condition = _edges(several.group(1).rsplit(" | ", 1)[-1])
        rest = condition + rest[several.end() :]
    where = _WHERE.search(rest)
    if where:
        join.conditions = [
            c for c in _split(_IDS.sub("", where.group(1))) if not c.startswith("isnotnull(")
        ]
        rest = rest[: where.start()] + rest[where.end() :]
    join.goal = "counted" if ", counted" in rest else ""
    by = re.search(r", (counted by [^,]*|any row by [^,]*|any row)", rest)
    if by:
        join.goal = by.group(1)
    hint = re.search(r"order (.*?) \(hinted\)", rest)
    if hint:
        join.hint = hint.group(1)
    # Of a stream, each edge that changes is where a search of its own begins.
    starts = re.findall(r", (from \(.*?)(?=, from \(|, state info|;|$)", rest)
    if starts:
        join.notes = starts
        return join
    bound = rest.find("bound ")
    if bound >= 0:
        join.levels, rest = _levels(rest[bound + len("bound ") :], _variables(join.edges))
        join.notes = [
            n for n in re.split(r", (?=vertices by|not by|by Leap)", rest.strip(", ")) if n
        ]
    elif "by elimination: " in rest:
        join.notes = ["by elimination: " + rest.split("by elimination: ", 1)[1]]
    return join


def _edges(words: str) -> tuple[list[Edge], str]:
    edges = []
    at = 0
    while match := _EDGE.match(words, at):
        test, source, arrow, target = match.groups()
        edges.append(Edge(source, target, arrow == "->", (test or "").strip()))
        at = match.end()
    # What follows begins with a comma, whether an edge has taken it or not.
    taken = words[:at].endswith(", ")
    return edges, (", " if taken else "") + words[at:]


def _variables(edges: list[Edge]) -> list[str]:
    return list(dict.fromkeys(v for e in edges for v in (e.source, e.target)))


def _levels(words: str, variables: list[str]) -> tuple[list[Level], str]:
    """Read ``a (40), b (208) by list``. Names may hold anything, so they are looked for."""
    # Of several patterns the last is drawn.
    words = words.rsplit(" | ", 1)[-1]
    levels = []
    left = sorted(variables, key=len, reverse=True)
    while name := next((v for v in left if words.startswith(v)), None):
        match = re.match(r"(?: \(([\d,]+)\))?(?: by (\w+))?(?:, |$)", words[len(name) :])
        if match is None:
            break
        bindings = int(match.group(1).replace(",", "")) if match.group(1) else None
        levels.append(Level(name, bindings, match.group(2) or ""))
        words = words[len(name) + match.end() :]
        left.remove(name)
    return levels, words


def _split(words: str) -> list[str]:
    """Split at commas that stand in no brackets and no quotes."""
    parts, depth, start, quote = [], 0, 0, ""
    for i, c in enumerate(words):
        if quote:
            quote = "" if c == quote else quote
        elif c in "'\"`":
            quote = c
        elif c in "([{":
            depth += 1
        elif c in ")]}":
            depth -= 1
        elif c == "," and depth == 0:
            parts.append(words[start:i].strip())
            start = i + 1
    return [p for p in [*parts, words[start:].strip()] if p]
