"""The documents of comparisons: of two runs, implementations or groups (``motebench compare``), of
a period with the time before (``/changes`` of ``motebench serve``), and of two commits of a
repository, measured in turn (``motebench gate``). They are explained in
``docs/reference/results.md`` and ``docs/use/ci.md``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Any, Literal

from motebench.base.identity import CaseId
from motebench.base.model import Evidence
from motebench.base.shapes import LATER, NEVER, Count, Must, one_of
from motebench.base.units import Better

SCHEMA: Literal["motebench-comparison-1"] = "motebench-comparison-1"

_Margin = Annotated[float, Must(minimum=0)]
_Ratio = Annotated[float | None, Must(exclusiveMinimum=0)]


@dataclass(frozen=True, slots=True, kw_only=True)
class OfRun:
    """A run of a side."""

    run: int
    name: str
    started: str
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SideEntry:
    """A side: first run, and all; or the name of a group."""

    run: int
    name: str
    implementation: str | None
    started: str
    runs: Annotated[tuple[OfRun, ...], Must(minItems=1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class SpreadEntry:
    """Spread of runs for one metric."""

    metric: str
    sd: Annotated[float, Must(minimum=0)]
    degrees_of_freedom: Annotated[int, Must(minimum=1)]
    runs: int
    groups: int
    cases: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DifferenceEntry:
    """A differing fact of the environment."""

    fact: str
    a: Any
    b: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class SoftwareEntry:
    """A differing version, compiler or flags."""

    implementation_a: str
    implementation_b: str
    what: str
    a: str | None
    b: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PairEntry(CaseId):
    """A metric of a case on both sides."""

    implementation: str = field(default="", metadata=NEVER)
    operation: str
    input_bytes: Count
    implementation_a: str
    implementation_b: str
    metric: str
    unit: str
    better: Annotated[str, one_of(Better)]
    evidence: Annotated[str, one_of(Evidence)]
    n_a: int
    n_b: int
    median_a: float | None
    median_b: float | None
    ratio: _Ratio
    ci_low: _Ratio
    ci_high: _Ratio
    confidence: float | None
    confidence_dependent: float | None
    places_low: float | None
    """Least ratio over the places of both."""
    places_high: float | None
    proven: bool
    """False if a side is of cycles not proven on silicon."""
    margin: _Margin
    p: float | None
    p_adjusted: float | None
    test: str
    verdict: str
    equivalent: bool
    needed: int | None
    inflation: float
    note: str | None
    slower_than_allowed: bool | None
    left_open: bool | None
    more_runs: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanEntry:
    """Geometric mean of ratios of one metric and evidence."""

    metric: str
    evidence: str
    ratio: float
    ci_low: float | None
    ci_high: float | None
    confidence: float
    cases: int
    method: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OnlyEntry(CaseId):
    """A case of one side, or not to be compared."""

    operation: str
    input_bytes: Count
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonEntry:
    """Document of `motebench compare --json`; see docs/reference/results.md."""

    schema: Literal["motebench-comparison-1"] = SCHEMA
    a: SideEntry
    b: SideEntry
    paired: bool
    unit: Annotated[str, one_of(("sample", "run"))]
    """Random unit of the test."""
    in_turn: bool
    margin: _Margin
    margin_source: Annotated[str, one_of(("given", "none", "assumed", "spread"))]
    spreads: tuple[SpreadEntry, ...]
    environment_differences: tuple[DifferenceEntry, ...]
    software_differences: tuple[SoftwareEntry, ...]
    adjustment: str
    comparisons: tuple[PairEntry, ...]
    geometric_means: tuple[MeanEntry, ...]
    only_in_a: tuple[OnlyEntry, ...]
    only_in_b: tuple[OnlyEntry, ...]
    fail_if_slower: float | None
    slower: int | None
    slower_adjustment: str | None
    slower_undecided: int | None
    left_open: int | None
    found_from: float | None


CHANGES: Literal["motebench-changes-1"] = "motebench-changes-1"


@dataclass(frozen=True, slots=True, kw_only=True)
class PeriodChangeEntry:
    """A pair of which A is before a period, and B in it."""

    pair: PairEntry
    run_a: int
    run_b: int
    started_a: str
    started_b: str
    case_b: int
    library_a: str | None
    library_b: str | None
    compiler_a: str | None
    compiler_b: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeCountEntry:
    """Changes on a target or of an implementation."""

    kind: str
    name: str
    worse: Count
    better: Count
    same: Count

    @property
    def moved(self) -> bool:
        """True if something changed for the worse or for the better."""
        return self.worse + self.better > 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TooManyEntry:
    """A target in a document of changes that compares no case, because there are too many."""

    target: str
    cases: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangesEntry:
    """Document of `motebench serve` at `/changes`."""

    schema: Literal["motebench-changes-1"] = CHANGES
    first_day: str
    last_day: str
    adjustment: str
    changes: tuple[PeriodChangeEntry, ...]
    by_target: tuple[ChangeCountEntry, ...]
    by_implementation: tuple[ChangeCountEntry, ...]
    not_compared: tuple[OnlyEntry, ...]
    too_many: tuple[TooManyEntry, ...]


GATE: Literal["motebench-gate-1"] = "motebench-gate-1"
COLLECTION: Literal["motebench-collection-1"] = "motebench-collection-1"


class GateAnswer(StrEnum):
    """Verdict of the gate on the second commit."""

    SLOWER = "slower"
    UNDECIDED = "undecided"
    PASSED = "passed"


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitEntry:
    """A commit, and the group of its runs."""

    asked: str
    commit: Annotated[str, Must(pattern="^[0-9a-f]{40,64}$")]
    subject: str
    group: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GateFailureEntry(CaseId):
    """A case without a number at ``commit``."""

    operation: str | None
    input_bytes: Annotated[int | None, Must(minimum=0)]
    commit: Annotated[str, one_of(("base", "head"))]
    kind: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionCyclesEntry(CaseId):
    """Cycles of a function in one operation; null where it does not run."""

    operation: str
    input_bytes: Count
    function: str
    base: Annotated[int | None, Must(minimum=0)]
    head: Annotated[int | None, Must(minimum=0)]


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionBytesEntry(CaseId):
    """Bytes of a function or object; null where there is none."""

    operation: str = field(default="", metadata=NEVER)
    input_bytes: int = field(default=0, metadata=NEVER)
    memory: Annotated[str, one_of(("flash", "RAM", "stack"))]
    function: str
    base: Annotated[int | None, Must(minimum=0)]
    head: Annotated[int | None, Must(minimum=0)]


@dataclass(frozen=True, slots=True, kw_only=True)
class GateEntry:
    """Document of `motebench gate --json`; see docs/use/ci.md."""

    schema: Literal["motebench-gate-1"] = GATE
    answer: Annotated[str, one_of(GateAnswer)]
    reason: str | None
    """Reason for ``undecided``."""
    runs_needed: int | None
    """Runs of each commit that would decide open cases."""
    base: CommitEntry
    head: CommitEntry
    uncommitted: tuple[str, ...]
    """Changes in the work tree, which are not measured."""
    code: str
    """Folder, from the top of the repository."""
    allowed: Annotated[float, Must(minimum=0)]
    runs: Annotated[int, Must(minimum=1)]
    looks: tuple[Annotated[int, Must(minimum=1)], ...] = field(default=(), metadata=LATER)
    """Runs of each commit after which the gate may end; all looks together have at most 1 % false
    alarms.
    """
    seed: int
    version: str
    machine: str
    """Processor, kernel and load at the start."""
    compilers: tuple[str, ...]
    comparison: ComparisonEntry | None
    """Comparison of the metrics that decide."""
    counts: ComparisonEntry | None
    """Comparison of a board's counts: cycles, flash, RAM, stack."""
    function_cycles: tuple[FunctionCyclesEntry, ...]
    function_bytes: tuple[FunctionBytesEntry, ...]
    """Functions and objects of a board that differ."""
    failures: tuple[GateFailureEntry, ...]
    notes: tuple[str, ...]
    """Unknown facts of functions, with the reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectedFigureEntry:
    """A number of a project's table, ours beside the published one."""

    column: str
    operation: str | None
    """Null: the largest of all operations."""
    input_bytes: int | None
    aad_bytes: int | None
    metric: str
    statistic: Annotated[str, one_of(("mean", "min", "max", "median"))]
    unit: str
    value: float | None
    published: float | None
    deviation: float | None
    """value / published - 1."""
    uncertainty: float | None
    """Of a mean over inputs, relative."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectedCauseEntry:
    """Reason why a number is missing."""

    kind: str
    """A failure's, or as `state`."""
    operation: str | None
    size: str | None
    """`128 B`; `16:128 B`; null: all."""
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectedEntry:
    """One implementation of a collection on one target."""

    folder: str | None
    names: Mapping[str, str]
    """Scheme, implementation, submission."""
    variant: str
    target: str
    state: Annotated[
        str, one_of(("measured", "kept", "failed", "excluded", "no-folder", "planned"))
    ]
    """kept: of a stored run; no-folder: published alone; planned: `--dry-run`."""
    run: str | None
    executions: Count
    figures: tuple[CollectedFigureEntry, ...]
    causes: tuple[CollectedCauseEntry, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectionEntry:
    """Document of `motebench collection --json`; see docs/use/collections.md."""

    schema: Literal["motebench-collection-1"] = COLLECTION
    name: str
    title: str
    repository: str | None
    commit: str | None
    tree_commit: str | None
    """Of the measured tree, if it is a git work tree."""
    store: str
    left: Count
    entries: tuple[CollectedEntry, ...]
