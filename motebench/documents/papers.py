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
from motebench.documents.result import ProvenanceEntry

AUDIT: Literal["motebench-audit-1"] = "motebench-audit-1"


class Weight(StrEnum):
    """Importance of a finding, the most important first."""

    MATERIAL = "material"
    """A finding that can change a conclusion, or a number by more than a few percent."""
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
    """A finding that follows from the printed numbers by arithmetic, or from a standard."""
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
    """Labels, metric and statistic."""
    printed: str
    computed: str
    """Value by the formula."""
    line: Count | None = field(default=None, metadata=LEFT_OUT)


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingEntry:
    """A statement of what the numbers show, not how they came about."""

    check: str
    weight: Annotated[str, one_of(Weight)]
    certainty: Annotated[str, one_of(Certainty)]
    where: str
    """Table, equation or section."""
    what: str
    quote: str | None = field(default=None, metadata=LEFT_OUT)
    """The checked sentence, shortened."""
    cells: tuple[CellEntry, ...] = field(default=(), metadata=LEFT_OUT)
    rests_on: tuple[str, ...] = field(default=(), metadata=LEFT_OUT)
    """Used cells that another finding calls wrong."""
    formula: str
    reference: str
    basis: tuple[CellEntry, ...] = field(default=(), metadata=NEVER)
    """Cells that it was computed from and does not show."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableEntry:
    """A checked table."""

    table: str
    numbers: Count
    repetitions: Count | None
    """Readings behind each mean."""
    guessed: tuple[str, ...] = field(default=(), metadata=LEFT_OUT)
    """Taken from headers: forms, signs, roles of columns."""
    unread: tuple[str, ...] = field(default=(), metadata=LEFT_OUT)
    """Cells without a number in columns of numbers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LookEntry:
    """Cells, rows, pairs or sentences that a check applies to."""

    check: str
    looks: Count
    findings: Count


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry:
    """Document of `motebench audit --json`."""

    schema: Literal["motebench-audit-1"] = AUDIT
    of: str
    """Key of the paper, or file."""
    title: str
    tables: tuple[TableEntry, ...]
    findings: tuple[FindingEntry, ...]
    """Findings by weight, then certainty."""
    checks: tuple[LookEntry, ...]


# Replications


