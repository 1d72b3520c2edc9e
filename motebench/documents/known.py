"""The documents of what is known without measuring: ``motebench cost``, ``coverage`` and
``reference``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Literal

from motebench.base.model import Evidence, Kind
from motebench.base.quantities import Interval
from motebench.base.shapes import LATER, Count, one_of

COST: Literal["motebench-cost-1"] = "motebench-cost-1"


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownCostEntry:
    """Cost of an operation by an implementation."""

    operation: str
    implementation: str
    input_bytes: Count
    seconds: Interval
    cycles: Interval
    flash_bytes: Interval | None
    """Without the probe."""
    ram_bytes: Interval | None
    """State, static RAM, stack and the caller's keys, signature or ciphertext; without probe and
    message.
    """
    stack_bytes: Interval | None
    fits: Annotated[str, one_of(("yes", "no", "maybe"))]
    """maybe: within bounds, or a size is unknown."""
    evidence: Annotated[str, one_of(Evidence)]
    source: str
    target: str
    note: str
    """Lengths that the cost follows from; places of the code in its bounds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownFailureEntry:
    """An implementation without a result, and why."""

    implementation: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownCostsEntry:
    """Document of `motebench cost --json`."""

    schema: Literal["motebench-cost-1"] = COST
    scheme: str
    device: str
    clock_hz: Count
    flash_bytes: Count
    ram_bytes: Count
    sizes: Mapping[str, Count]
    """Bytes of keys, signature, ciphertext, nonce and tag."""
    costs: tuple[KnownCostEntry, ...]
    """Costs by operation, the fastest first."""
    failures: tuple[KnownFailureEntry, ...]
    notes: tuple[str, ...]


COVERAGE: Literal["motebench-coverage-1"] = "motebench-coverage-1"


class CoverageState(StrEnum):
    """State of the results of a scheme by an implementation on a target."""

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
    """Instructions of an emulated processor."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceResultEntry(ReferenceResult):
    """One case of one target."""

    LEADING = ("target",)

    target: str
    proven: bool = field(default=True, metadata=LATER)
    """False for cycles that are not proven on silicon."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FlowResult:
    """Secrets of one case, followed on a simulated board."""

    scheme: str
    implementation: str
    operation: str
    input_bytes: Count = 0
    errors: Count = 0
    addresses: Count = 0
    """Errors that are addresses."""
    notes: Count = 0
    inputs: Count = 0
    lines: Count = 0
    ran: Count = 0
    """Lines that ran."""
    first: str = ""
    """Most frequent error, else note."""
    public: str = ""
    """Functions that declare values public."""
    failure: str = ""
    compiler: str = ""
    flags: str = ""
    commit: str = ""
    code: str = ""
    """Digest of machine code and simulator."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FlowResultEntry(FlowResult):
    """Secrets of a case, followed on a board."""

    LEADING = ("target",)

    target: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceEntry:
    """Document of `motebench reference show --json`."""

    schema: Literal["motebench-reference-1"] = REFERENCE
    evidence: Literal["simulated"] = "simulated"
    provenance: Mapping[str, Mapping[str, str]]
    """Origin by target: compiler, flags, version of motebench."""
    entries: tuple[ReferenceResultEntry, ...]
    notes: tuple[str, ...] = field(default=(), metadata=LATER)
    """Reasons for unproven cycles; their range over places."""
    secret_flow: tuple[FlowResultEntry, ...] = field(default=(), metadata=LATER)
    """With `--secret-flow`, instead of `entries`."""


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
