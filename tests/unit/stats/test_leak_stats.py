"""The tests of `motebench leak` on readings whose law is known: false alarms, power, size of a
difference.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from motebench.stats.leak import (
    SHARES,
    SURE,
    TESTS,
    UNFIT,
    Judgement,
    LeakShift,
    _spread,
    _tail,
    compare,
    judge,
    shift,
)

Noise = Callable[[np.random.Generator, int], NDArray[np.float64]]


def interrupted(source: np.random.Generator, count: int) -> NDArray[np.float64]:
    """Whole ns, long tails as interrupts make them."""
    late = np.where(source.random(count) < 0.02, source.exponential(1e4, count), 0)
    return np.round(1000 + 15 * source.standard_normal(count) + late)


def heavy(source: np.random.Generator, count: int) -> NDArray[np.float64]:
    """Student's t with 1.5 degrees of freedom: no variance."""
    return 1000 + 15 * source.standard_t(1.5, count)


def rare(source: np.random.Generator, count: int) -> NDArray[np.float64]:
    """A coarse clock: nearly always the same, seldom a step more."""
    return np.where(source.random(count) < 0.003, 950.0, 900.0)


def drifting(source: np.random.Generator, count: int) -> NDArray[np.float64]:
    """Each reading depends on the one before (AR(1), 0.99), and all grow."""
    steps = source.standard_normal(count)
    value, out = 0.0, np.empty(count)
    for number, step in enumerate(steps):
        value = 0.99 * value + step
        out[number] = value
    return np.round(1000 + 10 * out + np.linspace(0, 100, count))


