"""Development of a process: curves made from known levels, with noise of known size."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest

from motebench.stats import Course, CourseKind, changes, course, overall
from motebench.stats.levels import POINT, STEADY

RANDOM = np.random.default_rng(2017)


def noisy(levels: Sequence[float], spread: float = 0.02) -> list[float]:
    """Levels with lognormal noise."""
    return list(np.asarray(levels) * np.exp(RANDOM.normal(0, spread, len(levels))))


def kinds(levels: Sequence[float], draws: int = 40) -> Counter[str]:
    return Counter(course(noisy(levels)).kind.value for _ in range(draws))


CURVES = {
    "flat": ([100.0] * 300, "flat"),
    "short": ([100.0] * 39, "flat"),
    "warm-up": ([300.0] * 50 + [100.0] * 250, "warm-up"),
    "warm-up in steps": ([900.0] * 40 + [300.0] * 60 + [100.0] * 200, "warm-up"),
    "late compilation": ([100.0] * 250 + [90.0] * 50, "warm-up"),
    "later still": ([100.0] * 280 + [90.0] * 20, "no steady state"),
    "slowdown": ([100.0] * 200 + [107.0] * 100, "slowdown"),
    "slower after a warm-up": ([300.0] * 60 + [100.0] * 140 + [107.0] * 100, "slowdown"),
    "up and down": (([100.0] * 30 + [110.0] * 30) * 5, "no steady state"),
    "drift": (list(np.linspace(100, 115, 300)), "slowdown"),
    "drift to faster": (list(np.linspace(115, 100, 300)), "warm-up"),
    "within the tolerance": ([100.0] * 200 + [102.0] * 100, "flat"),
    "short burst": ([100.0] * 100 + [150.0] * 10 + [100.0] * 190, "flat"),
}


@pytest.mark.parametrize("name", CURVES)
def test_each_curve_is_called_what_it_is(name: str) -> None:
    levels, expected = CURVES[name]
    found = kinds(levels)
    assert found[expected] >= 36, found


def test_where_the_last_level_begins_and_how_far_it_is_from_the_best() -> None:
    found = course(noisy([300.0] * 60 + [100.0] * 140 + [107.0] * 100, spread=0.005))
    assert found.kind is CourseKind.SLOWDOWN
    assert found.since == pytest.approx(200, abs=POINT)
    assert found.ratio == pytest.approx(1.07, abs=0.005)
    assert course([100.0] * 300) == Course(CourseKind.FLAT, 0, 1.0)


def test_single_outliers_change_nothing() -> None:
    times = noisy([300.0] * 50 + [100.0] * 250)
    for place in range(60, 300, 17):
        times[place] *= 20
    found = course(times)
    assert (found.kind, found.since) == (CourseKind.WARM_UP, 50)


def test_a_level_that_is_too_short_to_be_seen() -> None:
    assert course([100.0] * 200 + [130.0] * (2 * POINT)).kind is CourseKind.FLAT
    assert course([100.0] * 20 + [200.0] * 10).kind is CourseKind.FLAT
    assert course([]).kind is CourseKind.FLAT


def test_flat_noise_with_heavy_tails_is_called_flat() -> None:
    # One batch in twenty is longer by a Pareto factor without variance; the rest scatter by 5 %: at
    # most 1 % of such processes may be called anything but flat.
    false = 0
    for _ in range(2000):
        times = 100 * np.exp(RANDOM.normal(0, 0.05, 140))
        late = RANDOM.random(140) < 0.05
        times[late] *= 1 + RANDOM.pareto(1.5, int(late.sum()))
        false += course(list(times)).kind is not CourseKind.FLAT
    assert false <= 20


def test_clock_steps_are_no_levels() -> None:
    times = list(np.round(noisy([1000.0] * 300, spread=0.001), -1))
    assert course(times).kind is CourseKind.FLAT


@pytest.mark.parametrize(
    ("each", "expected"),
    [
        ("flat flat", "flat"),
        ("flat warm-up", "warm-up"),
        ("slowdown slowdown", "slowdown"),
        ("slowdown warm-up", "inconsistent"),
        ("flat|no steady state", "inconsistent"),
    ],
)
def test_what_several_processes_did(each: str, expected: str) -> None:
    words = each.split("|") if "|" in each else each.split(" ")
    assert overall(CourseKind(word) for word in words) == expected


def test_the_shortest_course_with_two_levels_has_eight_points() -> None:
    short = course([200.0] * 20 + [100.0] * 20)
    assert (short.since, short.ratio) == (20, 0.5)
    assert course([200.0] * 20 + [100.0] * 19) == Course(CourseKind.FLAT)


def test_a_last_level_is_steady_from_so_many_batches_on() -> None:
    ends = [course([200.0] * 40 + [100.0] * last).kind for last in (STEADY - 1, STEADY)]
    assert ends == [CourseKind.UNSTEADY, CourseKind.WARM_UP]


# Levels over runs


def test_a_step_over_runs_is_one_change():
    noise = [1 + 0.002 * (place * 7 % 5 - 2) for place in range(16)]
    values = [100 * factor * (1.1 if place >= 9 else 1) for place, factor in enumerate(noise)]
    assert changes(values) == [9]


def test_steady_runs_have_no_change():
    generator = np.random.default_rng(7)
    series = generator.normal(100, 1, size=(200, 20))
    assert sum(bool(changes([*values])) for values in series) == 0


@pytest.mark.parametrize("values", [[], [1.0], [1.0, 2.0] * 3, [0.0] * 20, [5.0] * 20])
def test_few_values_and_zeros_have_no_change(values):
    assert changes(values) == []
