"""Shift between two sets of logarithms: an estimate, its interval, and tests against any limit.

A ratio is a shift of logarithms. Which test answers depends on the samples:

- Pairs: Wilcoxon's signed-rank test; the Hodges-Lehmann estimate is the median of all Walsh
  averages.
- Two independent sets: Mann-Whitney U test; the estimate is the median of all differences. Sources
  of both: Hollander, Wolfe and Chicken, *Nonparametric Statistical Methods*, 3rd ed. (2014),
  3.1-3.3 and 4.1-4.3.
- Samples that depend on those before them (`motebench.stats.dependence`) would make rank tests too
  sure, and ranks have no room for fewer effective samples. The same estimate is then judged by two
  t tests, and the larger p counts: one with the effective number of samples by their correlation,
  one with the slowest cosines of the series.
- Gross differences need no fine test. Beside each of these a t test takes all samples together as
  worth less than one: its standard error is `_GROSS` times their standard deviation. Only
  differences of many standard deviations pass it, and then its smaller p counts, so that a tenfold
  difference is found by six pairs and within a large family. It adds at most 0.1 points of false
  alarms to strongly dependent samples, and none to others.
- Few units that are independent whatever happened inside each, such as runs or starts of a virtual
  machine: Welch's t test (Biometrika 34 (1947) 28-35). So few units have no rank test that could
  ever be sure. Units of both sides that were measured in turn have a steady trend of the machine
  taken off: it would look like noise, and hide a difference. Where each block of turns has every
  side once, in random order, the differences within blocks give an error as well, and the larger
  one counts. Units that are all alike on both sides have no error: the U test judges them.

Intervals invert the tests: what lies outside is rejected. Null distributions of the signed-rank and
the U statistic are counted out for small samples; beyond, the normal approximation with continuity
correction serves (the same source).
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from statistics import NormalDist, median
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from motebench.stats.dependence import LEVEL, Dependence, dependence
from motebench.stats.distributions import noncentral_student_tail, student_cdf, student_quantile

_FEW = 64
"""The most samples a side whose pairs are listed."""
_EXACT = 50
"""Largest n, or n + m, whose distribution is counted exactly: the counts are exact in float64
(2^50, C(50, 25)).
"""


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
        """Number of the ``total`` ordered values that may be cut off on each side if the rest must
        have a confidence of at least 1 - ``alpha``. Also 0 if even the whole range has less;
        `reached` gives the confidence.
        """
        if self.below is not None:
            return max(0, int(np.searchsorted(self.below, alpha / 2, side="right")) - 1)
        reach = -NormalDist().inv_cdf(alpha / 2) * math.sqrt(self.variance)
        limit = max(0, math.floor(self.total / 2 - reach - 0.5))
        while limit and 2 * self.tail(limit) > alpha:  # the last digit of inv_cdf
            limit -= 1
        return limit

    def reached(self, cut: int) -> float:
        """Confidence of the rest of the range after that many values are cut off on each side."""
        return 1 - 2 * self.tail(cut)


def signed_rank(n: int) -> Null:
    """The distribution of Wilcoxon's signed-rank statistic of n differences. It also counts Walsh
    averages on one side of the shift."""
    variance = n * (n + 1) * (2 * n + 1) / 24
    return Null(n * (n + 1) // 2, variance, _signed_rank_below(n) if n <= _EXACT else None)


@cache
def _signed_rank_below(n: int) -> NDArray[np.float64]:
    counts = np.ones(1)
    for rank in range(1, n + 1):
        # Each rank is either among the positive ones or not: multiply the generating function by 1
        # + x^rank.
        wider = np.zeros(counts.size + rank)
        wider[: counts.size] += counts
        wider[rank:] += counts
        counts = wider
    below: NDArray[np.float64] = np.cumsum(counts) / counts.sum()
    return below


def rank_sum(n: int, m: int) -> Null:
    """The distribution of the Mann-Whitney U statistic of samples of n and m. It also counts
    differences on one side of the shift."""
    return Null(n * m, n * m * (n + m + 1) / 12, _rank_sum_below(n, m) if n + m <= _EXACT else None)


@cache
def _rank_sum_below(n: int, m: int) -> NDArray[np.float64]:
    # The generating function of U is the Gaussian binomial coefficient: product of (1 - x^(m+i)) /
    # (1 - x^i).
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
_COARSE = 1e-5
"""Relative resolution of the ends of an inverted test."""
_MOST_NEEDED = 10_000
"""Largest number of samples that is recommended."""
_FEWEST_FOR_TREND = 5
"""Units in all, from which on a trend can be taken off and two degrees of freedom are left."""
_LEAST_FREEDOM = 2.0
"""Fewer degrees of freedom would never show a difference, not even a tenfold one."""
_GROSS = 2.0
"""Standard deviations of the samples that are the standard error of the test for gross differences.
"""
_LEAST_GROSS = 0.05
"""Least standard error of that test: equal readings, which a coarse clock gives, are no certainty.
"""

Floats = NDArray[np.float64]
Interval = tuple[float, float, float]
"""Interval: its ends, and its confidence."""


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
        """Factor by which dependence of the samples raises the variance of the estimate; 1 without
        dependence.
        """
        ...

    def above(self, limit: float) -> float:
        """p of the hypothesis that the shift is at most ``limit``."""
        ...

    def below(self, limit: float) -> float:
        """p of the hypothesis that the shift is at least ``limit``."""
        ...

    def interval(self, alpha: float) -> Interval:
        """The interval with a confidence of at least 1 - ``alpha``, or else the widest possible
        one.
        """
        ...

    def needed(self, alpha: float) -> int | None:
        """Samples per side with which a two-sided p of ``alpha`` is possible; None if there are
        enough.
        """
        ...


def inverted(shift: Shift, alpha: float, farthest: float) -> tuple[float | None, float | None]:
    """The shifts that neither side's test rejects at half of ``alpha``; None for an end that is not
    within ``farthest`` of the estimate.

    Unlike `Shift.interval` it has the test for gross differences in it, so that few samples have an
    interval too, if a wide one.
    """
    return (
        _last(
            lambda reach: shift.above(shift.estimate - reach) > alpha / 2, shift.estimate, -farthest
        ),
        _last(
            lambda reach: shift.below(shift.estimate + reach) > alpha / 2, shift.estimate, farthest
        ),
    )


def _last(is_inside: Callable[[float], bool], estimate: float, farthest: float) -> float | None:
    """The end of the interval on one side: how far from the estimate limits are kept, by
    bisection.
    """
    outside = abs(farthest)
    if is_inside(outside):
        return None
    inside = 0.0
    while outside - inside > _FINE and outside - inside > _COARSE * outside:
        middle = (inside + outside) / 2
        if is_inside(middle):
            inside = middle
        else:
            outside = middle
    return estimate + math.copysign(outside, farthest)


@dataclass(frozen=True, slots=True)
class Between:
    """The standard deviation between two single runs of one thing, of logarithms, and its degrees
    of freedom.

    It holds whatever moves all samples of a run alike, which they cannot show.
    """

    sd: float
    degrees: int

    def above(self, shift: float, limit: float) -> float:
        """p of the hypothesis that the true shift is at most ``limit``, where two single runs show
        ``shift``.
        """
        if self.sd <= 0:
            return 0.0 if shift > limit else 1.0
        return student_cdf(self.degrees, (limit - shift) / self.sd)

    def reach(self, alpha: float) -> float:
        """Largest distance of two single runs of one thing, exceeded once in 1 / alpha
        comparisons."""
        return student_quantile(self.degrees, 1 - alpha / 2) * self.sd

    def detectable(self, alpha: float, power: float) -> float:
        """The smallest difference of logarithms that two single runs show with the probability
        ``power``.
        """
        critical = student_quantile(self.degrees, 1 - alpha)
        low, high = 0.0, 4 * critical + 10
        while high - low > 1e-6:
            middle = (low + high) / 2
            if noncentral_student_tail(self.degrees, middle, critical) < power:
                low = middle
            else:
                high = middle
        return high * self.sd


@dataclass(frozen=True, slots=True)
class Gross:
    """A t test that takes all samples together as worth less than one: for differences of many
    standard deviations.
    """

    error: float
    freedom: float

    @classmethod
    def of(cls, *sides: Floats) -> Gross:
        """Gross difference of the logarithms of pairs, or of two sets."""
        spread = math.sqrt(sum(float(side.var(ddof=1)) for side in sides))
        return cls(max(_GROSS * spread, _LEAST_GROSS), min(side.size for side in sides) - 1.0)

    def p(self, distance: float) -> float:
        """Probability of an estimate that far above the limit."""
        return student_cdf(self.freedom, -distance / self.error)

    def reach(self, alpha: float) -> float:
        """Half the width of the interval."""
        return student_quantile(self.freedom, 1 - alpha / 2) * self.error


def paired(logs: Floats) -> Shift:
    """The shift of pairs, from the logarithms of their ratios in the order in which they were
    taken.
    """
    ordered = np.sort(logs)
    n = ordered.size
    count = _count_of_averages(ordered)
    fewest = Fewest(n, _least_of_pairs)
    ends = float(ordered[0]), float(ordered[-1])
    ranked = Ranked(
        "Wilcoxon signed-rank test", signed_rank(n), fewest, ends, count, Gross.of(logs)
    )
    series = dependence(logs)
    return Student.of(ranked, ((logs, series),)) if series.dependent else ranked


def _count_of_averages(ordered: Floats) -> Callable[[float], int]:
    """Counts pairs i <= j whose sum is at most twice the limit."""
    if ordered.size <= _FEW:
        return _count_in((ordered[:, np.newaxis] + ordered)[np.tri(ordered.size, dtype=bool)] / 2)
    rows = np.arange(1, ordered.size + 1)

    def count(limit: float) -> int:
        reach = np.searchsorted(ordered, 2 * limit - ordered, side="right")
        return int(np.minimum(reach, rows).sum())

    return count


def _count_of_differences(left: Floats, right: Floats) -> Callable[[float], int]:
    """Counts pairs whose difference is at most the limit."""
    if max(left.size, right.size) <= _FEW:
        return _count_in(right - left[:, np.newaxis])
    return lambda limit: int(np.searchsorted(right, left + limit, side="right").sum())


def _count_in(values: Floats) -> Callable[[float], int]:
    """Counts values of at most the limit, by a list of them: of few values, ten times as fast as by
    arrays.
    """
    listed = np.sort(values, axis=None).tolist()
    return lambda limit: bisect_right(listed, limit)


def _least_of_pairs(pairs: int) -> float:
    """The smallest two-sided p of the signed-rank test: all signs agree."""
    return 2 * 0.5**pairs


def pairs_needed(alpha: float) -> int:
    """The fewest pairs whose signed-rank test can have a two-sided p of ``alpha``."""
    return Fewest(1, _least_of_pairs).needed(alpha) or 1


def unpaired(a: Floats, b: Floats) -> Shift:
    """The shift of two sets of logarithms, each in the order in which it was taken."""
    ranked = _rank_sum_test(a, b, Gross.of(a, b))
    sides = tuple((side, dependence(side, LEVEL / 2)) for side in (a, b))
    return Student.of(ranked, sides) if any(series.dependent for _, series in sides) else ranked


def _rank_sum_test(a: Floats, b: Floats, gross: Gross | None) -> Ranked:
    left, right = np.sort(a), np.sort(b)
    n, m = left.size, right.size
    count = _count_of_differences(left, right)
    fewest = Fewest(
        min(n, m), lambda side: 2 / math.comb(max(side, n) + max(side, m), max(side, n))
    )
    ends = float(right[0] - left[-1]), float(right[-1] - left[0])
    return Ranked("Mann-Whitney U test", rank_sum(n, m), fewest, ends, count, gross)


def units(a: Floats, b: Floats, places: tuple[Floats, Floats] | None = None) -> Shift:
    """Logarithms of units, each of which is independent of all others. At least two a side.

    ``places``: of units that were measured in turn, the place of each in the order of time. A
    steady trend over them is then taken off, which costs one degree of freedom. At least five units
    in all.
    """
    if not np.ptp(a) and not np.ptp(b):
        return _rank_sum_test(a, b, None)
    if places is not None and a.size + b.size >= _FEWEST_FOR_TREND:
        return _in_turn(a, b, *places)
    error, freedom = _combined(
        [(float(side.var(ddof=1)) / side.size, side.size - 1.0) for side in (a, b)]
    )
    return Student("Welch's t test of units", float(b.mean() - a.mean()), ((error, freedom),), 1.0)


def without_trend(a: Floats, b: Floats, places: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
    """Both sets without the steady trend over their places, which `units` fits. Sets of fewer than
    five stay unchanged.
    """
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
    error = max(error, _of_blocks(a, b, place_a, place_b))
    # The remaining difference of exact numbers is rounding.
    error = 0.0 if error < _FINE else error
    return Student(
        "t test of units in turn, trend taken off",
        float(fitted[1]),
        ((error, float(freedom)),),
        1.0,
    )


def _of_blocks(a: Floats, b: Floats, place_a: Floats, place_b: Floats) -> float:
    """Standard error of the mean difference within blocks of two turns; 0 without such blocks.

    What comes and goes from turn to turn would else be underestimated: between the turns of a block
    it counts twice.
    """
    first, second = np.argsort(place_a), np.argsort(place_b)
    if a.size != b.size or not np.array_equal(place_a[first] // 2, place_b[second] // 2):
        return 0.0
    differences = b[second] - a[first]
    return float(differences.std(ddof=1)) / math.sqrt(differences.size)


@dataclass(frozen=True)
class Fewest:
    """Number of samples on each side, and the smallest two-sided p that any number of them can
    have.
    """

    n: int
    least: Callable[[int], float]

    def needed(self, alpha: float) -> int | None:
        """The fewest samples whose smallest p is at most ``alpha``, if that is more than there
        are.
        """
        size = self.n
        while self.least(size) > alpha and size < _MOST_NEEDED:
            size += 1
        return None if size == self.n else size


@dataclass(frozen=True)
class Student:
    """Shift by t tests: the estimate, and each test's standard error and degrees of freedom.

    The largest p counts.

    ``gross``: unless its test has a smaller one. ``fewest``: of samples; units may have any p.
    """

    test: str
    estimate: float
    tests: tuple[tuple[float, float], ...]
    inflation: float
    gross: Gross | None = None
    fewest: Fewest | None = None

    @classmethod
    def of(cls, ranked: Ranked, sides: Sequence[tuple[Floats, Dependence]]) -> Student:
        """t tests of one or two sets that are worth as many samples as ``Dependence`` says (Welch
        and Satterthwaite).
        """
        quick, slow = [], []
        for values, series in sides:
            n, variance, inflation = values.size, float(values.var(ddof=1)), series.cautious
            # Correlated samples spread less around their own mean than around the true one.
            hidden = max(1 - inflation / n, 1 / n) * n / (n - 1)
            least = _LEAST_FREEDOM if series.dependent else 1.0
            quick.append((variance / hidden * inflation / n, max(n / inflation - 1, least)))
            slow.append((variance * series.slow / n, min(series.freedom, n - 1.0)))
        inflation = max(series.inflation for _, series in sides)
        tests = _combined(quick), _combined(slow)
        return cls(
            "t test with effective n",
            ranked.estimate,
            tests,
            inflation,
            ranked.gross,
            ranked.fewest,
        )

    def above(self, limit: float) -> float:
        """p of the hypothesis that the shift is at most ``limit``."""
        return self._tail(self.estimate - limit)

    def below(self, limit: float) -> float:
        """p of the hypothesis that the shift is at least ``limit``."""
        return self._tail(limit - self.estimate)

    def _tail(self, distance: float) -> float:
        p = max(_student_tail(distance, error, freedom) for error, freedom in self.tests)
        return p if self.gross is None or distance <= 0 else min(p, self.gross.p(distance))

    def interval(self, alpha: float) -> Interval:
        """The t interval."""
        reach = max(
            student_quantile(freedom, 1 - alpha / 2) * error for error, freedom in self.tests
        )
        if self.gross is not None:
            reach = min(reach, self.gross.reach(alpha))
        return self.estimate - reach, self.estimate + reach, 1 - alpha

    def needed(self, alpha: float) -> int | None:
        """Samples a side with which a rank test could have a p of ``alpha``; None for units: any p
        is possible.
        """
        return None if self.fewest is None else self.fewest.needed(alpha)


def _student_tail(distance: float, error: float, freedom: float) -> float:
    if error == 0:
        return 0.0 if distance > 0 else 1.0
    return student_cdf(freedom, -distance / error)


def _combined(parts: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Standard error of a difference and its degrees of freedom, from the variances and degrees of
    freedom of both sides.
    """
    whole = sum(variance for variance, _ in parts)
    freedom = whole**2 / sum(variance**2 / free for variance, free in parts) if whole else 1.0
    return math.sqrt(whole), freedom


