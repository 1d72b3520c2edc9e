"""Description of one set of samples: median with its interval first, the usual moments beside it.

The interval of the median is the one between the k-th smallest and the k-th largest sample. The
number of independent samples below the median is binomial(n, 1/2) whatever their distribution, so
its coverage is exactly 1 - 2 P(X < k); k is the largest for which that is at least the confidence
asked for. Sources: Conover, *Practical Nonparametric Statistics*, 3rd ed. (1999), 3.2; David and
Nagaraja, *Order Statistics*, 3rd ed. (2003), 7.1. Fewer than six samples have no such 95 %
interval: even from the smallest to the largest of five, coverage is 1 - 2/32 = 93.75 %.

A simulator has no noise: what gives the same reading twice gives it always, and its interval is
that reading.

Outliers are marked by Tukey's fences, never removed. Mild: beyond 1.5 interquartile ranges from the
nearer quartile (inner fences); severe: beyond 3 (outer fences). Tukey, *Exploratory Data Analysis*
(1977), 2C. Quartiles interpolate linearly between order statistics (definition 7 of Hyndman and
Fan, The American Statistician 50 (1996) 361-365).

Samples that depend on those before them (`motebench.stats.dependence`) get a wider one: the number
below the median then varies more, by the inflation found, and Student's t stands in for the
binomial. Where not even the whole range reaches the confidence asked for, the range is given with
the confidence it does reach.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from motebench.stats.dependence import Dependence, Hidden, dependence, median_of_sorted
from motebench.stats.distributions import (
    binomial_cdf,
    binomial_quantile,
    student_cdf,
    student_quantile,
)

_MILD = 1.5
_SEVERE = 3.0
_FEWEST = 4
"""Fewer samples have no meaningful quartiles."""


@dataclass(frozen=True, slots=True)
class Outliers:
    """Positions of the outliers in the given samples; a severe one is not also a mild one."""

    mild: tuple[int, ...] = ()
    severe: tuple[int, ...] = ()

    @property
    def count(self) -> int:
        """Number of outliers of both kinds."""
        return len(self.mild) + len(self.severe)


def outliers(values: NDArray[np.float64]) -> Outliers:
    """The outliers among the samples; none of fewer than four."""
    if values.size < _FEWEST:
        return Outliers()
    ordered = np.sort(values)
    first, third = _quantile(ordered, 0.25), _quantile(ordered, 0.75)
    # Distance outside the box, in the samples' unit; 0 inside.
    distance = np.maximum(first - values, values - third)
    spread = third - first
    severe = distance > _SEVERE * spread
    mild = (distance > _MILD * spread) & ~severe
    return Outliers(_places(mild), _places(severe))


def _quantile(ordered: NDArray[np.float64], share: float) -> float:
    """The value between two order statistics, from the nearer one, as `numpy.quantile` has it."""
    place = (ordered.size - 1) * share
    low, high = float(ordered[math.floor(place)]), float(ordered[math.ceil(place)])
    part = place - math.floor(place)
    return high - (high - low) * (1 - part) if part >= 0.5 else low + (high - low) * part


def _places(marked: NDArray[np.bool_]) -> tuple[int, ...]:
    return tuple(int(place) for place in np.flatnonzero(marked))


CONFIDENCE = 0.95
FEWEST_EQUAL = 2
"""Number of equal readings that show that a simulator repeats a case: an effect of the first one on
the second would show."""
_FREEDOM = 4.0
"""Least degrees of freedom of the t: with the two of the slowest cosines the confidence would be
understated, since the number of samples below the median is bounded
(``benchmarks/simulated_noise.py``)."""
_EXACT_UP_TO = 1000
"""Largest n for which outcomes are counted: sums over big integers would be slow."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Description:
    """Statistics of one set of samples, in the unit of the samples.

    confidence is the coverage of [ci_low, ci_high]: exact for independent samples, about right
    where ``dependence`` says that they are not, and less than was asked for where the samples
    cannot give it. ``confidence_dependent`` is the coverage that the interval has at least where
    they depend on each other in ways that so few cannot show. The four are None where there are too
    few samples. variance (divisor n-1) and stddev are None for one sample. mad is the median
    absolute deviation, unscaled. precision is half the interval's width divided by the median, None
    where either is missing or the median is 0.
    """

    n: int
    median: float
    ci_low: float | None
    ci_high: float | None
    confidence: float | None
    confidence_dependent: float | None
    mean: float
    variance: float | None
    stddev: float | None
    min: float
    max: float
    mad: float
    precision: float | None
    outliers: Outliers
    dependence: Dependence


@cache
def median_ranks(n: int, confidence: float = CONFIDENCE) -> tuple[int, int, float] | None:
    """0-based ranks of the two samples that enclose the median, and the exact coverage; None if n
    is too small.
    """
    if n < 1 or 1 - 2 * 0.5**n < confidence:
        return None
    if n <= _EXACT_UP_TO:
        return _exact_ranks(n, confidence)
    # The quantile is the smallest j with P(X <= j) >= tail: the last rank that may be cut off is
    # the one before.
    rank = binomial_quantile(n, (1 - confidence) / 2) - 1
    return rank, n - 1 - rank, 1 - 2 * binomial_cdf(n, rank)


