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
    """The cost of one operation by one implementation."""

    operation: str
    implementation: str
    input_bytes: Count
    seconds: Interval
    cycles: Interval
    """Of the device's clock."""
    flash_bytes: Interval | None
    """Without the probe; null if unknown."""
    ram_bytes: Interval | None
    """State, static RAM, stack, and the keys, signature or ciphertext that the caller holds;
    without the probe and the message. Null if one of them is unknown."""
    stack_bytes: Interval | None
    fits: Annotated[str, one_of(("yes", "no", "maybe"))]
    """Whether the device has that much flash and RAM; maybe: the bounds do not say, or a size is
    unknown."""
    evidence: Annotated[str, one_of(Evidence)]
    source: str
    """The file with the results."""
    target: str
    """The target that was measured."""
    note: str
    """Derivation of the cost from other lengths, and the places of the code that its bounds cover;
    empty if it was measured and no place moves it."""


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
    """Of the device."""
    ram_bytes: Count
    """Of the device."""
    sizes: Mapping[str, Count]
    """Bytes of keys, signature, ciphertext, nonce and tag, by name."""
    costs: tuple[KnownCostEntry, ...]
    """By operation; the fastest implementation first."""
    failures: tuple[KnownFailureEntry, ...]
    notes: tuple[str, ...]
    """Origin of the results."""
