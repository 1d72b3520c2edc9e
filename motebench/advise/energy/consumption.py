"""Energy of an operation and of a message, in coulombs and joules with bounds.

An operation: modelled from its time or cycles and a supply current, and the results of papers'
formulas. The parts of a message on air come from its radio (`RadioLink`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from motebench.advise.radio.link import SURE, EnergyPart
from motebench.base.errors import InputError
from motebench.base.quantities import Interval, evaluate, number
from motebench.catalog.currents import Drawn, supply_current
from motebench.catalog.devices import Device
from motebench.catalog.published import paper
from motebench.catalog.quantities import State
from motebench.documents.costs import EnergyEntry, PaperEnergyEntry
from motebench.results import formulas


@dataclass(frozen=True, slots=True)
class PublishedValue:
    """The value of a published formula, and why it is not the quantity that the paper names."""

    paper: str
    called: str
    value: float
    unit: str
    wrong: str


def published(key: str, amounts: Mapping[str, float]) -> list[PublishedValue]:
    """The formulas of a paper, as printed: over plain numbers in the units of
    ``docs/reference/catalog.md``.

    InputError if a formula needs an amount that is not given.
    """
    plain = {name: number(value) for name, value in amounts.items()}
    texts = {name: f"{value:g}" for name, value in amounts.items()}
    return [
        PublishedValue(
            paper=key,
            called=formula.called,
            value=float(evaluate(formula.expression, plain)[0]),
            unit=formula.unit,
            wrong=formula.wrong.format(**texts),
        )
        for formula in paper(key).formula
    ]


_SLOWEST = 1000.0
"""Hz: no processor is slower; who gives less forgot the unit."""


@dataclass(frozen=True, slots=True)
class Workload:
    """Work of the processor: ``seconds``, or ``cycles`` at ``clock_hz`` (None: at the device's own
    clock).
    """

    seconds: float | None = None
    cycles: float | None = None
    clock_hz: float | None = None

    def check(self) -> None:
        """InputError if both are given, or one is impossible."""
        if self.seconds is not None and self.cycles is not None:
            raise InputError(
                "--time and --cycles are mutually exclusive", where="--time", valid="one of the two"
            )
        if self.cycles is None:
            return
        if self.cycles < 0:
            raise InputError(
                f"{self.cycles:g} cycles are not possible", where="--cycles", valid="0 or more"
            )
        if self.clock_hz is not None and self.clock_hz < _SLOWEST:
            raise InputError(
                f"no processor has a clock of {self.clock_hz:g} Hz",
                where="--clock",
                valid="1 kHz or more: 48MHz",
                hint=f"did you mean '{self.clock_hz:g}MHz'?",
            )

    def seconds_on(self, device: Device | None) -> float | None:
        """Seconds on that device; None if neither time nor cycles are given. InputError if a clock
        is missing.
        """
        self.check()
        if self.seconds is not None or self.cycles is None:
            return self.seconds
        clock = self.clock_hz if self.clock_hz is not None else device.clock_hz if device else None
        if clock is None:
            raise InputError(
                "converting cycles to time needs a clock rate",
                where="--cycles",
                hint="add --device NAME or --clock, or give --time instead",
            )
        return formulas.duration(self.cycles, clock)


@dataclass(frozen=True, slots=True)
class GivenCurrent:
    """Current (A) and voltage (V) instead of those of the device's file; None: those of the file.
    ``option`` names the current in messages.
    """

    amps: float | None = None
    volts: float | None = None
    option: str = "--current"


def active_current(
    device: Device | None, given: GivenCurrent, clock_hz: float | None = None
) -> Drawn:
    """The current while the processor works: the given one, else that of the device's file.

    The voltage is 0 if only a current is given. InputError if no current is known.
    """
    of_device = (
        supply_current(device, State.ACTIVE, int(clock_hz) if clock_hz else None)
        if device
        else None
    )
    if given.volts == 0:
        raise InputError(
            "a voltage of 0 V gives no power", where="--voltage", valid="more than 0: 3.3V"
        )
    if given.amps == 0:
        raise InputError(
            "a current of 0 A gives no power", where=given.option, valid="more than 0: 4.6mA"
        )
    if given.amps is not None:
        volts = given.volts or (of_device.volts if of_device else 0.0)
        part, supply = (device.name, device.supply) if device else ("", None)
        return Drawn(Interval.exact(given.amps), volts, "given", part=part, supply=supply)
    if of_device is None:
        lacking = (
            f"the file of {device.id} has no current for state active"
            if device
            else "no current is known"
        )
        raise InputError(lacking, where="--device", hint=f"{given.option} 4.6mA")
    return replace(of_device, volts=given.volts or of_device.volts)


def operation_energy(
    device: Device | None,
    work: Workload,
    given: GivenCurrent,
    *,
    size: int | None = None,
    at_volts: float | None = None,
) -> EnergyEntry:
    """Energy in J, Wh and mAh with its interval, and the results of the papers' formulas.

    size: bytes of input, for the energy per byte. at_volts: voltage for mAh; None: that of the
    current. InputError if time, current or voltage are unknown.
    """
    seconds = work.seconds_on(device)
    if seconds is None:
        raise InputError(
            "neither --cycles nor --time is given",
            valid="one of the two: motebench energy --device samd21g18a --cycles 5000",
        )
    drawn = active_current(device, given, work.clock_hz)
    if not drawn.volts:
        raise InputError(
            "computing power from a current needs a voltage",
            where="--current",
            hint="add --voltage 3.3V",
        )
    at = drawn.volts if at_volts is None else at_volts
    joules = drawn.amps * formulas.energy(seconds, drawn.volts, 1.0)
    return EnergyEntry(
        time_s=seconds,
        voltage_v=drawn.volts,
        current_a=drawn.amps,
        power_w=drawn.amps * formulas.power(drawn.volts, 1.0),
        energy_j=joules,
        energy_wh=joules * formulas.watt_hours(1.0),
        charge_mah=joules * (formulas.ampere_hours(1.0, at) * 1000),
        charge_at_v=at,
        energy_per_byte_j=joules * formulas.per_byte(1.0, size) if size else None,
        notes=drawn.notes,
        papers=tuple(_paper(value) for value in _published(device, drawn, seconds, size, at)),
    )


def _published(
    device: Device | None, drawn: Drawn, seconds: float, size: int | None, at: float
) -> list[PublishedValue]:
    amounts = {"seconds": seconds, "at_volts": at, "volts": drawn.volts, "amps": drawn.amps.typical}
    values = []
    if size and seconds > 0:
        values += published(
            "suryateja-2025", {**amounts, "size": size, "throughput": size / seconds}
        )
    for mains in device.draws(State.ACTIVE, "mains") if device else ():
        of_mains = {"mains_amps": mains.typical, "mains_volts": mains.voltage}
        values += published("pycrypto-boards-2020", {**amounts, **of_mains})
    return [*values, *published("temirbekova-2024", amounts)]


def _paper(published: PublishedValue) -> PaperEnergyEntry:
    return PaperEnergyEntry(
        paper=published.paper,
        called=published.called,
        value=published.value,
        unit=published.unit,
        wrong=published.wrong,
    )


def cipher(seconds: float, drawn: Drawn, stretch: Interval = SURE) -> EnergyPart:
    """The processor's work for a message. ``stretch``: bounds of the time, as factors."""
    return EnergyPart("cipher", seconds, drawn, stretch=stretch)


def notes(parts: Sequence[EnergyPart]) -> list[str]:
    """Notes on the currents of all parts, each once."""
    return list(dict.fromkeys(note for part in parts for note in part.drawn.notes))
