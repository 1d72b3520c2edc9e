"""Dependence of an operation's time on the class of its input: a test that rests on the labels
alone.

Each reading has a label that was drawn before it was taken. If the time does not depend on the
label, every assignment of the same labels to the same readings is equally probable, whatever the
readings are: they may have any distribution, drift, or depend on each other. So the distribution of
a statistic over all assignments is known, and with it the probability of a false alarm
(randomisation test; Lehmann and Romano, *Testing Statistical Hypotheses*, 3rd ed., 5.11).

The statistics of two classes are the sum of ranks (Wilcoxon), whose distribution over the
assignments is approximated by a Pearson type III of the same three moments, and how many readings
of a class are among the fastest 20 to 99 % of both, whose distribution is hypergeometric. The
shares find what shows in some readings only. All tests of one question share its error probability
(Bonferroni).

The size of a difference is estimated apart from the test, on readings that did not choose the
class.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from motebench.stats.dependence import ranks_of
from motebench.stats.distributions import (
    gamma_tails,
    hypergeometric_tails,
    normal_cdf,
    normal_quantile,
)

SHARES = (0.99, 0.95, 0.9, 0.8, 0.6, 0.4, 0.2)
"""Shares of all readings, the fastest first, of which each class should have its part."""
TESTS = 1 + len(SHARES)
"""Tests in one comparison of two classes."""
FEWEST = 30
"""A class needs as many readings."""
SURE = 1e-5
"""Largest corrected p at which a leak is called."""
UNFIT = 1e-3
"""Largest corrected p of the controls at which machine and harness are called unfit."""
CONFIDENCE = 0.95
"""Coverage stated for the interval of a difference. It is built for `_BUILT_FOR`, which allows for
approximations.
"""
_BUILT_FOR = 0.96
_POWER = 0.9
"""Probability of finding a difference that "would be seen"."""

Floats = NDArray[np.float64]
Halves = tuple[Floats, Floats]
"""Readings of one class, in two halves that were labelled apart before they were taken."""


@dataclass(frozen=True, slots=True)
class Test:
    """The smallest p of some comparisons, corrected for the number of all tests.

    ``share``: of the readings it was found on, None for the sum of ranks. ``which``: the class that
    it was found in.
    """

    p: float
    share: float | None
    which: int


@dataclass(frozen=True, slots=True)
class LeakShift:
    """Additional time of the second class over the first, with its interval, in the unit of the
    readings.

    The estimate is the median of all differences between a reading of the second class and one of
    the first (Hodges and Lehmann 1963). ``error`` is its standard error.
    """

    estimate: float
    low: float
    high: float
    error: float


@dataclass(frozen=True, slots=True)
class Judgement:
    """Judgement of the labels on the readings.

    ``leak``: some fixed input differs from random ones. ``control``: classes differ that have the
    same inputs; in ``control.which`` the fixed input, or -1 for random ones. ``chosen``: the fixed
    input that stands out most in the first halves, ``difference`` its size in the second.
    ``detectable``: the shift of a class like the chosen one that the sum of ranks finds with a
    probability of 90 %.
    """

    leak: Test
    control: Test
    chosen: int
    difference: LeakShift
    detectable: float

    @property
    def fit(self) -> bool:
        """Equal inputs take equal times, as far as the readings show."""
        return self.control.p > UNFIT

    @property
    def leaks(self) -> bool:
        """A fixed input takes another time than random ones, and nothing but the input can be
        why.
        """
        return self.fit and self.leak.p <= SURE


def judge(reference: Halves, fixed: Sequence[Halves], *, step: float, arms: int = 1) -> Judgement:
    """Compare fixed inputs with random ones, and the halves of each class with each other.

    ``reference``: readings of random inputs; ``step``: of the clock, in the unit of the readings.
    ``arms``: the number of such judgements that answer one question and share its error
    probability.
    """
    pooled = np.concatenate(reference)
    leak = _smallest([compare(pooled, np.concatenate(halves)) for halves in fixed], arms)
    control = _smallest([compare(*reference), *(compare(*halves) for halves in fixed)], arms)
    chosen = _most_different(reference[0], [halves[0] for halves in fixed])
    difference = shift(reference[1], fixed[chosen][1], step=step)
    # The chosen class has about twice the readings of the half that was used, on both sides.
    quantiles = normal_quantile(_POWER) - normal_quantile(SURE / (TESTS * len(fixed) * arms) / 2)
    detectable = quantiles * difference.error / 2**0.5
    control = Test(control.p, control.share, control.which - 1)
    return Judgement(leak, control, chosen, difference, detectable)


def _smallest(tests: Sequence[tuple[float, float | None]], arms: int) -> Test:
    which = min(range(len(tests)), key=lambda number: tests[number][0])
    p, share = tests[which]
    return Test(min(1.0, p * TESTS * len(tests) * arms), share, which)


def _most_different(reference: Floats, classes: Sequence[Floats]) -> int:
    """Most conspicuous class: of the certainly different ones the furthest, else the one with the
    smallest p.
    """
    p_values = [compare(reference, readings)[0] for readings in classes]
    sure = [number for number, p in enumerate(p_values) if p * TESTS * len(p_values) <= SURE]
    middle = np.median(reference)
    if sure:
        return max(sure, key=lambda number: abs(float(np.median(classes[number]) - middle)))
    return min(range(len(p_values)), key=p_values.__getitem__)


def compare(first: Floats, second: Floats) -> tuple[float, float | None]:
    """The smallest two-sided p of the tests of two classes, not corrected, and the share it was
    found on.
    """
    pooled = np.concatenate((first, second))
    results: list[tuple[float, float | None]] = [(_rank_sum(pooled, len(second)), None)]
    limits = np.quantile(pooled, SHARES, method="inverted_cdf")
    ordered = np.sort(pooled)
    inside = np.searchsorted(ordered, limits, side="right")
    of_second = np.searchsorted(np.sort(second), limits, side="right")
    for share, marked, count in zip(SHARES, inside.tolist(), of_second.tolist(), strict=True):
        tails = hypergeometric_tails(len(pooled), marked, len(second), count)
        results.append((min(1.0, 2 * min(tails)), share))
    return min(results, key=lambda item: item[0])


def _rank_sum(pooled: Floats, size: int) -> float:
    """Two-sided p of the sum of ranks of the last ``size`` readings, over all assignments of the
    labels.
    """
    ranks = ranks_of(pooled)
    centred = ranks - ranks.mean()
    total, rest = len(pooled), len(pooled) - size
    variance = size * rest / total / (total - 1) * float((centred**2).sum())
    if variance == 0:
        return 1.0
    third = (
        size * rest * (rest - size) / total / (total - 1) / (total - 2) * float((centred**3).sum())
    )
    z = float(centred[rest:].sum()) / variance**0.5
    skew = third / variance**1.5
    return min(1.0, 2 * _tail(abs(z), skew if z > 0 else -skew))


def _tail(z: float, skew: float) -> float:
    """Probability beyond ``z`` of the standard Pearson type III with that skew, or of the normal if
    it is larger.
    """
    normal = normal_cdf(-z)
    if abs(skew) < 1e-3:
        return normal
    shape = 4 / skew**2
    below, above = gamma_tails(shape, shape + math.copysign(z * shape**0.5, skew))
    return max(normal, above if skew > 0 else below)


def shift(first: Floats, second: Floats, *, step: float) -> LeakShift:
    """Additional time of the second class, with an interval for any shape of both distributions.

    A clock with steps would give steps for an answer: equal readings are first spread evenly over a
    ``step``. The interval is that of the differences' median by the variance of placements (Sen
    1967; DeLong and others 1988).
    """
    left, right = _spread(first, step), _spread(second, step)
    precision = max(step, 1e-9) * 1e-4
    middle = _difference(left, right, 0.5, precision)
    of_two = 1 - np.searchsorted(left, right - middle, side="left") / len(left)
    of_one = np.searchsorted(right, left + middle, side="right") / len(right)
    error = float(of_one.var(ddof=1) / len(left) + of_two.var(ddof=1) / len(right)) ** 0.5
    z = -normal_quantile((1 - _BUILT_FOR) / 2)
    low = _difference(left, right, max(0.0, 0.5 - z * error), precision)
    high = _difference(left, right, min(1.0, 0.5 + z * error), precision)
    return LeakShift(middle, low, high, (high - low) / (2 * z))


def _spread(readings: Floats, step: float) -> Floats:
    """The readings in order, equal ones spread evenly over a step around them."""
    values, counts = np.unique(readings, return_counts=True)
    place = np.arange(len(readings)) - np.repeat(np.cumsum(counts) - counts, counts)
    return np.sort(
        np.repeat(values, counts) + step * ((place + 0.5) / np.repeat(counts, counts) - 0.5)
    )


def _difference(first: Floats, second: Floats, share: float, precision: float) -> float:
    """The smallest difference that at least a share of all pairs do not exceed; both classes are
    sorted.
    """
    rank = share * len(first) * len(second)
    low, high = float(second[0] - first[-1]) - precision, float(second[-1] - first[0]) + precision
    while high - low > precision:
        middle = (low + high) / 2
        if not low < middle < high:
            break
        below = len(first) * len(second) - int(
            np.searchsorted(first, second - middle, side="left").sum()
        )
        low, high = (low, middle) if below >= rank else (middle, high)
    return (low + high) / 2
