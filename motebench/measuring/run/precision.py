"""Precision of a case while it is measured: that of the printed interval, slow phases of the
machine included, and whether more samples still narrow it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from statistics import NormalDist

from motebench.base.model import Case, CaseResult, Evidence, Sample, Series
from motebench.results.slow_phases import LOOP
from motebench.stats import Description, converged, describe
from motebench.stats.describe import CONFIDENCE
from motebench.stats.phases import LoopReadings, MachineCourse, widened

MORE = 1.1
"""Factor from the samples at one examination of the machine to those at the next: it takes longer
than a round.
"""
TWICE = 2
"""Factor of samples after which an interval should have narrowed: that of independent ones is then
0.71 as wide.
"""
NARROWED = 0.85
"""Share of its earlier width above which an interval has not narrowed."""


class LoopBook:
    """Readings of the fixed loop beside the cases of a lane, by target."""

    def __init__(self) -> None:
        self._readings: dict[str, dict[Case, tuple[list[float], list[float]]]] = {}
        self._courses: dict[str, MachineCourse] = {}

    def load(self, result: CaseResult) -> None:
        """Take over a case's earlier readings of the run."""
        self.add(
            result.case, ((series, sample) for series in result.series for sample in series.samples)
        )

    def add(self, case: Case, samples: Iterable[tuple[Series, Sample]]) -> None:
        """Take over the samples of a visit."""
        for series, sample in samples:
            if series.metric == LOOP and series.evidence is Evidence.MEASURED and sample.raw > 0:
                times, loops = self._readings.setdefault(case.target, {}).setdefault(case, ([], []))
                times.append(sample.at)
                loops.append(sample.raw * series.scale)
                self._courses.pop(case.target, None)

    def variance(self, case: Case) -> float:
        """The slow component of the machine's speed while the case was measured."""
        readings = self._readings.get(case.target)
        if not readings:
            return 0.0
        if case.target not in self._courses:
            self._courses[case.target] = MachineCourse(
                {
                    beside: LoopReadings(beside.implementation, times, loops)
                    for beside, (times, loops) in readings.items()
                }
            )
        return self._courses[case.target].during(case).variance


@dataclass(slots=True)
class CasePrecision:
    """Precision of one case. ``reached``: True if it is the requested one. ``stuck``: why more
    samples do not narrow the interval; empty while they may.
    """

    reached: bool = False
    stuck: str = ""
    _look: int = 0
    _checkpoint: int = 0
    _width: float = math.inf

    def look(self, values: Sequence[float], precision: float, loops: LoopBook, case: Case) -> None:
        """Judge the samples so far."""
        if len(values) < self._look:
            return
        narrow = converged(values, precision)
        if narrow:
            self._look = math.ceil(MORE * len(values))
        elif len(values) < self._checkpoint:
            return
        variance, stats = loops.variance(case), describe(values)
        width = printed_width(stats, variance)
        self.reached = narrow and width <= precision
        if len(values) >= self._checkpoint and not self.reached:
            self._check(stats, variance, width)

    def _check(self, stats: Description, variance: float, width: float) -> None:
        """Compare the width with that of half as many samples."""
        if self._checkpoint and width > NARROWED * self._width:
            why = (
                "of slow phases of the machine"
                if variance
                else "samples depend on the previous ones"
            )
            if variance or stats.dependence.dependent:
                self.stuck = f"because {why} (±{100 * width:.2g} % with {stats.n})"
        self._checkpoint, self._width = TWICE * stats.n, width


@dataclass
class Precisions:
    """Precision of each case of a lane."""

    precision: float
    loops: LoopBook = field(default_factory=LoopBook)
    _cases: dict[Case, CasePrecision] = field(default_factory=dict)

    def of(self, case: Case, values: Sequence[float]) -> CasePrecision:
        """The precision with these samples."""
        precision = self._cases.setdefault(case, CasePrecision())
        precision.look(values, self.precision, self.loops, case)
        return precision


def printed_width(stats: Description, variance: float) -> float:
    """Half the width of the printed interval of a median, relative to it; as for 95 %, if its
    confidence is less."""
    low, high = stats.ci_low, stats.ci_high
    if low is None or high is None or not stats.confidence:
        return math.inf
    if low == high:
        return 0.0
    if low <= 0:
        return math.inf
    if variance:
        low, high = widened(low, stats.median, high, variance)
    normal = NormalDist()
    short = normal.inv_cdf((1 + CONFIDENCE) / 2) / normal.inv_cdf(
        (1 + min(stats.confidence, CONFIDENCE)) / 2
    )
    return (high - low) / 2 / stats.median * short
