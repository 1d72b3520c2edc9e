"""The document of ``motebench airtime``: a LoRa packet, or a LoRaWAN message with its frames and limits."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Literal

from motebench.base.shapes import LEFT_OUT, Count, Must, one_of

SCHEMA: Literal["motebench-airtime-1"] = "motebench-airtime-1"

Milliseconds = Annotated[float, Must(minimum=0)]
Share = Annotated[float, Must(exclusiveMinimum=0, maximum=1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModulationEntry:
    """The modulation of the packet."""

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
    """What a rule allows for this message."""

    name: str
    """Name of the sub-band, or of the network with this rule."""
    duty_cycle: Share | None
    """Share of an hour on air; null if the rule is not a duty cycle."""
    messages_per_hour: Count | None
    messages_per_day: Count
    pause_ms: Milliseconds | None
    """Pause after each message, if messages are sent evenly; null if not even one per day is allowed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LorawanEntry:
    """The region's frame and limits."""

    region: str
    data_rate: Count
    modulation: str
    app_payload_bytes: Count
    header_bytes: Count
    """Bytes that LoRaWAN adds, including MAC options."""
    longest_app_payload_bytes: Count
    dwell_time_ms: Count | None
    """Longest time of a frame; null if the region has no limit."""
    sub_band: str | None
    """The sub-band whose duty cycle counts; null if the region has none."""
    duty_cycle: Share | None
    messages_per_hour: Count | None
    limits: tuple[RateEntry, ...]
    """Limits by sub-band."""
    networks: tuple[RateEntry, ...]
    """Limits by networks' own rules."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameEntry:
    """One of several frames."""

    app_payload_bytes: Count
    payload_bytes: Count
    time_on_air_ms: Milliseconds


@dataclass(frozen=True, slots=True, kw_only=True)
class FragmentationEntry:
    """The cost of sending several frames."""

    frames: Annotated[tuple[FrameEntry, ...], Must(minItems=2)]
    sent_bytes: Count
    added_bytes: int
    """Additional bytes compared with one frame of the same message."""
    one_frame_ms: Milliseconds | None
    """Time on air of that frame; null if the radio does not allow this length."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProtectedEntry:
    """The message under a cipher, and the bytes that it adds."""

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
    """Time on air of the whole message: of all its frames."""
    payload_bytes: Count
    """Length of the packet, or of the first frame, including the header; the next four keys are of the same frame."""
    symbol_ms: Milliseconds
    preamble_symbols: Annotated[float, Must(minimum=0)]
    payload_symbols: Count
    """0 for FSK."""
    low_data_rate_optimisation: bool
    radio: str
    modulation: ModulationEntry | None = field(default=None, metadata=LEFT_OUT)
    """Only without LoRaWAN."""
    lorawan: LorawanEntry | None = field(default=None, metadata=LEFT_OUT)
    fragmentation: FragmentationEntry | None = field(default=None, metadata=LEFT_OUT)
    """Only with several frames."""
    message: ProtectedEntry | None = field(default=None, metadata=LEFT_OUT)
    """Only with a cipher."""
