"""The documents of ``motebench meter`` and ``motebench instruments``. ``docs/use/energy.md``
explains them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from motebench.base.quantities import Interval
from motebench.base.shapes import LEFT_OUT, Count, Must, one_of

METER: Literal["motebench-meter-1"] = "motebench-meter-1"
KNOWN_LOAD: Literal["motebench-known-load-1"] = "motebench-known-load-1"
INSTRUMENTS: Literal["motebench-instruments-1"] = "motebench-instruments-1"

Positive = Annotated[float, Must(minimum=0)]


@dataclass(frozen=True, slots=True, kw_only=True)
class InstrumentEntry:
    """An instrument."""

    name: str
    measures: str
    shape: Annotated[str, one_of(("point", "mean"))]
    """point: power at that moment; mean: since the previous sample."""
    rate_hz: Positive | None
    """Null if read by hand."""
    accuracy: Positive | None
    """Largest relative error of power."""
    accuracy_of: str
    """Its source, or why there is none."""
    offset_w: Positive
    timing_s: Positive
    resolution_j: Positive
    counts: bool
    """True for a meter that counts energy: reading it late loses nothing."""
    polled: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowEntry:
    """A period of idling, a batch or a known load."""

    name: Annotated[str, one_of(("idle", "batch", "load"))]
    t0: float
    t1: float
    iterations: Count
    edge_s: Positive
    work_s: Positive | None
    """Time in which the operations ran; null: all."""
    beside_s: Positive
    """Time of computing that is not counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JoulesEntry:
    """Energy of a batch with limits, maybe negative, and standard uncertainty of type B."""

    low: float
    joules: float
    high: float
    type_b: Positive


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchEntry(WindowEntry):
    """A batch and its energy."""

    power_w: float | None
    missing_s: Positive | None
    """Without samples."""
    gross_j: JoulesEntry | None
    net_j: JoulesEntry | None
    """Above idling."""
    problem: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FloorEntry:
    """Power of idling, and its drift."""

    low_w: float
    typical_w: float
    high_w: float
    drift_w: float


@dataclass(frozen=True, slots=True)
class OperationEnergyEntry(Interval):
    """Energy of one operation or byte."""

    interval: str = field(kw_only=True)
    type_a: Positive | None = field(kw_only=True)
    """Standard uncertainty by the spread of batches."""
    type_b: Positive = field(kw_only=True)
    """Standard uncertainty by errors of the instrument."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedEntry:
    """The keys of every recording."""

    motebench: str
    evidence: Literal["measured"] = "measured"
    instrument: InstrumentEntry
    ended: str
    """complete, or what cut the recording short."""
    samples: Count
    lost_samples: Count
    windows: tuple[WindowEntry, ...]
    problems: tuple[str, ...]
    notes: tuple[str, ...]
    recording: str | None
    """File of all samples."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterEntry(RecordedEntry):
    """Document of `motebench meter --json` for an operation."""

    LEADING = ("schema",)

    schema: Literal["motebench-meter-1"] = METER
    target: str | None
    """Null, as other facts, if a recording of another tool does not say."""
    implementation: str | None
    version: str | None
    scheme: str | None
    operation: str | None
    input_bytes: Count | None
    batch_iterations: Count | None
    about: Mapping[str, Any] = field(default_factory=dict, metadata=LEFT_OUT)
    """Other keys of the recording."""
    floor: FloorEntry | None
    power_w: float | None
    power_net_w: float | None
    """Above idling."""
    energy_j: OperationEnergyEntry | None
    energy_net_j: OperationEnergyEntry | None
    energy_per_byte_j: OperationEnergyEntry | None
    energy_net_per_byte_j: OperationEnergyEntry | None
    batches: tuple[BatchEntry, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownLoadEntry(RecordedEntry):
    """Document of `motebench meter --known-load --json`."""

    LEADING = ("schema",)

    schema: Literal["motebench-known-load-1"] = KNOWN_LOAD
    ohms: Positive
    volts: float | None
    """Null if the load could not be read."""
    power_w: float | None
    expected_w: float | None
    error_w: float | None
    error: float | None
    """Relative error of the instrument."""
    within_accuracy: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class KindEntry:
    """A kind of instrument."""

    instrument: str
    what: str
    usable: bool
    here: str | None
    """Those on this machine."""
    missing: str | None
    """Package to install, or why there is none."""
    example: str


@dataclass(frozen=True, slots=True, kw_only=True)
class InstrumentsEntry:
    """Document of `motebench instruments --json`."""

    schema: Literal["motebench-instruments-1"] = INSTRUMENTS
    instruments: tuple[KindEntry, ...]
