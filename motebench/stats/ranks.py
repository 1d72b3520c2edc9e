"""Null distributions of the signed-rank and the U statistic, and how many ordered values an interval may cut off.

For small samples the distributions are counted out; beyond, the normal approximation with continuity correction serves
(Hollander, Wolfe and Chicken, *Nonparametric Statistical Methods*, 3rd ed. (2014), 3.1-3.3 and 4.1-4.3).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache, cached_property
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

_EXACT = 50
"""Largest n, or n + m, whose distribution is counted exactly: the counts are exact in float64 (2^50, C(50, 25))."""


@dataclass(frozen=True)
class Null:
    """The distribution of a statistic if nothing differs: symmetrical, from 0 to ``total``.

    ``below`` has P(T <= k) by k; if it is None, the normal distribution of that variance is used.
    """

    total: int
    variance: float
    below: NDArray[np.float64] | None = None

    def tail(self, count: int) -> float:
        """P(T <= count)."""
        if count >= self.total:
            return 1.0
        if count < 0:
            return 0.0
        if self.below is not None:
            return float(self.below[count])
        return NormalDist().cdf((count + 0.5 - self.total / 2) / math.sqrt(self.variance))

    def cut(self, alpha: float) -> int:
        """How many of the ``total`` ordered values may be cut off on each side if the rest must have a confidence of at
        least 1 - ``alpha``. Also 0 if even the whole range has less; `reached` gives the confidence."""
        if self.below is not None:
            return max(0, int(np.searchsorted(self.below, alpha / 2, side="right")) - 1)
        reach = -NormalDist().inv_cdf(alpha / 2) * math.sqrt(self.variance)
        found = max(0, math.floor(self.total / 2 - reach - 0.5))
        while found and 2 * self.tail(found) > alpha:  # the last digit of inv_cdf
            found -= 1
        return found

    def reached(self, cut: int) -> float:
        """Confidence of the rest of the range after that many values are cut off on each side."""
        return 1 - 2 * self.tail(cut)

    @cached_property
    def least(self) -> float:
        """The smallest possible two-sided p."""
        return 2 * self.tail(0)


def signed_rank(n: int) -> Null:
    """The distribution of Wilcoxon's signed-rank statistic of n differences. It also counts Walsh averages on one side
    of the shift."""
    variance = n * (n + 1) * (2 * n + 1) / 24
    return Null(n * (n + 1) // 2, variance, _signed_rank_below(n) if n <= _EXACT else None)


@cache
def _signed_rank_below(n: int) -> NDArray[np.float64]:
    counts = np.ones(1)
    for rank in range(1, n + 1):
        # Each rank is either among the positive ones or not: multiply the generating function by 1 + x^rank.
        wider = np.zeros(counts.size + rank)
        wider[: counts.size] += counts
        wider[rank:] += counts
        counts = wider
    below: NDArray[np.float64] = np.cumsum(counts) / counts.sum()
    return below


def rank_sum(n: int, m: int) -> Null:
    """The distribution of the Mann-Whitney U statistic of samples of n and m. It also counts differences on one side of
    the shift."""
    return Null(n * m, n * m * (n + m + 1) / 12, _rank_sum_below(n, m) if n + m <= _EXACT else None)


@cache
def _rank_sum_below(n: int, m: int) -> NDArray[np.float64]:
    # The generating function of U is the Gaussian binomial coefficient: product of (1 - x^(m+i)) / (1 - x^i).
    counts = np.zeros(n * m + 1)
    counts[0] = 1
    for i in range(1, n + 1):
        top = m + i
        for place in range(counts.size - 1, top - 1, -1):
            counts[place] -= counts[place - top]
        for place in range(i, counts.size):
            counts[place] += counts[place - i]
    below: NDArray[np.float64] = np.cumsum(counts) / counts.sum()
    return below
