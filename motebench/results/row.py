"""One metric of one case with its values, evidence and interval: the row of results, reports and
exports.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from statistics import harmonic_mean, median, median_high, median_low

from motebench.base.model import Case, Evidence
from motebench.base.units import metric
from motebench.documents.result import Method
from motebench.stats import CourseKind, Description, describe, half_width
from motebench.stats.phases import STEADY_MACHINE, SlowPhases, widened
from motebench.stats.uncertainty import expanded


@dataclass(frozen=True, slots=True)
class FactorBounds:
    """Least and most factors of a value, relative to the factor that was used. ``fixed``: the value
    itself is not a reading, so that its interval needs no number of samples."""

    low: float
    high: float
    fixed: bool = False


def by_gum(description: Description, values: Mapping[int, float], type_b: float) -> Description:
    """The description with the interval of the mean by types A and B; without an interval for one
    value.
    """
    whole = expanded(list(values.values()), type_b)
    low, high = (whole.low, whole.high) if whole is not None else (None, None)
    confidence = 0.95 if whole is not None else None
    return replace(
        description,
        ci_low=low,
        ci_high=high,
        confidence=confidence,
        confidence_dependent=None,
        precision=half_width(description.median, low, high),
    )


def by_bounds(description: Description, bounds: FactorBounds) -> Description:
    """The description with the interval of the median widened by bounds."""
    low, high = (
        (description.median, description.median)
        if bounds.fixed
        else (description.ci_low, description.ci_high)
    )
    if low is None or high is None:
        return description
    low, high = low * bounds.low, high * bounds.high
    return replace(
        description, ci_low=low, ci_high=high, precision=half_width(description.median, low, high)
    )


def by_phases(description: Description, phases: SlowPhases) -> Description:
    """Description with the interval of the median widened by the movement of the machine."""
    low, high = description.ci_low, description.ci_high
    if low is None or high is None or low <= 0 or not phases.variance:
        return description
    low, high = widened(low, description.median, high, phases.variance)
    return replace(
        description, ci_low=low, ci_high=high, precision=half_width(description.median, low, high)
    )


@dataclass(frozen=True, slots=True)
class MeasurementRow:
    """One metric of one case: ``values`` by round, in the unit of the metric, and where they come
    from.

    Where several samples come from one process, ``values`` are by invocation, each the median of at
    least ``batches`` samples, and ``course`` says how the processes developed; else both are None.
    """

    case: Case
    metric: str
    evidence: Evidence
    source: str
    values: Mapping[int, float]
    notes: tuple[str, ...] = ()
    batches: int | None = None
    course: CourseKind | None = None
    invocations: tuple[int, ...] = ()
    """The process of each value, where ``values`` are by round all the same: of a warm-up."""
    type_b: float | None = None
    """Standard uncertainty of type B that all values share, in the unit of the metric."""
    bounds: FactorBounds | None = None
    """Range of a model's factors."""
    disturbed: int = 0
    """Readings during which the process had not the processor; left out of ``values`` where enough
    others are left.
    """
    simulated: bool = False
    """True if the values come from a simulator, which has no noise, or follow from such values."""
    quotable: bool = True
    """False if too few undisturbed readings remain for an interval: the values are no result to
    quote.
    """
    phases: SlowPhases = STEADY_MACHINE
    """Movement of the machine meanwhile, where the values move with it."""
    places: Mapping[int, float] = field(default_factory=dict)
    """The value at each place of the code, by its number, the usual one among them; empty for one
    place.
    """

    @property
    def at_places(self) -> Mapping[int, float]:
        """The same with the median alone for one place."""
        return self.places or ({0: self.median} if self.values else {})

    @property
    def median(self) -> float:
        """The median of the values; of input by time, the input by the median of the times: between
        an even number of readings the two would differ."""
        values = self.values.values()
        low, high = median_low(values), median_high(values)
        if self.metric == "throughput" and low != high:
            return harmonic_mean((low, high))
        return median(values)

    @property
    def unit(self) -> str:
        """The one unit of the metric."""
        return metric(self.metric).unit

    @property
    def better(self) -> str:
        """Better direction: ``lower``, ``higher`` or ``neither``."""
        return metric(self.metric).better.value

    def describe(self) -> Description:
        """The statistics of the values, with the interval that `interval` names."""
        described = describe(list(self.values.values()), simulated=self.simulated)
        described = replace(
            described,
            median=self.median,
            precision=half_width(self.median, described.ci_low, described.ci_high),
        )
        if self.type_b is not None:
            return by_gum(described, self.values, self.type_b)
        described = by_phases(described, self.phases)
        return by_bounds(described, self.bounds) if self.bounds is not None else described

    @property
    def interval(self) -> Method:
        """Kind of the description's interval."""
        if self.type_b is not None:
            return Method.GUM
        return Method.MEDIAN if self.bounds is None else Method.BOUNDS
