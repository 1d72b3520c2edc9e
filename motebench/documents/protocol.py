"""The document of ``motebench protocol``: what protocols send, compute and cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal

from motebench.base.interval import Interval
from motebench.base.shapes import LEFT_OUT, Count, Must, one_of

SCHEMA: Literal["motebench-protocol-1"] = "motebench-protocol-1"

_Positive = Annotated[float, Must(minimum=0)]
PARTS = ("cipher", "transmit", "receive")
_Parts = Must(propertyNames={"enum": list(PARTS)})


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldEntry:
    """A field of a message."""

    name: str
    bytes: Count
    layer: Annotated[str, one_of(("message", "record", "carrier"))]
    """The message itself, the record that protects it, or the layer that carries it."""
    source: str
    unverified: bool
    """Whether the author of the file did not see the length in the source."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProtocolSentEntry:
    """A message, or a flight that is sent at once."""

    name: str
    sender: Annotated[str, one_of(("device", "peer"))]
    times: Count
    bytes: Count
    """Of one, with the record and without the carrier."""
    carried_bytes: Count
    """Of one, with the carrier."""
    fields: tuple[FieldEntry, ...]
    frames: Count | None = field(default=None, metadata=LEFT_OUT)
    """LoRaWAN frames of all; absent without a radio, as is the next."""
    time_on_air_ms: _Positive | None = field(default=None, metadata=LEFT_OUT)


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationEntry:
    """Operations of the device."""

    statement: str
    scheme: str
    operation: str
    count: Count
    bytes: Count
    aad_bytes: Count
    source: str
    implementation: str | None
    seconds: Interval | None
    """Of all of them; null without a result."""
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AirEntry:
    """The exchange over LoRaWAN class A; times in seconds."""

    frames: Count
    """Of both directions, with empty uplinks."""
    empty_uplinks: Count
    """Uplinks that only open receive windows."""
    on_air_s: _Positive
    windows_s: _Positive
    """Delays of receive windows."""
    duty_wait_s: _Positive
    """Pauses that the duty cycle requires."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RepeatedEntry:
    """The exchange once in every so often."""

    every_s: _Positive
    a_year: _Positive
    """How often in a year."""
    energy_a_year_j: Interval
    battery: str | None
    charge_share_a_year: float | None
    """Of the usable charge of the battery; null without one, like the next."""
    life_years: Interval | None
    """Of a battery that feeds nothing but this and sleep."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProtocolEntry:
    """A protocol under settings."""

    id: str
    name: str
    purpose: Annotated[str, one_of(("handshake", "message", "update"))]
    baseline: bool
    """What a LoRaWAN device does anyway."""
    asked: bool
    """False for a baseline that was added."""
    settings: Mapping[str, int | str]
    messages: tuple[ProtocolSentEntry, ...]
    sent_bytes: Count
    """By the device, with carriers."""
    received_bytes: Count
    operations: tuple[OperationEntry, ...]
    compute_s: Interval | None
    """Null without a device, and where no operation has a result."""
    complete: bool
    """Whether every operation has a result; otherwise times, energies and latency are lower bounds."""
    air: AirEntry | None
    """Null without LoRaWAN."""
    energy_j: Annotated[Mapping[str, Interval], _Parts]
    """By part: cipher, transmit, receive; empty where no current is known."""
    latency_s: Interval | None
    """Computation, time on air and waiting; without the peer's work. Null without device and radio."""
    repeated: RepeatedEntry | None
    """Null without --every, or without a current."""
    published: tuple[str, ...]
    """Sources whose lengths the file is checked against, under settings that fit the profile."""
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProtocolsEntry:
    """What `motebench protocol --json` prints."""

    schema: Literal["motebench-protocol-1"] = SCHEMA
    evidence: Literal["modelled"] = "modelled"
    device: str | None
    region: str | None
    data_rate: Count | None
    protocols: Annotated[tuple[ProtocolEntry, ...], Must(minItems=1)]
    notes: tuple[str, ...]
