"""Slow phases of a machine, seen by a loop of fixed work that was timed beside each reading.

A case's own samples show slow movement only where it comes and goes among them. The loop has no
reason to move but the machine, and is read beside every case of a run: its readings are many, and
have little noise of their own.

- Readings are logarithms, in the order of time, less the median of their program (a loop is
  comparable only with itself) and what is typical of their case. A reading further than three
  standard deviations from the median of its neighbourhood counts as that far (Hampel's filter): an
  interruption is no phase.
- Without slow movement, means of blocks vary as differences of neighbours say (von Neumann, Annals
  of Mathematical Statistics 12 (1941) 367-395). If they vary by more than chance allows, the excess
  is the variance of the slow component: as a block is to the run, so is the run to a longer time.
  For noise whose power falls as 1/f both are alike (Allan, Proceedings of the IEEE 54 (1966)
  221-230). A case that was read mostly in one phase may be as far from the usual speed as its level
  is from that of the farthest block, with every distance up to it equally likely (GUM 4.3.7); the
  larger variance counts.

The interval of a median is widened by that variance, in quadrature. The median itself is not
divided by the loop: code that waits for memory has phases that the loop does not see, and the other
way round (``benchmarks/slow_phases.py``).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from motebench.stats.distributions import f_quantile

LEAST_SLOWER = 0.02
"""A phase in which the machine was slower by a smaller share is not worth a word: ratios that close
are called equivalent."""
FEWEST_LOOPS = 8
"""Fewer readings of the loop say nothing of phases."""
FEWEST_FOR_LEVEL = 6
"""Fewest readings of the loop beside a case that show its level."""
_AROUND = 2
"""Neighbours on each side whose median is the level at a reading."""
_BLOCKS, _FEW_BLOCKS, _FEW = 8, 4, 32
"""Number of blocks of time, and of blocks for fewer than `_FEW` readings."""
_TURNS = 20
"""Turns of a fit of blocks and cases."""
_CHANCE = 0.01
"""Probability that independent readings are mistaken for slow movement."""
_USUAL = 0.25
"""The usual speed is that quantile of the levels: slow phases may be half of a run."""
_MAD = 1.4826
"""Standard deviation of a normal distribution, in median absolute deviations."""
_WORTH = 0.37
"""The median of absolute differences tells a variance as well as that share of as many independent
readings."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class LoopReadings:
    """Readings of the loop beside one case, above 0, with their times in one clock for all cases.
    ``program``: the program that contains the loop.
    """

    program: Hashable
    times: Sequence[float]
    loops: Sequence[float]


@dataclass(frozen=True, slots=True)
class SlowPhases:
    """Movement of the machine's speed while a case was measured.

    ``variance``: of the logarithm of the speed, its slow component; 0 if none is certain. During
    ``slow`` of ``readings`` the machine was slower than usual by at least `LEAST_SLOWER`; at the
    most by ``slower``, as a share.
    """

    readings: int = 0
    slow: int = 0
    slower: float = 0.0
    variance: float = 0.0


STEADY_MACHINE = SlowPhases()
"""A machine that is not known to have moved."""


class MachineCourse:
    """Speed of the machine over a run, from the loops beside all cases."""

    def __init__(self, readings: Mapping[Hashable, LoopReadings]) -> None:
        cases = {key: case for key, case in readings.items() if len(case.loops)}
        self._places = {key: place for place, key in enumerate(cases)}
        owners = np.repeat(np.arange(len(cases)), [len(case.loops) for case in cases.values()])
        times = [np.asarray(case.times, dtype=np.float64) for case in cases.values()]
        order = np.argsort(np.concatenate([np.empty(0), *times]), kind="stable")
        self._owners = owners[order]
        logs = _without_cases(_of_programs(cases.values())[order], self._owners)
        self._levels, self._logs = _filtered(logs)

    def during(self, case: Hashable) -> SlowPhases:
        """Phases from the first reading beside the case to the last."""
        places = np.flatnonzero(self._owners == self._places.get(case, -1))
        if not places.size:
            return STEADY_MACHINE
        levels = self._levels[places]
        level = float(np.median(levels))
        variance = slow_variance(self._logs[places[0] : places[-1] + 1], level)
        if not variance:
            return SlowPhases(places.size)
        slower = np.expm1(levels - float(np.quantile(self._levels, _USUAL)))
        count = int((slower >= LEAST_SLOWER).sum())
        return SlowPhases(places.size, count, float(slower.max()) if count else 0.0, variance)


