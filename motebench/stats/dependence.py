"""Dependence of samples taken one after the other: tests for it, and the number of independent
samples that they are worth.

Two tests look for it, on ranks, so that neither outliers nor equal readings matter. Together they
see dependence in `LEVEL` of independent series, whatever their distribution and number
(``benchmarks/simulated_noise.py``):

- *Quick*: the lag-1 correlation. Its standard deviation for independent samples is sqrt((1 - 2/n) /
  n).
- *Slow*: the mean square of the cumulated sums (Kwiatkowski, Phillips, Schmidt and Shin, Journal of
  Econometrics 54 (1992) 159-178). It grows with a change of level, drift, and noise with a long
  memory.

If either sees it, the variance of the mean is the larger of two estimates:

- A series whose correlation falls off as rho, rho^2, ... is worth n (1 - rho) / (1 + rho)
  independent samples (Bayley and Hammersley, Supplement to the Journal of the Royal Statistical
  Society 8 (1946) 184-197). The correlation is estimated too low from few samples, by (1 + 4 rho) /
  n (Marriott and Pope, Biometrika 41 (1954) 390-402; Kendall, ibid. 403-404), which is put right.
- The mean square of the `_QUICK` slowest cosines of the series assumes no form of the correlation
  (Mueller, Journal of Econometrics 141 (2007) 1331-1352; Lazarus, Lewis, Stock and Watson, Journal
  of Business and Economic Statistics 36 (2018) 541-559). As many cosines are its degrees of
  freedom. If the slow test sees dependence, that of the `_SLOW` slowest is used if it is larger,
  and its degrees of freedom in any case.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

DEPENDENT = "samples depend on the previous ones"
"""Beginning of a note on dependent samples."""
FEWEST = 6
"""Fewer samples do not show dependence, and are treated as independent."""
LEVEL = 0.05
"""Probability that independent samples are mistaken for dependent ones. Each of the two tests has
half of it.
"""

_MOST = 0.99
"""Largest correlation of consecutive samples that formulas use."""
_SLOW, _QUICK = 2, 8
"""Cosines from which the variance of the mean is estimated, at most a third of the samples."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Dependence:
    """Dependence of samples on the previous ones.

    lag1 is the correlation of one sample's rank with the next, put right for its bias; None where
    nothing can be said (too few samples, or all alike). inflation is by how much the variance of a
    mean is larger than that of independent samples, at least 1. halves is the median of the second
    half divided by that of the first; None where it has none. ``slow``: by how much the slowest
    cosines say it is larger; ``freedom``: how many they are, infinite for independent samples.
    """

    n: int
    lag1: float | None
    inflation: float
    halves: float | None
    slow: float = 1.0
    freedom: float = math.inf

    @property
    def effective_n(self) -> float:
        """The number of independent samples that these are worth."""
        return self.n / self.inflation

    @property
    def cautious(self) -> float:
        """The inflation if the correlation is one standard error larger: for tests at small levels,
        which an estimate that is too low by chance would make too optimistic."""
        if self.lag1 is None or not self.dependent:
            return self.inflation
        higher = min(self.lag1 + math.sqrt(max(1 - self.lag1**2, 0) / self.n), _MOST)
        return _inflation(max(higher, 0.0))

    @property
    def dependent(self) -> bool:
        """True if intervals and tests allow for the dependence."""
        return self.inflation > 1.0


def dependence(values: Floats, level: float = LEVEL) -> Dependence:
    """The dependence of samples in the order in which they were taken.

    ``level``: the probability of seeing it in independent samples; where several series decide
    together, its share.
    """
    n = int(values.size)
    if n < FEWEST or not np.ptp(values):
        return Dependence(n, None, 1.0, _halves(values))
    ranks = ranks_of(values)
    ranks -= ranks.mean()
    whole = float(ranks @ ranks)
    correlation = float(ranks[1:] @ ranks[:-1]) / whole
    lag1 = min((n * correlation + 1) / (n - 4), _MOST)
    quick = correlation + 1 / n > NormalDist().inv_cdf(1 - level / 2) * math.sqrt((1 - 2 / n) / n)
    sums = np.cumsum(ranks)
    slow = float(sums @ sums) / (n * whole) > _critical(level / 2) * (1 - 0.5 / n)
    if not (quick or slow):
        return Dependence(n, lag1, 1.0, _halves(values))
    count = min(_SLOW if slow else _QUICK, n // 3)
    powers = (_cosines(n, min(_QUICK, n // 3)) @ ranks) ** 2 / (whole / (n - 1))
    power = max(float(powers.mean()), float(powers[:count].mean()))
    inflation = max(_inflation(max(lag1, 0.0)), power, 1 + 1 / n)
    return Dependence(n, lag1, inflation, _halves(values), max(power, 1.0), float(count))


class Hidden(Enum):
    """Least coverage of intervals in dependent noise, of all kinds in
    ``benchmarks/simulated_noise.py``, by the number of samples from which on it holds: few samples
    cannot tell dependence from chance.

    Simulated, and rounded down by two standard errors. A median's interval is one of 95 %, those of
    ratios of 99 %.
    """

    MEDIAN = ((6, 0.38), (8, 0.44), (15, 0.49), (20, 0.57), (30, 0.71), (60, 0.73))
    PAIRS = (
        (6, 0.49),
        (7, 0.59),
        (8, 0.63),
        (10, 0.68),
        (12, 0.73),
        (15, 0.75),
        (20, 0.81),
        (30, 0.86),
        (40, 0.88),
        (100, 0.89),
    )
    SETS = (
        (6, 0.44),
        (7, 0.53),
        (8, 0.60),
        (10, 0.70),
        (12, 0.71),
        (15, 0.74),
        (20, 0.83),
        (30, 0.88),
        (40, 0.90),
        (100, 0.91),
    )

    def confidence(self, n: int, reached: float) -> float:
        """Coverage with n samples a side of an interval that says it has ``reached``."""
        return min(reached, max((share for least, share in self.value if least <= n), default=0.0))


def _critical(level: float) -> float:
    """Value that the slow test's statistic of independent samples exceeds with that probability:
    the tail of the Cramer-von Mises distribution falls as exp(-x pi^2 / 2) (Anderson and Darling,
    Annals of Mathematical Statistics 23 (1952) 193-212), through 0.58 at 2.5 %."""
    return 0.58 + math.log(0.025 / level) / (math.pi**2 / 2 + 0.7)


@lru_cache(maxsize=128)
def _cosines(n: int, count: int) -> Floats:
    """The slowest cosines over n samples, a row each, of length 1."""
    places = (np.arange(n) + 0.5) / n
    rows: Floats = np.cos(math.pi * np.outer(np.arange(1, count + 1), places)) * math.sqrt(2 / n)
    return rows


def _inflation(lag1: float) -> float:
    return (1 + lag1) / (1 - lag1)


def ranks_of(values: Floats) -> Floats:
    """Ranks from 0; equal values share the mean of their ranks."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    middle: Floats = ends - (counts + 1) / 2
    return middle[inverse]


def _halves(values: Floats) -> float | None:
    middle = values.size // 2
    if not middle:
        return None
    first = median_of_sorted(np.sort(values[:middle]))
    second = median_of_sorted(np.sort(values[values.size - middle :]))
    return second / first if first else None


def median_of_sorted(ordered: Floats) -> float:
    """The median of values in ascending order: `numpy.median` takes ten times as long for a few."""
    n = int(ordered.size)
    return (float(ordered[(n - 1) // 2]) + float(ordered[n // 2])) / 2
