"""Ranks of two sets and exponents of scaling: as by scipy and numpy, and bounds by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import kendalltau

from motebench.stats.shape import Bounded, kendall, scaling


def exact(values):
    return [Bounded.exact(float(value)) for value in values]


@pytest.mark.parametrize("seed", range(8))
def test_tau_b_of_exact_values_is_that_of_scipy(seed):
    source = np.random.default_rng(seed)
    a, b = source.integers(0, 6, 9), source.integers(0, 6, 9)
    correlation = kendall(exact(a), exact(b))
    assert correlation is not None
    assert correlation.tau == pytest.approx(kendalltau(a, b).statistic)
    assert correlation.n == 9


def test_without_ties_exact_values_leave_no_doubt():
    correlation = kendall(exact([1, 2, 3, 4]), exact([1, 3, 2, 4]))
    assert correlation is not None
    assert (correlation.tau, correlation.low, correlation.high, correlation.open) == (
        pytest.approx(4 / 6),
        pytest.approx(4 / 6),
        pytest.approx(4 / 6),
        0,
    )


def test_a_pair_whose_intervals_overlap_counts_for_and_against():
    # Of three pairs in the same order, the intervals of the first two values overlap.
    a = [Bounded(1, 0.5, 2.5), Bounded(2, 1.5, 2.6), Bounded(3, 2.9, 3.1)]
    correlation = kendall(a, exact([10, 20, 30]))
    assert correlation is not None
    assert (correlation.tau, correlation.open) == (1.0, 1)
    assert (correlation.low, correlation.high) == (pytest.approx(1 / 3), 1.0)


def test_values_without_intervals_leave_every_order_open():
    correlation = kendall([Bounded(1), Bounded(2), Bounded(3)], exact([1, 2, 3]))
    assert correlation is not None
    assert (correlation.tau, correlation.low, correlation.high, correlation.open) == (1, -1, 1, 3)


@pytest.mark.parametrize(("a", "b"), [([], []), ([1], [2]), ([1, 1, 1], [1, 2, 3])])
def test_a_side_without_an_order_has_no_correlation(a, b):
    assert kendall(exact(a), exact(b)) is None


def test_the_exponent_is_the_slope_of_logarithms():
    sizes, values = [16, 64, 256, 1024], [30.0, 90.0, 400.0, 1500.0]
    fit = scaling(sizes, exact(values))
    slope = np.polyfit(np.log(sizes), np.log(values), 1)[0]
    steps = np.diff(np.log(values)) / np.diff(np.log(sizes))
    at_zero = np.polyfit(sizes, values, 1)[1]
    assert fit is not None
    assert fit.exponent.value == pytest.approx(slope)
    assert (fit.exponent.low, fit.exponent.high) == (pytest.approx(slope), pytest.approx(slope))
    assert (fit.least.value, fit.most.value) == (
        pytest.approx(min(steps)),
        pytest.approx(max(steps)),
    )
    assert fit.intercept == pytest.approx(at_zero / 30.0)


def test_the_interval_of_an_exponent_takes_each_value_at_its_worse_end():
    # Two sizes a factor of e apart: the exponent is the difference of the logarithms.
    fit = scaling([1.0, np.e], [Bounded(1.0, 0.9, 1.1), Bounded(2.0, 1.8, 2.2)])
    assert fit is not None
    assert fit.exponent.low == pytest.approx(np.log(1.8 / 1.1))
    assert fit.exponent.high == pytest.approx(np.log(2.2 / 0.9))


def test_one_value_without_an_interval_leaves_the_exponent_without():
    fit = scaling([1.0, 2.0], [Bounded(1.0, 0.9, 1.1), Bounded(2.0)])
    assert fit is not None
    assert fit.exponent == Bounded(pytest.approx(1.0))


@pytest.mark.parametrize(
    ("sizes", "values"),
    [([], []), ([16], [1]), ([16, 16], [1, 2]), ([0, 16], [1, 2]), ([16, 32], [0, 2])],
)
def test_no_exponent_without_two_sizes_or_with_a_zero(sizes, values):
    assert scaling(sizes, exact(values)) is None
