"""The documents of ``motebench run``: what a run would do, and several runs by group and case."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from motebench.base.identity import CaseId
from motebench.base.model import STATUSES, Evidence, Failure, Operation
from motebench.base.shapes import Count, Must, one_of

PLAN: Literal["motebench-plan-1"] = "motebench-plan-1"
RUNS: Literal["motebench-runs-1"] = "motebench-runs-1"

_Seconds = Annotated[float, Must(minimum=0)]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedEntry(CaseId):
    """A case that would be measured."""

    operation: Annotated[str, one_of(Operation)]
    input_bytes: Count


@dataclass(frozen=True, slots=True, kw_only=True)
class SkippedEntry:
    """A combination that patterns matched and that does not exist."""

    scheme: str
    implementation: str
    target: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanEntry:
    """What `motebench run --dry-run --json` prints."""

    schema: Literal["motebench-plan-1"] = PLAN
    cases: tuple[PlannedEntry, ...]
    failures: tuple[Failure, ...]
    """What cannot be measured, and why."""
    skipped: tuple[SkippedEntry, ...]
    runs: Annotated[int, Must(minimum=1)]
    """How often all cases are measured."""
    seconds_expected: _Seconds
    """Of all runs, on a quiet machine."""
    seconds_at_most: _Seconds


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
    """How many of them have it."""
    medians: tuple[float, ...]
    """Of each of these runs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupEntry:
    """A group of runs, of one build."""

    name: str
    build: str | None
    """Its folder; null without --build."""
    runs: tuple[RunOfGroup, ...]
    cases: tuple[CaseOfGroup, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunsEntry:
    """What `motebench run --runs N --json` prints."""

    schema: Literal["motebench-runs-1"] = RUNS
    seed: Count
    order: tuple[str, ...]
    """Names of the runs, in the order they were made."""
    groups: tuple[GroupEntry, ...]
