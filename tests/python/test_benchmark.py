"""What ``make bench`` says has to be true: its queries, its check of counts, its verdicts."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from pyspark.sql import SparkSession
from support import REPOSITORY

from benchmarks.harness import against, chart, compare, cpp, limits, patterns
from benchmarks.harness.against import BEFORE, NOW, Against, Cell
from benchmarks.harness.balance import Balance, task_values
from benchmarks.harness.compare import COLD, EMPTY, LEAPFROG, Comparison, Options
from benchmarks.harness.growth import Size
from benchmarks.harness.peer_queries import peer_queries
from benchmarks.harness.records import Log, Run
from wreath import _jvm

PEERS = REPOSITORY.parent / "shared" / "peers"
Add = Callable[..., None]


@pytest.fixture
def log(tmp_path: Path) -> Log:
    return Log(tmp_path / "runs.jsonl")


@pytest.fixture
def add(log: Log) -> Add:
    def put(contender: str, seconds: float, count: int | None = 7, status: str = "ok") -> None:
        log.add(Run(contender, "g", "clique4", seconds, count, status))

    return put


def judged(log: Log) -> dict[str, str]:
    found = limits.verdicts(log, ["g"], ["clique4"], [], None)
    return {v.limit: v.verdict for v in found}


@pytest.mark.skipif(not PEERS.is_dir(), reason="needs ../shared/peers")
def test_the_patterns_are_the_queries_of_the_peers(spark: SparkSession) -> None:
    # Any five vertices in a row are a clique, and each edge to the next has one back.
    d = {(i, (i + k) % 20) for i in range(20) for k in (1, 2, 3, 4, 19)}
    o = {(min(e), max(e)) for e in d}
    for name, edges in {"d": d, "o": o, "u": o | {(y, x) for x, y in o}}.items():
        values = ", ".join(map(str, sorted(edges)))
        spark.sql(f"SELECT * FROM VALUES {values} t(src, dst)").createOrReplaceTempView(name)
    spark.sql("SELECT DISTINCT src AS id FROM u").createOrReplaceTempView("v")
    spark.sql("SELECT * FROM VALUES 2, 7, 12 t(id)").createOrReplaceTempView("seeds")
    spark.sql(patterns.GRAPH.format(p=""))
    peers = peer_queries(PEERS)
    assert peers.ALL == patterns.QUERIES
    found = {}
    for query in patterns.QUERIES:
        df = spark.sql(patterns.count(query))
        found[query] = df.collect()[0][0]
        assert _jvm.joins(_jvm.executed_plan(df)) == "BroadcastWcoJoin", query
        assert found[query] == spark.sql(peers.sql(query)).collect()[0][0], query
    spark.sql("DROP PROPERTY GRAPH seeded")
    assert all(found.values()), found


class Answers:
    """A worker that answers at once; what it keeps between runs is up to the query."""

    def __init__(self, module: str, *_: object) -> None:
        self._module = module.rsplit(".", 1)[-1]

    def use(self, graph: Path) -> None:
        pass

    def close(self) -> None:
        pass

    def run(self, query: str, how: str, timeout: float) -> dict[str, object]:
        reply = {"seconds": 0.1, "count": 7, "status": "ok", "cpu": 0.2, "joins": "2 x SomeJoin"}
        return {**reply, "kept": 80 if query == "cycle4" else 0} if how == "cold" else reply


class Place:
    """A scratch place without files."""

    folder = peers = Path("/dev/null")

    def graph(self, name: str) -> Path:
        return Path(name)

    def edges(self, graph: Path) -> dict[str, int]:
        return dict.fromkeys("noud", 1)


def test_every_contender_of_a_cell_is_timed_as_often(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    def program(
        scratch: object, name: str, graph: Path, queries: dict[str, str], *, runs: int, **_: object
    ) -> list[Run]:
        named = cpp.CONTENDERS[name]
        return [Run(named, graph.name, q, 0.1, 7) for q in queries.values() for _ in range(runs)]

    monkeypatch.setattr(compare, "Worker", Answers)
    monkeypatch.setattr(cpp, "run", program)
    queries = ["clique4", "cycle4"]
    options = Options(["g"], queries, compare.CONTENDERS, 5, 1.0, 1.0, False)
    Comparison(options, Place(), log, lambda _: None).run()  # type: ignore[arg-type]
    for query in queries:
        runs = {r.contender: len(log.timed(r.contender, "g", query)) for r in log.runs}
        common = {
            "cpp": 5,
            "wreath": 5,
            EMPTY: 5,
            "duckdb": 5,
            "ladybug": 5,
            "spark": 5,
            LEAPFROG: 5,
        }
        # What is kept between runs is measured without it too, as often.
        own = {"cpp-best": 5, COLD: 5} if query == "cycle4" else {"cpp-marks": 5}
        for contender, count in {**common, **own}.items():
            assert runs[contender] == count, (query, contender)
    assert [r.contender for r in log.find(COLD, "g", "clique4")] == [COLD], "asked once, untimed"


def test_a_reference_that_keeps_nothing_is_held_against_cold_runs_too(log: Log) -> None:
    for contender, seconds, kept in (("cpp-best", 1.0, 0), ("wreath", 0.5, 0), (COLD, 1.5, 80)):
        log.add(Run(contender, "g", "cycle4", seconds, 7, extra={"kept": kept}))
    log.add(Run(EMPTY, "g", "cycle4", 0.1))
    found = limits.verdicts(log, ["g"], ["cycle4"], [], None)
    judged_cases = {v.case: v.verdict for v in found}
    assert judged_cases == {"g, 4-cycle": limits.HOLDS, "g, 4-cycle, cold": limits.SHORT}


def test_two_jars_take_turns_and_the_least_counts(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(against, "Worker", Answers)
    monkeypatch.setattr(against, "WARM_UP", 4)
    jar = Path("wreath-spark-4.1.jar")
    cells = Against(jar, Place(), log, 3, lambda _: None).run(["g"], ["tri_o", "house"], 1.0)  # type: ignore[arg-type]
    assert [c.query for c in cells] == ["tri_o count", "house count", "tri_o rows"]
    assert [len(log.timed(c, "g", "house count")) for c in (NOW, BEFORE)] == [3, 3]
    order = [
        r.contender for r in log.runs if r.query == "house count" and "empty" not in r.contender
    ]
    assert order[:4] == [NOW, BEFORE, BEFORE, NOW]
    with pytest.raises(SystemExit):
        Against(Path("other.jar"), Place(), log, 3, lambda _: None)  # type: ignore[arg-type]


def test_jars_are_warm_after_seconds_of_cpu_not_of_the_clock(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Starved(Answers):
        def run(self, query: str, how: str, timeout: float) -> dict[str, object]:
            return {**super().run(query, how, timeout), "seconds": 10.0, "cpu": 1.0}

    monkeypatch.setattr(against, "Worker", Starved)
    jar = Path("wreath-spark-4.1.jar")
    Against(jar, Place(), log, 2, lambda _: None).run(["g"], ["house"], 1.0)  # type: ignore[arg-type]
    untimed = [r for r in log.runs if not r.timed and r.contender == NOW]
    # Two jars with two queries each make four of these seconds a round.
    assert len(untimed) == math.ceil(against.WARM_UP_SECONDS / 4)


def test_nothing_is_slower_by_the_mean_and_by_the_worst_cell() -> None:
    def cell(before: float, now: float) -> Cell:
        return Cell("g", "q", {BEFORE: before, NOW: now}, {BEFORE: 0.01, NOW: 0.0})

    assert cell(1.0, 1.0).join_ratio is None
    assert against.geometric_mean([0.5, 2.0]) == pytest.approx(1.0)
    said = [v.verdict for v in limits.nothing_slower([cell(1.0, 0.8), cell(1.0, 1.2)])]
    assert said == [limits.HOLDS, limits.SHORT]
    said = [v.verdict for v in limits.nothing_slower([cell(1.0, 1.1), cell(1.0, 1.0)])]
    assert said == [limits.SHORT, limits.HOLDS]
    assert limits.nothing_slower([]) == []


def test_results_are_one_set_and_the_links_to_them_hold() -> None:
    results = REPOSITORY / "benchmarks" / "results"
    assert not [f.name for f in results.iterdir() if any(c.isdigit() for c in f.name)], "no dates"
    text = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    links = re.findall(r"\((benchmarks/results/[^)]+)\)", text)
    assert links
    assert [link for link in links if not (REPOSITORY / link).is_file()] == []


def test_a_count_that_disagrees_with_the_reference_voids_the_time(log: Log, add: Add) -> None:
    add("cpp-marks", 1.0)
    add("wreath", 0.1, count=8)
    add("wreath", 3.0)
    assert log.best("wreath", "g", "clique4") == 3.0
    assert [r.count for r in log.wrong()] == [8]


def test_without_a_reference_two_contenders_have_to_agree(log: Log, add: Add) -> None:
    add("spark", 2.0)
    add("spark-bhj", 2.0)
    assert log.truth("g", "clique4") is None, "the variants of Spark's joins are one voice"
    assert log.best("spark", "g", "clique4") is None
    add("duckdb", 1.0)
    assert log.truth("g", "clique4") == 7
    assert log.best("spark", "g", "clique4") == 2.0


def test_a_run_that_failed_or_took_long_is_not_repeated(log: Log, add: Add) -> None:
    add("duckdb", 14.0)
    assert not log.settled("duckdb", "g", "clique4")
    add("duckdb", 16.0)
    add("spark", 60.0, None, "timeout")
    assert log.settled("duckdb", "g", "clique4")
    assert log.settled("spark", "g", "clique4")
    assert log.failed_before("spark", "clique4") == "g"
    assert log.failed_before("duckdb", "clique4") is None


def test_join_time_is_held_to_the_reference(log: Log, add: Add) -> None:
    add("cpp-marks", 1.0)
    add("wreath", 1.7)
    add("wreath-empty", 0.4, None)
    assert judged(log) == {"join time at most 1.2x of `marks`": limits.SHORT}
    add("wreath", 1.5)
    assert judged(log) == {"join time at most 1.2x of `marks`": limits.HOLDS}


def test_a_harder_reference_is_no_limit_where_it_is_slower(log: Log) -> None:
    for contender, seconds in (("cpp", 0.5), ("cpp-best", 0.6), ("wreath", 0.8)):
        log.add(Run(contender, "g", "house", seconds, 7))
    log.add(Run("wreath-empty", "g", "house", 0.1))
    found = limits.verdicts(log, ["g"], ["house"], [], None)
    assert [v.limit for v in found] == ["join time at most 1x of `kernel` house"]
    log.add(Run("cpp-best", "g", "house", 0.2, 7))
    assert len(limits.verdicts(log, ["g"], ["house"], [], None)) == 2


def test_a_peer_that_was_stopped_bounds_the_ratio_from_below(log: Log, add: Add) -> None:
    add("cpp-marks", 0.05)
    add("wreath", 2.0)
    add("spark", 60.0, None, "timeout")
    text = "whole query 50x faster than Spark's best join where that needs over 15 s"
    assert judged(log) == {text: limits.OPEN}
    add("wreath", 1.0)
    assert judged(log) == {text: limits.HOLDS}
    add("spark-bhj", 20.0)
    assert judged(log) == {text: limits.SHORT}


def test_a_loss_of_wreath_is_a_verdict_too(log: Log, add: Add) -> None:
    add("cpp-marks", 0.5)
    add("duckdb", 6.0)
    add("wreath", 60.0, None, "timeout")
    assert set(judged(log).values()) == {limits.SHORT}
    assert len(judged(log)) == 2


def test_growth_and_balance_are_judged_by_their_ratios() -> None:
    small = Size("s", 10, 100, 1.0, 1.0, 1.0, 1000, 1.0, 1.0, 400)
    large = Size("l", 40, 400, 4.0, 4.0, 8.0, 4000, 4.0, 4.0, 1600)
    even = Balance("g", [100] * 16 + [0], {1: 2.0, 2: 1.0}, {1: 2.0, 2: 1.0})
    few = Balance("g", [100] * 8, {1: 1.7, 2: 1.0}, {1: 2.0, 2: 1.0})
    grown = limits.verdicts(Log(Path("/dev/null")), [], [], [small, large], even)
    assert [v.case for v in grown if v.verdict == limits.SHORT] == ["later query, s to l"]
    assert even.skew == 1.0
    short = limits.verdicts(Log(Path("/dev/null")), [], [], [], few)
    assert {v.verdict for v in short} == {limits.SHORT}


def test_a_metric_is_read_by_task_from_the_last_stage_that_has_it(tmp_path: Path) -> None:
    def task(stage: int, name: str, update: object) -> str:
        accumulables = [{"Name": name, "Update": update}, {"Name": "other", "Update": "x"}]
        info = {"Stage ID": stage, "Task Info": {"Accumulables": accumulables}}
        return json.dumps({"Event": "SparkListenerTaskEnd", **info})

    lines = [task(1, "m", "9"), task(2, "m", "3"), task(2, "m", 4), task(3, "n", 5)]
    (tmp_path / "log").write_text("\n".join([*lines, '{"Event":"SparkListenerJobEnd"}']))
    assert task_values(tmp_path, "m") == [3, 4]
    assert task_values(tmp_path, "nothing") == []


def test_the_charts_are_well_formed(log: Log, add: Add) -> None:
    add("cpp-marks", 0.01)
    add("wreath", 0.2)
    add("spark", 60.0, None, "timeout")
    size = Size("s", 10, 100, 1.0, 1.0, 1.0, 1000, 1.0, 1.0, 400)
    for text in (
        chart.comparison(log, ["g"], ["clique4"], "a < b"),
        chart.growth([size, size], "a & b"),
    ):
        assert ElementTree.fromstring(text).tag.endswith("svg")
