"""The document of ``motebench coverage``: the targets, schemes and implementations that have
results, and why the others have none."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Literal

from motebench.base.model import Kind
from motebench.base.shapes import Count, one_of

COVERAGE: Literal["motebench-coverage-1"] = "motebench-coverage-1"


class CoverageState(StrEnum):
    """Whether a scheme by an implementation has results on a target."""

    RESULTS = "results"
    TOO_BIG = "does not fit"
    FAILED = "failed"
    NOT_MEASURED = "not measured"
    NO_CODE = "no code"
    """No implementation for the target offers the scheme."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverageEntry:
    """A scheme on a target by an implementation."""

    target: str
    scheme: str
    family: Annotated[str, one_of(Kind)]
    implementation: str | None
    """Null: no code."""
    state: Annotated[str, one_of(CoverageState)]
    cases: Count
    """Operations and sizes with results."""
    sources: tuple[Annotated[str, one_of(("reference", "store"))], ...]
    reason: str | None
    """Reason for missing results."""
    command: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverageCountEntry:
    """Pairs of scheme and implementation, by family and target."""

    target: str
    family: Annotated[str, one_of(Kind)]
    results: Count
    too_big: Count
    failed: Count
    not_measured: Count
    no_code: Count
    """Schemes without any implementation for the target."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverageReportEntry:
    """Document of `motebench coverage --json`."""

    schema: Literal["motebench-coverage-1"] = COVERAGE
    store: str | None
    counts: tuple[CoverageCountEntry, ...]
    entries: tuple[CoverageEntry, ...]
