"""The document of ``motebench cost``: what a scheme costs on a device, as far as results are
known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from motebench.base.model import Evidence
from motebench.base.quantities import Interval
from motebench.base.shapes import Count, one_of

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
    """By operation, the fastest first."""
    failures: tuple[KnownFailureEntry, ...]
    notes: tuple[str, ...]