REPLICATION: Literal["motebench-replication-1"] = "motebench-replication-1"
REPLICATION_PLAN: Literal["motebench-replication-plan-1"] = "motebench-replication-plan-1"
VERDICTS = ("holds", "does not hold", "holds in part", "not distinguishable", "cannot be told")


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedComparisonEntry:
    """A comparison behind a verdict."""

    verdict: Annotated[str, one_of(VERDICTS)]
    words: str
    library: str
    """Library of both sides; empty if they differ."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedEntry:
    """A verdict, its reason and comparisons."""

    verdict: Annotated[str, one_of(VERDICTS)]
    reason: str
    agree: Count
    contradict: Count
    undecided: Count
    seconds_more: Annotated[float | None, Must(minimum=0)] = field(default=None, metadata=LATER)
    """Time for samples that would decide an open claim."""
    comparisons: tuple[JudgedComparisonEntry, ...] = field(default=(), metadata=LATER)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimEntry:
    """A claim of the paper."""

    id: str
    statement: str
    quote: str
    """The paper's words."""
    where: str
    reading: str
    """Interpretation of vague words."""
    derived: bool = field(default=False, metadata=LATER)
    """Read off a table: no sentence says it."""
    published: JudgedEntry | None
    """Judgement by the printed numbers."""
    replicated: JudgedEntry | None
    """Judgement by the paper's method here."""
    own: JudgedEntry | None
    """Judgement by motebench's own method."""
    settled_by: str = field(default="", metadata=LATER)
    """Other evidence: a standard, a worked example."""
    settled: JudgedEntry | None = field(default=None, metadata=LATER)
    """Judgement by that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundedEntry:
    """A value with its interval."""

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
    """Another one with --scale."""
    printed: str = field(default="", metadata=LATER)
    """Digits, sign and unit of the page."""
    published: BoundedEntry
    published_ratio: BoundedEntry | None
    """Ratio to the reference."""
    ours: BoundedEntry
    ours_ratio: BoundedEntry | None
    evidence: Annotated[str, one_of(Evidence)]
    """Evidence of our value."""
    implementation: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TauEntry:
    """Kendall's tau-b of both sides' orders of the subjects."""

    operation: str
    size: Count
    tau: Annotated[float, Must(minimum=-1, maximum=1)]
    low: Annotated[float, Must(minimum=-1, maximum=1)]
    """With all open pairs against it."""
    high: Annotated[float, Must(minimum=-1, maximum=1)]
    subjects: Count
    open: Count
    """Pairs that the intervals leave open."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExponentEntry:
    """Exponent of value ~ size^exponent."""

    subject: str
    operation: str
    published: BoundedEntry
    ours: BoundedEntry


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplicationTableEntry:
    """A published table beside results of a library."""

    table: str
    metric: Annotated[str, one_of(METRICS)]
    unit: str
    device: str
    target: str
    library: str
    method: Annotated[str, one_of(("paper", "own"))]
    reference: str
    """Subject that ratios refer to."""
    cells: tuple[ReplicationCellEntry, ...]
    taus: tuple[TauEntry, ...]
    exponents: tuple[ExponentEntry, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplicationAirEntry:
    """Computing against sending at one spreading factor."""

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
    """A run behind results."""

    name: str
    status: str
    measurements: Count
    failures: Count
    about: str = field(default="", metadata=LATER)
    sizes: tuple[Count, ...] = field(default=(), metadata=LATER)
    fewest: Count = field(default=0, metadata=LATER)
    """Values of the case with the fewest."""
    most: Count = field(default=0, metadata=LATER)
    disturbed: Count = field(default=0, metadata=LATER)
    unquotable: Count = field(default=0, metadata=LATER)
    """Measurements that decide nothing: too few undisturbed readings."""
    waiting: tuple[str, ...] = field(default=(), metadata=LATER)
    """Cases that `--resume` continues."""
    provenance: ProvenanceEntry | None = field(default=None, metadata=LATER)


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperEntry:
    """One paper."""

    key: str
    title: str
    year: int
    source: str
    scale: str
    """Scale of sizes; empty: the paper's."""
    numbers: Annotated[str, one_of(("tables", "text only"))]
    silent: tuple[str, ...]
    """Facts that the paper does not give."""
    method: tuple[AspectEntry, ...]
    runs: tuple[PaperRunEntry, ...]
    problems: tuple[str, ...]
    claims: tuple[ClaimEntry, ...]
    tables: tuple[ReplicationTableEntry, ...]
    air: tuple[ReplicationAirEntry, ...]
    findings: tuple[FindingEntry, ...]
    """Findings of `motebench audit`, most important first."""
    cite: str = field(default="", metadata=LATER)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedVerdictEntry:
    """A verdict that differs from the bundle's."""

    paper: str
    claim: str
    side: Annotated[str, one_of(("published", "replicated", "own", "settled"))]
    before: Annotated[str, one_of(VERDICTS)] | None
    """The bundle's."""
    now: Annotated[str, one_of(VERDICTS)] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RerunEntry:
    """A bundle that was measured again."""

    bundle: str
    version: str
    same: Count
    """Equal verdicts."""
    changed: tuple[ChangedVerdictEntry, ...]
    differing: tuple[str, ...]
    """Files that this installation has in another version."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplicationEntry:
    """Document of `motebench replicate --json`."""

    schema: Literal["motebench-replication-1"] = REPLICATION
    version: str
    papers: tuple[PaperEntry, ...]
    rerun: RerunEntry | None = field(default=None, metadata=LEFT_OUT)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedPartEntry:
    """A measurable part."""

    name: str
    about: str
    cases: Count
    samples: Count
    """Least number for a case; 2 if it repeats exactly."""
    seconds: Annotated[float, Must(minimum=0)]
    """On this machine now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedPaperEntry:
    """A planned replication."""

    key: str
    scale: str
    parts: tuple[PlannedPartEntry, ...]
    unused: tuple[str, ...]
    """Parts that no claim needs at the small scale."""
    problems: tuple[str, ...]
    slowdown: Annotated[float, Must(minimum=1)]
    """Compared with an idle machine."""
    seconds: Annotated[float, Must(minimum=0)]
    """On this machine now, without builds."""
    seconds_extra: Annotated[float, Must(minimum=0)]
    """At most, for claims that noise leaves open."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplicationPlanEntry:
    """Document of `motebench replicate --dry-run --json`."""

    schema: Literal["motebench-replication-plan-1"] = REPLICATION_PLAN
    papers: tuple[PlannedPaperEntry, ...]