def _exact_ranks(n: int, confidence: float) -> tuple[int, int, float]:
    """Counts outcomes: of the 2^n, ``tail`` have at most ``rank`` samples below the median."""
    rank, tail, total = 0, 1, 1 << n
    while 1 - 2 * (tail + math.comb(n, rank + 1)) / total >= confidence:
        rank += 1
        tail += math.comb(n, rank)
    return rank, n - 1 - rank, 1 - 2 * tail / total


def interval_ranks(
    n: int, inflation: float, confidence: float = CONFIDENCE, freedom: float = math.inf
) -> tuple[int, int, float] | None:
    """Ranks like those of `median_ranks`, where the number of samples below the median varies
    ``inflation`` times as much as if they were independent, with an estimate of so many degrees of
    freedom. The reached confidence may be lower than the requested one.
    """
    independent = median_ranks(n, confidence)
    if independent is None or inflation <= 1:
        return independent
    spread = math.sqrt(n * inflation) / 2
    degrees = max(freedom, _FREEDOM)
    cut = math.floor(n / 2 - 0.5 - student_quantile(degrees, (1 + confidence) / 2) * spread)
    rank = max(0, min(cut, independent[0]))
    reached = 2 * student_cdf(degrees, (n / 2 - 0.5 - rank) / spread) - 1
    return rank, n - 1 - rank, min(reached, independent[2])


def repeats_exactly(samples: Sequence[float]) -> bool:
    """True if enough readings of a target without noise are all the same."""
    return len(samples) >= FEWEST_EQUAL and min(samples) == max(samples)


def describe(
    samples: Sequence[float] | Floats,
    confidence: float = CONFIDENCE,
    *,
    simulated: bool = False,
    inflation: float = 1.0,
) -> Description:
    """Statistics of at least one sample, in the order in which they were taken. ``simulated``: by a
    place without noise, where equal readings have an interval of no width and a confidence of 1.
    ``inflation``: known factor by which the median varies more than for independent samples.

    ValueError if there is none, or one is not finite.
    """
    values = np.asarray(samples, dtype=np.float64)
    if values.ndim != 1 or values.size == 0 or not np.isfinite(values).all():
        raise ValueError("describe needs a flat, non-empty sequence of finite numbers")
    ordered = np.sort(values)
    n = int(values.size)
    median = median_of_sorted(ordered)
    depends = dependence(values)
    ranks = interval_ranks(n, max(depends.inflation, inflation), confidence, depends.freedom)
    low = high = covered = hidden = None
    if ranks is not None:
        low, high, covered = float(ordered[ranks[0]]), float(ordered[ranks[1]]), ranks[2]
        hidden = Hidden.MEDIAN.confidence(n, covered) if confidence >= CONFIDENCE else None
    if simulated and repeats_exactly(ordered.tolist()):
        low, high, covered, hidden = median, median, 1.0, 1.0
    # Equal samples (simulated cycles) have exactly their value as mean and exactly no variance,
    # without rounding.
    equal = ordered[0] == ordered[-1]
    variance = (0.0 if equal else float(np.var(values, ddof=1))) if n > 1 else None
    return Description(
        n=n,
        median=median,
        ci_low=low,
        ci_high=high,
        confidence=covered,
        confidence_dependent=hidden,
        mean=median if equal else float(np.mean(values)),
        variance=variance,
        stddev=None if variance is None else math.sqrt(variance),
        min=float(ordered[0]),
        max=float(ordered[-1]),
        mad=median_of_sorted(np.sort(np.abs(ordered - median))),
        precision=half_width(median, low, high),
        outliers=outliers(values),
        dependence=depends,
    )


def half_width(median: float, low: float | None, high: float | None) -> float | None:
    """Half the width of an interval relative to the median; None without an interval or with a
    median of 0.
    """
    if low is None or high is None or median == 0:
        return None
    return (high - low) / 2 / abs(median)


def converged(samples: Sequence[float], precision: float, *, least: int = 6) -> bool:
    """True if the interval of the median is as narrow as asked: half width at most ``precision``
    times the median.

    Never with fewer than ``least`` samples, nor where the confidence is not reached. Called after
    every round for every case: what only a narrow range needs is looked at last.
    """
    n = len(samples)
    ranks = median_ranks(n) if n >= least else None
    if ranks is None:
        return False
    ordered = sorted(samples)
    median = (ordered[(n - 1) // 2] + ordered[n // 2]) / 2
    if not _narrow(ordered, median, ranks, precision):
        return False
    series = dependence(np.asarray(samples, dtype=np.float64))
    ranks = interval_ranks(n, series.inflation, freedom=series.freedom)
    return (
        ranks is not None and ranks[2] >= CONFIDENCE and _narrow(ordered, median, ranks, precision)
    )


def _narrow(
    ordered: Sequence[float], median: float, ranks: tuple[int, int, float], precision: float
) -> bool:
    width = half_width(median, ordered[ranks[0]], ordered[ranks[1]])
    # A median of 0 has no relative precision; it is known if the interval is a point.
    return ordered[ranks[0]] == ordered[ranks[1]] if width is None else width <= precision
