"""The result document (``docs/reference/results.md``), and documents of ``motebench run``: plans,
and runs by group and case."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Any, Literal

from motebench.base.identity import CaseId
from motebench.base.model import STATUSES, Evidence, Failure, Operation
from motebench.base.shapes import LATER, LEFT_OUT, Count, Must, one_of
from motebench.base.units import METRICS, Better
from motebench.stats import CourseKind, Outcome

SCHEMA: Literal["motebench-result-1"] = "motebench-result-1"


class Method(StrEnum):
    """The kind of a measurement's interval."""

    MEDIAN = "median"
    """Of the median, by order statistics."""
    GUM = "gum"
    """Of the mean, by types A and B."""
    BOUNDS = "bounds"
    """Interval of the median, from its low end at the least current to its high end at the most."""


_Positive = Must(minimum=0)
_Some = Must(minItems=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement(CaseId):
    """One metric of one case, with its statistics in the unit of the metric."""

    operation: Annotated[str, one_of(Operation)]
    input_bytes: Count
    """0 if the operation has no input."""
    metric: Annotated[str, one_of(METRICS)]
    unit: Annotated[str, one_of(dict.fromkeys(metric.unit for metric in METRICS.values()))]
    evidence: Annotated[str, one_of(Evidence)]
    source: str
    """The clock, counter or file the readings come from."""
    better: Annotated[str, one_of(Better)]
    n: Annotated[int, Must(minimum=1)]
    """Number of values: samples, or invocations if batches is a number."""
    median: float
    ci_low: float | None
    """Interval; null if there are too few samples (below six; gum: two)."""
    ci_high: float | None
    confidence: Annotated[float | None, Must(minimum=0, maximum=1)]
    """Coverage of the interval: exact for independent samples; less than 0.95 if samples depend on
    each other so much that not even their whole range has it. For gum 0.95; for bounds that of the
    measured value."""
    confidence_dependent: Annotated[float | None, Must(minimum=0, maximum=1)] = field(
        default=None, metadata=LATER
    )
    """Least coverage of the interval where samples depend on each other in ways that so few cannot
    show, as simulated; null if it is not of a median."""
    interval: Annotated[str, one_of(Method)]
    """median: of the median, by order statistics; gum: of the mean, the spread of the samples and
    the instrument's errors combined (JCGM 100:2008); bounds: of the median, at the least and the
    most of what was modelled.
    """
    mean: float
    variance: Annotated[float | None, _Positive]
    """Sample variance, divisor n-1; null for one sample."""
    stddev: Annotated[float | None, _Positive]
    min: float
    max: float
    outliers: Count
    """Samples beyond Tukey's inner fences; they are in all statistics."""
    effective_n: Annotated[float, Must(exclusiveMinimum=0)]
    """Number of independent samples that these are worth."""
    lag1: float | None
    """Correlation of the ranks of one sample and the next, corrected for its bias; null if there is
    no conclusion.
    """
    halves: float | None
    """Median of the second half of the samples divided by that of the first; null for one sample,
    or a median of 0.
    """
    batches: Annotated[int | None, Must(minimum=1)] = field(default=None, metadata=LATER)
    """Least number of batches of an invocation, where each value is the median of several batches
    of one invocation of a just-in-time compiler; null otherwise. n is then the number of
    invocations."""
    course: Annotated[str, one_of(CourseKind)] | None = field(default=None, metadata=LATER)
    """Development of the times of the invocations; null if each value has its own process."""
    disturbed: Count
    """Readings without the processor or with a lowered clock; left out if enough others are left.
    """
    quotable: bool
    """False if too few undisturbed readings are left: the numbers show what was seen, and are not a
    result.
    """
    machine_slower: Annotated[float, _Positive] = field(default=0.0, metadata=LATER)
    """Largest slowdown of the machine while the case was measured, as a share of its usual speed,
    by the loop that is timed beside each reading (0.12: 12 %); 0 if no slow phase is certain."""
    places: Annotated[int, Must(minimum=1)] = field(default=1, metadata=LATER)
    """Places of the code of a simulated board at which the case was measured; all other numbers are
    of the usual place."""
    places_least: float | None = field(default=None, metadata=LATER)
    """Least value over the places; null for one place."""
    places_most: float | None = field(default=None, metadata=LATER)
    run_spread: Annotated[float | None, _Positive] = field(default=None, metadata=LEFT_OUT)
    """Of a group, each of whose values is the median of a run: the standard deviation of their
    logarithms (0.01: 1 %); absent for one run, and for a value of 0."""
    proven: bool = field(default=True, metadata=LATER)
    """False for numbers that follow from cycles of a simulated board that are not proven on
    silicon.
    """
    notes: tuple[str, ...]
    values: Annotated[tuple[float, ...], _Some] = field(default=(), metadata=LEFT_OUT)
    """Every value in the unit of the metric, by round or invocation; only on request."""
    rounds: Annotated[tuple[Count, ...], _Some] = field(default=(), metadata=LEFT_OUT)
    """The round of each value. Values of two cases of one round are a pair; only on request."""
    invocations: Annotated[tuple[Count, ...], _Some] = field(default=(), metadata=LEFT_OUT)
    """The invocation of each value, if several batches come from one process; only on request."""

    @staticmethod
    def rules() -> dict[str, Any]:
        """Keywords of the schema: unit and direction follow from the metric."""
        return {
            "allOf": [
                {
                    "if": {"properties": {"metric": {"const": metric.name}}},
                    "then": {
                        "properties": {
                            "unit": {"const": metric.unit},
                            "better": {"const": metric.better.value},
                        }
                    },
                }
                for metric in METRICS.values()
            ]
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Ratio(CaseId):
    """A case of one target divided by the same case of another."""

    operation: Annotated[str, one_of(Operation)]
    input_bytes: Count
    metric: Annotated[str, one_of(METRICS)]
    evidence: Annotated[str, one_of(Evidence)]
    to: str
    """The target that it is divided by: the first one of the study that has the case."""
    ratio: float | None
    """This target's values divided by the other's; null if there is no ratio."""
    ci_low: float | None
    ci_high: float | None
    confidence: Annotated[float | None, Must(minimum=0, maximum=1)]
    """Coverage of the interval."""
    confidence_dependent: Annotated[float | None, Must(minimum=0, maximum=1)] = field(
        default=None, metadata=LATER
    )
    """Coverage of the interval for dependent samples, as for a measurement; null where invocations
    are compared."""
    places_low: float | None = field(default=None, metadata=LATER)
    """Least ratio over the places of the code of both; null for one place each."""
    places_high: float | None = field(default=None, metadata=LATER)
    verdict: Annotated[str, one_of(Outcome)]
    """For lower and higher the ratio lies beyond the margin of two single runs (2 %; none for exact
    values), at every place of the code."""
    note: str | None
    """Reason why there is no ratio, interval, test or difference; null if there are all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scaling(CaseId):
    """Throughput of a case on several cores, divided by that of the same case on one."""

    operation: Annotated[str, one_of(Operation)]
    input_bytes: Count
    speedup: Annotated[float, Must(exclusiveMinimum=0)]
    """Throughput divided by that of one core."""
    ci_low: float | None
    """Interval of the speedup; null if there are too few samples."""
    ci_high: float | None
    confidence: Annotated[float | None, Must(minimum=0, maximum=1)]
    """Coverage of the interval."""
    efficiency: Annotated[float, Must(exclusiveMinimum=0)]
    """Speedup divided by the number of cores."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement(CaseId):
    """A case with its code at several places: how far its place moves it. The target is the one
    without a place.
    """

    operation: Annotated[str, one_of(Operation)]
    input_bytes: Count
    metric: Annotated[str, one_of(METRICS)]
    unit: Annotated[str, one_of(dict.fromkeys(metric.unit for metric in METRICS.values()))]
    places: Annotated[int, Must(minimum=2)]
    """Number of places, the usual one among them."""
    median: float
    """Of the places."""
    least: float
    most: float
    spread: Annotated[float, _Positive]
    """(most - least) / median."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CasesEntry:
    """Number of cases of the run by status."""

    finished: Count
    failed: Count
    pending: Count


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupedRunEntry:
    """A run of a group."""

    run: int
    name: str
    group: str
    started: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEntry:
    """The run itself, or the first one of a group."""

    id: int
    name: str
    study: str
    """Title of the study."""
    study_text: str
    """The study file, or the study that the options described."""
    started: str
    """UTC, ISO 8601."""
    finished: str | None
    status: Annotated[str, one_of(STATUSES)]
    version: str
    """Version of motebench that made the run."""
    seed: Count
    settings: Mapping[str, Any]
    notes: tuple[str, ...]
    cases: CasesEntry
    runs: tuple[GroupedRunEntry, ...] = field(default=(), metadata=LEFT_OUT)
    """The runs of a group in the order of time; absent for one run. The round of a value is the
    place of its run.
    """


_PARTS = Must(properties={name: {"type": "object"} for name in ("host", "probes", "boards", "end")})


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One run: the question, the machine, the measurements, the failures. See
    docs/reference/results.md.
    """

    schema: Literal["motebench-result-1"] = SCHEMA
    run: RunEntry
    environment: Annotated[Mapping[str, Any], _PARTS]
    """Nested plain data: host, probes, boards by target, and end if the run was completed."""
    measurements: tuple[Measurement, ...]
    failures: tuple[Failure, ...]
    ratios: tuple[Ratio, ...] = field(default=(), metadata=LEFT_OUT)
    """Ratios between the targets of the run; only if several have the same case."""
    placements: Annotated[tuple[Placement, ...], _Some] = field(default=(), metadata=LEFT_OUT)
    """Effect of the code's place on results; only if cases were measured at several places."""
    scaling: Annotated[tuple[Scaling, ...], _Some] = field(default=(), metadata=LEFT_OUT)
    """Cases on several cores against one; only if there are any."""


PLAN: Literal["motebench-plan-1"] = "motebench-plan-1"
RUNS: Literal["motebench-runs-1"] = "motebench-runs-1"

_Seconds = Annotated[float, Must(minimum=0)]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedEntry(CaseId):
    """A case that would be measured."""

    operation: Annotated[str, one_of(Operation)]
    input_bytes: Count
    places: Annotated[int, Must(minimum=1)] = field(default=1, metadata=LATER)
    """Places of the code of a simulated board."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SkippedEntry:
    """A combination that patterns matched and that does not exist."""

    scheme: str
    implementation: str
    target: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PrecisionEntry:
    """Price of a precision: samples and seconds."""

    precision: Annotated[float, Must(exclusiveMinimum=0)]
    """Half the width of the interval of a median, as a share of it."""
    samples: Annotated[int | None, Must(minimum=1)]
    """Of all cases in all runs; null if some case does not get there."""
    seconds: Annotated[float | None, Must(minimum=0)]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanEntry:
    """Document of `motebench run --dry-run --json`."""

    schema: Literal["motebench-plan-1"] = PLAN
    cases: tuple[PlannedEntry, ...]
    failures: tuple[Failure, ...]
    """Cases that cannot be measured, with the reason."""
    skipped: tuple[SkippedEntry, ...]
    runs: Annotated[int, Must(minimum=1)]
    """Number of times that all cases are measured."""
    seconds_at_least: Annotated[float | None, Must(minimum=0)]
    """Of all runs; null if inputs are so long that it is not known before."""
    seconds_at_most: _Seconds
    samples: Annotated[int, Must(minimum=1)]
    """Fewest samples of a case in a run."""
    comparisons: Count
    """Comparisons of one metric that are judged together, where numbers have noise."""
    samples_needed: Annotated[int | None, Must(minimum=1)]
    """Samples of a case with which one small difference among all comparisons can be called; null
    if samples in rounds are compared with nothing."""
    seconds_needed: Annotated[float | None, Must(minimum=0)]
    """Time of as many samples in all runs, on a quiet machine."""
    precisions: tuple[PrecisionEntry, ...] = ()
    """Empty where it is not known before a first reading, or where a precision costs no time."""
    precisions_by: str | None = None
    """The earlier run whose spread they are from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOfGroup:
    """One run."""

    run: int
    name: str
    status: Annotated[str, one_of(STATUSES)]


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseOfGroup(CaseId):
    """One metric of one case over all runs of a group."""

    operation: Annotated[str, one_of(Operation)]
    input_bytes: Count
    metric: str
    unit: str
    evidence: Annotated[str, one_of(Evidence)]
    runs: Annotated[int, Must(minimum=1)]
    """Number of runs of the group that have the case."""
    medians: tuple[float, ...]
    """Of each of these runs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupEntry:
    """A group of runs, of one build."""

    name: str
    build: str | None
    """Its folder; null without --alternate."""
    runs: tuple[RunOfGroup, ...]
    cases: tuple[CaseOfGroup, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunsEntry:
    """Document of `motebench run --runs N --json`."""

    schema: Literal["motebench-runs-1"] = RUNS
    seed: Count
    order: tuple[str, ...]
    """Names of the runs, in the order they were made."""
    groups: tuple[GroupEntry, ...]
