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
    """Interval of the median, by order statistics."""
    GUM = "gum"
    """Interval of the mean, by types A and B."""
    BOUNDS = "bounds"
    """Interval of the median, from its low end at the least current to its high end at the most."""


_Positive = Must(minimum=0)
_Some = Must(minItems=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement(CaseId):
    """One metric of one case."""

    operation: Annotated[str, one_of(Operation)]
    input_bytes: Count
    """0 if the operation has no input."""
    metric: Annotated[str, one_of(METRICS)]
    unit: Annotated[str, one_of(dict.fromkeys(metric.unit for metric in METRICS.values()))]
    evidence: Annotated[str, one_of(Evidence)]
    source: str
    """Clock, counter or file of the readings."""
    better: Annotated[str, one_of(Better)]
    n: Annotated[int, Must(minimum=1)]
    """Values: samples, or invocations if batches is a number."""
    median: float
    ci_low: float | None
    """Null below six samples (gum: two)."""
    ci_high: float | None
    confidence: Annotated[float | None, Must(minimum=0, maximum=1)]
    """Coverage for independent samples; below 0.95 if not even the whole range has it."""
    confidence_dependent: Annotated[float | None, Must(minimum=0, maximum=1)] = field(
        default=None, metadata=LATER
    )
    """Least coverage for dependent samples, as simulated."""
    interval: Annotated[str, one_of(Method)]
    """median: by order statistics; gum: of the mean, by JCGM 100:2008; bounds: of the median, at
    the extremes of what was modelled.
    """
    mean: float
    variance: Annotated[float | None, _Positive]
    """Sample variance, divisor n-1."""
    stddev: Annotated[float | None, _Positive]
    min: float
    max: float
    outliers: Count
    """Beyond Tukey's inner fences; not left out."""
    effective_n: Annotated[float, Must(exclusiveMinimum=0)]
    """Independent samples that these are worth."""
    lag1: float | None
    """Rank correlation of successive samples, corrected for bias."""
    halves: float | None
    """Median of the later half of the samples divided by that of the first."""
    batches: Annotated[int | None, Must(minimum=1)] = field(default=None, metadata=LATER)
    """Least number of batches of an invocation; n counts invocations."""
    course: Annotated[str, one_of(CourseKind)] | None = field(default=None, metadata=LATER)
    """Course of times of the invocations."""
    disturbed: Count
    """Readings without the processor or with a lowered clock."""
    quotable: bool
    """False: too few undisturbed readings; the numbers are no result."""
    machine_slower: Annotated[float, _Positive] = field(default=0.0, metadata=LATER)
    """Largest slowdown of the reference loop, as a share; 0 if none is certain."""
    places: Annotated[int, Must(minimum=1)] = field(default=1, metadata=LATER)
    """Places of the code; other numbers are of the usual one."""
    places_least: float | None = field(default=None, metadata=LATER)
    """Over the places."""
    places_most: float | None = field(default=None, metadata=LATER)
    run_spread: Annotated[float | None, _Positive] = field(default=None, metadata=LEFT_OUT)
    """Standard deviation of logarithms of a group's medians."""
    proven: bool = field(default=True, metadata=LATER)
    """False for cycles not proven on silicon."""
    notes: tuple[str, ...]
    values: Annotated[tuple[float, ...], _Some] = field(default=(), metadata=LEFT_OUT)
    """Values by round or invocation; on request."""
    rounds: Annotated[tuple[Count, ...], _Some] = field(default=(), metadata=LEFT_OUT)
    """Round of each value; two cases' values of a round are a pair."""
    invocations: Annotated[tuple[Count, ...], _Some] = field(default=(), metadata=LEFT_OUT)
    """Invocation of each value, if a process gives several."""

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
class StoredMeasurement(Measurement):
    """A measurement of a run of a store."""

    LEADING = ("run", "run_name", *CaseId.LEADING)

    run: int
    run_name: str
    started: str | None = field(default=None, metadata=LEFT_OUT)
    """Of the run: UTC, ISO 8601."""
    library: str | None = field(default=None, metadata=LEFT_OUT)
    """Version, as recorded."""
    compiler: str | None = field(default=None, metadata=LEFT_OUT)
    new_level: bool = field(default=False, metadata=LEFT_OUT)
    """A change point of a history."""
    per_byte: float | None = field(default=None, metadata=LEFT_OUT)
    """Of cycles: divided by the input."""
    front: bool = field(default=False, metadata=LEFT_OUT)
    """On the Pareto front of speed and memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultsEntry:
    """Document of `motebench serve`: metrics of cases in runs."""

    schema: Literal["motebench-results-1"] = "motebench-results-1"
    metric: str
    """With commas between several."""
    total: Count
    """Number of cases that fit."""
    first: Count
    """Number of those before this page."""
    measurements: tuple[StoredMeasurement, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ratio(CaseId):
    """A case of one target divided by the same of another."""

    operation: Annotated[str, one_of(Operation)]
    input_bytes: Count
    metric: Annotated[str, one_of(METRICS)]
    evidence: Annotated[str, one_of(Evidence)]
    to: str
    """The divisor: the first target of the study with the case."""
    ratio: float | None
    ci_low: float | None
    ci_high: float | None
    confidence: Annotated[float | None, Must(minimum=0, maximum=1)]
    """Coverage of the interval."""
    confidence_dependent: Annotated[float | None, Must(minimum=0, maximum=1)] = field(
        default=None, metadata=LATER
    )
    """Confidence of dependent samples; null for invocations."""
    places_low: float | None = field(default=None, metadata=LATER)
    """Least ratio over the places of both."""
    places_high: float | None = field(default=None, metadata=LATER)
    verdict: Annotated[str, one_of(Outcome)]
    """Beyond the margin of two single runs (2 %; none for exact values), at every place of the
    code.
    """
    note: str | None
    """Reason for no ratio, interval, test or difference."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scaling(CaseId):
    """Throughput on several cores divided by that on one."""

    operation: Annotated[str, one_of(Operation)]
    input_bytes: Count
    speedup: Annotated[float, Must(exclusiveMinimum=0)]
    ci_low: float | None
    ci_high: float | None
    confidence: Annotated[float | None, Must(minimum=0, maximum=1)]
    efficiency: Annotated[float, Must(exclusiveMinimum=0)]
    """Speedup divided by the number of cores."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement(CaseId):
    """Effect of the place of the code."""

    operation: Annotated[str, one_of(Operation)]
    input_bytes: Count
    metric: Annotated[str, one_of(METRICS)]
    unit: Annotated[str, one_of(dict.fromkeys(metric.unit for metric in METRICS.values()))]
    places: Annotated[int, Must(minimum=2)]
    """With the usual one."""
    median: float
    least: float
    most: float
    spread: Annotated[float, _Positive]
    """(most - least) / median."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CasesEntry:
    """Cases of the run by status."""

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
    """The run, or the first of a group."""

    id: int
    name: str
    study: str
    study_text: str
    """Its file, or what the options described."""
    started: str
    """UTC, ISO 8601."""
    finished: str | None
    status: Annotated[str, one_of(STATUSES)]
    version: str
    seed: Count
    settings: Mapping[str, Any]
    notes: tuple[str, ...]
    cases: CasesEntry
    runs: tuple[GroupedRunEntry, ...] = field(default=(), metadata=LEFT_OUT)
    """Runs of a group, in the order of time; rounds of values count these."""


_PARTS = Must(properties={name: {"type": "object"} for name in ("host", "probes", "boards", "end")})


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """Document of `motebench run --json`, `motebench show --json` and `motebench export --format
    json`; see docs/reference/results.md.
    """

    schema: Literal["motebench-result-1"] = SCHEMA
    run: RunEntry
    environment: Annotated[Mapping[str, Any], _PARTS]
    """Host, probes, boards by target; end of a completed run."""
    measurements: tuple[Measurement, ...]
    failures: tuple[Failure, ...]
    ratios: tuple[Ratio, ...] = field(default=(), metadata=LEFT_OUT)
    """Between targets, if several have a case."""
    placements: Annotated[tuple[Placement, ...], _Some] = field(default=(), metadata=LEFT_OUT)
    """Places of cases that were measured at several."""
    scaling: Annotated[tuple[Scaling, ...], _Some] = field(default=(), metadata=LEFT_OUT)
    """Several cores against one."""


PLAN: Literal["motebench-plan-1"] = "motebench-plan-1"
RUNS: Literal["motebench-runs-1"] = "motebench-runs-1"

_Seconds = Annotated[float, Must(minimum=0)]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedEntry(CaseId):
    """A case that would be measured."""

    operation: Annotated[str, one_of(Operation)]
    input_bytes: Count
    places: Annotated[int, Must(minimum=1)] = field(default=1, metadata=LATER)
    """Number of places of the code."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SkippedEntry:
    """A matched combination that does not exist."""

    scheme: str
    implementation: str
    target: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PrecisionEntry:
    """Price of a precision."""

    precision: Annotated[float, Must(exclusiveMinimum=0)]
    """Half the width of a median's interval, as a share."""
    samples: Annotated[int | None, Must(minimum=1)]
    """Samples of all cases and runs."""
    seconds: Annotated[float | None, Must(minimum=0)]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanEntry:
    """Document of `motebench run --dry-run --json`."""

    schema: Literal["motebench-plan-1"] = PLAN
    cases: tuple[PlannedEntry, ...]
    failures: tuple[Failure, ...]
    skipped: tuple[SkippedEntry, ...]
    runs: Annotated[int, Must(minimum=1)]
    """Times that all cases are measured."""
    seconds_at_least: Annotated[float | None, Must(minimum=0)]
    """Time of all runs."""
    seconds_at_most: _Seconds
    samples: Annotated[int, Must(minimum=1)]
    """Fewest of a case in a run."""
    comparisons: Count
    """Comparisons of one metric that are judged together."""
    samples_needed: Annotated[int | None, Must(minimum=1)]
    """Samples of a case that one small difference needs."""
    seconds_needed: Annotated[float | None, Must(minimum=0)]
    """Time for these samples, on a quiet machine."""
    precisions: tuple[PrecisionEntry, ...] = ()
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
    """A metric of a case over a group's runs."""

    operation: Annotated[str, one_of(Operation)]
    input_bytes: Count
    metric: str
    unit: str
    evidence: Annotated[str, one_of(Evidence)]
    runs: Annotated[int, Must(minimum=1)]
    """Those with the case."""
    medians: tuple[float, ...]
    """Medians by run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupEntry:
    """A group of runs, of one build."""

    name: str
    build: str | None
    """Its folder, with --alternate."""
    runs: tuple[RunOfGroup, ...]
    cases: tuple[CaseOfGroup, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunsEntry:
    """Document of `motebench run --runs N --json`."""

    schema: Literal["motebench-runs-1"] = RUNS
    seed: Count
    order: tuple[str, ...]
    """Names of the runs, as they were made."""
    groups: tuple[GroupEntry, ...]


PROVENANCE: Literal["motebench-provenance-1"] = "motebench-provenance-1"


@dataclass(frozen=True, slots=True, kw_only=True)
class RevisionEntry:
    """A commit, and files that differ from it."""

    repository: str | None
    commit: str | None
    changed_files: Annotated[int | None, Count]
    """Files that differ, are missing or not in it."""
    changed: tuple[str, ...]
    """The first of these."""
    unknown: str | None
    """Unknown fact of the commit, and why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnRevisionEntry:
    """Revision of motebench."""

    version: str
    origin: Annotated[str, one_of(("checkout", "wheel"))] | None
    revision: RevisionEntry


@dataclass(frozen=True, slots=True, kw_only=True)
class PinnedSourceEntry:
    """Archive of a program's sources."""

    library: str
    version: str
    registry: str
    package: str
    release: str
    file: str
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltProgramEntry:
    """A measured program."""

    target: str
    implementation: str
    version: str | None
    compiler: str | None
    flags: str | None
    source: PinnedSourceEntry | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredCodeEntry:
    """A folder of user code."""

    implementation: str
    folder: str
    digest: str
    """SHA-256 of names and contents of all files."""
    files: Count
    flags: str
    schemes: tuple[str, ...]
    known_answers: Mapping[str, str]
    """The user's files, with SHA-256."""
    revision: RevisionEntry


@dataclass(frozen=True, slots=True, kw_only=True)
class ProvenanceEntry:
    """Document of `motebench show RUN --provenance --json`; see docs/reference/results.md."""

    schema: Literal["motebench-provenance-1"] = PROVENANCE
    run: int
    name: str
    started: str
    """UTC, ISO 8601."""
    finished: str | None
    status: Annotated[str, one_of(STATUSES)]
    command: str | None
    motebench: OwnRevisionEntry
    programs: tuple[BuiltProgramEntry, ...]
    code: tuple[MeasuredCodeEntry, ...]
    machines: Mapping[str, str]
    """Machines by target, with load; ``here`` is motebench's own."""
    known_answers: tuple[str, ...]
    """Those that had to be right first."""
    words: tuple[str, ...]
