"""The document of `motebench gate`: two commits of a repository, measured in turn.
``docs/use/ci.md`` explains it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Literal

from motebench.base.identity import CaseId
from motebench.base.shapes import LATER, NEVER, Count, Must, one_of
from motebench.documents.comparison import ComparisonEntry

SCHEMA: Literal["motebench-gate-1"] = "motebench-gate-1"


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

    schema: Literal["motebench-gate-1"] = SCHEMA
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
    """Of the metrics that decide."""
    counts: ComparisonEntry | None
    """Of boards: cycles, flash, RAM, stack."""
    function_cycles: tuple[FunctionCyclesEntry, ...]
    function_bytes: tuple[FunctionBytesEntry, ...]
    """Of boards: functions and objects that differ."""
    failures: tuple[GateFailureEntry, ...]
    notes: tuple[str, ...]
    """Unknown facts of functions, with the reason."""
