"""The document of ``motebench verify``: known answers by implementation. ``docs/vectors.md`` explains it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from motebench.base.model import FailureKind, Operation
from motebench.base.shapes import Count, one_of

SCHEMA: Literal["motebench-verification-1"] = "motebench-verification-1"


@dataclass(frozen=True, slots=True, kw_only=True)
class CountsEntry:
    """Known answers by outcome."""

    passed: Count
    partly: Count
    """The computed part is right, and the rest was refused as too big or unsupported."""
    failed: Count
    not_applicable: Count


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedEntry:
    """One known answer that failed."""

    scheme: str
    operation: Annotated[str, one_of(Operation)]
    vector: str
    """Its id in the file."""
    source: str
    comment: str
    kind: Annotated[str, one_of(FailureKind)]
    detail: str
    expected: str
    """Hexadecimal digits, rejected or accepted; empty if nothing was compared."""
    got: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifiedEntry(CountsEntry):
    """One implementation on one target."""

    LEADING = ("implementation", "target", "version")

    implementation: str
    target: str
    version: str | None
    """Null if nothing passed."""
    acceptable: Count
    """Number of passed vectors that the source calls acceptable, which may also be rejected."""
    problem: str | None
    """Why the implementation could not continue."""
    schemes: Mapping[str, CountsEntry]
    """By scheme; (none) for known answers without a scheme that motebench has."""
    failures: tuple[FailedEntry, ...]
    reasons: Mapping[str, Count]
    """Why known answers, or parts of them, were not checked, with their number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VerificationEntry:
    """What `motebench verify --json` prints."""

    schema: Literal["motebench-verification-1"] = SCHEMA
    vectors: str
    """The file of known answers, or catalog."""
    implementations: tuple[VerifiedEntry, ...]
