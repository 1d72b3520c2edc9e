"""The document of ``motebench airtime``: a LoRa packet, or a LoRaWAN message with its frames and limits."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Literal

from motebench.shapes import LEFT_OUT, Count, Must, one_of

SCHEMA: Literal["motebench-airtime-1"] = "motebench-airtime-1"

Milliseconds = Annotated[float, Must(minimum=0)]
Share = Annotated[float, Must(exclusiveMinimum=0, maximum=1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModulationEntry:
    """How the packet is modulated."""

    sf: int
    """Spreading factor."""
    bandwidth_khz: float
    coding_rate: str
    preamble: Count
    """Programmed preamble symbols."""
    header: Annotated[str, one_of(("explicit", "implicit"))]
    crc: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RateEntry:
    """What a rule allows of this message."""

    name: str
    """Of the sub-band, or of the network whose rule it is."""
    duty_cycle: Share | None
    """Share of an hour on air; null where the rule is none of duty cycles."""
    messages_per_hour: Count | None
    messages_per_day: Count
    pause_ms: Milliseconds | None
    """After each message, where messages come evenly; null where not one a day is allowed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LorawanEntry:
    """The region's frame and limits."""

    region: str
    data_rate: Count
    modulation: str
    app_payload_bytes: Count
    header_bytes: Count
    """What LoRaWAN adds, MAC options included."""
    longest_app_payload_bytes: Count
    dwell_time_ms: Count | None
    """The longest time that a frame may take; null where the region has none."""
    sub_band: str | None
    """Whose duty cycle counts; null where the region has none."""
    duty_cycle: Share | None
    messages_per_hour: Count | None
    limits: tuple[RateEntry, ...]
    """By sub-band."""
    networks: tuple[RateEntry, ...]
    """What networks allow by rules of their own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameEntry:
    """One of several frames."""

    app_payload_bytes: Count
    payload_bytes: Count
    time_on_air_ms: Milliseconds


@dataclass(frozen=True, slots=True, kw_only=True)
class FragmentationEntry:
    """What sending in several frames costs."""

    frames: Annotated[tuple[FrameEntry, ...], Must(minItems=2)]
    sent_bytes: Count
    added_bytes: int
    """More than one frame of the same message would have."""
    one_frame_ms: Milliseconds | None
    """Time on air of that frame; null where the radio has none so long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProtectedEntry:
    """The message under a cipher, and what that adds."""

    scheme: str
    plaintext_bytes: Count
    padding_bytes: Count
    nonce_bytes: Count
    tag_bytes: Count
    total_bytes: Count
    plaintext_time_on_air_ms: Milliseconds
    added_ms: Milliseconds
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AirtimeEntry:
    """What `motebench airtime --json` prints."""

    schema: Literal["motebench-airtime-1"] = SCHEMA
    time_on_air_ms: Milliseconds
    """Of the whole message: of all its frames."""
    payload_bytes: Count
    """Of the packet, or of the first frame, header and all; so are the next four."""
    symbol_ms: Milliseconds
    preamble_symbols: Annotated[float, Must(minimum=0)]
    payload_symbols: Count
    """0 where the modulation is FSK."""
    low_data_rate_optimisation: bool
    radio: str
    modulation: ModulationEntry | None = field(default=None, metadata=LEFT_OUT)
    """Only without LoRaWAN."""
    lorawan: LorawanEntry | None = field(default=None, metadata=LEFT_OUT)
    fragmentation: FragmentationEntry | None = field(default=None, metadata=LEFT_OUT)
    """Only where there are several frames."""
    message: ProtectedEntry | None = field(default=None, metadata=LEFT_OUT)
    """Only with a cipher."""