class Ranked:
    """Shift by a rank test: ordered values whose number on one side of a limit is the statistic.

    ``null`` is the distribution of that number if nothing differs, ``ends`` are the outermost
    values, and ``count`` tells how many values are at most a limit.
    """

    inflation = 1.0

    def __init__(
        self,
        test: str,
        null: Null,
        fewest: Fewest,
        ends: tuple[float, float],
        count: Callable[[float], int],
        gross: Gross | None,
    ) -> None:
        self.test = test
        self.fewest = fewest
        self.gross = gross
        self._null = null
        self._lowest, self._highest = ends
        self._count = count

    @cached_property
    def estimate(self) -> float:
        """The median of the ordered values."""
        total = self._null.total
        return (self._at((total + 1) // 2) + self._at(total // 2 + 1)) / 2

    def above(self, limit: float) -> float:
        """p of the hypothesis that the shift is at most ``limit``: few values lie there."""
        return self._or_gross(self._null.tail(self._count(limit)), self.estimate - limit)

    def below(self, limit: float) -> float:
        """p of the hypothesis that the shift is at least ``limit``."""
        p = self._null.tail(self._null.total - self._count(limit - _FINE))
        return self._or_gross(p, limit - self.estimate)

    def _or_gross(self, p: float, distance: float) -> float:
        return p if self.gross is None or distance <= 0 else min(p, self.gross.p(distance))

    def interval(self, alpha: float) -> Interval:
        """The interval between the ordered values that the test does not reject; all of them if it
        cannot reject any."""
        cut = self._null.cut(alpha)
        return self._at(cut + 1), self._at(self._null.total - cut), self._null.reached(cut)

    def _at(self, rank: int) -> float:
        """The value of that rank, counted from 1, by bisection, so that n^2 values need not be
        stored.
        """
        low, high, count = self._lowest, self._highest, self._count
        if count(low) >= rank:
            return low
        if low < 0 < high:
            # Whether an end of the interval is 0 or next to it decides a verdict, so 0 is found
            # exactly.
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
        """The fewest samples whose smallest p is at most ``alpha``, if that is more than there
        are.
        """
        return self.fewest.needed(alpha)


# Input changes: does an operation take another time when its input changes from call to call? Noisy
# readings of both kinds, taken in turn, are judged by the Mann-Whitney U test and by a least
# difference: a machine that moves between two requests makes small ones. Readings of boards repeat;
# there each pair of readings has one difference, and all of them must agree.

CHANGING = "with inputs that change from call to call "
"""Beginning of the note on a case whose time they change."""
_LEVEL = 0.001
"""Most probable p of readings that do not differ. Only cases that look different are judged, each
once."""
_LEAST = 0.05
"""Least difference of noisy readings, as a share of the smaller median."""
_LEAST_EXACT = 0.01
"""Least difference on boards: a request that is one byte longer than the previous one takes some
cycles more.
"""


def look_different(same: Sequence[float], changing: Sequence[float]) -> int:
    """Kind of the few readings that look longer, as a reason to take more: 1 those with changing
    inputs, -1 those with the same input, 0 neither. Their least ones are compared: noise only adds.
    """
    fixed, changed = min(same), min(changing)
    return 0 if not _apart(fixed, changed) else 1 if changed > fixed else -1


def differ(same: Sequence[float], changing: Sequence[float]) -> bool:
    """True if readings with changing inputs differ from those with the same input, by more than
    both scatter.
    """
    if not same or not changing or not _apart(median(same), median(changing)):
        return False
    above = sum(
        (changed > fixed) + (changed == fixed) / 2 for changed in changing for fixed in same
    )
    fewer = min(above, len(same) * len(changing) - above)
    return 2 * rank_sum(len(same), len(changing)).tail(round(fewer)) <= _LEVEL


def repeated(differences: Sequence[float], time: float) -> bool:
    """True if the differences of pairs of readings agree that an operation of that ``time`` takes
    longer after another input: each is larger than `_LEAST_EXACT` of it, and their median larger
    than their range.
    """
    if not differences:
        return False
    scatter = max(differences) - min(differences)
    return min(differences) > _LEAST_EXACT * time and median(differences) > scatter


def _apart(fixed: float, changed: float) -> bool:
    return abs(changed - fixed) > _LEAST * min(fixed, changed)
