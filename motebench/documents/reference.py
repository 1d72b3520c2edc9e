"""The documents of ``motebench reference``: results of simulated boards, and their changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from motebench.base.shapes import LATER, Count

REFERENCE: Literal["motebench-reference-1"] = "motebench-reference-1"
CHECK: Literal["motebench-reference-check-1"] = "motebench-reference-check-1"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceResult:
    """One case: its exact metrics, or its failure."""

    scheme: str
    implementation: str
    operation: str
    """Empty if the whole scheme failed."""
    input_bytes: Count
    cycles: Count | None
    stack: Count | None
    state: Count | None
    static_ram: Count | None
    static_ram_net: Count | None
    flash: Count | None
    flash_net: Count | None
    failure: str | None
    """Kind and message."""
    instructions: Count | None = field(default=None, metadata=LATER)
    """Of an emulated processor."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceResultEntry(ReferenceResult):
    """One case of one target."""

    LEADING = ("target",)

    target: str
    proven: bool = field(default=True, metadata=LATER)
    """False for cycles that are not proven on silicon."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceEntry:
    """Document of `motebench reference show --json`."""

    schema: Literal["motebench-reference-1"] = REFERENCE
    evidence: Literal["simulated"] = "simulated"
    provenance: Mapping[str, Mapping[str, str]]
    """By target: compiler, flags, version of motebench."""
    entries: tuple[ReferenceResultEntry, ...]
    notes: tuple[str, ...] = field(default=(), metadata=LATER)
    """Reasons for unproven cycles; their range over places."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeEntry:
    """A case with changed results."""

    target: str
    kept: ReferenceResult | None
    now: ReferenceResult | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceCheckEntry:
    """Document of `motebench reference check --json`."""

    schema: Literal["motebench-reference-check-1"] = CHECK
    checked: tuple[tuple[str, str], ...]
    """Target and implementation."""
    changes: tuple[ChangeEntry, ...]
