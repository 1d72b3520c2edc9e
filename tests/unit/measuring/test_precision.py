"""Precision of a case while it is measured: that of the printed interval, and an end where more
samples do not help.
"""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from motebench.base.model import Case, CaseResult, Evidence, Operation, Sample, Series
from motebench.measuring.run.precision import CasePrecision, LoopBook, Precisions, printed_width
from motebench.results.results import rows_of_case
from motebench.results.slow_phases import LOOP, MachineCourses

CASES = [Case("sha256", name, Operation.DIGEST, 64, "host", name) for name in "abcd"]
LOOPS = Series(LOOP, "ns", 1.0, 0.0, "clock", Evidence.MEASURED)
TIMES = Series("time", "ns", 1.0, 0.0, "clock", Evidence.MEASURED)


def speeds(kind: str, rounds: int) -> list[float]:
    """The machine's speed in each round; a phase lasts as long as the run so far."""
    return [
        1.1 if kind == "phases" and (number + 1).bit_length() % 2 else 1.0
        for number in range(rounds)
    ]


def visited(kind: str, rounds: int, *, seed: int = 1) -> tuple[LoopBook, list[CaseResult]]:
    """Rounds of all cases, whose own noise is small, beside loops on such a machine."""
    rng, book = np.random.default_rng(seed), LoopBook()
    results = {case: ([], []) for case in CASES}
    for number, speed in enumerate(speeds(kind, rounds)):
        for place, case in enumerate(CASES):
            at = number + place / len(CASES)
            loop = Sample(number, 1000 * speed * math.exp(0.002 * rng.standard_normal()), at=at)
            # Code that does not feel the phases: only the loop knows of them.
            time = Sample(number, 100 * math.exp(0.002 * rng.standard_normal()), at=at)
            book.add(case, [(LOOPS, loop), (TIMES, time)])
            results[case][0].append(loop)
            results[case][1].append(time)
    return book, [
        CaseResult(case, (_with(LOOPS, loops), _with(TIMES, times)), finished=True)
        for case, (loops, times) in results.items()
    ]


def _with(series: Series, samples: list[Sample]) -> Series:
    return Series(
        series.metric, series.raw_unit, 1.0, 0.0, series.source, series.evidence, tuple(samples)
    )


def values_of(result: CaseResult) -> list[float]:
    return [
        sample.raw
        for series in result.series
        if series.metric == "time"
        for sample in series.samples
    ]


@pytest.mark.parametrize("kind", ["steady", "phases"])
def test_the_precision_that_ends_a_case_is_that_of_the_printed_interval(kind: str) -> None:
    book, results = visited(kind, 24)
    machines = MachineCourses(results)
    assert len(results) == 4
    for result in results:
        row = next(
            row
            for row in rows_of_case(result, None, machines.during(result))
            if row.metric == "time"
        )
        printed = row.describe()
        variance = book.variance(result.case)
        assert (variance > 0) is (kind == "phases")
        assert printed.confidence is not None and printed.confidence >= 0.95
        assert printed.precision is not None
        for asked, reached in ((printed.precision * 1.01, True), (printed.precision * 0.99, False)):
            precision = CasePrecision()
            precision.look(values_of(result), asked, book, result.case)
            assert precision.reached is reached


def test_a_run_that_is_taken_up_again_knows_the_loops_it_has() -> None:
    book, results = visited("phases", 24)
    again = LoopBook()
    for result in results:
        again.load(result)
    assert [again.variance(case) for case in CASES] == [book.variance(case) for case in CASES]


def looked(kind: str, asked: float, rounds: range) -> CasePrecision:
    """The precision of a case after each of so many rounds, until it ends."""
    precision = CasePrecision()
    for number in rounds:
        book, results = visited(kind, number)
        precision.look(values_of(results[0]), asked, book, CASES[0])
        if precision.reached or precision.stuck:
            break
    return precision


def test_slow_phases_that_more_samples_do_not_average_out_end_a_case() -> None:
    stuck = looked("phases", 0.01, range(16, 100))
    assert not stuck.reached and stuck.stuck.startswith("because of slow phases of the machine (±")
    assert "with 32)" in stuck.stuck, "looked at when there are twice as many"
    assert looked("steady", 0.01, range(16, 100)).reached
    assert looked("phases", 0.2, range(16, 100)).reached


def test_samples_of_a_steady_machine_are_never_stuck() -> None:
    rng = np.random.default_rng(3)
    values = list(np.exp(0.1 * rng.standard_normal(400)))
    precisions = Precisions(0.0001)
    ends = {precisions.of(CASES[0], values[:count]).stuck for count in range(20, 400)}
    assert ends == {""}


def test_samples_that_wander_are_told_as_what_does_not_narrow() -> None:
    wander = np.cumsum(np.random.default_rng(2).standard_normal(400))
    precisions = Precisions(0.0001)
    ends = [
        precisions.of(CASES[0], list(np.exp(0.01 * wander[:count]))).stuck
        for count in range(20, 400)
    ]
    assert any(end.startswith("because samples depend on the previous ones") for end in ends)


def test_an_interval_of_less_confidence_counts_as_the_wider_one_of_95_percent() -> None:
    row = next(row for row in rows_of_case(visited("steady", 24)[1][0]) if row.metric == "time")
    stats = row.describe()
    assert printed_width(stats, 0.0) == pytest.approx(stats.precision)
    assert stats.precision is not None
    less = printed_width(dataclasses.replace(stats, confidence=0.68), 0.0)
    assert less == pytest.approx(stats.precision * 1.97, rel=0.01)
    assert printed_width(dataclasses.replace(stats, ci_low=None, ci_high=None), 0.0) == math.inf
