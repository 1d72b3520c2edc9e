"""Battery life of a device that sleeps and sends a message at a fixed interval, with the share of
each consumer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from motebench.advise.energy.consumption import (
    GivenCurrent,
    Workload,
    active_current,
    cipher,
    notes,
)
from motebench.advise.radio.link import EnergyPart, RadioLink, Transfer
from motebench.advise.radio.message import Protected
from motebench.base.errors import InputError
from motebench.base.quantities import UNCHANGED, Interval, total
from motebench.base.units import DAY_S, format_value
from motebench.catalog.currents import (
    CONVERTER,
    Drawn,
    assumptions,
    given_sleep,
    own_current,
    remarks_on,
    sleep_currents,
)
from motebench.catalog.devices import Device
from motebench.catalog.parts import Battery, FedBattery
from motebench.documents.costs import BatteryEntry
from motebench.results import formulas


@dataclass(frozen=True, slots=True)
class Life:
    """The result. ``years`` and ``mean_a`` include the bounds of every input; ``message_c`` is by
    part of the message."""

    years: Interval
    mean_a: Interval
    sleep_c: Interval
    message_c: dict[str, Interval]
    warnings: tuple[str, ...]


def life(
    battery: Battery,
    sleeping: Sequence[Drawn],
    parts: Sequence[EnergyPart],
    interval_s: float,
) -> Life:
    """Battery life with a message every ``interval_s`` seconds.

    ``sleeping``: the currents that flow during sleep. InputError if a message takes longer than the
    interval, or if no current flows.
    """
    if interval_s <= 0:
        raise InputError(
            "the interval between messages is 0", where="--every", valid="more than 0 s"
        )
    busy = sum(part.seconds * part.times for part in parts)
    if busy > interval_s:
        raise InputError(
            f"a message keeps the device busy for {format_value(busy * 1e9, 'ns')}, "
            "longer than the interval between messages",
            where="--every",
            valid=f"at least {format_value(busy * 1e9, 'ns')}",
        )
    message_c = {part.name: part.charge_c * raising(battery, part.drawn) for part in parts}
    sleep = total(drawn.amps * raising(battery, drawn) for drawn in sleeping)
    mean = sleep + total(message_c.values()) * (1 / interval_s)
    if mean.low <= 0:
        raise InputError(
            "the battery supplies no current, so its life has no end",
            where="--sleep-current",
            valid="more than 0 A",
        )
    years = _years(battery, mean)
    warnings = list(dict.fromkeys(_feeding(battery, [*sleeping, *(part.drawn for part in parts)])))
    if years.typical > assumptions().arithmetic_years:
        warnings.append(
            f"a life beyond {assumptions().arithmetic_years:g} years is arithmetic: seals, "
            "passivation and temperature end a cell first"
        )
    return Life(
        years=years,
        mean_a=mean,
        sleep_c=sleep * interval_s,
        message_c=message_c,
        warnings=(*warnings, *_strength(battery, parts), *_sagging(battery, parts)),
    )


def _years(battery: Battery, mean: Interval) -> Interval:
    """Years with all inputs at their best and at their worst. Life falls with current and loss and
    rises with charge, so these are its bounds."""
    charge, usable, loss = battery.capacity, battery.usable, battery.self_discharge

    def years(amp_hours: float, share: float, amps: float, lost: float) -> float:
        return (
            formulas.life(amp_hours * formulas.HOUR_S, share, amps, formulas.loss_rate(lost))
            / formulas.YEAR_S
        )

    return Interval(
        low=years(charge.minimum, usable.minimum, mean.high, loss.maximum),
        typical=years(charge.typical, usable.typical, mean.typical, loss.typical),
        high=years(charge.maximum, usable.maximum, mean.low, loss.minimum),
    )


def raising(battery: Battery, drawn: Drawn) -> Interval:
    """The factor from a part's current to the battery's.

    Behind a converter it is that of the converter, whose own current comes from the battery. A
    battery above the part's lowest supply voltage feeds it directly or through a linear
    regulator: the same current. Below it, a converter has to raise the voltage for this part; its
    losses are not modelled.
    """
    if isinstance(battery, FedBattery):
        return UNCHANGED if drawn.of == CONVERTER else battery.drawn
    supply = drawn.supply
    return (
        Interval.exact(supply.nominal / battery.voltage)
        if supply is not None and battery.voltage < supply.minimum
        else UNCHANGED
    )


def _feeding(battery: Battery, loads: Sequence[Drawn]) -> Iterator[str]:
    """Warnings where the battery's voltage, or that of the converter, does not suit a part."""
    rail = battery.rail if isinstance(battery, FedBattery) else None
    for load in loads:
        supply = load.supply
        if supply is None:
            continue
        if rail is not None:
            if not supply.minimum <= rail * (1 + 1e-9) or rail > supply.maximum:
                yield (
                    f"{load.part} takes {supply.minimum:.3g} V to {supply.maximum:g} V, and the "
                    f"converter gives {rail:g} V"
                )
        elif battery.voltage < supply.minimum:
            yield (
                f"{load.part} needs at least {supply.minimum:g} V and the battery has "
                f"{battery.voltage:g} V: a "
                f"converter to {supply.nominal:g} V is assumed, without its losses"
            )
        elif battery.highest_voltage > supply.maximum:
            yield (
                f"{load.part} takes at most {supply.maximum:g} V, and {battery.name} has up to "
                f"{battery.highest_voltage:g} V: it needs a regulator"
            )


