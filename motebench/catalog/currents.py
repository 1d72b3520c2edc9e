"""Selects a current from a catalog file, with its bounds; rules: ``docs/explain/energy.md``."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Annotated

from pydantic import Field

from motebench.base.errors import InputError
from motebench.base.files import toml
from motebench.base.paths import catalog_dir
from motebench.base.quantities import UNCHANGED, Interval
from motebench.base.units import format_value
from motebench.catalog.devices import Device, OperatedDevice, SpeedGrade, Speeds
from motebench.catalog.parts import Battery, Element, FedBattery
from motebench.catalog.quantities import Draw, State, Supply
from motebench.catalog.radios import Radio, Region
from motebench.catalog.schema import Count, Record


class Assumptions(Record):
    """``catalog/policies/energy.toml``."""

    typical_only_spread: Annotated[float, Field(ge=0, lt=1)]
    code_spread: Annotated[float, Field(ge=0, lt=1)]
    receive_window_symbols: Count
    arithmetic_years: Annotated[float, Field(gt=0)]


@cache
def assumptions() -> Assumptions:
    """Assumptions for values without a source."""
    return toml.validate(toml.load(catalog_dir() / "policies" / "energy.toml"), Assumptions)


@dataclass(frozen=True, slots=True)
class Drawn:
    """A current for a model: amperes with bounds, its voltage, its origin, and notes.

    ``part``: the name of the chip or board that draws it, and ``supply``: the voltages that this
    one takes; None if they are unknown.
    """

    amps: Interval
    volts: float
    of: str
    notes: tuple[str, ...] = ()
    part: str = ""
    supply: Supply | None = None


def supply_current(device: Device, state: State, clock_hz: int | None = None) -> Drawn | None:
    """The current of a device in a state, by default at its own clock; None if its file has
    none.
    """
    clock = clock_hz or device.clock_hz
    draws = device.draws(state, "chip") or device.draws(state, "board")
    if not draws:
        return None
    draw = next((draw for draw in draws if draw.clock_hz in (None, clock)), draws[0])
    scale = clock / draw.clock_hz if draw.clock_hz else 1.0
    return _drawn(device, draw, scale, clock)


def radio_current(radio: Radio, state: State) -> Drawn | None:
    """The current of a radio in a state other than transmit; None if its file does not have it."""
    draw = radio.draw(state)
    return _drawn(radio, draw) if draw else None


def element_current(element: Element, state: State) -> Drawn:
    """The current of a secure element in one of its states."""
    draw = element.draw(state)
    if draw is None:
        raise AssertionError("its file has all of them")
    return _drawn(element, draw)


def sleep_currents(device: Device | None, radio: Radio | None) -> list[Drawn]:
    """The currents of device and radio that flow all the time, separately. InputError if a file has
    none.
    """
    currents: list[Drawn | None] = []
    if device is not None and not (radio is not None and radio.includes_mcu):
        currents.append(supply_current(device, State.SLEEP) or supply_current(device, State.IDLE))
    if radio is not None:
        currents.append(radio_current(radio, State.SLEEP))
    drawn_currents = [drawn for drawn in currents if drawn is not None]
    if not currents or len(drawn_currents) < len(currents):
        raise InputError(
            "the sleep current of the device is unknown",
            where="--sleep-current",
            valid="a current, such as 5uA",
            hint="add --sleep-current"
            if device is not None
            else "add --device NAME or --sleep-current",
        )
    return drawn_currents


def own_current(battery: Battery | None) -> tuple[Drawn, ...]:
    """The current that a converter between battery and device takes for itself, all the time, with
    notes on its losses; empty without one."""
    if not isinstance(battery, FedBattery):
        return ()
    converter, amps = battery.converter, battery.converter.quiescent.interval
    source = "unverified" if converter.quiescent.unverified else str(converter.quiescent.source)
    notes = [f"own current of {converter.name}: {_spell(amps)} from the battery, {source}"]
    efficiency = converter.efficiency
    if efficiency is not None:
        origin = "unverified" if efficiency.unverified else str(efficiency.source)
        notes.append(
            f"efficiency of {converter.name}: {efficiency.typical * 100:.3g} % "
            f"({efficiency.minimum * 100:.3g} to {efficiency.maximum * 100:.3g}), {origin}; "
            f"{battery.rail:g} V from {battery.voltage:g} V"
        )
    return (Drawn(amps, battery.voltage, CONVERTER, tuple(notes), part=converter.name),)


CONVERTER = "converter"
"""Origin of a current that a converter itself draws, not what is behind it."""


def given_sleep(
    amps: float, device: Device | None, radio: Radio | None, volts: float = 0.0
) -> Drawn:
    """A given current of everything that sleeps. It is drawn at the supply of the device; without
    one, of the radio.
    """
    part = device or radio
    name, supply = (part.name, part.supply) if part else ("", None)
    return Drawn(Interval.exact(amps), volts, "given", part=name, supply=supply)


def transmit_current(radio: Radio, power_dbm: float) -> Drawn:
    """The transmit current of a radio. Between two output powers of its file, the typical current
    is on the straight line between theirs, and theirs are the bounds; below the lowest, it is that
    of the lowest. InputError above the highest."""
    draw = next((draw for draw in radio.transmitting if (draw.power_dbm or 0) >= power_dbm), None)
    if draw is None:
        listed = ", ".join(f"{draw.power_dbm:g}" for draw in radio.transmitting)
        raise InputError(
            f"{radio.name} has no current for {power_dbm:g} dBm",
            where="--power",
            valid=f"up to the highest of {listed} dBm"
            if listed
            else "none: the radio's file has no currents for state transmit",
        )
    drawn = _drawn(radio, draw)
    if draw.power_dbm == power_dbm:
        return drawn
    below = next(
        (draw for draw in reversed(radio.transmitting) if (draw.power_dbm or 0) < power_dbm), None
    )
    if below is None:
        note = (
            f"{radio.name} at {power_dbm:g} dBm: taken as at {draw.power_dbm:g} dBm, the lowest "
            "that its file has"
        )
        return replace(drawn, notes=(*drawn.notes, note))
    lower, low_dbm, high_dbm = _drawn(radio, below), below.power_dbm or 0.0, draw.power_dbm or 0.0
    share = (power_dbm - low_dbm) / (high_dbm - low_dbm)
    typical = lower.amps.typical + share * (drawn.amps.typical - lower.amps.typical)
    note = (
        f"{radio.name} at {power_dbm:g} dBm: {format_value(typical, 'A')}, between those at "
        f"{low_dbm:g} and {high_dbm:g} dBm, which are the bounds"
    )
    return replace(
        drawn,
        amps=Interval(lower.amps.low, typical, drawn.amps.high),
        notes=(*lower.notes, *drawn.notes, note),
    )


def highest_power(radio: Radio, limit_dbm: float | None) -> float:
    """The highest listed output power within a limit; the lowest if none is. InputError if none is
    listed.
    """
    powers = [draw.power_dbm or 0.0 for draw in radio.transmitting]
    if not powers:
        raise InputError(
            f"{radio.name} has no current for transmitting",
            hint="add [[currents]] with state transmit to the radio's file",
        )
    return max(
        (power for power in powers if limit_dbm is None or power <= limit_dbm), default=powers[0]
    )


def permitted_power(radio: Radio, region: Region) -> float:
    """The highest listed output power that the region allows in its default sub-band."""
    band = region.default_sub_band
    erp = band.max_erp_dbm if band and band.max_erp_dbm is not None else region.max_eirp_dbm
    return highest_power(radio, erp)


def _drawn(
    part: Device | Radio | Element, draw: Draw, scale: float = 1.0, clock_hz: int | None = None
) -> Drawn:
    spread = assumptions().typical_only_spread
    low = draw.minimum if draw.minimum is not None else draw.typical * (1 - spread)
    high = draw.maximum if draw.maximum is not None else draw.typical * (1 + spread)
    amps = Interval(low * scale, draw.typical * scale, high * scale)
    label = (
        f"{draw.state.value} current of {part.name}, "
        f"{draw.of}{f' ({draw.mode})' if draw.mode else ''}"
    )
    remarks = []
    if scale != 1.0 and draw.clock_hz and clock_hz:
        remarks.append(f"scaled from {draw.clock_hz / 1e6:g} MHz to {clock_hz / 1e6:g} MHz")
    if draw.minimum is None or draw.maximum is None:
        remarks.append(f"{spread * 100:g} % assumed where the source has no bound")
    if draw.unverified:
        remarks.append("unverified")
    note = f"{label}: {_spell(amps)} at {draw.voltage:g} V, from {draw.source}"
    return Drawn(
        amps, draw.voltage, draw.of, ("; ".join([note, *remarks]),), part.name, part.supply
    )


# A device at another clock and supply voltage


def operated(
    device: Device, clock_hz: float | None, volts: float | None, *, own_cycles: bool = False
) -> Device:
    """Device at a clock and supply voltage, with currents there; None: those of its file.

    Cycles of results stay, so the clock must not need more wait states of the flash than they were
    measured with, unless ``own_cycles`` are given. InputError for a clock or voltage that the part
    is not made for, or that its file does not have.
    """
    if clock_hz is None and volts is None:
        return device
    speeds, supply = device.speeds, device.supply
    where = "--voltage" if clock_hz is None else "--clock"
    if speeds is None or supply is None:
        raise InputError(
            f"the file of {device.id} does not say which clock it takes at which voltage",
            where=where,
            valid=f"the clock of its results, {_mhz(device.clock_hz)}: leave {where} out",
            hint="add [speeds] in a file of your own (--catalog, see docs/reference/catalog.md)",
        )
    clock = device.clock_hz if clock_hz is None else round(clock_hz)
    at = supply.nominal if volts is None else volts
    _check_speed(device, speeds, clock, at, where)
    if not own_cycles:
        _check_waits(device, speeds, clock, at, where)
    grade, floor = speeds.grade(clock, at), speeds.least_volts(clock)
    changes = {
        "clock_hz": clock,
        "supply": supply.model_copy(
            update={"minimum": floor if floor is not None else supply.minimum, "nominal": at}
        ),
        "currents": _currents_at(device, speeds, clock, at),
        "volts": at,
        "fewest_waits": None if grade is None or own_cycles else grade.wait_states,
    }
    fields = {name: getattr(device, name) for name in Device.model_fields}
    point = OperatedDevice.model_construct(**{**fields, **changes})
    return point.model_copy(update={"remarks": tuple(_remarks(point, speeds, grade))})


def _remarks(device: OperatedDevice, speeds: Speeds, grade: SpeedGrade | None) -> Iterator[str]:
    """Remarks on what allows the clock, and on what results were measured with instead."""
    clock, volts, own, fewest = (
        _mhz(device.clock_hz),
        device.volts,
        device.wait_states,
        device.fewest_waits,
    )
    source = f"{speeds.source}; unverified" if speeds.unverified else str(speeds.source)
    yield f"{device.name} at {clock} and {volts:g} V: allowed by {source}"
    if grade is not None and grade.part is not None:
        yield f"{volts:g} V is too little for the {device.name}: it must be the {grade.part}"
    if fewest is not None and own is not None and fewest < own:
        yield (
            f"flash at {clock} needs {fewest} wait states, and results have {own}: times are "
            f"those of firmware that keeps {own}, and their lower bounds what {fewest} could save "
            f"at most; measure it: motebench run --target sim:{device.id} --wait-states {fewest}"
        )


def remarks_on(device: Device | None) -> tuple[str, ...]:
    """Remarks on the clock and voltage of a device, if they are not those of its file."""
    return device.remarks if isinstance(device, OperatedDevice) else ()


def fewer_waits(device: Device) -> Interval:
    """Factor of times of code from a flash that needs fewer wait states at this clock than results
    were measured with: a fetch takes 1 + n cycles, so no code gains more than (1 + m) / (1 + n).
    """
    if not isinstance(device, OperatedDevice) or device.fewest_waits is None:
        return UNCHANGED
    measured = device.wait_states or 0
    return Interval(min((1 + device.fewest_waits) / (1 + measured), 1.0), 1.0, 1.0)


def _mhz(clock_hz: float) -> str:
    return f"{clock_hz / 1e6:.4g} MHz"


def _check_speed(device: Device, speeds: Speeds, clock: int, volts: float, where: str) -> None:
    """InputError for a clock or voltage that the part is not made for."""
    supply, lowest = device.supply, speeds.grades[0].voltage
    assert supply is not None
    if not lowest <= volts <= supply.maximum:
        raise InputError(
            f"{device.name} is not made for {volts:g} V",
            where="--voltage",
            valid=f"{lowest:g} V to {supply.maximum:g} V",
            hint=speeds.note,
        )
    if speeds.least_hz is not None and clock < speeds.least_hz:
        raise InputError(
            f"{device.name} does not run at {_mhz(clock)}",
            where="--clock",
            valid=f"{_mhz(speeds.least_hz)} to {_mhz(speeds.grades[-1].clock_hz)}"
            if speeds.least_hz < speeds.grades[-1].clock_hz
            else _mhz(speeds.least_hz),
            hint=speeds.note,
        )
    if clock > speeds.highest_hz(volts) * (1 + 1e-9):
        raise InputError(
            f"{device.name} does not run at {_mhz(clock)} with a supply of {volts:g} V",
            where=where,
            valid=_allowed(speeds, clock, volts, speeds.highest_hz(volts)),
            hint=speeds.note,
        )


def _check_waits(device: Device, speeds: Speeds, clock: int, volts: float, where: str) -> None:
    """InputError for a clock that needs more wait states than results were measured with."""
    grade, own = speeds.grade(clock, volts), device.wait_states or 0
    if grade is None or (grade.wait_states or 0) <= own:
        return
    measured = [
        other.clock_hz
        for other in speeds.grades
        if other.voltage <= volts and (other.wait_states or 0) <= own
    ]
    raise InputError(
        f"flash at {_mhz(clock)} and {volts:g} V needs {grade.wait_states} wait states, and the "
        f"results of {device.id} were measured with {own}",
        where=where,
        valid=f"up to {_mhz(max(measured))} at {volts:g} V" if measured else "a higher --voltage",
        hint=f"measure it: motebench run --target sim:{device.id} --wait-states "
        f"{grade.wait_states}, and give cycles to energy and battery",
    )


def _allowed(speeds: Speeds, clock: int, volts: float, highest: float) -> str:
    """Clocks and voltages that are near a pair that is not allowed."""
    least = speeds.least_volts(clock)
    slower = f"up to {_mhz(highest)} at {volts:g} V"
    if least is None:
        return slower
    return f"{slower}, or {_mhz(clock)} from {least:.4g} V"


def _currents_at(device: Device, speeds: Speeds, clock: int, volts: float) -> tuple[Draw, ...]:
    """Currents with those of the chip at a clock first, from the point of each state that is
    nearest, by voltage and then by clock."""
    first = []
    for state in dict.fromkeys(draw.state for draw in device.currents):
        points = [draw for draw in device.draws(state, "chip") if draw.clock_hz is not None]
        if points:
            nearest = min(points, key=lambda draw: _distance(draw, clock, volts))
            first.append(_moved(nearest, speeds, clock, volts))
    return (*first, *device.currents)


def _distance(draw: Draw, clock: int, volts: float) -> tuple[float, float]:
    assert draw.clock_hz is not None
    return (
        round(abs(math.log(draw.voltage / volts)), 6),
        round(abs(math.log(draw.clock_hz / clock)), 6),
    )


def _moved(draw: Draw, speeds: Speeds, clock: int, volts: float) -> Draw:
    """Current of a point at another clock and voltage.

    The part that switches is in proportion to the clock. What a regulator and its surroundings draw
    at any clock is unknown: with a regulator the bounds reach from all of it to none.
    """
    assert draw.clock_hz is not None
    faster, higher = clock / draw.clock_hz, volts / draw.voltage
    if faster == 1 and higher == 1:
        return draw
    by_volts = {
        "none": Interval.exact(higher),
        "linear": UNCHANGED,
        "switching": Interval.exact(1 / higher),
        None: Interval(min(higher, 1 / higher), 1.0, max(higher, 1 / higher)),
    }[speeds.regulator]
    by_clock = Interval.exact(faster)
    if speeds.regulator != "none":
        by_clock = Interval(min(faster, 1.0), faster, max(faster, 1.0))
    spread = assumptions().typical_only_spread
    least = draw.typical * (1 - spread) if draw.minimum is None else draw.minimum
    most = draw.typical * (1 + spread) if draw.maximum is None else draw.maximum
    amps = by_volts * by_clock * Interval(least, draw.typical, most)
    origin = f"scaled from {format_value(draw.typical, 'A')} at {_mhz(draw.clock_hz)} and "
    origin += f"{draw.voltage:g} V"
    if draw.minimum is None or draw.maximum is None:
        origin += f"; {spread * 100:g} % assumed where the source has no bound"
    return draw.model_copy(
        update={
            "mode": f"{draw.mode}; {origin}" if draw.mode else origin,
            "clock_hz": clock,
            "voltage": volts,
            "minimum": amps.low,
            "typical": amps.typical,
            "maximum": amps.high,
        }
    )


def _spell(amps: Interval) -> str:
    return (
        f"{format_value(amps.typical, 'A')} ({format_value(amps.low, 'A')} to "
        f"{format_value(amps.high, 'A')})"
    )


def active(device: Device) -> Drawn | None:
    """The current of a device while it computes, with notes for readers; None if its file does not
    have it.
    """
    return supply_current(device, State.ACTIVE)


def idle(device: Device) -> Drawn | None:
    """The current while it waits and computes nothing."""
    return supply_current(device, State.IDLE)
