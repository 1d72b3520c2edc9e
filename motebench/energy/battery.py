"""Battery life of a device that sleeps and sends a message at a fixed interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from motebench.catalog.batteries import Battery
from motebench.catalog.quantities import Supply
from motebench.energy import formulas
from motebench.energy.budget import Part
from motebench.errors import InputError
from motebench.interval import Interval, total
from motebench.units import format_value


@dataclass(frozen=True, slots=True)
class Life:
    """The result. ``years`` and ``mean_a`` include the bounds of every input; ``message_c`` is by part of
    the message."""

    years: Interval
    mean_a: Interval
    sleep_c: Interval
    message_c: dict[str, Interval]
    warnings: tuple[str, ...]


def life(
    battery: Battery,
    sleep_a: Interval,
    parts: Sequence[Part],
    interval_s: float,
    supplies: Sequence[tuple[str, Supply]] = (),
) -> Life:
    """Battery life with a message every ``interval_s`` seconds.

    ``sleep_a`` is the current of processor and radio during sleep. ``supplies`` are the parts that the battery
    supplies. InputError if a message takes longer than the interval, or if no current flows.
    """
    if interval_s <= 0:
        raise InputError("the interval between messages is 0", where="--every", valid="more than 0 s")
    busy = sum(part.seconds * part.times for part in parts)
    if busy > interval_s:
        raise InputError(
            f"a message keeps the device busy for {format_value(busy * 1e9, 'ns')}, "
            "longer than the interval between messages",
            where="--every",
            valid=f"at least {format_value(busy * 1e9, 'ns')}",
        )
    raised, warnings = _feeding(battery, supplies)
    message_c = {part.name: part.charge_c * raised for part in parts}
    sleep = sleep_a * raised
    mean = sleep + total(message_c.values()) * (1 / interval_s)
    if mean.low <= 0:
        raise InputError(
            "the battery supplies no current, so its life has no end", where="--sleep-current", valid="more than 0 A"
        )
    return Life(
        years=_years(battery, mean),
        mean_a=mean,
        sleep_c=sleep * interval_s,
        message_c=message_c,
        warnings=(*warnings, *_strength(battery, parts)),
    )


def _years(battery: Battery, mean: Interval) -> Interval:
    """Years with all inputs at their best and at their worst. Life falls with current and loss and rises with charge,
    so these are its bounds."""
    charge, usable, loss = battery.capacity, battery.usable, battery.self_discharge

    def years(amp_hours: float, share: float, amps: float, lost: float) -> float:
        return formulas.life(amp_hours * formulas.HOUR_S, share, amps, formulas.loss_rate(lost)) / formulas.YEAR_S

    return Interval(
        low=years(charge.minimum, usable.minimum, mean.high, loss.maximum),
        typical=years(charge.typical, usable.typical, mean.typical, loss.typical),
        high=years(charge.maximum, usable.maximum, mean.low, loss.minimum),
    )


def _feeding(battery: Battery, supplies: Sequence[tuple[str, Supply]]) -> tuple[float, list[str]]:
    """The factor from the load's current to the battery's, with a note.

    A battery above the lowest supply voltage feeds the load directly or through a linear regulator: the same current.
    Below it, a converter has to raise the voltage; its losses are not modelled.
    """
    raised, warnings = 1.0, []
    for name, supply in supplies:
        if battery.voltage < supply.minimum:
            raised = max(raised, supply.nominal / battery.voltage)
            warnings.append(
                f"{name} needs at least {supply.minimum:g} V and the battery has {battery.voltage:g} V: a converter to "
                f"{supply.nominal:g} V is assumed, without its losses"
            )
        elif battery.voltage > supply.maximum:
            warnings.append(f"{name} takes at most {supply.maximum:g} V: the battery needs a regulator")
    return raised, warnings


def _strength(battery: Battery, parts: Sequence[Part]) -> list[str]:
    """Warnings if the load draws more than the battery is made for."""
    limit = battery.limit
    allowed = None if limit is None else limit.pulse or limit.continuous
    if allowed is None:
        return []
    return [
        f"{part.name} takes {format_value(part.drawn.amps.typical, 'A')}, and {battery.name} is made for pulses of at "
        f"most {format_value(allowed, 'A')}: a capacitor has to carry them, or the capacity will not be reached"
        for part in parts
        if part.drawn.amps.typical > allowed
    ]
