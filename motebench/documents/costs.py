"""The documents of costs: of models (``motebench airtime``, ``energy``, ``battery`` and
``protocol``), and of a set of messages signed or verified, or of keys generated (``motebench
signing``; ``docs/use/postquantum.md`` explains it).
"""

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
    """Programmed symbols."""
    header: Annotated[str, one_of(("explicit", "implicit"))]
    crc: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RateEntry:
    """Messages that a rule of region or network allows."""

    name: str
    """The sub-band, or the network with the rule."""
    duty_cycle: Share | None
    """Share of an hour on air."""
    messages_per_hour: Count | None
    messages_per_day: Count
    pause_ms: Milliseconds | None
    """Between messages at equal intervals; null if fewer than one a day."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LorawanEntry:
    """Frame and limits of the region."""

    region: str
    data_rate: Count
    modulation: str
    app_payload_bytes: Count
    header_bytes: Count
    """Added by LoRaWAN, with MAC options."""
    longest_app_payload_bytes: Count
    dwell_time_ms: Count | None
    """Longest time of a frame."""
    sub_band: str | None
    """The one whose duty cycle counts."""
    duty_cycle: Share | None
    messages_per_hour: Count | None
    limits: tuple[RateEntry, ...]
    networks: tuple[RateEntry, ...]
    """Rates by networks' own rules."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameEntry:
    """One of several frames."""

    app_payload_bytes: Count
    payload_bytes: Count
    time_on_air_ms: Milliseconds


@dataclass(frozen=True, slots=True, kw_only=True)
class FragmentationEntry:
    """Cost of sending several frames."""

    frames: Annotated[tuple[FrameEntry, ...], Must(minItems=2)]
    sent_bytes: Count
    added_bytes: int
    """Compared with one frame of the same message."""
    one_frame_ms: Milliseconds | None
    """Time on air of that frame; null if too long for the radio."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProtectedEntry:
    """The message under a cipher."""

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
    """A payload by another radio than LoRaWAN."""

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
    """Sum over all frames of the message."""
    payload_bytes: Count
    """Size of the packet or first frame, with header."""
    symbol_ms: Milliseconds
    preamble_symbols: Annotated[float, Must(minimum=0)]
    payload_symbols: Count
    """0 for FSK."""
    low_data_rate_optimisation: bool
    radio: str
    modulation: ModulationEntry | None = field(default=None, metadata=LEFT_OUT)
    """Modulation of a LoRa packet."""
    link: LinkEntry | None = field(default=None, metadata=LEFT_OUT)
    """With `--link`; symbols are 0 then."""
    lorawan: LorawanEntry | None = field(default=None, metadata=LEFT_OUT)
    fragmentation: FragmentationEntry | None = field(default=None, metadata=LEFT_OUT)
    """With several frames."""
    message: ProtectedEntry | None = field(default=None, metadata=LEFT_OUT)


# Energy


ENERGY: Literal["motebench-energy-1"] = "motebench-energy-1"
BATTERY: Literal["motebench-battery-1"] = "motebench-battery-1"

Positive = Annotated[float, Must(minimum=0)]
_Parts = Must(propertyNames={"enum": ["sleep", "cipher", "transmit", "receive"]})


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperEnergyEntry:
    """A published formula for the operation."""

    paper: str
    called: str
    """The paper's name."""
    value: float
    unit: str
    wrong: str
    """Its difference from what the paper names."""


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
    """Voltage for charge_mah."""
    energy_per_byte_j: Interval | None
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
    sent_bytes: Count | None
    """Size of a message under its cipher."""
    frames: Count | None
    time_on_air_ms: Positive | None
    """Sum over all frames, each sent once."""
    power_dbm: float | None
    message: str | None
    life_years: Interval
    mean_current_a: Interval
    charge_per_message_c: Annotated[Mapping[str, Interval], _Parts]
    """Charge by part: sleep, cipher, transmit, receive."""
    shares: Annotated[Mapping[str, float], _Parts]
    """Shares of the charge, by part; sum 1."""
    energy_per_message_j: Annotated[Mapping[str, Interval], _Parts]
    """Energy by part."""
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
    """The message, the record that protects it, or its carrier."""
    source: str
    unverified: bool
    """The length was not seen in the source."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProtocolSentEntry:
    """A message, or a flight sent at once."""

    name: str
    sender: Annotated[str, one_of(("device", "peer"))]
    times: Count
    bytes: Count
    """Size of one, with record, without carrier."""
    carried_bytes: Count
    """Size of one, with carrier."""
    fields: tuple[FieldEntry, ...]
    frames: Count | None = field(default=None, metadata=LEFT_OUT)
    """LoRaWAN frames of all."""
    time_on_air_ms: Positive | None = field(default=None, metadata=LEFT_OUT)


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationEntry:
    """An operation of the device."""

    statement: str
    scheme: str
    operation: str
    count: Count
    bytes: Count
    aad_bytes: Count
    source: str
    implementation: str | None
    seconds: Interval | None
    """Time of all ``count``."""
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AirEntry:
    """The exchange over LoRaWAN class A, in seconds."""

    frames: Count
    """Both directions, with empty uplinks."""
    empty_uplinks: Count
    """These only open receive windows."""
    on_air_s: Positive
    windows_s: Positive
    """Delays of receive windows."""
    duty_wait_s: Positive
    """Pauses by the duty cycle."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RepeatedEntry:
    """The exchange at regular intervals."""

    every_s: Positive
    a_year: Positive
    """Exchanges."""
    energy_a_year_j: Interval
    battery: str | None
    charge_share_a_year: float | None
    """Share of the battery's usable charge."""
    life_years: Interval | None
    """Life of a battery for only this and sleep."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProtocolEntry:
    """A protocol under settings."""

    id: str
    name: str
    purpose: Annotated[str, one_of(("handshake", "message", "update"))]
    baseline: bool
    """LoRaWAN's own exchange."""
    asked: bool
    """False for an added baseline."""
    settings: Mapping[str, int | str]
    messages: tuple[ProtocolSentEntry, ...]
    sent_bytes: Count
    """Bytes from the device, with carriers."""
    received_bytes: Count
    operations: tuple[OperationEntry, ...]
    compute_s: Interval | None
    complete: bool
    """False: an operation has no result; times, energies and latency are lower bounds."""
    air: AirEntry | None
    energy_j: Annotated[Mapping[str, Interval], _ProtocolParts]
    """Energy by part: cipher, transmit, receive."""
    latency_s: Interval | None
    """Computing, time on air and waiting, without the peer's work."""
    repeated: RepeatedEntry | None
    """With --every."""
    published: tuple[str, ...]
    """Sources that the lengths agree with, if settings fit."""
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProtocolsEntry:
    """Document of `motebench protocol --json`."""

    schema: Literal["motebench-protocol-1"] = PROTOCOL
    evidence: Literal["modelled"] = "modelled"
    device: str | None
    link: str | None
    region: str | None
    """Region of LoRaWAN."""
    data_rate: Count | None
    protocols: Annotated[tuple[ProtocolEntry, ...], Must(minItems=1)]
    notes: tuple[str, ...]


