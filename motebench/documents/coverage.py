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
    """Null where there is no code."""
    state: Annotated[str, one_of(CoverageState)]
    cases: Count
    """Operations and sizes with results."""
    sources: tuple[Annotated[str, one_of(("reference", "store"))], ...]
    """Places of the results."""
    reason: str | None
    """Reason why there are no results, or why some operations and sizes have none; null if all
    have."""
    command: str | None
    """The command that measures it; null where nothing can."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverageCountEntry:
    """The schemes by implementations of a family on a target, each scheme with each implementation
    counted.
    """

    target: str
    family: Annotated[str, one_of(Kind)]
    results: Count
    too_big: Count
    failed: Count
    not_measured: Count
    no_code: Count
    """Schemes that no implementation for the target offers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverageReportEntry:
    """Document of `motebench coverage --json`."""

    schema: Literal["motebench-coverage-1"] = COVERAGE
    store: str | None
    """Null where only reference results are counted."""
    counts: tuple[CoverageCountEntry, ...]
    entries: tuple[CoverageEntry, ...]
