"""How many of the ordered Walsh averages or differences lie outside an interval of given confidence.

For small samples the null distributions of the signed-rank and the U statistic are counted out; beyond, the normal
approximation with continuity correction serves (Hollander, Wolfe and Chicken, *Nonparametric Statistical Methods*,
3rd ed. (2014), 3.1 and 4.1). Rounding is always towards the wider interval.
"""

from __future__ import annotations

import math
from functools import cache
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

_EXACT = 50
"""Largest n, or n + m, that is counted out: the counts still are exact in float64 (2^50, C(50, 25))."""


@cache
def signed_rank_tail(n: int, alpha: float) -> int:
    """The largest k with 2 P(T < k) <= alpha: so many Walsh averages are cut off on each side. 0: none may be."""
    if n > _EXACT:
        mean, spread = n * (n + 1) / 4, math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
        return _normal(mean, spread, alpha)
    counts = np.ones(1)
    for rank in range(1, n + 1):
        # Each rank is either among the positive ones or not: multiply the generating function by 1 + x^rank.
        wider = np.zeros(counts.size + rank)
        wider[: counts.size] += counts
        wider[rank:] += counts
        counts = wider
    return _counted(counts, alpha)


@cache
def u_tail(n: int, m: int, alpha: float) -> int:
    """The largest k with 2 P(U < k) <= alpha: so many differences are cut off on each side."""
    if n + m > _EXACT:
        mean, spread = n * m / 2, math.sqrt(n * m * (n + m + 1) / 12)
        return _normal(mean, spread, alpha)
    # The generating function of U is the Gaussian binomial coefficient: product of (1 - x^(m+i)) / (1 - x^i).
    counts = np.zeros(n * m + 1)
    counts[0] = 1
    for i in range(1, n + 1):
        top = m + i
        for place in range(counts.size - 1, top - 1, -1):
            counts[place] -= counts[place - top]
        for place in range(i, counts.size):
            counts[place] += counts[place - i]
    return _counted(counts, alpha)


def _counted(counts: NDArray[np.float64], alpha: float) -> int:
    below = np.cumsum(counts) / counts.sum()
    return int(np.searchsorted(below, alpha / 2, side="right"))


def _normal(mean: float, spread: float, alpha: float) -> int:
    z = -NormalDist().inv_cdf(alpha / 2)
    return max(0, math.floor(mean - z * spread - 0.5))
