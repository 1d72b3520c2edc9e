"""The documents of checks: what is installed and the defects of a store (``motebench doctor``), and
known answers by implementation (``motebench verify``; ``docs/reference/vectors.md`` explains it).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from motebench.base.model import FailureKind, Operation
from motebench.base.shapes import Count, one_of

DOCTOR: Literal["motebench-doctor-1"] = "motebench-doctor-1"
STORE: Literal["motebench-store-check-1"] = "motebench-store-check-1"


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckEntry:
    """One checked item."""

    id: str
    group: str
    title: str
    status: Annotated[str, one_of(("ok", "missing", "optional"))]
    """optional: missing, for its own purpose only."""
    found: str
    """Version, or what is wrong."""
    needed_for: str
    remedy: str | None
    """The command to type."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AdviceEntry:
    """One source of noise."""

    id: str
    severity: Annotated[str, one_of(("warning", "info"))]
    """warning: results suffer; info: useful to know."""
    what: str
    why: str
    remedy: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DoctorEntry:
    """Document of `motebench doctor --json`."""

    schema: Literal["motebench-doctor-1"] = DOCTOR
    healthy: bool
    """True if all that measuring needs is installed."""
    checks: tuple[CheckEntry, ...]
    noise: tuple[AdviceEntry, ...]
    environment: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class DamageEntry:
    """One defect of a store."""

    table: str
    row: str
    """Name of the row: series 5, round 3; empty for a whole table."""
    column: str
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreCheckEntry:
    """Document of `motebench doctor --store FILE --json`."""

    schema: Literal["motebench-store-check-1"] = STORE
    store: str
    whole: Mapping[str, Count]
    """Intact rows, by table."""
    findings: tuple[DamageEntry, ...]
    repaired: str | None
    """The new store with the intact rows."""


# Known answers


VERIFICATION: Literal["motebench-verification-1"] = "motebench-verification-1"


@dataclass(frozen=True, slots=True, kw_only=True)
class CountsEntry:
    """Known answers by outcome."""

    passed: Count
    partly: Count
    """Computed part right, the rest refused."""
    failed: Count
    not_applicable: Count


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedEntry:
    """One known answer that failed."""

    scheme: str
    operation: Annotated[str, one_of(Operation)]
    vector: str
    source: str
    comment: str
    kind: Annotated[str, one_of(FailureKind)]
    detail: str
    expected: str
    """Hexadecimal digits, rejected or accepted."""
    got: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifiedEntry(CountsEntry):
    """One implementation on one target."""

    LEADING = ("implementation", "target", "version")

    implementation: str
    target: str
    version: str | None
    acceptable: Count
    """Passed vectors that may also be rejected."""
    problem: str | None
    schemes: Mapping[str, CountsEntry]
    """Counts by scheme; (none): not of the catalog."""
    failures: tuple[FailedEntry, ...]
    reasons: Mapping[str, Count]
    """Numbers of unchecked known answers, by reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VerificationEntry:
    """Document of `motebench verify --json`."""

    schema: Literal["motebench-verification-1"] = VERIFICATION
    vectors: str
    """File of known answers, or catalog."""
    implementations: tuple[VerifiedEntry, ...]
