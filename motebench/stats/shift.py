"""How far one set of logarithms lies from another: an estimate, its interval, and tests against any limit.

A ratio is a shift of logarithms. Which test answers depends on the samples:

- Pairs: Wilcoxon's signed-rank test; the Hodges-Lehmann estimate is the median of all Walsh averages.
- Two independent sets: Mann-Whitney U test; the estimate is the median of all differences. Sources of both: Hollander,
  Wolfe and Chicken, *Nonparametric Statistical Methods*, 3rd ed. (2014), 3.1-3.3 and 4.1-4.3.
- Samples that depend on those before them (`motebench.stats.dependence`) would make rank tests too sure, and ranks have
  no room for fewer effective samples. The same estimate is then judged by two t tests, and the smaller p counts. The
  standard error and degrees of freedom of the first are those of the effective number of samples. The second assumes
  the largest correlation there may be. Only large differences pass it, also where the effective number is below two; it
  is too cautious to raise the number of false alarms (``benchmarks/simulated_noise.py``).
- Few units that are independent whatever happened inside each, such as runs or starts of a virtual machine: Welch's t
  test (Biometrika 34 (1947) 28-35). So few units have no rank test that could ever be sure. Units of both sides that
  were measured in turn have a steady trend of the machine taken off: it would look like noise, and hide a difference.

Intervals invert the tests: what lies outside is rejected. Null distributions of the signed-rank and the U statistic are
counted out for small samples; beyond, the normal approximation with continuity correction serves (the same source).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from statistics import NormalDist
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from motebench.stats.dependence import Dependence, dependence, most_variance

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


_FINE = 1e-13
"""Resolution of logarithms of ratios."""
_MOST_NEEDED = 10_000
"""No larger number of samples is recommended."""
_FEWEST_FOR_TREND = 5
"""Units in all, from which on a trend can be taken off and two degrees of freedom are left."""
_LEAST_FREEDOM = 2.0
"""Fewer degrees of freedom would never show a difference, not even a tenfold one."""

Floats = NDArray[np.float64]
Interval = tuple[float, float, float]
"""Its ends, and the confidence that it reaches."""


class Shift(Protocol):
    """The shift of B above A, in logarithms."""

    @property
    def test(self) -> str:
        """The name of the test."""
        ...

    @property
    def estimate(self) -> float:
        """The shift itself."""
        ...

    @property
    def inflation(self) -> float:
        """Factor by which dependence of the samples raises the variance of the estimate; 1 if there is none."""
        ...

    def above(self, limit: float) -> float:
        """p of the hypothesis that the shift is at most ``limit``."""
        ...

    def below(self, limit: float) -> float:
        """p of the hypothesis that the shift is at least ``limit``."""
        ...

    def interval(self, alpha: float) -> Interval:
        """The interval with a confidence of at least 1 - ``alpha``, or else the widest possible one."""
        ...

    def needed(self, alpha: float) -> int | None:
        """Samples per side with which a two-sided p of ``alpha`` is possible; None if there are enough."""
        ...


def paired(logs: Floats) -> Shift:
    """The shift of pairs, from the logarithms of their ratios in the order in which they were taken."""
    ordered = np.sort(logs)
    n = ordered.size
    rows = np.arange(1, n + 1)

    def count(limit: float) -> int:
        """Pairs i <= j whose sum is at most twice the limit."""
        reach = np.searchsorted(ordered, 2 * limit - ordered, side="right")
        return int(np.minimum(reach, rows).sum())

    ranked = Ranked("Wilcoxon signed-rank test", n, signed_rank, float(ordered[0]), float(ordered[-1]), count)
    found = dependence(logs)
    return Student.of(ranked.estimate, ((logs, found),)) if found.dependent else ranked


def unpaired(a: Floats, b: Floats) -> Shift:
    """The shift of two sets of logarithms, each in the order in which it was taken."""
    left, right = np.sort(a), np.sort(b)

    def count(limit: float) -> int:
        """Pairs whose difference is at most the limit."""
        return int(np.searchsorted(right, left + limit, side="right").sum())

    n, m = left.size, right.size
    ranked = Ranked(
        "Mann-Whitney U test",
        min(n, m),
        lambda wanted: rank_sum(max(wanted, n), max(wanted, m)),
        float(right[0] - left[-1]),
        float(right[-1] - left[0]),
        count,
    )
    sides = (a, dependence(a)), (b, dependence(b))
    return Student.of(ranked.estimate, sides) if any(side.dependent for _, side in sides) else ranked


def units(a: Floats, b: Floats, places: tuple[Floats, Floats] | None = None) -> Shift:
    """Of the logarithms of units, each of which is independent of all others. At least two a side.

    ``places``: of units that were measured in turn, the place of each in the order of time. A steady trend over them is
    then taken off, which costs one degree of freedom. At least five units in all.
    """
    if places is not None and a.size + b.size >= _FEWEST_FOR_TREND:
        return _in_turn(a, b, *places)
    sides = [(side, Dependence(side.size, None, 1.0, None)) for side in (a, b)]
    return Student.of(float(b.mean() - a.mean()), sides, test="Welch's t test of units")


def without_trend(a: Floats, b: Floats, places: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
    """Both sets without the steady trend over their places, which `units` fits. Fewer than five stay as they are."""
    if a.size + b.size < _FEWEST_FOR_TREND:
        return a, b
    values, model = np.concatenate((a, b)), _model(*places)
    steady = values - (np.linalg.pinv(model) @ values)[2] * model[:, 2]
    return steady[: a.size], steady[a.size :]


def _model(place_a: Floats, place_b: Floats) -> Floats:
    """A column each for the level, the difference of the sides, and the slope over the places."""
    place = np.concatenate((place_a, place_b))
    side = np.repeat((0.0, 1.0), (place_a.size, place_b.size))
    return np.column_stack((np.ones(place.size), side, place - place.mean()))


def _in_turn(a: Floats, b: Floats, place_a: Floats, place_b: Floats) -> Shift:
    """Least squares: a level, the difference of the sides, and a slope over the places."""
    values, model = np.concatenate((a, b)), _model(place_a, place_b)
    inverse = np.linalg.pinv(model.T @ model)
    fitted = inverse @ model.T @ values
    left = values - model @ fitted
    freedom = values.size - 3
    error = math.sqrt(max(float(left @ left), 0.0) / freedom * float(inverse[1, 1]))
    # The remaining difference of exact numbers is rounding.
    error = 0.0 if error < _FINE else error
    return Student("t test of units in turn, trend taken off", float(fitted[1]), error, float(freedom), 1.0)


@dataclass(frozen=True)
class Student:
    """By a t test: the estimate, its standard error and its degrees of freedom. ``most``: the standard error with the
    largest correlation there may be, and its degrees of freedom; the smaller p of both counts."""

    test: str
    estimate: float
    error: float
    freedom: float
    inflation: float
    most: tuple[float, float] | None = None

    @classmethod
    def of(
        cls, estimate: float, sides: Sequence[tuple[Floats, Dependence]], *, test: str = "t test with effective n"
    ) -> Student:
        """Of one or two sets that are worth as many samples as ``Dependence`` says (Welch and Satterthwaite)."""
        parts, most = [], []
        for values, found in sides:
            inflation = found.cautious
            # Correlated samples spread less around their own mean than around the true one.
            hidden = max(1 - inflation / values.size, 1 / values.size) * values.size / (values.size - 1)
            variance = float(values.var(ddof=1)) / hidden * inflation / values.size
            least = _LEAST_FREEDOM if found.dependent else 1.0
            parts.append((variance, max(values.size / inflation - 1, least)))
            most.append((most_variance(values), values.size - 2.0) if found.dependent else parts[-1])
        error, freedom = _combined(parts)
        dependent = any(found.dependent for _, found in sides)
        inflation = max(found.inflation for _, found in sides)
        return cls(test, estimate, error, freedom, inflation, _combined(most) if dependent else None)

    @property
    def _tests(self) -> tuple[tuple[float, float], ...]:
        """Standard error and degrees of freedom of each test."""
        one = (self.error, self.freedom)
        return (one,) if self.most is None else (one, self.most)

    def above(self, limit: float) -> float:
        """p of the hypothesis that the shift is at most ``limit``."""
        return self._tail(self.estimate - limit)

    def below(self, limit: float) -> float:
        """p of the hypothesis that the shift is at least ``limit``."""
        return self._tail(limit - self.estimate)

    def _tail(self, distance: float) -> float:
        from scipy.special import stdtr

        if self.error == 0:
            return 0.0 if distance > 0 else 1.0
        if distance < 0:
            return max(float(stdtr(freedom, -distance / error)) for error, freedom in self._tests)
        return min(float(stdtr(freedom, -distance / error)) for error, freedom in self._tests)

    def interval(self, alpha: float) -> Interval:
        """The t interval."""
        from scipy.special import stdtrit

        reach = min(float(stdtrit(freedom, 1 - alpha / 2)) * error for error, freedom in self._tests)
        return self.estimate - reach, self.estimate + reach, 1 - alpha

    def needed(self, alpha: float) -> int | None:
        """None: any p is possible."""
        del alpha
        return None


def _combined(parts: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """The standard error of a difference and its degrees of freedom, from the variance and those of each side."""
    whole = sum(variance for variance, _ in parts)
    freedom = whole**2 / sum(variance**2 / free for variance, free in parts) if whole else 1.0
    return math.sqrt(whole), freedom


class Ranked:
    """By a rank test: ordered values whose number on one side of a limit is the statistic.

    ``null`` is the distribution of that number for ``n`` samples (a side) if nothing differs, ``count`` how many values
    are at most a limit.
    """

    inflation = 1.0

    def __init__(
        self,
        test: str,
        n: int,
        null: Callable[[int], Null],
        lowest: float,
        highest: float,
        count: Callable[[float], int],
    ) -> None:
        self.test = test
        self._n = n
        self._null_of = null
        self._null = null(n)
        self._lowest, self._highest = lowest, highest
        self._count = count

    @cached_property
    def estimate(self) -> float:
        """The median of the ordered values."""
        total = self._null.total
        return (self._at((total + 1) // 2) + self._at(total // 2 + 1)) / 2

    def above(self, limit: float) -> float:
        """p of the hypothesis that the shift is at most ``limit``: few values lie there."""
        return self._null.tail(self._count(limit))

    def below(self, limit: float) -> float:
        """p of the hypothesis that the shift is at least ``limit``."""
        return self._null.tail(self._null.total - self._count(limit - _FINE))

    def interval(self, alpha: float) -> Interval:
        """The interval between the ordered values that the test does not reject; all of them if it cannot
        reject any."""
        cut = self._null.cut(alpha)
        return self._at(cut + 1), self._at(self._null.total - cut), self._null.reached(cut)

    def _at(self, rank: int) -> float:
        """The value of that rank, counted from 1, by bisection, so that n^2 values need not be stored."""
        low, high, count = self._lowest, self._highest, self._count
        if count(low) >= rank:
            return low
        if low < 0 < high:
            # Whether an end of the interval is 0 or next to it decides a verdict, so 0 is found exactly.
            if count(0.0) < rank:
                low = 0.0
            elif count(-_FINE) < rank:
                return 0.0
            else:
                high = -_FINE
        while high - low > _FINE:
            middle = (low + high) / 2
            if count(middle) >= rank:
                high = middle
            else:
                low = middle
        return high

    def needed(self, alpha: float) -> int | None:
        """The fewest samples whose smallest p is at most ``alpha``, if that is more than there are."""
        wanted = self._n
        while self._null_of(wanted).least > alpha and wanted < _MOST_NEEDED:
            wanted += 1
        return None if wanted == self._n else wanted
