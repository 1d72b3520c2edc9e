"""The documents about published papers: ``motebench audit``, which checks their tables, and
``motebench replicate``, which measures their claims again.

``docs/use/audit.md`` and ``docs/use/papers.md`` explain them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Literal

from motebench.base.model import Evidence
from motebench.base.shapes import LATER, LEFT_OUT, NEVER, Count, Must, one_of
from motebench.base.units import METRICS
from motebench.documents.provenance import ProvenanceEntry

AUDIT: Literal["motebench-audit-1"] = "motebench-audit-1"


class Weight(StrEnum):
    """Importance of a finding, the most important first."""

    MATERIAL = "material"
    """It can change a conclusion, or a number by more than a few percent."""
    MINOR = "minor"
    """A number or a sentence is wrong, and no conclusion hangs on it."""
    NOTE = "note"
    """Worth knowing when the table is used."""

    @property
    def rank(self) -> int:
        """0 for the most important."""
        return list(Weight).index(self)


class Certainty(StrEnum):
    """Certainty of a finding."""

    CERTAIN = "certain"
    """It follows from the printed numbers by arithmetic, or from a standard."""
    LIKELY = "likely"
    """Chance alone would do this in less than one table in a thousand, or another cause would be
    unusual.
    """
    POSSIBLE = "possible"
    """There are other plausible causes."""

    @property
    def rank(self) -> int:
        """0 for the surest."""
        return list(Certainty).index(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class CellEntry:
    """A cell of a finding."""

    cell: str
    """Its labels, metric and statistic."""
    printed: str
    computed: str
    """Value that the formula gives in its place, or for it."""
    line: Count | None = field(default=None, metadata=LEFT_OUT)
    """Line of the file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingEntry:
    """One finding. It says what the numbers show, and nothing about how they came about beyond
    that.
    """

    check: str
    """Name of the check."""
    weight: Annotated[str, one_of(Weight)]
    certainty: Annotated[str, one_of(Certainty)]
    where: str
    """The table, equation or section."""
    what: str
    quote: str | None = field(default=None, metadata=LEFT_OUT)
    """The sentence that was checked, shortened."""
    cells: tuple[CellEntry, ...] = field(default=(), metadata=LEFT_OUT)
    rests_on: tuple[str, ...] = field(default=(), metadata=LEFT_OUT)
    """Cells it was computed from that another finding calls wrong, each with what is printed and
    the check.
    """
    formula: str
    reference: str
    basis: tuple[CellEntry, ...] = field(default=(), metadata=NEVER)
    """Cells that it was computed from and does not show."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableEntry:
    """A table that was checked."""

    table: str
    numbers: Count
    repetitions: Count | None
    """Readings behind each mean; null if not stated."""
    guessed: tuple[str, ...] = field(default=(), metadata=LEFT_OUT)
    """Assumptions of the reader about the table: forms, signs, roles of columns that were taken
    from their headers."""
    unread: tuple[str, ...] = field(default=(), metadata=LEFT_OUT)
    """Cells in columns of numbers that hold no number, each with its line and column."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LookEntry:
    """Reach of a check: the number of cells, rows, pairs or sentences it could be applied to."""

    check: str
    looks: Count
    findings: Count


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry:
    """Document of `motebench audit --json`."""

    schema: Literal["motebench-audit-1"] = AUDIT
    of: str
    """Key of the paper, or the file."""
    title: str
    tables: tuple[TableEntry, ...]
    findings: tuple[FindingEntry, ...]
    """By weight, then certainty."""
    checks: tuple[LookEntry, ...]


# Replications