SIGNING: Literal["motebench-signing-1"] = "motebench-signing-1"


@dataclass(frozen=True, slots=True, kw_only=True)
class SigningRow:
    """A scheme on a target; times in seconds. ``verify``: of hash-based signatures, an attempt is a
    step of a hash chain. ``keygen``: of RSA, with drawn keys for messages.
    """

    LEADING = ("scheme", "implementation", "target", "operation")

    scheme: str
    implementation: str
    target: str
    operation: Literal["sign", "verify", "keygen"]
    version: str
    evidence: Literal["measured", "simulated"]
    clock_hz: float | None
    """Clock of a board: cycles are times multiplied with it."""
    messages: Count
    """Or keys of ``keygen``."""
    first: Count
    """Seed of the first message; the others follow."""
    mean: float
    """With the attempts of these messages."""
    mean_low: float | None
    """95 % interval of ``keygen`` over all keys, by Student's t."""
    mean_high: float | None
    median: float
    p99: float
    """At least 99 of 100 messages take no longer."""
    longest: float
    attempts: float | None
    """Mean; null if the implementation draws random bytes."""
    expected_attempts: float | None
    """Over all messages, by the standard; of ``verify`` by the digits of hashes."""
    per_attempt: float | None
    """Slope of times over attempts."""
    beside: float | None
    """Time of work done once for each signature."""
    normalised: float | None
    """beside + per_attempt * expected_attempts."""
    unexplained: float | None
    """Largest share by which a time differs from that line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SigningEntry:
    """Document of `motebench signing --json`."""

    schema: Literal["motebench-signing-1"] = SIGNING
    rows: tuple[SigningRow, ...]
    failures: tuple[str, ...]
