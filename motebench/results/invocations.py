"""Samples of several processes of one case: one value per process, and the course of each process.

Processes with a just-in-time compiler differ from start to start by more than the batches within
one of them. So each process (an *invocation*) counts as one value: the median of its batches.
Georges, Buytaert and Eeckhout ("Statistically Rigorous Java Performance Evaluation", OOPSLA 2007);
Kalibera and Jones ("Rigorous Benchmarking in Reasonable Time", ISMM 2013).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from motebench.base.model import Series
from motebench.stats import BLOCK, Course, CourseKind, agree, course, overall

UNSTEADY = "no steady state"
"""Beginning of the note on a case whose times still changed when its samples were taken."""
SLOWER = "slows down"
"""Beginning of the note on a case that had been faster."""
CHANGED = "the level of times changed"
"""Beginning of the note on a case whose times changed among its samples."""


@dataclass(frozen=True, slots=True)
class Invocation:
    """The course of one process.

    ``since``: index of its first sample on its last level. ``steady``: its warm-up reached a steady
    state. ``count``: its samples.
    """

    course: Course
    since: int
    steady: bool
    count: int

    @property
    def kind(self) -> CourseKind:
        """Kind of the course; "no steady state" if its warm-up ended before one was reached."""
        return self.course.kind if self.steady else CourseKind.UNSTEADY


def observe(warmup: Sequence[float], samples: Sequence[float]) -> Invocation:
    """Invocation from the times of all batches of a process, warm-up first."""
    levels = course([*warmup, *samples])
    blocks = [
        median(warmup[place : place + BLOCK]) for place in range(0, len(warmup) - BLOCK + 1, BLOCK)
    ]
    since = max(0, levels.since - len(warmup))
    return Invocation(levels, min(since, max(0, len(samples) - 1)), agree(blocks), len(samples))


def value_of(samples: Sequence[float], invocation: Invocation) -> float:
    """Value of a process: the median of its batches, or of those since the last change of level
    among them.
    """
    return median(samples[invocation.since :])


def observed(times: Series, warmup: Series | None) -> dict[int, Invocation]:
    """The courses of the processes behind a series of times, by number; empty if every round had
    its own process.
    """
    early = _by_process(warmup) if warmup else {}
    return {
        number: observe(early.get(number, []), samples)
        for number, samples in _by_process(times).items()
    }


def values(
    series: Series, by_round: Mapping[int, float], invocations: Mapping[int, Invocation]
) -> dict[int, float]:
    """One value per process, from the values of its samples."""
    grouped: dict[int, list[tuple[int, float]]] = {}
    for sample in series.samples:
        if sample.invocation is not None:
            of_process = grouped.setdefault(sample.invocation, [])
            of_process.append((len(of_process), by_round.get(sample.round, math.nan)))
    out = {}
    for number, readings in grouped.items():
        # A series with fewer samples per process, such as the load of all its threads, has nothing
        # to leave out.
        since = (
            invocations[number].since
            if number in invocations and invocations[number].count == len(readings)
            else 0
        )
        steady = [value for place, value in readings if place >= since and not math.isnan(value)]
        if steady:
            out[number] = median(steady)
    return out


def fewest(series: Series) -> int:
    """Samples of the process with the fewest."""
    return min(Counter(sample.invocation for sample in series.samples).values(), default=0)


def kind_of(invocations: Mapping[int, Invocation]) -> CourseKind | None:
    """Development of a case, from those of its processes."""
    return overall(item.kind for item in invocations.values()) if invocations else None


def notes_of(invocations: Mapping[int, Invocation]) -> list[str]:
    """Notes for readers on processes that did not just warm up and stay at one level."""
    count = len(invocations)
    slower = [item for item in invocations.values() if item.kind is CourseKind.SLOWDOWN]
    unsteady = [item for item in invocations.values() if item.kind is CourseKind.UNSTEADY]
    late = [item for item in invocations.values() if item.since]
    notes = []
    if unsteady:
        notes.append(f"{UNSTEADY} in {len(unsteady)} of {_invocations(count)}")
    if slower:
        worst = max(slower, key=lambda item: item.course.ratio).course
        most = "at most " if len(slower) > 1 else ""
        how = f"by {most}{100 * (worst.ratio - 1):.0f} % (after {worst.since} batches)"
        notes.append(f"{SLOWER} {how} in {len(slower)} of {_invocations(count)}")
    if late:
        notes.append(
            f"{CHANGED} among the samples of {len(late)} of {_invocations(count)}: "
            "batches before the last change do not count"
        )
    return notes


def _invocations(count: int) -> str:
    return f"{count} invocation" + ("" if count == 1 else "s")


def _by_process(series: Series) -> dict[int, list[float]]:
    by_process: dict[int, list[float]] = {}
    for sample in series.samples:
        if sample.invocation is not None and sample.batch > 0:
            value = (sample.raw - series.overhead) * series.scale / sample.batch
            by_process.setdefault(sample.invocation, []).append(value)
    return by_process
