"""Parts beside a device's processor: secure elements and batteries; and all parts of the catalog by
kind.

A file each: ``catalog/elements/<id>.toml``, ``catalog/batteries/<id>.toml``;
``docs/reference/catalog.md`` describes the keys.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from motebench.base.model import Operation
from motebench.base.quantities import Interval
from motebench.catalog.devices import DEVICES
from motebench.catalog.quantities import (
    Bounds,
    Capacity,
    Current,
    Draw,
    Known,
    KnownSpread,
    PositiveBounds,
    Resistance,
    State,
    Supply,
    Voltage,
    in_order,
)
from motebench.catalog.radios import RADIOS, REGIONS
from motebench.catalog.schema import Count, Record, Source, Text
from motebench.catalog.shelf import CatalogEntry, Shelf

CountOrZero = Annotated[int, Field(strict=True, ge=0)]


class Bus(Known):
    """Bus from the processor to the element: bits a second, and seconds from sleep to the first
    command.
    """

    name: Text
    hz: PositiveBounds
    wake_seconds: PositiveBounds


class ElementStep(Record):
    """Command that is repeated for pieces of a message, with the bytes of its packets in addition
    to the message.

    ``rounding``: pieces of ``bytes`` that a message has: ``up`` counts one that is begun, ``down``
    does not, ``padded`` adds one even to a message of whole pieces (PKCS#7). ``least``: fewest
    pieces; ``times``: commands for each; ``more``: commands beside them.
    """

    bytes: Count
    rounding: Literal["up", "down", "padded"] = "up"
    least: CountOrZero = 0
    times: Count = 1
    more: CountOrZero = 0
    written: CountOrZero
    read: CountOrZero
    seconds: PositiveBounds

    def commands(self, size: int) -> int:
        """Commands for a message of ``size`` bytes."""
        pieces = size // self.bytes + (1 if self.rounding == "padded" else 0)
        if self.rounding == "up":
            pieces = -(-size // self.bytes)
        return max(pieces, self.least) * self.times + self.more


@dataclass(frozen=True, slots=True)
class ElementWork:
    """Work of an operation on a message: commands, bytes on the bus without its addresses, and the
    seconds of the element itself."""

    commands: int
    written: int
    read: int
    seconds: Interval


class Task(Known):
    """An operation of schemes: its commands, the bytes that the processor writes and reads for all
    of them without the addresses of the bus, and the seconds that the element computes.

    ``steps``: commands that are repeated along a message; ``written_a_byte`` and ``read_a_byte``:
    how often each byte of a message is on the bus. ``over_bus``: the seconds contain the time on
    the bus. ``state``: whose current it draws meanwhile.
    """

    schemes: tuple[Text, ...] = Field(min_length=1)
    operation: Operation
    commands: CountOrZero
    written: CountOrZero
    read: CountOrZero
    seconds: Bounds
    written_a_byte: CountOrZero = 0
    read_a_byte: CountOrZero = 0
    steps: tuple[ElementStep, ...] = ()
    over_bus: bool = False
    state: Literal[State.ACTIVE, State.STANDBY] = State.ACTIVE

    @model_validator(mode="after")
    def _works(self) -> Self:
        if not self.steps and not (
            self.commands and self.written and self.read and self.seconds.minimum
        ):
            raise ValueError("commands, written, read and seconds are 0, and there are no steps")
        return self

    @property
    def by_length(self) -> bool:
        """True if its cost depends on the length of a message."""
        return bool(self.steps or self.written_a_byte or self.read_a_byte)

    def work(self, size: int = 0) -> ElementWork:
        """Commands, bus bytes and seconds for a message of ``size`` bytes."""
        commands, seconds = self.commands, self.seconds.interval
        written, read = (
            self.written + self.written_a_byte * size,
            self.read + self.read_a_byte * size,
        )
        for step in self.steps:
            calls = step.commands(size)
            commands, seconds = commands + calls, seconds + step.seconds.interval * float(calls)
            written, read = written + step.written * calls, read + step.read * calls
        return ElementWork(commands, written, read, seconds)


class Element(CatalogEntry):
    """A secure element. ``currents``: of states sleep, standby (awake, on the bus) and active
    (computing).
    """

    source: Source
    unverified: bool = False
    supply: Supply
    currents: tuple[Draw, ...]
    bus: Bus
    operations: tuple[Task, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _drawn(self) -> Self:
        lacking = [state.value for state in STATES if self.draw(state) is None]
        if lacking:
            raise ValueError(f"currents of {', '.join(lacking)} are missing")
        return self

    def draw(self, state: State) -> Draw | None:
        """The current of a state."""
        return next((draw for draw in self.currents if draw.state is state), None)

    def task(self, scheme: str, operation: Operation) -> Task | None:
        """Task of the element for an operation of a scheme; None if it does not have it."""
        return next(
            (
                task
                for task in self.operations
                if task.operation is operation and scheme in task.schemes
            ),
            None,
        )

    @property
    def implementation(self) -> str:
        """Name of the element among implementations."""
        return f"element/{self.id}"


STATES = (State.SLEEP, State.STANDBY, State.ACTIVE)
ELEMENTS = Shelf("elements", "element", "elements", Element)


# Batteries


class Charge(Known):
    """The capacity of a new battery, at a load and down to a voltage."""

    typical: Capacity
    minimum: Capacity
    maximum: Capacity
    load: Text
    end_voltage: Voltage

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        in_order(self.minimum, self.typical, self.maximum)
        return self


class Limit(Known):
    """The current that may be drawn, continuously and for a moment."""

    continuous: Current | None = None
    pulse: Current | None = None


class Inner(Known):
    """The internal resistance of a new battery, all cells together: its voltage falls by this times
    the current.
    """

    typical: Resistance
    minimum: Resistance
    maximum: Resistance

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        in_order(self.minimum, self.typical, self.maximum)
        return self


class Full(Known):
    """The voltage of a new or fully charged battery without a load."""

    voltage: Voltage


class Battery(CatalogEntry):
    """A battery: ``cells`` in series of one chemistry. ``self_discharge`` is the share lost per
    year of storage, ``usable`` the share of the charge that a device gets out of it (temperature,
    pulses, age)."""

    chemistry: Text
    cells: Count = 1
    voltage: Voltage
    full: Full | None = None
    capacity: Charge
    self_discharge: KnownSpread
    usable: KnownSpread
    limit: Limit | None = None
    resistance: Inner | None = None

    @property
    def highest_voltage(self) -> float:
        """Volts that parts must withstand: those of the full battery, else the nominal ones."""
        return max(self.voltage, self.full.voltage) if self.full else self.voltage


BATTERIES = Shelf("batteries", "battery", "batteries", Battery)


# Entries of the catalog by their kind


KINDS = ("device", "radio", "region", "battery", "element")


def shelf(kind: str) -> Shelf[Any]:
    """The shelf of a kind of `KINDS`."""
    shelves: tuple[Shelf[Any], ...] = (DEVICES, RADIOS, REGIONS, BATTERIES, ELEMENTS)
    return dict(zip(KINDS, shelves, strict=True))[kind]


def find(kind: str, name: str, own: Path | None) -> CatalogEntry:
    """Entry of that kind and id. InputError that lists the entries for an unknown id."""
    entry: CatalogEntry = shelf(kind).find(name, own)
    return entry


def names(own: Path | None) -> list[str]:
    """The ids of all entries of all kinds."""
    return [name for kind in KINDS for name in shelf(kind).all(own)]