def judged(
    source: np.random.Generator, noise: Noise, *, samples: int, inputs: int, leak: float = 0
) -> Judgement:
    """An examination whose first fixed input takes ``leak`` more."""
    labels = np.concatenate(
        [np.arange(samples // 2) % 2, 2 + np.arange(samples // 2) % (2 * inputs)]
    )
    source.shuffle(labels)
    readings = noise(source, samples) + leak * ((labels == 2) | (labels == 3))
    classes = [readings[labels == number] for number in range(2 + 2 * inputs)]
    pairs = list(zip(classes[::2], classes[1::2], strict=True))
    return judge(pairs[0], pairs[1:], step=1)


@pytest.mark.parametrize(
    "noise",
    [interrupted, rare, *(pytest.param(n, marks=pytest.mark.long) for n in (heavy, drifting))],
)
def test_false_alarms_are_no_more_than_stated(noise):
    source = np.random.default_rng(11)
    found = [judged(source, noise, samples=400, inputs=2) for _ in range(1000)]
    # The corrected p keeps its promise at every level; five standard errors above it would be one
    # draw in 3,000,000.
    for level in (0.5, 0.1, 0.02):
        for which in ("leak", "control"):
            alarms = sum(getattr(one, which).p <= level for one in found)
            assert alarms <= 1000 * level + 5 * (1000 * level * (1 - level)) ** 0.5, (level, which)
    assert not any(one.leaks for one in found)


@pytest.mark.parametrize("skew", [-2, -0.3, 0.3, 2])
def test_the_tail_is_that_of_the_pearson_law(skew):
    for z in (0.5, 2.0, 5.0):
        assert _tail(z, skew) == pytest.approx(
            max(stats.pearson3.sf(z, skew), stats.norm.sf(z)), rel=1e-6
        )


def test_rare_readings_are_no_proof():
    """Three of ten late readings in a class of a thirtieth of all: a normal approximation calls
    that one in 100,000.
    """
    first, second = np.full(9700, 900.0), np.full(300, 900.0)
    first[:7], second[:3] = 950.0, 950.0
    p, _ = compare(first, second)
    exact = 2 * stats.hypergeom(10_000, 10, 300).sf(2)
    assert p > exact / 3


def test_the_rank_sum_is_that_of_scipy():
    source = np.random.default_rng(2)
    first, second = source.normal(0, 1, 400), source.normal(0.6, 1, 400)
    p, share = compare(first, second)
    expected = stats.mannwhitneyu(first, second, use_continuity=False).pvalue
    assert share is None and p == pytest.approx(expected, rel=0.01)


def test_what_shows_in_the_slowest_readings_only_is_found_by_their_share():
    source = np.random.default_rng(3)
    first, second = source.normal(0, 1, 20_000), source.normal(0, 1, 20_000)
    second[:400] += 100
    p, share = compare(first, second)
    assert share == 0.99 and p < 1e-30


def test_equal_readings_do_not_differ():
    same = np.full(100, 7.0)
    assert compare(same, same)[0] == 1
    judgement = judge((same, same), [(same, same)], step=1)
    assert judgement.fit and not judgement.leaks and judgement.leak.p == 1
    assert abs(judgement.difference.estimate) < 1


def test_equal_classes_that_differ_make_all_else_unknown():
    one, other = np.arange(1000.0), np.arange(1000.0) + 400
    unfit = judge((one, other), [(one, one), (other, other)], step=1)
    assert unfit.control.which == -1 and unfit.control.p < UNFIT and not unfit.fit
    assert unfit.leak.p < SURE and not unfit.leaks
    in_an_input = judge((one, one), [(one, one), (one, other)], step=1)
    assert in_an_input.control.which == 1 and not in_an_input.leaks


def test_of_inputs_that_surely_differ_the_furthest_is_shown():
    source = np.random.default_rng(9)
    pairs = [(source.normal(at, 1, 400), source.normal(at, 1, 400)) for at in (0, 50, -90, 70)]
    judgement = judge(pairs[0], pairs[1:], step=0.1)
    assert judgement.chosen == 1 and -91 < judgement.difference.estimate < -89


def test_the_number_of_tests_is_counted():
    source = np.random.default_rng(4)
    pairs = [(source.normal(0, 1, 100), source.normal(0, 1, 100)) for _ in range(4)]
    judgement = judge(pairs[0], pairs[1:], step=0.1)
    reference = np.concatenate(pairs[0])
    least = min(compare(reference, np.concatenate(pair))[0] for pair in pairs[1:])
    assert judgement.leak.p == min(1, least * 3 * TESTS)
    assert judgement.control.p == min(1, min(compare(*pair)[0] for pair in pairs) * 4 * TESTS)


@pytest.mark.parametrize("noise", [interrupted, pytest.param(heavy, marks=pytest.mark.long)])
def test_the_difference_shown_is_unbiased_and_its_interval_covers(noise):
    """10 ns in readings with heavy tails; the class is the one that stands out, as in an
    examination.
    """
    source = np.random.default_rng(5)
    found = [judged(source, noise, samples=1600, inputs=2, leak=10) for _ in range(1000)]
    shown = [(one.difference, 10 if one.chosen == 0 else 0) for one in found]
    errors = [difference.estimate - true for difference, true in shown]
    assert sum(one.chosen == 0 for one in found) > 950
    assert abs(np.mean(errors)) < 0.5
    assert (
        np.mean([difference.low <= true <= difference.high for difference, true in shown]) >= 0.95
    )


def test_the_interval_covers_where_nothing_is_and_where_shapes_differ():
    source = np.random.default_rng(6)
    nothing = [judged(source, heavy, samples=800, inputs=4).difference for _ in range(1000)]
    assert np.mean([one.low <= 0 <= one.high for one in nothing]) >= 0.95
    wide = [
        shift(source.normal(0, 10, 600), source.normal(3, 1, 60), step=1e-3) for _ in range(1000)
    ]
    assert np.mean([one.low <= 3 <= one.high for one in wide]) >= 0.95


def test_a_clock_with_steps_shows_what_is_smaller_than_a_step():
    source = np.random.default_rng(7)

    def read(mean: float) -> NDArray[np.float64]:
        return 40 * np.floor(source.normal(mean, 60, 20_000) / 40)

    found: LeakShift = shift(read(1000), read(1010), step=40)
    assert found.low <= 10 <= found.high and abs(found.estimate - 10) < 3


def test_what_would_be_seen_is_seen_nine_times_of_ten():
    source = np.random.default_rng(8)
    seen = np.median(
        [judged(source, interrupted, samples=2000, inputs=2).detectable for _ in range(20)]
    )
    found = [
        judged(source, interrupted, samples=2000, inputs=2, leak=float(seen)).leak.p <= SURE
        for _ in range(300)
    ]
    assert 0.82 <= np.mean(found) <= 0.98


def test_each_share_and_the_means_count_as_one_test():
    assert len(SHARES) + 1 == TESTS


def test_equal_readings_are_spread_evenly_over_one_step():
    spread = _spread(np.array([7.0, 5, 5, 5, 5]), 2.0)
    assert spread == pytest.approx([4.25, 4.75, 5.25, 5.75, 7.0])


def test_the_detectable_difference_is_that_of_a_test_of_two_halves():
    source = np.random.default_rng(3)
    sides = [tuple(source.normal(100, 5, (2, 400))) for _ in range(3)]
    judgement = judge(sides[0], sides[1:], step=0.0, arms=2)
    reach = stats.norm.ppf(0.9) - stats.norm.ppf(SURE / (TESTS * 2 * 2) / 2)
    assert judgement.detectable == pytest.approx(reach * judgement.difference.error / np.sqrt(2))