def _strength(battery: Battery, parts: Sequence[EnergyPart]) -> list[str]:
    """Warnings if the load draws more than the battery is made for, the largest first."""
    limit = battery.limit
    allowed = None if limit is None else limit.pulse or limit.continuous
    if allowed is None:
        return []
    return [
        f"{part.name} takes {format_value(amps, 'A')}, and {battery.name} is "
        f"made for pulses of at most {format_value(allowed, 'A')}: a capacitor has to carry them, "
        "or the capacity will not be reached"
        for amps, part in sorted(
            ((_pulse(battery, part), part) for part in parts), key=lambda pair: -pair[0]
        )
        if amps > allowed
    ]


def _pulse(battery: Battery, part: EnergyPart) -> float:
    """Amperes of a part while it works: of the battery where the user named a converter."""
    amps = part.drawn.amps.typical
    return amps * battery.drawn.typical if isinstance(battery, FedBattery) else amps


def _sagging(battery: Battery, parts: Sequence[EnergyPart]) -> Iterator[str]:
    """Warnings if the voltage may fall below the need of a part while this part draws its
    current.
    """
    resistance = battery.resistance
    if resistance is None:
        return
    for part in parts:
        supply, amps = part.drawn.supply, _pulse(battery, part)
        needing, needed = part.drawn.part, 0.0 if supply is None else supply.minimum
        if isinstance(battery, FedBattery):
            needing, needed = battery.converter.name, battery.least_volts
        left = max(battery.voltage - amps * resistance.maximum, 0.0)
        if left < needed <= battery.voltage:
            yield (
                f"{part.name} takes {format_value(amps, 'A')}: with an internal resistance of up "
                f"to {resistance.maximum:g} ohm, {battery.name} falls to {left:.3g} V, and "
                f"{needing} needs at least {needed:.3g} V: a capacitor has to carry it"
            )


NO_WORK = Workload()
OF_DEVICE = GivenCurrent(option="--active-current")
"""Label of the device's own active current."""


@dataclass(frozen=True, slots=True)
class Duty:
    """Work of a device on its battery.

    every_s: seconds from one message to the next. work: of the processor for a message. active: a
    current in place of the device's. sleep_amps: of everything that sleeps, in place of the files'
    currents. link: how messages go out; None: not by radio. payload_bytes: of the application;
    message: the same under a scheme.
    """

    battery: Battery
    every_s: float
    device: Device | None = None
    work: Workload = NO_WORK
    active: GivenCurrent = OF_DEVICE
    sleep_amps: float | None = None
    link: RadioLink | None = None
    payload_bytes: int = 0
    message: Protected | None = None


def battery_life(duty: Duty) -> BatteryEntry:
    """Life in years with its interval, and the share of each consumer.

    InputError if a current is unknown, or if messages do not fit, break the duty cycle or take
    longer than the interval.
    """
    seconds = duty.work.seconds_on(duty.device)
    spent: list[EnergyPart] = (
        [] if seconds is None else [cipher(seconds, active_current(duty.device, duty.active))]
    )
    link, sent = duty.link, None
    if link is not None:
        sent = link.send(duty.message.total_bytes if duty.message else duty.payload_bytes)
        link.require(sent, duty.every_s)
        spent += sent.parts
    sleeping = _sleeping(duty)
    answer = life(duty.battery, sleeping, spent, duty.every_s)
    return BatteryEntry(
        battery=duty.battery.id,
        every_s=duty.every_s,
        messages_per_day=DAY_S / duty.every_s,
        message=duty.message.scheme if link and duty.message else None,
        **_on_air(link, sent),
        life_years=answer.years,
        mean_current_a=answer.mean_a,
        charge_per_message_c={"sleep": answer.sleep_c, **answer.message_c},
        shares=_shares(answer),
        energy_per_message_j={part.name: part.energy_j for part in spent if part.drawn.volts},
        warnings=answer.warnings,
        notes=tuple(
            dict.fromkeys(
                [
                    *remarks_on(duty.device),
                    *(note for drawn in sleeping for note in drawn.notes),
                    *notes(spent),
                    *_battery_notes(duty.battery),
                    *(link.notes() if link else ()),
                ]
            )
        ),
    )


def _on_air(link: RadioLink | None, sent: Transfer | None) -> dict[str, Any]:
    """The keys of a message by radio."""
    if link is None or sent is None:
        return dict.fromkeys(("link", "sent_bytes", "frames", "time_on_air_ms", "power_dbm"))
    return {
        "link": link.name,
        "sent_bytes": sent.length,
        "frames": sent.frames,
        "time_on_air_ms": sent.seconds * 1000,
        "power_dbm": link.power_dbm,
    }


def _shares(answer: Life) -> dict[str, float]:
    charges = {
        "sleep": answer.sleep_c.typical,
        **{name: c.typical for name, c in answer.message_c.items()},
    }
    whole = sum(charges.values())
    return {name: part / whole for name, part in charges.items()}


def _battery_notes(battery: Battery) -> list[str]:
    return [
        f"{name} of {battery.name}: unverified"
        for name, part in (
            ("capacity", battery.capacity),
            ("self-discharge", battery.self_discharge),
            ("usable share", battery.usable),
        )
        if part.unverified
    ]


def _sleeping(duty: Duty) -> list[Drawn]:
    """Currents during sleep: as given, or those of device and radio, and the consumer that keeps
    its link alive.
    """
    radio, alive = (duty.link.radio, duty.link.idle()) if duty.link else (None, ())
    own = own_current(duty.battery)
    if duty.sleep_amps is not None:
        return [given_sleep(duty.sleep_amps, duty.device, radio), *own, *alive]
    return [*sleep_currents(duty.device, radio), *own, *alive]
