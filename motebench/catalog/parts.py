"""Parts beside a device's processor: secure elements, batteries, converters; and all parts of the
catalog by kind.

A file each: ``catalog/elements/<id>.toml``, ``batteries/<id>.toml``, ``converters/<id>.toml``;
``docs/reference/catalog.md`` describes the keys.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from motebench.base.errors import InputError
from motebench.base.model import Operation
from motebench.base.quantities import UNCHANGED, Interval
from motebench.base.units import parse_quantity
from motebench.catalog.devices import DEVICES, Device
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


# Converters and regulators between battery and device


class VoltageRange(Record):
    """Lowest and highest voltage."""

    minimum: Voltage
    maximum: Voltage

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        in_order(None, self.minimum, self.maximum)
        return self


class OwnCurrent(Known):
    """Supply current of a part that is switched on and has nothing to do."""

    typical: Current
    minimum: Current
    maximum: Current

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        in_order(self.minimum, self.typical, self.maximum)
        return self

    @property
    def interval(self) -> Interval:
        """Amperes with their bounds."""
        return Interval(self.minimum, self.typical, self.maximum)


class Converter(CatalogEntry):
    """A converter or regulator: ``input`` is what it runs from, ``output`` what it can be set to.

    ``quiescent``: its own current from the battery, in sleep too. ``efficiency``: of loads beside
    which this is nothing; a linear regulator has none, because the same current flows in and out,
    but a ``dropout``: the voltage that its input must be above its output.
    """

    source: Source
    kind: Literal["linear", "buck", "boost", "buck-boost"]
    input: VoltageRange
    output: VoltageRange
    quiescent: OwnCurrent
    efficiency: KnownSpread | None = None
    dropout: Voltage | None = None

    @model_validator(mode="after")
    def _lossy(self) -> Self:
        if (self.kind == "linear") != (self.efficiency is None):
            raise ValueError("efficiency is required, except of a linear regulator")
        if self.efficiency is not None and self.efficiency.minimum <= 0:
            raise ValueError("an efficiency of 0 gives no output")
        return self


CONVERTERS = Shelf("converters", "converter", "converters", Converter)


def converter_of(text: str, own: Path | None = None) -> Converter:
    """Converter of a name in the catalog, or of figures: ``90%``, ``90%,360nA``, ``linear,1.6uA``.
    InputError for anything else, or an efficiency beyond 100 %."""
    first, _, second = (part.strip() for part in text.partition(","))
    linear = first.casefold() == "linear"
    where = "--converter"
    if not linear and not re.fullmatch(r"[0-9.]+ *%?", first):
        return CONVERTERS.find(text, own, where=where)
    quiescent = parse_quantity(second, "A", where=where) if second else 0.0
    if linear:
        return _given_converter(None, quiescent)
    digits = first.rstrip("% ")
    try:
        efficiency = float(digits) / (100 if first.endswith("%") else 1)
    except ValueError:
        efficiency = 0.0
    if not 0 < efficiency <= 1:
        raise InputError(
            f"{first!r} is not an efficiency",
            where=where,
            valid="above 0 % and up to 100 %, then its own current: 90%,360nA; linear,1.6uA; or a "
            f"name: {', '.join(CONVERTERS.all(own))}",
        )
    return _given_converter(efficiency, quiescent)


def _given_converter(efficiency: float | None, quiescent: float) -> Converter:
    """Converter of these figures alone; without an efficiency a linear regulator."""
    source, anything = (
        Source(document="given"),
        VoltageRange.model_construct(minimum=0.0, maximum=1e3),
    )
    return Converter.model_construct(
        id="given",
        name="the converter" if efficiency is not None else "the regulator",
        source=source,
        kind="linear" if efficiency is None else "buck-boost",
        input=anything,
        output=anything,
        quiescent=OwnCurrent.model_construct(
            typical=quiescent, minimum=quiescent, maximum=quiescent, source=source
        ),
        efficiency=None
        if efficiency is None
        else KnownSpread(typical=efficiency, minimum=efficiency, maximum=efficiency, source=source),
        dropout=None,
    )


class FedBattery(Battery):
    """A battery behind which a converter makes ``rail``, the supply of everything."""

    converter: Converter
    rail: Voltage

    @property
    def drawn(self) -> Interval:
        """Factor from a current at the rail to that of the battery: V_rail / (efficiency V) of a
        converter; 1 of a linear regulator."""
        efficiency = self.converter.efficiency
        if efficiency is None:
            return UNCHANGED
        ratio = self.rail / self.voltage
        return Interval(
            ratio / efficiency.maximum, ratio / efficiency.typical, ratio / efficiency.minimum
        )

    @property
    def least_volts(self) -> float:
        """Volts that the converter needs for its output: a buck converter passes its input on where
        it is close to that."""
        converter, lowest = self.converter, self.converter.input.minimum
        if converter.kind == "linear":
            return max(lowest, self.rail + (converter.dropout or 0.0))
        return max(lowest, self.rail) if converter.kind == "buck" else lowest


def behind(
    battery: Battery, converter: Converter, device: Device | None, volts: float | None
) -> FedBattery:
    """The battery with a converter that makes the supply voltage of the device: that given, else
    the usual one of its file. InputError if it is unknown, or if they do not fit."""
    supply = device.supply if device is not None else None
    if volts is None and supply is None:
        raise InputError(
            "the voltage behind the converter is unknown",
            where="--converter",
            valid="with --device NAME, whose file has its supply, or --voltage 3.3V",
        )
    rail = volts if volts is not None else supply.nominal if supply is not None else 0.0
    return fed(battery, converter, rail)


def fed(battery: Battery, converter: Converter, rail: float) -> FedBattery:
    """The battery behind a converter with that output voltage. InputError if they do not fit."""
    own, output = converter.input, converter.output
    where = "--converter"
    if not output.minimum <= rail <= output.maximum:
        raise InputError(
            f"{converter.name} gives {output.minimum:g} V to {output.maximum:g} V, and the device "
            f"needs {rail:g} V",
            where=where,
            valid="another converter, or another --voltage",
        )
    if battery.highest_voltage > own.maximum:
        raise InputError(
            f"{converter.name} takes at most {own.maximum:g} V, and {battery.name} has up to "
            f"{battery.highest_voltage:g} V",
            where=where,
            valid="a converter for this voltage",
        )
    names = {name: getattr(battery, name) for name in Battery.model_fields}
    together = FedBattery.model_construct(**names, converter=converter, rail=rail)
    if battery.voltage < together.least_volts:
        raise InputError(
            f"{converter.name} needs {together.least_volts:.3g} V for an output of {rail:g} V, and "
            f"{battery.name} has {battery.voltage:g} V",
            where=where,
            valid="a battery with more, a converter that raises, or a lower --voltage",
        )
    if converter.kind == "boost" and battery.voltage > rail:
        raise InputError(
            f"{converter.name} raises the voltage, and {battery.name} has {battery.voltage:g} V, "
            f"more than the {rail:g} V of the device",
            where=where,
            valid="a buck converter or a regulator",
        )
    return together


# Entries of the catalog by their kind


KINDS = ("device", "radio", "region", "battery", "element", "converter")


def shelf(kind: str) -> Shelf[Any]:
    """The shelf of a kind of `KINDS`."""
    shelves: tuple[Shelf[Any], ...] = (DEVICES, RADIOS, REGIONS, BATTERIES, ELEMENTS, CONVERTERS)
    return dict(zip(KINDS, shelves, strict=True))[kind]


def find(kind: str, name: str, own: Path | None) -> CatalogEntry:
    """Entry of that kind and id. InputError that lists the entries for an unknown id."""
    entry: CatalogEntry = shelf(kind).find(name, own)
    return entry


def names(own: Path | None) -> list[str]:
    """The ids of all entries of all kinds."""
    return [name for kind in KINDS for name in shelf(kind).all(own)]
