"""Several runs of one thing: their spread, the difference that two single runs can show, and the
number of runs that decides.

The value of a run is the logarithm of the median of its samples: one number per run and case. What
the machine did during a run (clock, neighbours, where memory lay) is the same for all its samples,
so the run is the random unit, and its samples are not.

*Spread.* Each case has a variance within its groups: sum of squares divided by degrees of freedom.
Pooled is their mean, weighted by degrees of freedom, after standard deviations beyond Tukey's upper
inner fence (third quartile + 1.5 times the interquartile range, over the cases) were set to that
fence: a few outlying cases hardly move it. All cases of a run saw the same machine, so they add no
degrees of freedom: the sum over groups of runs - 1 is what counts.

*Margin of two single runs.* Their difference has the standard deviation sqrt(2) x spread, so two
runs of one thing differ by more than t(1 - alpha/2, degrees of freedom) x sqrt(2) x spread once in
1 / alpha comparisons. Source: Student's t for one new difference with a pooled standard deviation,
as the repeatability limit of ISO 5725-6:1994, 4.1, with t in place of the normal quantile because
the spread is itself an estimate.

*Runs that decide.* Power of the one-sided two-sample t test with equal numbers of runs: the
noncentral t distribution. Source: Johnson, Kotz and Balakrishnan, *Continuous Univariate
Distributions*, vol. 2, 2nd ed. (1995), ch. 31. Runs in turn need one more.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from motebench.stats.compare import ALPHA
from motebench.stats.distributions import noncentral_student_tail, student_quantile
from motebench.stats.shift import Between

FEWEST_RUNS = 2
"""Fewest runs on a side that give a spread."""
FEWEST_DEGREES = 3
"""A spread with fewer degrees of freedom is not used: t at 99 % is 9.9 for two."""
POWER = 0.95
"""Probability with which a difference of the stated size must be found."""
MOST_RUNS = 1000
"""Largest number of runs that is proposed."""
_CASES_FOR_FENCES = 4

Groups = Mapping[Hashable, Mapping[str, Sequence[float]]]
"""Values of runs by case, then by group, in the unit of the metric, greater than 0."""


@dataclass(frozen=True, slots=True)
class RunSpread:
    """Standard deviation between runs, of natural logarithms: 0.01 is 1 %.

    ``own``: that of each case by itself, for those that have one.
    """

    sd: float
    degrees: int
    runs: int
    groups: int
    cases: int
    own: Mapping[Hashable, float] = field(default_factory=dict)

    def of(self, case: Hashable) -> float:
        """The spread for a case: the pooled one, or its own if that is larger."""
        return max(self.sd, self.own.get(case, 0.0))

    def between(self, case: Hashable = None) -> Between:
        """The standard deviation of the difference of two single runs of a case."""
        return Between(math.sqrt(2) * self.of(case), self.degrees)

    def margin(self, case: Hashable = None, alpha: float = ALPHA) -> float:
        """The ratio less 1 that two single runs of one thing exceed once in 1 / alpha
        comparisons.
        """
        return math.expm1(self.between(case).reach(alpha))


def spread(groups: Groups) -> RunSpread | None:
    """The spread of runs. None if too few runs repeat each other (see `FEWEST_DEGREES`)."""
    sizes: dict[str, int] = {}
    own: dict[Hashable, float] = {}
    weights: dict[Hashable, int] = {}
    for case, by_group in groups.items():
        squares, degrees = 0.0, 0
        for name, values in by_group.items():
            if len(values) < FEWEST_RUNS or min(values) <= 0:
                continue
            logs = np.log(np.asarray(values, dtype=np.float64))
            squares += float(((logs - logs.mean()) ** 2).sum())
            degrees += len(values) - 1
            sizes[name] = max(sizes.get(name, 0), len(values))
        if degrees:
            own[case], weights[case] = math.sqrt(squares / degrees), degrees
    total = sum(size - 1 for size in sizes.values())
    if total < FEWEST_DEGREES:
        return None
    sds = np.array([own[case] for case in own])
    if len(sds) >= _CASES_FOR_FENCES:
        first, third = np.quantile(sds, [0.25, 0.75])
        sds = np.minimum(sds, third + 1.5 * (third - first))
    pooled = math.sqrt(float(np.average(sds**2, weights=[weights[case] for case in own])))
    return RunSpread(pooled, total, sum(sizes.values()), len(sizes), len(own), own)


def power(sd: float, shift: float, runs: int, alpha: float = ALPHA) -> float:
    """Probability that ``runs`` on each side show "greater", one-sided at ``alpha``, if the
    logarithms differ by ``shift``."""
    if runs < FEWEST_RUNS:
        return 0.0
    if sd <= 0:
        return 1.0 if shift > 0 else 0.0
    degrees = 2 * runs - 2
    centre = shift / (sd * math.sqrt(2 / runs))
    critical = student_quantile(degrees, 1 - alpha)
    if centre > critical + 40:
        return 1.0  # less 1e-15 at most
    return noncentral_student_tail(degrees, centre, critical)


def _power_in_turn(sd: float, shift: float, runs: int, alpha: float) -> float:
    """`power` of runs in turn. The trend that is taken off, and the larger of two estimates of the
    error, cost about one run a side (``benchmarks/slowdown.py``); two runs a side have neither."""
    return power(sd, shift, runs if runs <= FEWEST_RUNS else runs - 1, alpha)


def runs_needed(
    sd: float, shift: float, *, alpha: float = ALPHA, power: float = POWER
) -> int | None:
    """Runs on each side that find a difference of logarithms of ``shift`` with the probability
    ``power``.

    None if it takes more than `MOST_RUNS`.
    """
    if _power_in_turn(sd, shift, MOST_RUNS, alpha) < power:
        return None
    low, high = FEWEST_RUNS - 1, MOST_RUNS
    while high - low > 1:
        middle = (low + high) // 2
        if _power_in_turn(sd, shift, middle, alpha) < power:
            low = middle
        else:
            high = middle
    return high


def detectable(sd: float, runs: int, *, alpha: float = ALPHA, power: float = POWER) -> float | None:
    """The smallest difference of logarithms that ``runs`` on each side find with the probability
    ``power``.

    None if no run repeats another.
    """
    if runs < FEWEST_RUNS:
        return None
    low, high = 0.0, 1.0
    while _power_in_turn(sd, high, runs, alpha) < power:
        high *= 2
        if high > 64:  # a factor of 10^27
            return None
    while high - low > 1e-6:
        middle = (low + high) / 2
        if _power_in_turn(sd, middle, runs, alpha) < power:
            low = middle
        else:
            high = middle
    return high
