"""The documents of lists: rows of one kind (``motebench list``), and the boards of a fleet
(``motebench fleet boards``).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Literal

from motebench.base.model import STATUSES, Kind, RunKind
from motebench.base.shapes import LATER, Count, Must, one_of

SCHEMA: Literal["motebench-list-1"] = "motebench-list-1"
WHAT = (
    "algorithms",
    "schemes",
    "implementations",
    "targets",
    "studies",
    "runs",
    "papers",
    "devices",
    "radios",
    "regions",
    "batteries",
    "protocols",
)

_Positive = Annotated[float, Must(exclusiveMinimum=0)]


@dataclass(frozen=True, slots=True, kw_only=True)
class AlgorithmRow:
    """An algorithm of the catalog."""

    algorithm: str
    name: str
    kind: str
    structure: str | None
    block_bits: tuple[int, ...]
    year: int
    status: str | None
    """Security status of today."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemeRow:
    """A scheme, and who offers it here."""

    scheme: str
    kind: Annotated[str, one_of(Kind)]
    key_bits: int | None
    nonce_bits: int | None
    status: str | None
    """Security status of today."""
    implementations: tuple[str, ...]
    aliases: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperSchemeRow:
    """A scheme of a paper, and who measures it here."""

    scheme: str
    as_published: str
    implementations: tuple[str, ...]
    used_by_the_paper: tuple[str, ...]
    note: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ImplementationRow:
    """An implementation for this machine."""

    implementation: str
    target: str
    version: str | None
    """Null if the probe does not answer."""
    schemes: Count | None
    probe: str | None
    problem: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetRow:
    """A target."""

    target: str
    meaning: str
    implementations: tuple[str, ...]
    """With its default compiler."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyRow:
    """A study file that comes with motebench."""

    study: str
    title: str
    description: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRow:
    """A run of a store."""

    run: int
    name: str
    study: str | None
    command: str | None
    started: str
    """UTC, ISO 8601."""
    finished: str | None
    status: Annotated[str, one_of(STATUSES)]
    kind: Annotated[str, one_of(RunKind)] = field(metadata=LATER)
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperRow:
    """A paper of the catalog."""

    paper: str
    year: int
    platform: str
    library: str | None
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceRow:
    """A device of the catalog."""

    device: str
    name: str
    architecture: str
    clock_mhz: _Positive
    flash: str | None
    ram: str
    active: str | None
    """First active current."""
    firmware: str | None
    """yes if motebench builds firmware for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RadioRow:
    """A radio of the catalog."""

    radio: str
    name: str
    modulations: tuple[str, ...]
    spreading_factors: str
    """Empty without LoRa, as is the next."""
    bandwidths_khz: str
    transmit_dbm: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RegionRow:
    """A LoRaWAN region."""

    region: str
    name: str
    data_rates: tuple[str, ...]
    duty_cycle: str | None
    dwell_time_ms: Count | None


@dataclass(frozen=True, slots=True, kw_only=True)
class BatteryRow:
    """A battery of the catalog."""

    battery: str
    name: str
    voltage_v: _Positive
    capacity_mah: _Positive
    lost_per_year: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProtocolRow:
    """A protocol, or a profile of one."""

    protocol: str
    name: str
    purpose: str
    file: str
    """The protocol of a profile."""
    settings: str
    """Settings of the profile."""


Row = (
    AlgorithmRow
    | SchemeRow
    | PaperSchemeRow
    | ImplementationRow
    | TargetRow
    | StudyRow
    | RunRow
    | PaperRow
    | DeviceRow
    | RadioRow
    | RegionRow
    | BatteryRow
    | ProtocolRow
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ListEntry:
    """Document of `motebench list --json`."""

    schema: Literal["motebench-list-1"] = SCHEMA
    what: Annotated[str, one_of(WHAT)]
    rows: tuple[Row, ...]
    """Rows of one kind; with `--paper` of a paper's schemes."""


# Boards of a fleet


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardEntry:
    """A board of the fleet."""

    board: str
    target: str
    at: str | None
    """Its lab host; null for this machine."""
    groups: tuple[str, ...]
    instrument: str | None
    reachable: bool | None
    """Null if its lab host has no worker."""
    model: str | None
    """Model by the board's own answer."""
    problem: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardsEntry:
    """Document of `motebench fleet boards --json`; see docs/use/fleet.md."""

    schema: Literal["motebench-fleet-1"] = "motebench-fleet-1"
    boards: tuple[BoardEntry, ...]
