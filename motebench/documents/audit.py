"""The document of ``motebench audit``: what checks of published tables find. ``docs/audit.md`` explains it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Literal

from motebench.base.shapes import LEFT_OUT, Count, one_of

SCHEMA: Literal["motebench-audit-1"] = "motebench-audit-1"


class Weight(StrEnum):
    """How much a finding matters, the most important first."""

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
    """How sure a finding is."""

    CERTAIN = "certain"
    """It follows from the printed numbers by arithmetic, or from a standard."""
    LIKELY = "likely"
    """Chance alone would do this in less than one table in a thousand, or another cause would be unusual."""
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
    """What the formula gives in its place, or for it."""
    line: Count | None = field(default=None, metadata=LEFT_OUT)
    """Line of the file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingEntry:
    """One finding. It says what the numbers show, and nothing about how they came about beyond that."""

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
    formula: str
    reference: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TableEntry:
    """A table that was checked."""

    table: str
    numbers: Count
    repetitions: Count | None
    """Readings behind each mean; null if not stated."""
    guessed: tuple[str, ...] = field(default=(), metadata=LEFT_OUT)
    """Roles of columns that were taken from their headers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LookEntry:
    """How often a check looked: the number of cells, rows, pairs or sentences it could be applied to."""

    check: str
    looks: Count
    findings: Count


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry:
    """What `motebench audit --json` prints."""

    schema: Literal["motebench-audit-1"] = SCHEMA
    of: str
    """Key of the paper, or the file."""
    title: str
    tables: tuple[TableEntry, ...]
    findings: tuple[FindingEntry, ...]
    """By weight, then certainty."""
    checks: tuple[LookEntry, ...]
