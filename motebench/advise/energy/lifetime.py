"""Battery life of a device that sends a message at a fixed interval, as a document with the share of each consumer."""

from __future__ import annotations

from dataclasses import dataclass

from motebench.advise.energy.battery import Life, life
from motebench.advise.energy.budget import EnergyPart, cipher, notes
from motebench.advise.energy.on_air import parts
from motebench.advise.energy.operation import GivenCurrent, Workload, active_current
from motebench.advise.radio.delivery import Link, deliver
from motebench.advise.radio.message import Protected
from motebench.base.units import DAY_S
from motebench.catalog.batteries import Battery
from motebench.catalog.currents import Drawn, given_sleep, sleep_currents
from motebench.catalog.devices import Device
from motebench.catalog.radios import Radio
from motebench.documents.energy import BatteryEntry

NO_WORK = Workload()
OF_DEVICE = GivenCurrent(option="--active-current")
"""Label of the device's own active current."""


@dataclass(frozen=True, slots=True)
class Duty:
    """What a device does with its battery.

    every_s: seconds from one message to the next. work: of the processor for a message. active: a current in place of
    the device's. sleep_amps: of everything that sleeps, in place of the files' currents. link: how messages go out;
    None: not by radio. payload_bytes: of the application; message: the same under a scheme.
    """

    battery: Battery
    every_s: float
    device: Device | None = None
    work: Workload = NO_WORK
    active: GivenCurrent = OF_DEVICE
    sleep_amps: float | None = None
    link: Link | None = None
    payload_bytes: int = 0
    message: Protected | None = None


def battery_life(duty: Duty) -> BatteryEntry:
    """Life in years with its interval, and the share of each consumer.

    InputError if a current is unknown, or if messages do not fit, break the duty cycle or take longer than the
    interval.
    """
    seconds = duty.work.seconds_on(duty.device)
    spent: list[EnergyPart] = [] if seconds is None else [cipher(seconds, active_current(duty.device, duty.active))]
    delivery = None
    radio = None
    if duty.link is not None:
        radio = duty.link.radio
        delivery = deliver(duty.link, duty.message.total_bytes if duty.message else duty.payload_bytes)
        delivery.check()
        on_air = parts(delivery)
        delivery.check_interval(duty.every_s)
        spent += on_air
    sleeping = _sleeping(duty, radio)
    answer = life(duty.battery, sleeping, spent, duty.every_s)
    return BatteryEntry(
        battery=duty.battery.id,
        every_s=duty.every_s,
        messages_per_day=DAY_S / duty.every_s,
        sent_bytes=delivery.length if delivery else None,
        frames=len(delivery.frames) if delivery else None,
        time_on_air_ms=float(delivery.time_ms) if delivery else None,
        power_dbm=delivery.link.power_dbm if delivery else None,
        message=duty.message.scheme if delivery and duty.message else None,
        life_years=answer.years,
        mean_current_a=answer.mean_a,
        charge_per_message_c={"sleep": answer.sleep_c, **answer.message_c},
        shares=_shares(answer),
        energy_per_message_j={part.name: part.energy_j for part in spent if part.drawn.volts},
        warnings=answer.warnings,
        notes=tuple(
            dict.fromkeys(
                [*(note for drawn in sleeping for note in drawn.notes), *notes(spent), *_battery_notes(duty.battery)]
            )
        ),
    )


def _shares(answer: Life) -> dict[str, float]:
    each = {"sleep": answer.sleep_c.typical, **{name: c.typical for name, c in answer.message_c.items()}}
    whole = sum(each.values())
    return {name: part / whole for name, part in each.items()}


def _battery_notes(found: Battery) -> list[str]:
    return [
        f"{name} of {found.name}: unverified"
        for name, part in (
            ("capacity", found.capacity),
            ("self-discharge", found.self_discharge),
            ("usable share", found.usable),
        )
        if part.unverified
    ]


def _sleeping(duty: Duty, radio: Radio | None) -> list[Drawn]:
    """The currents during sleep: as given, or those of device and radio."""
    if duty.sleep_amps is not None:
        return [given_sleep(duty.sleep_amps, duty.device, radio)]
    return sleep_currents(duty.device, radio)
