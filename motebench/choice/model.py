"""The words of a choice: figures with bounds and sources, offers, candidates, limits that were broken."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from motebench.documents.choice import ReferenceOrigin, RunOrigin
from motebench.interval import Interval
from motebench.model import Evidence

UNJUDGED, AGAINST = 1, 2
"""Tiers (see ``Standing``): not recommended for new designs, and the first tier that is advised against."""

Origin = ReferenceOrigin | RunOrigin
"""The measurement behind a number."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A number with its bounds, where it comes from, and the measurements behind it."""

    value: Interval
    unit: str
    evidence: Evidence
    origins: tuple[Origin, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Point:
    """What one operation on one size takes: seconds, and the bytes of each kind of memory that is known."""

    seconds: Interval
    memory: Mapping[str, Interval]
    origin: Origin


@dataclass(frozen=True, slots=True)
class Offer:
    """The results of one implementation of one scheme, by operation and input size; or why there are none."""

    scheme: str
    implementation: str
    evidence: Evidence
    points: Mapping[tuple[str, int], Point] = field(default_factory=dict)
    failure: str | None = None

    def sizes(self, operation: str) -> list[int]:
        """The sizes of which there are results, rising."""
        return sorted(size for name, size in self.points if name == operation)


@dataclass(frozen=True, slots=True)
class Broken:
    """A limit that a candidate breaks.

    ``limit`` is its fixed name; ``allowed`` and ``value`` are numbers in ``unit`` where there are any, ``option`` is
    what relaxes it.
    """

    limit: str
    words: str
    allowed: float | None = None
    value: float | None = None
    unit: str = ""
    option: str = ""

    @property
    def excess(self) -> float | None:
        """By which share of the limit it is broken; None where no numbers are compared."""
        if self.allowed is None or self.value is None:
            return None
        return abs(self.value - self.allowed) / self.allowed if self.allowed else float("inf")


@dataclass(frozen=True, slots=True)
class Sent:
    """A message on its way: bytes, frames, and seconds on air in all of them (0 without a radio)."""

    plaintext_bytes: int
    padding_bytes: int
    nonce_bytes: int
    tag_bytes: int
    frames: int = 0
    seconds: float = 0.0
    broken: tuple[Broken, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def total_bytes(self) -> int:
        """What is sent."""
        return self.plaintext_bytes + self.padding_bytes + self.nonce_bytes + self.tag_bytes


@dataclass(frozen=True, slots=True)
class Standing:
    """What is said of the schemes of a candidate today.

    ``tier``: 0 for what some body recommends, 1 for what nobody judges, for short blocks and for what is known to be
    advised against later, 2 for what somebody advises against or what is weak, 3 for what is withdrawn, disallowed,
    prohibited or broken.
    """

    tier: int
    words: tuple[str, ...]
    strength_bits: int | None
    constant_time: str | None
    broken: tuple[Broken, ...] = ()


@dataclass(frozen=True, slots=True)
class Candidate:
    """One way to protect the message, with what it costs. ``offers`` are two where a MAC is added to a cipher.

    ``warnings`` are of the battery: voltages and pulses that it is not made for.
    """

    offers: tuple[Offer, ...]
    sent: Sent
    standing: Standing
    latency: Figure | None
    flash: Figure | None
    ram: Figure | None
    energy: Mapping[str, Figure] = field(default_factory=dict)
    life: Figure | None = None
    broken: tuple[Broken, ...] = ()
    doubts: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def scheme(self) -> str:
        """Name of the scheme; of both with a plus."""
        return " + ".join(offer.scheme for offer in self.offers)

    @property
    def implementation(self) -> str:
        """Name of the implementation; of both with a plus where they differ."""
        return " + ".join(dict.fromkeys(offer.implementation for offer in self.offers))

    @property
    def energy_j(self) -> Interval | None:
        """Joules that a message takes, sleep apart; None where no current is known."""
        parts = [figure.value for name, figure in self.energy.items() if name != "sleep"]
        return sum(parts[1:], parts[0]) if parts else None
