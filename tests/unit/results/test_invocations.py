"""Samples of several processes: one value each, and what is said of processes that changed."""

from __future__ import annotations

import json
from dataclasses import replace

import jsonschema
import numpy as np
import pytest
from result_documents import document

from motebench.base.model import Case, CaseResult, Evidence, Operation, Run, RunInfo, Sample, Series
from motebench.documents import schema
from motebench.results import invocations
from motebench.results.comparison import Side, compare
from motebench.results.document import result
from motebench.results.presentation.rows import rows_of
from motebench.results.results import rows_of_case
from motebench.results.row import MeasurementRow
from motebench.stats import ALPHA, compare_groups, compare_unpaired

CASE = Case("sha256", "sunjce", Operation.DIGEST, 64, "host", "sunjce")


def series(metric: str, by_process: dict[int | None, list[float]]) -> Series:
    """Samples numbered in their order, as the runner numbers them."""
    flat = [(number, value) for number, values in by_process.items() for value in values]
    samples = tuple(
        Sample(place, value * 10, 10, invocation=number)
        for place, (number, value) in enumerate(flat)
    )
    return Series(metric, "tick", 1.0, 0.0, "clock", Evidence.MEASURED, samples)


def row(
    times: dict[int | None, list[float]], warmups: dict[int | None, list[float]]
) -> MeasurementRow:
    result = CaseResult(CASE, (series("time", times), series("warmup_time", warmups)))
    return next(row for row in rows_of_case(result) if row.metric == "time")


LEVELS = (0.5, 1.25, 0.0, 1.0, 0.25, 0.75)
STEADY: dict[int | None, list[float]] = {number: [300.0] * 30 + [100.0] * 60 for number in range(6)}


def test_a_process_is_one_value_and_the_interval_is_between_processes() -> None:
    times: dict[int | None, list[float]] = {
        number: [99.5 + level, 100 + level, 101 + level] * 13 for number, level in enumerate(LEVELS)
    }
    found = row(times, STEADY)
    assert found.values == {number: 100 + level for number, level in enumerate(LEVELS)}
    stats = found.describe()
    assert (stats.n, stats.ci_low, stats.ci_high) == (6, 100.0, 101.25)
    assert (found.batches, found.course) == (39, "warm-up")
    assert not any("invocations" in note for note in found.notes)


def test_where_rounds_have_processes_of_their_own_each_sample_is_a_value() -> None:
    found = row({None: [100.0, 101.0, 102.0]}, {})
    assert found.values == {0: 100.0, 1: 101.0, 2: 102.0}
    assert found.batches is None and found.course is None


def test_samples_before_the_last_change_do_not_count_and_a_note_says_so() -> None:
    times: dict[int | None, list[float]] = {n: [100.0] * 40 for n in range(6)}
    times[2] = [100.0] * 20 + [90.0] * 40
    found = row(times, STEADY)
    assert found.values[2] == 90.0
    assert "the level of times changed among the samples of 1 of 6 invocations: " in " ".join(
        found.notes
    )
    # The same batches count in each metric that was read of them.
    cycles = replace(series("cycles", times), metric="cycles")
    result = CaseResult(CASE, (series("time", times), series("warmup_time", STEADY), cycles))
    assert next(row for row in rows_of_case(result) if row.metric == "cycles").values[2] == 90.0


def test_a_process_that_slows_down_is_named() -> None:
    times: dict[int | None, list[float]] = {n: [100.0] * 40 for n in range(6)}
    times[0], times[4] = [110.0] * 60, [107.0] * 60
    found = row(times, STEADY)
    assert found.course == "inconsistent"
    assert "slows down by at most 10 % (after 90 batches) in 2 of 6 invocations" in found.notes


def test_a_warm_up_that_was_cut_short_is_no_steady_state() -> None:
    warmups = STEADY | {3: [300.0] * 20}
    found = row({n: [100.0] * 40 for n in range(6)}, warmups)
    assert "no steady state in 1 of 6 invocations" in found.notes
    assert found.course == "inconsistent"


def test_derived_metrics_have_the_processes_too() -> None:
    times = series("time", {n: [100.0 + n] * 20 for n in range(6)})
    load = series("process_load", {n: [1.5, 1.5] for n in range(6)})
    result = CaseResult(
        CASE, (times, series("warmup_time", STEADY), series("peak_rss", {None: [5.0]}), load)
    )
    found = {row.metric: row for row in rows_of_case(result)}
    assert found["throughput"].values == {
        n: pytest.approx(64 / ((100 + n) / 1e9)) for n in range(6)
    }
    assert found["throughput"].batches == 20
    assert (found["process_load"].batches, len(found["process_load"].values)) == (2, 6)
    assert found["peak_rss"].batches is None


