"""Rows, notes and comparisons of single runs on a machine whose speed drifts."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import pytest

from motebench.base.model import Case, CaseResult, Evidence, Operation, Run, RunInfo, Sample, Series
from motebench.results.comparison import Side, compare
from motebench.results.document import result
from motebench.results.presentation.rows import machine_words, rows_of
from motebench.results.results import rows
from motebench.stats import MARGIN_UNPAIRED, describe

AES = Case("aes-128-cbc", "openssl", Operation.ENCRYPT, 16, "host", "openssl")
OTHER = replace(AES, implementation="libgcrypt", provider="libgcrypt")
ROUNDS = 40


def steady(_: int) -> float:
    return 1.0


def slow_at_the_end(number: int) -> float:
    return 1.12 if number >= 32 else 1.0


def slow(_: int) -> float:
    return 1.12


def a_case(case: Case, speed, *, seed: int, loop: bool = True, cpu: bool = False) -> CaseResult:
    rng = random.Random(seed)

    def series(metric: str, level: float, noise: float) -> Series:
        samples = tuple(
            Sample(number, level * speed(number) * math.exp(rng.gauss(0, noise)), at=float(number))
            for number in range(ROUNDS)
        )
        return Series(metric, "ns", 1.0, 0.0, "clock", Evidence.MEASURED, samples)

    found = [series("time", 100.0, 0.002)]
    if cpu:
        found += [
            series("cpu_time", 100.0, 0.002),
            replace(series("cycles", 300.0, 0.002), raw_unit="count"),
        ]
    if loop:
        found.append(series("reference_loop", 14_000.0, 0.0005))
    return CaseResult(case, tuple(found), finished=True)


def a_run(number: int, speed, *, flags: str = "-O2", loop: bool = True) -> Run:
    probes = {
        name: {"version": "1", "compiler": "gcc", "flags": flags}
        for name in ("openssl", "libgcrypt")
    }
    environment = {"host": {"cpu_model": "Z80"}, "probes": probes}
    info = RunInfo(
        number, f"run-{number}", "", "2026-11-20", None, "finished", "0.1.0", 1, {}, environment
    )
    cases = (
        a_case(AES, speed, seed=number, loop=loop, cpu=True),
        a_case(OTHER, speed, seed=number + 100, loop=loop),
    )
    return Run(info, cases)


def by_metric(run: Run) -> dict:
    return {row.metric: row for row in rows(run) if row.case == AES}


def test_a_steady_machine_changes_nothing() -> None:
    row = by_metric(a_run(1, steady))["time"]
    assert row.describe() == describe(list(row.values.values()))
    assert row.notes == ()
    assert machine_words(rows_of(result(a_run(1, steady)))) == ""


def test_a_slow_phase_is_noted_and_widens_what_moves_with_the_machine() -> None:
    found = by_metric(a_run(1, slow_at_the_end))
    for metric in ("time", "cpu_time", "throughput"):
        row, plain = found[metric], describe(list(found[metric].values.values()))
        stats = row.describe()
        assert stats.median == row.median
        assert stats.ci_low < plain.ci_low and stats.ci_high > plain.ci_high
        assert stats.precision > 0.05
        assert row.notes == ("slow phases: the machine was up to 12 % slower in 8 of 40 readings",)
    for metric in ("cycles", "cpu_load", "reference_loop"):
        row = found[metric]
        assert row.describe() == describe(list(row.values.values()))


def test_the_document_and_the_sentence_for_readers_say_so() -> None:
    whole = result(a_run(1, slow_at_the_end))
    times = [entry for entry in whole.measurements if entry.metric == "time"]
    assert [round(entry.machine_slower, 2) for entry in times] == [0.12, 0.12]
    shown = [row for row in rows_of(whole) if row.metric == "time"]
    assert machine_words(shown) == (
        "The machine was up to 12 % slower for a while in 2 of 2 cases, as a fixed loop beside "
        "each reading shows: their intervals are wider for it."
    )


def compared(a: Run, b: Run, **how):
    (pair,) = (pair for pair in compare(Side(a), Side(b), **how).pairs if pair.a.case == AES)
    return pair


def test_a_machine_that_was_slower_in_one_of_two_runs_does_not_make_a_difference() -> None:
    pair = compared(a_run(1, steady), a_run(2, slow))
    assert pair.verdict.ratio == pytest.approx(1.12, abs=0.01)
    assert not pair.verdict.different
    assert pair.verdict.margin == pair.machine > 0.12


def test_a_phase_within_one_of_two_runs_counts() -> None:
    pair = compared(a_run(1, steady), a_run(2, slow_at_the_end))
    assert pair.verdict.margin == pair.machine > MARGIN_UNPAIRED


def test_without_the_loop_or_with_a_steady_one_the_margin_is_the_usual_one() -> None:
    for how in ({"loop": False}, {}):
        pair = compared(a_run(1, steady, **how), a_run(2, steady, **how))
        assert pair.verdict.margin == MARGIN_UNPAIRED
    pair = compared(a_run(1, steady, loop=False), a_run(2, slow, loop=False))
    assert pair.verdict.different and pair.machine == 0


def test_loops_of_probes_that_were_built_differently_are_not_compared() -> None:
    assert compared(a_run(1, steady), a_run(2, slow, flags="-O3")).machine < MARGIN_UNPAIRED


def test_a_margin_that_was_given_stays() -> None:
    assert compared(a_run(1, steady), a_run(2, slow), margin=0.0).verdict.margin == 0


def test_two_cases_of_one_run_share_the_phase() -> None:
    run = a_run(1, slow_at_the_end)
    (pair,) = compare(Side(run, "openssl"), Side(run, "libgcrypt")).pairs
    assert (pair.machine, pair.verdict.margin, pair.verdict.different) == (0.0, 0.0, False)
