"""Whether samples taken one after the other are as good as independent, and how many independent ones they are worth.

The lag-1 correlation is that of the ranks, so that outliers do not hide it. It is estimated too low from few samples,
by (1 + 4 rho) / n (Marriott and Pope, Biometrika 41 (1954) 390-402; Kendall, ibid. 403-404), which is put right. A
series whose correlation falls off as rho, rho^2, ... is worth n (1 - rho) / (1 + rho) independent samples (Bayley and
Hammersley, Supplement to the Journal of the Royal Statistical Society 8 (1946) 184-197).

Slow drift under fast noise has a small lag-1 correlation and many small ones behind it. From `_FEWEST_FOR_BATCHES`
samples on, the spread of batch means is looked at too (Conway, Management Science 10 (1963) 47-61): where it is larger
than chance allows, the larger of both inflations counts.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

DEPENDENT = "samples depend on the previous ones"
"""Beginning of a note on dependent samples."""
FEWEST = 6
"""Fewer samples do not show dependence, and are treated as independent."""

_SURE, _SURE_OF_FEW, _FEW = 1.0, 1.64, 12
"""A correlation less than so many standard errors (1 / sqrt(n)) above that of independent samples counts as none. At
one, correlated samples are seldom missed, and independent ones still have useful intervals. Fewer than `_FEW` samples
need more evidence, because taking any part of them away leaves nothing (``benchmarks/simulated_noise.py``)."""

_MOST = 0.99
"""Largest correlation of consecutive samples that formulas use. If a few samples are more closely correlated than this,
there is no conclusion."""

_FEWEST_FOR_BATCHES = 48
_BATCHES = (8, 24)
"""Fewest and most batches into which samples are divided."""
_CHANCE = 0.02
"""Probability that the spread of batch means of independent samples is taken for dependence."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Dependence:
    """How samples depend on the previous ones.

    lag1 is the correlation of one sample's rank with the next, put right for its bias; None where nothing can be said
    (too few samples, or all alike). inflation is by how much the variance of a mean is larger than that of independent
    samples, at least 1. halves is the median of the second half divided by that of the first; None where it has none.
    """

    n: int
    lag1: float | None
    inflation: float
    halves: float | None

    @property
    def effective_n(self) -> float:
        """The number of independent samples that these are worth."""
        return self.n / self.inflation

    @property
    def cautious(self) -> float:
        """The inflation if the correlation is one standard error larger: for tests at small levels, which an estimate
        that is too low by chance would make too optimistic."""
        if self.lag1 is None or not self.dependent:
            return self.inflation
        higher = min(self.lag1 + math.sqrt((1 - self.lag1**2) / self.n), _MOST)
        return max(self.inflation, _inflation(higher))

    @property
    def dependent(self) -> bool:
        """Whether intervals and tests allow for the dependence."""
        return self.inflation > 1.0


def dependence(values: Floats) -> Dependence:
    """The dependence of samples in the order in which they were taken."""
    n = int(values.size)
    if n < FEWEST or not np.ptp(values):
        return Dependence(n, None, 1.0, _halves(values))
    ranks = _ranks(values)
    ranks -= ranks.mean()
    whole = float(ranks @ ranks)
    seen = float(ranks[1:] @ ranks[:-1]) / whole
    lag1 = min((n * seen + 1) / (n - 4), _MOST)
    sure = seen + 1 / n > (_SURE if n >= _FEW else _SURE_OF_FEW) / math.sqrt(n)
    inflation = _inflation(lag1) if sure and lag1 > 0 else 1.0
    return Dependence(n, lag1, max(inflation, _of_batches(ranks)), _halves(values))


def most_variance(values: Floats) -> float:
    """The variance of the mean if the correlation falls off as rho, rho^2, ... with the largest rho there may be.

    With rho known, x[i] - rho x[i-1] are independent; their variance is (1 - rho^2) times that of the samples (Box,
    Jenkins and Reinsel, *Time Series Analysis*, 4th ed. (2008), 3.2.3). At least three samples; n - 2 degrees of
    freedom.
    """
    n = int(values.size)
    centred = values - values.mean()
    steps = centred[1:] - _MOST * centred[:-1]
    apart = np.arange(1, n)
    inflation = 1 + 2 * float(((1 - apart / n) * _MOST**apart).sum())
    return float(steps @ steps) / (n - 2) / (1 - _MOST**2) * inflation / n


def _inflation(lag1: float) -> float:
    return (1 + lag1) / (1 - lag1)


def _ranks(values: Floats) -> Floats:
    """Ranks from 0; equal values share the mean of their ranks."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    middle: Floats = ends - (counts + 1) / 2
    return middle[inverse]


def _of_batches(ranks: Floats) -> float:
    """Factor by which batch means of centred ranks spread more than those of independent samples; 1 if not certain."""
    n = ranks.size
    if n < _FEWEST_FOR_BATCHES:
        return 1.0
    from scipy.special import chdtri

    least, most = _BATCHES
    batches = max(least, min(most, math.isqrt(n)))
    length = n // batches
    means = ranks[n - batches * length :].reshape(batches, length).mean(axis=1)
    ratio = float(length * means.var(ddof=1) / ranks.var(ddof=1))
    # Independent samples: (batches - 1) times the ratio is distributed as chi squared.
    return ratio if ratio * (batches - 1) > float(chdtri(batches - 1, _CHANCE)) else 1.0


def _halves(values: Floats) -> float | None:
    middle = values.size // 2
    if not middle:
        return None
    first, second = float(np.median(values[:middle])), float(np.median(values[values.size - middle :]))
    return second / first if first else None