def test_the_throughput_in_the_middle_is_that_of_the_time_in_the_middle() -> None:
    times = series("time", {None: [100.0, 200.0, 400.0, 800.0]})
    found = {row.metric: row.describe() for row in rows_of_case(CaseResult(CASE, (times,)))}
    assert found["time"].median == 300.0
    assert found["throughput"].median == pytest.approx(64 / 300e-9)


def test_the_document_says_invocations_where_it_says_rounds_else() -> None:
    result = CaseResult(
        CASE, (series("time", {n: [100.0] * 20 for n in (0, 3)}), series("warmup_time", STEADY))
    )
    run = Run(RunInfo(1, "r", "s", "2026-01-01T00:00:00", None, "finished", "0", 1), (result,))
    whole = document(run, samples=True)
    jsonschema.validate(json.loads(json.dumps(whole, allow_nan=False)), schema("result"))
    found = {entry["metric"]: entry for entry in whole["measurements"]}
    assert found["time"]["invocations"] == [0, 3] and "rounds" not in found["time"]
    assert (found["time"]["n"], found["time"]["batches"]) == (2, 20)
    assert found["warmup_time"]["invocations"] == [n for n in range(6) for _ in range(90)]
    assert len(found["warmup_time"]["rounds"]) == 540
    assert not any("depend on those before" in note for note in found["warmup_time"]["notes"])


def test_the_value_while_measuring_is_the_value_that_is_shown() -> None:
    warmup, samples = [300.0] * 30 + [100.0] * 60, [100.0] * 20 + [90.0] * 40
    seen = invocations.observe(warmup, samples)
    shown = row({0: samples}, {0: warmup}).values[0]
    assert invocations.value_of(samples, seen) == shown == 90.0


# Comparing


def processes(
    random: np.random.Generator, count: int = 6, batches: int = 40, offset: float = 0.01
) -> list[list[float]]:
    """Batches of several processes: noise of 1 %, and an offset of each process with that standard
    deviation.
    """
    return [
        list(100 * np.exp(random.normal(0, offset) + random.normal(0, 0.01, batches)))
        for _ in range(count)
    ]


def a_run(**by_name: list[list[float]]) -> Run:
    results = tuple(
        CaseResult(
            replace(CASE, implementation=name),
            (
                series("time", dict(enumerate(each))),
                series("warmup_time", {n: [100.0] * 30 for n in range(len(each))}),
            ),
            finished=True,
        )
        for name, each in by_name.items()
    )
    return Run(RunInfo(1, "r", "s", "2026-01-01T00:00:00", None, "finished", "0", 1), results)


def test_two_names_of_one_run_are_compared_by_invocation_and_not_by_round() -> None:
    random = np.random.default_rng(3)
    run = a_run(
        a=processes(random), b=[[1.2 * value for value in each] for each in processes(random)]
    )
    (pair,) = compare(Side(run, "a"), Side(run, "b")).pairs
    assert (pair.verdict.n_a, pair.verdict.n_b, pair.word) == (6, 6, "slower")
    assert "Welch" in pair.verdict.test
    a, b = (row for row in rows_of(result(run, samples=True)) if row.metric == "time")
    assert b.verdict(a) == pair.verdict


def test_a_side_without_invocations_is_compared_by_its_rounds() -> None:
    random = np.random.default_rng(3)
    run = a_run(a=processes(random), b=[])
    rounds = series("time", {None: list(random.normal(150, 1, 12))})
    run = replace(
        run, results=(run.results[0], CaseResult(replace(CASE, implementation="b"), (rounds,)))
    )
    (pair,) = compare(Side(run, "a"), Side(run, "b")).pairs
    assert (pair.verdict.n_a, pair.verdict.n_b, pair.word) == (6, 12, "slower")


def test_false_alarms_between_equal_processes_that_differ_from_start_to_start() -> None:
    # At most the nominal share, to three standard errors; a nominal 1 % of 4000 draws is 40.
    random = np.random.default_rng(51)
    false, wrongly = 0, 0
    for draw in range(4000):
        a, b = processes(random, batches=8), processes(random, batches=8)
        medians = ([float(np.median(each)) for each in side] for side in (a, b))
        false += compare_groups(*medians).different
        if draw < 300:  # one process a side, each batch a sample: what must not be done
            one, other = processes(random, 1, 40)[0], processes(random, 1, 40)[0]
            wrongly += compare_unpaired(one, other, margin=0.0).different
    assert false <= 4000 * ALPHA + 3 * (4000 * ALPHA * (1 - ALPHA)) ** 0.5
    assert wrongly > 300 * 0.1


def test_a_true_difference_of_five_offsets_is_found() -> None:
    random = np.random.default_rng(8)
    found = 0
    for _ in range(100):
        a, b = ([float(np.median(each)) for each in processes(random, batches=8)] for _ in range(2))
        found += compare_groups(a, [1.05 * value for value in b]).different
    assert found > 95
