"""Samples of several processes: one value each, and what is said of processes that changed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from motebench import invocations
from motebench.model import Case, CaseResult, Evidence, Operation, Run, RunInfo, Sample, Series
from motebench.results import MeasurementRow, document, rows_of_case

CASE = Case("sha256", "sunjce", Operation.DIGEST, 64, "host", "sunjce")


def series(metric: str, by_process: dict[int | None, list[float]]) -> Series:
    """Samples numbered in their order, as the runner numbers them."""
    flat = [(number, value) for number, values in by_process.items() for value in values]
    samples = tuple(Sample(place, value * 10, 10, invocation=number) for place, (number, value) in enumerate(flat))
    return Series(metric, "tick", 1.0, 0.0, "clock", Evidence.MEASURED, samples)


def row(times: dict[int | None, list[float]], warmups: dict[int | None, list[float]]) -> MeasurementRow:
    result = CaseResult(CASE, (series("time", times), series("warmup_time", warmups)))
    return next(row for row in rows_of_case(result) if row.metric == "time")


STEADY: dict[int | None, list[float]] = {number: [300.0] * 30 + [100.0] * 60 for number in range(6)}


def test_a_process_is_one_value_and_the_interval_is_between_processes() -> None:
    times: dict[int | None, list[float]] = {n: [99.5 + n / 4, 100 + n / 4, 101 + n / 4] * 13 for n in range(6)}
    found = row(times, STEADY)
    assert found.values == {n: 100 + n / 4 for n in range(6)}
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
    assert "the level of times changed among the samples of 1 of 6 invocations: " in " ".join(found.notes)
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
    load = series("process_load", {n: [1.5] for n in range(6)})
    result = CaseResult(CASE, (times, series("warmup_time", STEADY), series("peak_rss", {None: [5.0]}), load))
    found = {row.metric: row for row in rows_of_case(result)}
    assert found["throughput"].values == {n: pytest.approx(64 / ((100 + n) / 1e9)) for n in range(6)}
    assert found["throughput"].batches == 20
    assert (found["process_load"].batches, len(found["process_load"].values)) == (1, 6)
    assert found["peak_rss"].batches is None


def test_the_document_says_invocations_where_it_says_rounds_else() -> None:
    result = CaseResult(CASE, (series("time", {n: [100.0] * 20 for n in (0, 3)}), series("warmup_time", STEADY)))
    run = Run(RunInfo(1, "r", "s", "2026-01-01T00:00:00", None, "finished", "0", 1), (result,))
    found = {entry["metric"]: entry for entry in document(run, samples=True)["measurements"]}
    assert found["time"]["invocations"] == [0, 3] and "rounds" not in found["time"]
    assert (found["time"]["n"], found["time"]["batches"]) == (2, 20)
    assert found["warmup_time"]["invocations"] == [n for n in range(6) for _ in range(90)]
    assert len(found["warmup_time"]["rounds"]) == 540


def test_the_value_while_measuring_is_the_value_that_is_shown() -> None:
    warmup, samples = [300.0] * 30 + [100.0] * 60, [100.0] * 20 + [90.0] * 40
    seen = invocations.observe(warmup, samples)
    shown = row({0: samples}, {0: warmup}).values[0]
    assert invocations.value_of(samples, seen) == shown == 90.0
