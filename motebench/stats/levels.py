"""Development of the times of one process, batch by batch: the changes of their level, and the
class of the process that follows.

Barrett, Bolz-Tereick, Killick, Mount and Tratt ("Virtual Machine Warmup Blows Hot and Cold", OOPSLA
2017) find the changes of level in all iterations of a process and classify it by its last level. So
do we, with these parts:

- Times are taken as logarithms of the medians of `POINT` consecutive batches. A block further than
  three standard deviations from the median of its neighbourhood counts as that median (Hampel's
  filter), so that a collection of garbage or a short burst is no change.
- Changes of level are those of the partition with the least squares and a penalty for each change
  (optimal partitioning: Jackson et al., IEEE Signal Processing Letters 12(2), 2005; PELT, which
  Barrett et al. use, prunes the same search). The standard deviation comes from differences of
  neighbours, which a change of level hardly moves.
- Levels within `WITHIN` of each other are one level, as at the end of a warm-up.

The steady state after a warm-up begins where medians of consecutive blocks of batches no longer
change. Georges, Buytaert and Eeckhout ("Statistically Rigorous Java Performance Evaluation", OOPSLA
2007) detect it by the coefficient of variation of consecutive iterations; medians do the same and
tolerate garbage collections.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from statistics import median

import numpy as np
from numpy.typing import NDArray

BLOCK = 10
"""Batches per block."""
BLOCKS = 3
"""Blocks that must agree."""
WITHIN = 1.03
"""Largest ratio of their medians."""
POINT = 5
"""Batches whose median is one point."""
SHORTEST = 4
"""Points of the shortest level that can be seen."""
STEADY = BLOCKS * BLOCK
"""Batches that a last level must have to be a steady state, as at the end of a warm-up."""
_NEIGHBOURS = 3
"""Points on each side that Hampel's filter uses."""
_PENALTY = 6.0
"""Penalty of a change in variances, times the logarithm of the number of points."""
_FINEST = 1e-3
"""Least standard deviation of a point: times that are read in steps of a clock may otherwise have
none.
"""
_RETURNS = 2
"""Returns to the last level from which on the process counts as unsteady."""

Floats = NDArray[np.float64]


class LevelKind(StrEnum):
    """The course of a process, or of all processes of a case."""

    FLAT = "flat"
    WARM_UP = "warm-up"
    """The last level is the fastest, or equals it."""
    SLOWDOWN = "slowdown"
    """The process had been faster than at its end."""
    UNSTEADY = "no steady state"
    """The last level has fewer than `STEADY` batches, or was left and reached again more than once.
    """
    INCONSISTENT = "inconsistent"
    """Several processes had different courses."""


@dataclass(frozen=True, slots=True)
class Course:
    """Development of the level of times in one process.

    ``since``: the batch with which the last level begins, counted from 0; ``ratio``: the last level
    divided by the fastest one before it, 1 if there was no change.
    """

    kind: LevelKind
    since: int = 0
    ratio: float = 1.0


def course(times: Sequence[float]) -> Course:
    """The course of a process from the times of all its batches, in order. Times are positive.

    A level that lasts fewer than ``SHORTEST * POINT`` batches may be missed; a change by less than
    `WITHIN` does not count.
    """
    usable = len(times) // POINT
    if usable < 2 * SHORTEST or min(times) <= 0:
        return Course(LevelKind.FLAT)
    ends = _changes(_points(times, usable))
    starts = [0, *(POINT * end for end in ends)]
    stops = [*starts[1:], len(times)]
    starts, levels = _levels(times, starts, stops)
    if len(starts) == 1:
        return Course(LevelKind.FLAT)
    since, ratio = starts[-1], levels[-1] / min(levels[:-1])
    return Course(_kind(levels, len(times) - since), since, ratio)


def changes(values: Sequence[float]) -> list[int]:
    """Places with which a new level begins in a series of values above 0, such as the medians of
    runs. They are found as in `course`, each value a point.

    A level of fewer than `SHORTEST` values is not seen, nor a change by less than `WITHIN`.
    """
    if len(values) < 2 * SHORTEST or min(values) <= 0:
        return []
    starts = [0, *_changes(_clipped(np.log(np.asarray(values, dtype=np.float64))))]
    return _levels(values, starts, [*starts[1:], len(values)])[0][1:]


