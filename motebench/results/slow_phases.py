"""Movement of a run's machines while its cases were measured, by the loop beside each reading."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from motebench.base.model import CaseResult, Evidence
from motebench.stats.phases import STEADY_MACHINE, LoopReadings, MachineCourse, SlowPhases

LOOP = "reference_loop"
"""The metric of the loop's time."""
MOVED = frozenset(("time", "cpu_time", "ticks"))
"""Metrics that move with the machine. Cycles of the core move only with some of its phases, and
stay unchanged.
"""
SLOW = "slow phases: "
"""Beginning of the note on a case during which the machine moved."""

STUCK = "more samples no longer narrowed the interval"
"""Beginning of the note on a case that ended before it reached the requested precision, because of
slow phases or of samples that depend on the previous ones.
"""


class MachineCourses:
    """The course of each target of a run."""

    def __init__(self, results: Iterable[CaseResult]) -> None:
        by_target: dict[str, dict[Hashable, LoopReadings]] = {}
        for result in results:
            if (readings := _readings(result)) is not None:
                by_target.setdefault(result.case.target, {})[result.case] = readings
        self._of = {target: MachineCourse(readings) for target, readings in by_target.items()}

    def during(self, result: CaseResult) -> SlowPhases:
        """The phases while a case was measured."""
        course = self._of.get(result.case.target)
        return STEADY_MACHINE if course is None else course.during(result.case)


def _readings(result: CaseResult) -> LoopReadings | None:
    """Readings of the loop beside a case; None if it was not timed."""
    for series in result.series:
        samples = [sample for sample in series.samples if sample.raw > 0]
        if series.metric == LOOP and series.evidence is Evidence.MEASURED and samples:
            times, loops = (
                [sample.at for sample in samples],
                [sample.raw * series.scale for sample in samples],
            )
            return LoopReadings(result.case.implementation, times, loops)
    return None


def moves(metric: str) -> bool:
    """True if a metric moves with the machine, or follows from one that does."""
    return metric in MOVED or metric == "throughput"


def note_of(phases: SlowPhases) -> str | None:
    """Note for readers on the machine's movement; None if it is not certain that it moved."""
    if not phases.variance:
        return None
    if not phases.slow:
        return f"{SLOW}the speed of the machine wandered by {100 * phases.variance**0.5:.1f} %"
    often = f"in {phases.slow} of {phases.readings} readings"
    return f"{SLOW}the machine was up to {100 * phases.slower:.0f} % slower {often}"
