"""Shapes of two sets of results that were measured on different machines: ranks, and how values
scale with size.

Absolute values of two machines say little together. Whether they put ciphers in the same order, and
how values grow with the input, can be compared.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise


@dataclass(frozen=True, slots=True)
class Bounded:
    """A value with its interval; both ends equal the value if it is exact, and are None if nothing
    is known of it.
    """

    value: float
    low: float | None = None
    high: float | None = None

    @classmethod
    def exact(cls, value: float) -> Bounded:
        """A value without uncertainty."""
        return cls(value, value, value)

    @property
    def known(self) -> bool:
        """True if there is an interval."""
        return self.low is not None and self.high is not None

    def over(self, other: Bounded) -> Bounded:
        """Quotient of two positive values; its interval is that of the extreme ends (interval
        arithmetic).
        """
        value = self.value / other.value if other.value else math.inf
        if self.low is None or self.high is None or not other.low or not other.high:
            return Bounded(value)
        return Bounded(value, self.low / other.high, self.high / other.low)


@dataclass(frozen=True, slots=True)
class RankCorrelation:
    """Kendall's tau-b with bounds. ``open``: pairs whose order the intervals do not decide on one
    of the sides.
    """

    tau: float
    low: float
    high: float
    n: int
    open: int


def kendall(a: Sequence[Bounded], b: Sequence[Bounded]) -> RankCorrelation | None:
    """Tau-b of two rows of values of the same things; None for fewer than two, or if one side is
    all ties.

    tau-b = (C - D) / sqrt((n0 - n1)(n0 - n2)): Kendall, *Rank Correlation Methods* (1948), 3.4; n0
    all pairs, n1 and n2 those tied on a side. The things compared (the ciphers of a paper) are no
    random sample, so that the bounds are not of sampling: pairs whose intervals overlap on a side
    count once as if the sides agreed and once as if they did not.
    """
    concordant = discordant = tied_a = tied_b = undecided = 0
    surely = 0
    pairs = list(combinations(range(len(a)), 2))
    for i, j in pairs:
        first, second = _sign(a[i].value, a[j].value), _sign(b[i].value, b[j].value)
        tied_a += first == 0
        tied_b += second == 0
        concordant += first * second > 0
        discordant += first * second < 0
        if _overlap(a[i], a[j]) or _overlap(b[i], b[j]):
            undecided += 1
        else:
            surely += first * second
    size = math.sqrt((len(pairs) - tied_a) * (len(pairs) - tied_b))
    if not size:
        return None
    tau = (concordant - discordant) / size
    low, high = max(-1.0, (surely - undecided) / size), min(1.0, (surely + undecided) / size)
    return RankCorrelation(tau, min(low, tau), max(high, tau), len(a), undecided)


def _sign(first: float, second: float) -> int:
    return (first > second) - (first < second)


def _overlap(left: Bounded, right: Bounded) -> bool:
    if left.low is None or left.high is None or right.low is None or right.high is None:
        return True
    return left.low <= right.high and right.low <= left.high


@dataclass(frozen=True, slots=True)
class ScalingFit:
    """Growth of values with size: value ~ size^exponent. ``least`` and ``most``: exponents from one
    size to the next.

    ``intercept``: the part of the value at the smallest size that a straight line through all
    points leaves for size 0.
    """

    exponent: Bounded
    least: Bounded
    most: Bounded
    intercept: float


def scaling(sizes: Sequence[float], values: Sequence[Bounded]) -> ScalingFit | None:
    """The exponent by least squares on logarithms; None for fewer than two different sizes or a
    value of 0.

    The slope is a weighted sum of the logarithms, so its interval follows from those of the values,
    each at the end that moves it most: wider than the truth, never narrower.
    """
    points = sorted(zip(sizes, values, strict=True), key=lambda point: point[0])
    if len({size for size, _ in points}) < 2 or any(
        size <= 0 or value.value <= 0 for size, value in points
    ):
        return None
    steps = [_slope([first, second]) for first, second in pairwise(points) if first[0] != second[0]]
    mean_size = sum(size for size, _ in points) / len(points)
    mean = sum(value.value for _, value in points) / len(points)
    spread = sum((size - mean_size) ** 2 for size, _ in points)
    line = sum((size - mean_size) * (value.value - mean) for size, value in points) / spread
    return ScalingFit(
        exponent=_slope(points),
        least=min(steps, key=lambda step: step.value),
        most=max(steps, key=lambda step: step.value),
        intercept=(mean - line * mean_size) / points[0][1].value,
    )


def _slope(points: Sequence[tuple[float, Bounded]]) -> Bounded:
    logs = [math.log(size) for size, _ in points]
    mean = sum(logs) / len(logs)
    spread = sum((log - mean) ** 2 for log in logs)
    weights = [(log - mean) / spread for log in logs]
    value = sum(
        weight * math.log(point.value) for weight, (_, point) in zip(weights, points, strict=True)
    )
    low = high = 0.0
    for weight, (_, point) in zip(weights, points, strict=True):
        if not point.low or not point.high or point.low <= 0:
            return Bounded(value)
        ends = (weight * math.log(point.low), weight * math.log(point.high))
        low, high = low + min(ends), high + max(ends)
    return Bounded(value, low, high)