def overall(kinds: Iterable[LevelKind]) -> LevelKind:
    """The course of several processes of one case. Flat ones together with warm-ups count as
    warm-ups of no length.
    """
    distinct = set(kinds)
    if distinct == {LevelKind.FLAT, LevelKind.WARM_UP}:
        return LevelKind.WARM_UP
    return distinct.pop() if len(distinct) == 1 else LevelKind.INCONSISTENT


def _kind(levels: Sequence[float], last: int) -> LevelKind:
    at_last = [max(level, levels[-1]) <= WITHIN * min(level, levels[-1]) for level in levels]
    returns = sum(now and not before for before, now in pairwise(at_last[at_last.index(True) :]))
    if last < STEADY or returns >= _RETURNS:
        return LevelKind.UNSTEADY
    return LevelKind.WARM_UP if levels[-1] <= WITHIN * min(levels) else LevelKind.SLOWDOWN


def _points(times: Sequence[float], count: int) -> Floats:
    blocks = np.asarray(times[: count * POINT], dtype=np.float64).reshape(count, POINT)
    return _clipped(np.log(np.median(blocks, axis=1)))


def _clipped(logs: Floats) -> Floats:
    """Logarithms in standard deviations of a point, without outliers."""
    spread = _spread(logs)
    padded = np.pad(logs, _NEIGHBOURS, mode="reflect")
    around = np.median(
        np.lib.stride_tricks.sliding_window_view(padded, 2 * _NEIGHBOURS + 1), axis=1
    )
    clipped: Floats = np.where(np.abs(logs - around) > 3 * spread, around, logs) / spread
    return clipped


def _spread(logs: Floats) -> float:
    """Standard deviation of a point: from the median absolute difference of neighbours (0.6745 of a
    normal one's, whose variance is twice a point's)."""
    return max(_FINEST, float(np.median(np.abs(np.diff(logs)))) / (0.6745 * 2**0.5))


def _changes(points: Floats) -> list[int]:
    """Indices of the points with which a new level begins."""
    n = points.size
    penalty = _PENALTY * float(np.log(n))
    sums = np.concatenate(([0.0], np.cumsum(points)))
    best = np.full(n + 1, np.inf)
    best[0] = -penalty
    before = np.zeros(n + 1, dtype=np.int64)
    for end in range(SHORTEST, n + 1):
        starts = slice(0, end - SHORTEST + 1)
        lengths = end - np.arange(end - SHORTEST + 1)
        # The squares of all points are in the misfit of every division alike.
        misfit = -((sums[end] - sums[starts]) ** 2) / lengths
        costs = best[starts] + misfit + penalty
        before[end] = int(np.argmin(costs))
        best[end] = costs[before[end]]
    places = []
    place = int(before[n])
    while place > 0:
        places.append(place)
        place = int(before[place])
    return places[::-1]


def _levels(
    times: Sequence[float], starts: Sequence[int], stops: Sequence[int]
) -> tuple[list[int], list[float]]:
    """The start of each level, and its median (segments within `WITHIN` of each other are one)."""
    groups: list[tuple[int, int]] = []
    seen: list[float] = []
    for start, stop in zip(reversed(starts), reversed(stops), strict=True):
        level = median(times[start:stop])
        if groups and max(*seen, level) <= WITHIN * min(*seen, level):
            groups[-1] = (start, groups[-1][1])
            seen.append(level)
        else:
            groups.append((start, stop))
            seen = [level]
    groups.reverse()
    return [start for start, _ in groups], [median(times[start:stop]) for start, stop in groups]


# The steady state


def agree(medians: Sequence[float]) -> bool:
    """True if the last blocks, given by their medians, are within a few percent of each other."""
    last = medians[-BLOCKS:]
    return len(last) == BLOCKS and max(last) <= WITHIN * min(last)


def steady_from(times: Sequence[float]) -> int | None:
    """Index of the first batch of the steady state after a warm-up.

    It is the first of the earliest block from which on all blocks are within a few percent of each
    other; None if the last ones are not.
    """
    medians = [
        median(times[place : place + BLOCK]) for place in range(0, len(times) - BLOCK + 1, BLOCK)
    ]
    if not agree(medians):
        return None
    first = len(medians) - BLOCKS
    while first > 0 and max(medians[first - 1 :]) <= WITHIN * min(medians[first - 1 :]):
        first -= 1
    return first * BLOCK