REPLICATION: Literal["motebench-replication-1"] = "motebench-replication-1"
REPLICATION_PLAN: Literal["motebench-replication-plan-1"] = "motebench-replication-plan-1"
VERDICTS = ("holds", "does not hold", "holds in part", "not distinguishable", "cannot be told")


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedComparisonEntry:
    """One comparison behind a verdict."""

    verdict: Annotated[str, one_of(VERDICTS)]
    words: str
    """Sentence with the compared subjects and their numbers."""
    library: str
    """The library of both sides; empty if there are two, or none is known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedEntry:
    """A verdict with its reason, and the comparisons behind it."""

    verdict: Annotated[str, one_of(VERDICTS)]
    reason: str
    agree: Count
    contradict: Count
    undecided: Count
    seconds_more: Annotated[float | None, Must(minimum=0)] = field(default=None, metadata=LATER)
    """Time here of the samples that would decide an open claim, in seconds; null where samples do
    not decide it, or where the scale was not small."""
    comparisons: tuple[JudgedComparisonEntry, ...] = field(default=(), metadata=LATER)
    """All of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimEntry:
    """A claim of the paper."""

    id: str
    statement: str
    quote: str
    """The paper's words."""
    where: str
    reading: str
    """Interpretation of vague words; empty if there are none."""
    derived: bool = field(default=False, metadata=LATER)
    """Whether it was read off a table, and no sentence of the paper says it."""
    published: JudgedEntry | None
    """By the printed numbers; null if something else settles it."""
    replicated: JudgedEntry | None
    """By results of the paper's method here; null if no measurement can tell."""
    own: JudgedEntry | None
    """By results of motebench's own method; null if it was not measured."""
    settled_by: str = field(default="", metadata=LATER)
    """Evidence other than numbers that settles the claim: a standard, a worked example."""
    settled: JudgedEntry | None = field(default=None, metadata=LATER)
    """The verdict by that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundedEntry:
    """A value with its interval; ends are null if nothing is known of it."""

    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplicationCellEntry:
    """A published value beside ours."""

    subject: str
    operation: str
    size: Count
    """Bytes, as published."""
    measured_size: Count
    """Bytes that were measured here; another number with --scale."""
    printed: str = field(default="", metadata=LATER)
    """The published value with the digits, the sign and the unit of the page."""
    published: BoundedEntry
    published_ratio: BoundedEntry | None
    """To the reference; null if that is missing."""
    ours: BoundedEntry
    ours_ratio: BoundedEntry | None
    evidence: Annotated[str, one_of(Evidence)]
    """Of our value; the other one is published."""
    implementation: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TauEntry:
    """Agreement of both sides on the order of the subjects: Kendall's tau-b."""

    operation: str
    size: Count
    tau: Annotated[float, Must(minimum=-1, maximum=1)]
    low: Annotated[float, Must(minimum=-1, maximum=1)]
    """Least tau: every pair that the intervals leave open counts against it."""
    high: Annotated[float, Must(minimum=-1, maximum=1)]
    subjects: Count
    open: Count
    """Pairs that the intervals leave open."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExponentEntry:
    """Growth of a subject's values with the size: value ~ size^exponent."""

    subject: str
    operation: str
    published: BoundedEntry
    ours: BoundedEntry


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplicationTableEntry:
    """A published table beside results of one library on one target."""

    table: str
    metric: Annotated[str, one_of(METRICS)]
    unit: str
    device: str
    """The paper's device."""
    target: str
    """The target that ours were measured on."""
    library: str
    method: Annotated[str, one_of(("paper", "own"))]
    reference: str
    """The subject that ratios refer to."""
    cells: tuple[ReplicationCellEntry, ...]
    taus: tuple[TauEntry, ...]
    exponents: tuple[ExponentEntry, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplicationAirEntry:
    """Computing against sending: one case, at one spreading factor."""

    subject: str
    implementation: str
    target: str
    size: Count
    sf: Count
    time_ms: float
    on_air_ms: float
    ratio: float
    evidence: Annotated[str, one_of(Evidence)]


@dataclass(frozen=True, slots=True, kw_only=True)
class AspectEntry:
    """A line of the method."""

    what: str
    paper: str
    ours: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperRunEntry:
    """A run that results come from."""

    name: str
    status: str
    measurements: Count
    failures: Count
    about: str = field(default="", metadata=LATER)
    """The part of the replication."""
    sizes: tuple[Count, ...] = field(default=(), metadata=LATER)
    """Bytes of inputs, rising."""
    fewest: Count = field(default=0, metadata=LATER)
    """Values of the case that has the fewest; starts of a virtual machine where these are the
    values.
    """
    most: Count = field(default=0, metadata=LATER)
    disturbed: Count = field(default=0, metadata=LATER)
    """Readings without the processor or with a lowered clock, which do not count."""
    unquotable: Count = field(default=0, metadata=LATER)
    """Measurements with too few undisturbed readings: they decide nothing."""
    waiting: tuple[str, ...] = field(default=(), metadata=LATER)
    """Cases that have too few samples because the time was up; `--resume` continues them."""
    provenance: ProvenanceEntry | None = field(default=None, metadata=LATER)
    """Machines with their load, versions of the programs, date."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperEntry:
    """One paper."""

    key: str
    title: str
    year: int
    source: str
    scale: str
    """Word for the scale of sizes; empty for those of the paper."""
    numbers: Annotated[str, one_of(("tables", "text only"))]
    """Form of the paper's numbers."""
    silent: tuple[str, ...]
    """Facts that the paper does not give."""
    method: tuple[AspectEntry, ...]
    runs: tuple[PaperRunEntry, ...]
    problems: tuple[str, ...]
    """Parts that could not be measured, and why."""
    claims: tuple[ClaimEntry, ...]
    tables: tuple[ReplicationTableEntry, ...]
    air: tuple[ReplicationAirEntry, ...]
    findings: tuple[FindingEntry, ...]
    """Findings of `motebench audit`, most important first."""
    cite: str = field(default="", metadata=LATER)
    """Citation of this replication."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedVerdictEntry:
    """A verdict that differs from that of the bundle."""

    paper: str
    claim: str
    side: Annotated[str, one_of(("published", "replicated", "own", "settled"))]
    before: Annotated[str, one_of(VERDICTS)] | None
    """In the bundle; null where it has none."""
    now: Annotated[str, one_of(VERDICTS)] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RerunEntry:
    """A bundle that was carried out again."""

    bundle: str
    version: str
    """Version of motebench that made it."""
    same: Count
    """Verdicts that are the same."""
    changed: tuple[ChangedVerdictEntry, ...]
    differing: tuple[str, ...]
    """Files of the papers' studies, claims and tables that this installation has otherwise: its own
    were used.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplicationEntry:
    """Document of `motebench replicate --json`."""

    schema: Literal["motebench-replication-1"] = REPLICATION
    version: str
    papers: tuple[PaperEntry, ...]
    rerun: RerunEntry | None = field(default=None, metadata=LEFT_OUT)
    """The bundle that was carried out again; absent without one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedPartEntry:
    """A part of a replication that can be measured."""

    name: str
    about: str
    cases: Count
    samples: Count
    """Of each case, at the least; starts of a virtual machine where these are the samples. 2 if it
    repeats exactly.
    """
    seconds: Annotated[float, Must(minimum=0)]
    """On this machine as it is now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedPaperEntry:
    """A replication before it is measured."""

    key: str
    scale: str
    parts: tuple[PlannedPartEntry, ...]
    unused: tuple[str, ...]
    """Parts that no claim needs with a small scale."""
    problems: tuple[str, ...]
    """Parts that cannot be measured, and why."""
    slowdown: Annotated[float, Must(minimum=1)]
    """Factor by which work takes longer than on an idle machine."""
    seconds: Annotated[float, Must(minimum=0)]
    """Of all parts, on this machine as it is now, without the first build of firmware and probes.
    """
    seconds_extra: Annotated[float, Must(minimum=0)]
    """The most for further samples, where noise leaves claims open."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplicationPlanEntry:
    """Document of `motebench replicate --dry-run --json`."""

    schema: Literal["motebench-replication-plan-1"] = REPLICATION_PLAN
    papers: tuple[PlannedPaperEntry, ...]
