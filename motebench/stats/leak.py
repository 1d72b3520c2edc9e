"""Do two classes of inputs take different times? Welch's t-test, also on the fastest shares of the readings.

After Reparaz, Balasch, Verbauwhede: *Dude, is my code constant time?*, DATE 2017. Interrupts and other programs make
readings longer, never shorter; a small difference shows best when the longest are left out. So the test is made on all
readings and on those below several percentiles of both classes together.

All tests of one question share its error probability (Bonferroni): p is multiplied by their number.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

SHARES = (1.0, 0.99, 0.95, 0.9, 0.8, 0.6, 0.4, 0.2)
"""Shares of all readings that a test is made on, the fastest first."""
FEWEST = 30
"""A class with fewer readings is not tested."""
SURE = 1e-5
"""Largest corrected p at which classes are called different."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Welch:
    """The test with the smallest p. ``difference`` is mean of the second class minus mean of the first.

    ``low`` and ``high`` bound it with 95 % confidence; ``share`` is the share of the readings it was made on.
    ``detectable`` is the difference of the means of all readings that would have been found with a probability of 90 %.
    """

    t: float
    p: float
    difference: float
    low: float
    high: float
    share: float
    detectable: float

    @property
    def different(self) -> bool:
        """The classes differ, at the error probability `SURE`."""
        return self.p <= SURE


def welch(first: Sequence[float], second: Sequence[float], *, tests: int = 1) -> Welch | None:
    """Compare two classes of readings; ``tests`` more such comparisons share the error. None if one is too small."""
    one, two = np.asarray(first, float), np.asarray(second, float)
    if min(len(one), len(two)) < FEWEST:
        return None
    pooled = np.concatenate((one, two))
    number = len(SHARES) * tests
    found = []
    for share in SHARES:
        limit = np.quantile(pooled, share)
        pair = one[one <= limit], two[two <= limit]
        if min(map(len, pair)) >= FEWEST:
            found.append(_test(*pair, share, number))
    detectable = _detectable(one, two, number)
    best = min(found, key=lambda item: (item[1], -abs(item[0])))
    return Welch(*best, detectable)


def _test(one: Floats, two: Floats, share: float, number: int) -> tuple[float, float, float, float, float, float]:
    difference = float(two.mean() - one.mean())
    error, freedom = _error(one, two)
    if error == 0:
        p = 0.0 if difference else 1.0
        return math.copysign(math.inf, difference) if difference else 0.0, p, difference, difference, difference, share
    t = difference / error
    p = min(1.0, 2 * float(stats.t.sf(abs(t), freedom)) * number)
    half = float(stats.t.ppf(0.975, freedom)) * error
    return t, p, difference, difference - half, difference + half, share


def _error(one: Floats, two: Floats) -> tuple[float, float]:
    """Standard error of the difference of the means, and Welch's degrees of freedom."""
    a, b = float(one.var(ddof=1)) / len(one), float(two.var(ddof=1)) / len(two)
    if a + b == 0:
        return 0.0, 1.0
    return math.sqrt(a + b), (a + b) ** 2 / (a**2 / (len(one) - 1) + b**2 / (len(two) - 1))


def _detectable(one: Floats, two: Floats, number: int) -> float:
    error, freedom = _error(one, two)
    return float(stats.t.isf(SURE / number / 2, freedom) + stats.t.ppf(0.9, freedom)) * error