def slow_variance(logs: Floats, level: float) -> float:
    """The variance of the slow component of readings in the order of time; 0 if none is certain.
    ``level``: at which a case was read."""
    n = logs.size
    if n < FEWEST_LOOPS or not np.ptp(logs):
        return 0.0
    blocks = _BLOCKS if n >= _FEW else _FEW_BLOCKS
    edges = np.linspace(0, n, blocks + 1).round().astype(int)
    means = np.array([logs[begin:end].mean() for begin, end in pairwise(edges)])
    noise = (_MAD * float(np.median(np.abs(np.diff(logs))))) ** 2 / 2 * blocks / n
    spread = float(means.var(ddof=1))
    if spread <= f_quantile(blocks - 1, _WORTH * (n - 1), 1 - _CHANCE) * noise:
        return 0.0
    return max(spread - noise, float(np.abs(means - level).max()) ** 2 / 3)


def moved(before: Sequence[float], after: Sequence[float]) -> float:
    """Variance of a difference of two logarithms due to movement of the machine between them.

    ``before`` and ``after``: the loop beside each. The case may have moved as far as the loop, not
    at all, or anything between (GUM 4.3.7). 0 if it is not certain that the loop moved.
    """
    if min(len(before), len(after)) < FEWEST_FOR_LEVEL:
        return 0.0
    sides = [np.log(np.asarray(loops, dtype=np.float64)) for loops in (before, after)]
    distance = float(np.median(sides[1]) - np.median(sides[0]))
    noise = sum(_of_median(side) for side in sides)
    return distance**2 / 3 if distance**2 > _quantile(1 - _CHANCE) ** 2 * noise else 0.0


def _of_median(logs: Floats) -> float:
    """Variance of the readings' median: that of a mean, times pi / 2."""
    spread = _MAD * float(np.median(np.abs(logs - np.median(logs))))
    return spread**2 * math.pi / 2 / logs.size


def machine_margin(
    a: SlowPhases, b: SlowPhases, loops: tuple[Sequence[float], Sequence[float]]
) -> float:
    """Relative difference of two single runs that the machine exceeds with a chance of 1 %: by the
    slow component in each, and by the movement of the loop beside the case between them.
    """
    variance = a.variance + b.variance + moved(*loops)
    return math.expm1(_quantile(1 - _CHANCE) * math.sqrt(variance))


def widened(
    low: float, median: float, high: float, variance: float, confidence: float = 0.95
) -> tuple[float, float]:
    """The interval of a median, all above 0, with that variance of its logarithm in quadrature."""
    reach = _quantile(confidence) ** 2 * variance
    below = math.sqrt(math.log(median / low) ** 2 + reach)
    above = math.sqrt(math.log(high / median) ** 2 + reach)
    return median * math.exp(-below), median * math.exp(above)


def _quantile(confidence: float) -> float:
    return NormalDist().inv_cdf((1 + confidence) / 2)


def _of_programs(cases: Collection[LoopReadings]) -> Floats:
    """Logarithms of all readings, each less the median of its program."""
    by_program: dict[Hashable, list[float]] = {}
    for case in cases:
        by_program.setdefault(case.program, []).extend(case.loops)
    usual = {program: float(np.median(loops)) for program, loops in by_program.items()}
    logs = [
        np.log(np.asarray(case.loops, dtype=np.float64) / usual[case.program]) for case in cases
    ]
    return np.concatenate([np.empty(0), *logs])


def _without_cases(logs: Floats, owners: NDArray[np.int64]) -> Floats:
    """Readings in the order of time, less the typical level of their cases.

    That and the level of each block of time are fitted in turn, by least squares: a case whose loop
    is slower, and that is finished early, is no slow phase.
    """
    n = logs.size
    if not n:
        return logs
    _, clipped = _filtered(logs)
    blocks = np.arange(n) * _BLOCKS // n
    in_block, of_case = np.bincount(blocks, minlength=_BLOCKS), np.bincount(owners)
    typical = np.zeros(of_case.size)
    for _ in range(_TURNS):
        levels = np.bincount(blocks, clipped - typical[owners], _BLOCKS) / np.maximum(in_block, 1)
        typical = np.bincount(owners, clipped - levels[blocks]) / of_case
    out: Floats = logs - typical[owners]
    return out


def _filtered(logs: Floats) -> tuple[Floats, Floats]:
    """The level at each reading, and the readings without outliers."""
    if logs.size <= 2 * _AROUND:
        return logs, logs
    padded = np.pad(logs, _AROUND, mode="reflect")
    windows = np.lib.stride_tricks.sliding_window_view(padded, 2 * _AROUND + 1)
    levels: Floats = np.median(windows, axis=1)
    reach = 3 * _MAD * float(np.median(np.abs(logs - levels)))
    clipped: Floats = np.clip(logs, levels - reach, levels + reach)
    return levels, clipped
