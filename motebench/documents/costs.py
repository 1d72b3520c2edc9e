"""The documents of models: ``motebench airtime``, ``energy``, ``battery`` and ``protocol``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal

from motebench.base.quantities import Interval
from motebench.base.shapes import LEFT_OUT, Count, Must, one_of

AIRTIME: Literal["motebench-airtime-1"] = "motebench-airtime-1"

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
    """Messages that a rule of the region or network allows."""

    name: str
    """Name of the sub-band, or of the network with this rule."""
    duty_cycle: Share | None
    """Share of an hour on air; null if the rule is not a duty cycle."""
    messages_per_hour: Count | None
    messages_per_day: Count
    pause_ms: Milliseconds | None
    """Pause after each message, if messages are sent evenly; null if not even one per day is
    allowed.
    """


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
class LinkEntry:
    """A payload by a radio other than LoRaWAN."""

    name: str
    frames: Count
    air_bytes: Count
    longest_frame_payload_bytes: Count | None
    same_frames_up_to_bytes: Count | None
    energy_j: Interval | None
    least_interval_s: Annotated[float, Must(minimum=0)] | None
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AirtimeEntry:
    """Document of `motebench airtime --json`."""

    schema: Literal["motebench-airtime-1"] = AIRTIME
    time_on_air_ms: Milliseconds
    """Time on air of the whole message: of all its frames."""
    payload_bytes: Count
    """Length of the packet, or of the first frame, including the header; the next four keys are of
    the same frame.
    """
    symbol_ms: Milliseconds
    preamble_symbols: Annotated[float, Must(minimum=0)]
    payload_symbols: Count
    """0 for FSK."""
    low_data_rate_optimisation: bool
    radio: str
    modulation: ModulationEntry | None = field(default=None, metadata=LEFT_OUT)
    """Only of a LoRa packet."""
    link: LinkEntry | None = field(default=None, metadata=LEFT_OUT)
    """Only with `--link`; symbols are 0 then."""
    lorawan: LorawanEntry | None = field(default=None, metadata=LEFT_OUT)
    fragmentation: FragmentationEntry | None = field(default=None, metadata=LEFT_OUT)
    """Only with several frames."""
    message: ProtectedEntry | None = field(default=None, metadata=LEFT_OUT)
    """Only with a cipher."""


# Energy


ENERGY: Literal["motebench-energy-1"] = "motebench-energy-1"
BATTERY: Literal["motebench-battery-1"] = "motebench-battery-1"

Positive = Annotated[float, Must(minimum=0)]
_Parts = Must(propertyNames={"enum": ["sleep", "cipher", "transmit", "receive"]})


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperEnergyEntry:
    """The result of a published formula for the same operation."""

    paper: str
    """Key of the paper."""
    called: str
    """The paper's name for the value."""
    value: float
    unit: str
    wrong: str
    """Reason why the value is not the quantity that the paper names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EnergyEntry:
    """Document of `motebench energy --json`."""

    schema: Literal["motebench-energy-1"] = ENERGY
    evidence: Literal["modelled"] = "modelled"
    time_s: Positive
    voltage_v: Positive
    current_a: Interval
    power_w: Interval
    energy_j: Interval
    energy_wh: Interval
    charge_mah: Interval
    charge_at_v: Positive
    """The voltage for charge_mah."""
    energy_per_byte_j: Interval | None
    """Null without an input size."""
    notes: tuple[str, ...]
    papers: tuple[PaperEnergyEntry, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BatteryEntry:
    """Document of `motebench battery --json`."""

    schema: Literal["motebench-battery-1"] = BATTERY
    evidence: Literal["modelled"] = "modelled"
    battery: str
    every_s: Positive
    messages_per_day: Positive
    link: str | None
    """Radio protocol and settings; null without a radio, like the next five keys."""
    sent_bytes: Count | None
    """Bytes of a message with those that its cipher adds."""
    frames: Count | None
    time_on_air_ms: Positive | None
    """Of all frames of a message, each sent once."""
    power_dbm: float | None
    message: str | None
    """The scheme that protects messages; null without one."""
    life_years: Interval
    mean_current_a: Interval
    charge_per_message_c: Annotated[Mapping[str, Interval], _Parts]
    """By part: sleep (from one message to the next), cipher, transmit, receive."""
    shares: Annotated[Mapping[str, float], _Parts]
    """Shares of the charge by part; their sum is 1."""
    energy_per_message_j: Annotated[Mapping[str, Interval], _Parts]
    """Energy by part, if its voltage is known."""
    warnings: tuple[str, ...]
    notes: tuple[str, ...]


# Protocols


PROTOCOL: Literal["motebench-protocol-1"] = "motebench-protocol-1"

_ProtocolParts = Must(propertyNames={"enum": ["cipher", "transmit", "receive"]})


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
    time_on_air_ms: Positive | None = field(default=None, metadata=LEFT_OUT)


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
    on_air_s: Positive
    windows_s: Positive
    """Delays of receive windows."""
    duty_wait_s: Positive
    """Pauses that the duty cycle requires."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RepeatedEntry:
    """The exchange once in every so often."""

    every_s: Positive
    a_year: Positive
    """Exchanges in a year."""
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
    """Whether it is the exchange that a LoRaWAN device does anyway."""
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
    """Whether every operation has a result; otherwise times, energies and latency are lower bounds.
    """
    air: AirEntry | None
    """Null without LoRaWAN."""
    energy_j: Annotated[Mapping[str, Interval], _ProtocolParts]
    """By part: cipher, transmit, receive; empty where no current is known."""
    latency_s: Interval | None
    """Computation, time on air and waiting; without the peer's work. Null without device and radio.
    """
    repeated: RepeatedEntry | None
    """Null without --every, or without a current."""
    published: tuple[str, ...]
    """Sources whose lengths the file is checked against, under settings that fit the profile."""
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProtocolsEntry:
    """Document of `motebench protocol --json`."""

    schema: Literal["motebench-protocol-1"] = PROTOCOL
    evidence: Literal["modelled"] = "modelled"
    device: str | None
    link: str | None
    """Radio protocol and settings; null without a radio."""
    region: str | None
    """Of LoRaWAN, as is the next."""
    data_rate: Count | None
    protocols: Annotated[tuple[ProtocolEntry, ...], Must(minItems=1)]
    notes: tuple[str, ...]
