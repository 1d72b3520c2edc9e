"""Selects a current from a catalog file, with its bounds; rules: ``docs/explain/energy.md``."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Annotated

from pydantic import Field

from motebench.base.errors import InputError
from motebench.base.files import toml
from motebench.base.paths import catalog_dir
from motebench.base.quantities import Interval
from motebench.base.units import format_value
from motebench.catalog.devices import Device
from motebench.catalog.parts import Element
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
