"""Behind ``motebench energy`` and ``motebench battery``: options to a document, and the document as lines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from motebench.errors import InputError
from motebench.units import format_value, parse_duration, parse_quantity, parse_size

if TYPE_CHECKING:
    from motebench.catalog.devices import Device
    from motebench.catalog.radios import Radio
    from motebench.energy.battery import Life
    from motebench.energy.budget import Part
    from motebench.energy.currents import Drawn
    from motebench.energy.papers import Published

Document = dict[str, Any]
Options = Mapping[str, Any]


def _device(options: Options) -> Device | None:
    from motebench.catalog.devices import DEVICES

    return DEVICES.find(options["device"], options["own"], where="--device") if options["device"] else None


def _seconds(options: Options, device: Device | None) -> float | None:
    """How long the processor works: from the time, or from cycles and clock. None where neither is given."""
    from motebench.energy import formulas

    if options["duration"] is not None and options["cycles"] is not None:
        raise InputError("is one too many beside --cycles", where="--time")
    if options["duration"] is not None:
        return parse_duration(options["duration"], where="--time")
    if options["cycles"] is None:
        return None
    if options["cycles"] < 0:
        raise InputError(f"{options['cycles']:g} cycles are not possible", where="--cycles", valid="0 and more")
    clock = options.get("clock")
    if clock is not None and clock < 1:
        raise InputError(f"a clock of {clock:g} Hz is not possible", where="--clock", valid="1 Hz and more")
    if clock is None:
        clock = device.clock_hz if device else None
    if clock is None:
        raise InputError("cycles need a clock to be a time", where="--cycles", hint="--device NAME, or --time")
    return formulas.duration(options["cycles"], clock)


def _active(options: Options, device: Device | None, current: str, voltage: str | None = None) -> Drawn:
    """The current while the processor works: the one that is given, else that of the device's file."""
    from motebench.catalog.quantities import State
    from motebench.energy.currents import Drawn, supply_current
    from motebench.energy.interval import Interval

    clock = int(options["clock"]) if options.get("clock") else None
    known = supply_current(device, State.ACTIVE, clock) if device else None
    given = options[current]
    volts = parse_quantity(options[voltage], "V", where="--voltage") if voltage and options[voltage] else None
    if volts == 0:
        raise InputError("0 V gives no power", where="--voltage", valid="more than 0: 3.3V")
    if given is not None:
        amps = Interval.exact(parse_quantity(given, "A", where=f"--{current.replace('_', '-')}"))
        volts = volts or (known.volts if known else None)
        if volts is None and voltage is not None:
            raise InputError("a current needs a voltage to be a power", where="--current", hint="--voltage 3.3V")
        return Drawn(amps, volts or 0.0, "given")
    if known is None:
        lacking = f"the file of {device.id} has no current for state active" if device else "no current is known"
        raise InputError(lacking, where="--device", hint=f"--{current.replace('_', '-')} 4.6mA")
    return Drawn(known.amps, volts or known.volts, known.of, known.notes)


# Energy


def energy(options: Options) -> Document:
    """Energy in J, Wh and mAh with its interval, and what the papers' formulas make of it."""
    from motebench.energy import formulas

    device = _device(options)
    seconds = _seconds(options, device)
    if seconds is None:
        raise InputError("--cycles or --time must be given", valid="motebench energy --device samd21g18a --cycles 5000")
    drawn = _active(options, device, "current", "voltage")
    at = parse_quantity(options["at_voltage"], "V", where="--at") if options["at_voltage"] else drawn.volts
    size = parse_size(options["size"], where="--size") if options["size"] else None
    joules = drawn.amps * formulas.energy(seconds, drawn.volts, 1.0)
    return {
        "evidence": "modelled",
        "time_s": seconds,
        "voltage_v": drawn.volts,
        "current_a": drawn.amps.as_dict(),
        "power_w": (drawn.amps * formulas.power(drawn.volts, 1.0)).as_dict(),
        "energy_j": joules.as_dict(),
        "energy_wh": (joules * formulas.watt_hours(1.0)).as_dict(),
        "charge_mah": (joules * (formulas.ampere_hours(1.0, at) * 1000)).as_dict(),
        "charge_at_v": at,
        "energy_per_byte_j": (joules * formulas.per_byte(1.0, size)).as_dict() if size else None,
        "notes": list(drawn.notes),
        "papers": [_paper(found) for found in _published(device, drawn, seconds, size, at)],
    }


def _published(device: Device | None, drawn: Drawn, seconds: float, size: int | None, at: float) -> list[Published]:
    from motebench.catalog.quantities import State
    from motebench.energy import papers

    found = [papers.suryateja(seconds, size)] if size and seconds > 0 else []
    for mains in device.draws(State.ACTIVE, "mains") if device else ():
        found += papers.pycrypto(seconds, mains.typical, mains.voltage, at)
    return [*found, papers.temirbekova(drawn.volts, drawn.amps.typical)]


def _paper(found: Published) -> Document:
    return {
        "paper": found.paper,
        "called": found.called,
        "value": found.value,
        "unit": found.unit,
        "wrong": found.wrong,
    }


def show_energy(document: Document) -> None:
    """Print the answer for people."""
    for name, key, unit in (
        ("time", "time_s", "ns"),
        ("current", "current_a", "A"),
        ("power", "power_w", "W"),
        ("energy", "energy_j", "J"),
        ("energy per byte", "energy_per_byte_j", "J/B"),
    ):
        value = document[key]
        if value is not None:
            click.echo(
                f"{name:16}{_spread(value, unit) if isinstance(value, dict) else format_value(value * 1e9, unit)}"
            )
    click.echo(f"{'charge':16}{document['charge_mah']['typical']:.4g} mAh at {document['charge_at_v']:g} V")
    for note in document["notes"]:
        click.echo(f"modelled: {note}")
    for paper in document["papers"]:
        click.echo(f"{paper['paper']}: {paper['called']} {paper['value']:.4g} {paper['unit']} - {paper['wrong']}")


def _spread(found: Mapping[str, float], unit: str) -> str:
    typical = format_value(found["typical"], unit)
    if found["low"] == found["high"]:
        return typical
    return f"{typical} ({format_value(found['low'], unit)} to {format_value(found['high'], unit)})"


# Battery


def battery(options: Options) -> Document:
    """Life in years with its interval, and what draws how much of it."""
    from motebench.catalog.batteries import BATTERIES
    from motebench.energy.battery import life
    from motebench.energy.budget import notes

    found = BATTERIES.find(options["battery"], options["own"], where="--battery")
    device = _device(options)
    every = parse_duration(options["every"], where="--every")
    parts: list[Part] = []
    seconds = _seconds(options, device)
    if seconds is not None:
        from motebench.energy.budget import cipher

        parts.append(cipher(seconds, _active(options, device, "active_current")))
    radio, sent, on_air = _radio(options, every)
    parts += on_air
    sleeping = _sleeping(options, device, radio)
    supplies = [(part.name, part.supply) for part in (device, radio) if part is not None and part.supply is not None]
    answer = life(found, sleeping.amps, parts, every, supplies)
    return {
        "evidence": "modelled",
        "battery": found.id,
        "every_s": every,
        "messages_per_day": 86400 / every,
        **sent,
        "life_years": answer.years.as_dict(),
        "mean_current_a": answer.mean_a.as_dict(),
        "charge_per_message_c": _charges(answer),
        "shares": _shares(answer),
        "energy_per_message_j": {part.name: part.energy_j.as_dict() for part in parts if part.drawn.volts},
        "warnings": list(answer.warnings),
        "notes": list(dict.fromkeys([*sleeping.notes, *notes(parts), *_battery_notes(found)])),
    }


def _charges(answer: Life) -> Document:
    return {name: charge.as_dict() for name, charge in {"sleep": answer.sleep_c, **answer.message_c}.items()}


def _shares(answer: Life) -> Document:
    parts = {"sleep": answer.sleep_c.typical, **{name: c.typical for name, c in answer.message_c.items()}}
    whole = sum(parts.values())
    return {name: part / whole for name, part in parts.items()}


def _battery_notes(found: Any) -> list[str]:
    return [
        f"{name} of {found.name}: unverified"
        for name, part in (
            ("capacity", found.capacity),
            ("self-discharge", found.self_discharge),
            ("usable share", found.usable),
        )
        if part.unverified
    ]


def _sleeping(options: Options, device: Device | None, radio: Radio | None) -> Drawn:
    """What flows all the time: given, or the sleep currents of device and radio together."""
    from motebench.energy.currents import Drawn, sleep_currents
    from motebench.energy.interval import Interval, total

    if options["sleep_current"] is not None:
        amps = parse_quantity(options["sleep_current"], "A", where="--sleep-current")
        return Drawn(Interval.exact(amps), 0.0, "given")
    known = sleep_currents(device, radio)
    return Drawn(total(drawn.amps for drawn in known), 0.0, "chip", tuple(n for drawn in known for n in drawn.notes))


def _radio(options: Options, every: float) -> tuple[Radio | None, Document, list[Part]]:
    """The radio, what is sent, and what that takes; nothing without a region."""
    if options["lorawan"] is None:
        for name in ("dr", "message", "power", "transmissions", "scheme"):
            if options[name] is not None:
                raise InputError("has no meaning without --lorawan", where=f"--{name}")
        return None, {}, []
    from fractions import Fraction

    from motebench.catalog.radios import RADIOS
    from motebench.catalog.regions import REGIONS
    from motebench.cli.options import protected
    from motebench.energy.budget import receive_windows, transmission
    from motebench.energy.currents import permitted_power
    from motebench.radio import lorawan

    radio = RADIOS.find(options["radio"], options["own"], where="--radio")
    region = REGIONS.find(options["lorawan"], options["own"], where="--lorawan")
    missing = [f"--{name}" for name in ("dr", "message") if options[name] is None]
    if missing:
        raise InputError(f"{' and '.join(missing)} must be given with --lorawan")
    rate = lorawan.data_rate(region, options["dr"])
    message = protected(dict(options), options["message"])
    length = message.total_bytes if message else options["message"]
    longest = lorawan.longest_payload(rate)
    frames = lorawan.fragments(length, longest) if options["fragment"] else [length]
    air = sum((lorawan.uplink(region, rate, part, radio).airtime.time_ms for part in frames), Fraction(0))
    times = 1.0 if options["transmissions"] is None else options["transmissions"]
    band = region.default_sub_band
    power = permitted_power(radio, region) if options["power"] is None else options["power"]
    sending = transmission(float(air / 1000), radio, power, times)
    listening = receive_windows(region, rate, radio, len(frames), times)
    least = sending.seconds * times / band.duty_cycle if band else 0.0
    if every < least:
        raise InputError(
            f"a message every {every:g} s breaks the duty cycle of {region.name}, {band.name if band else ''} MHz",
            where="--every",
            valid=f"at least {least:.1f} s",
            hint="a higher data rate, a shorter message, fewer transmissions",
        )
    sent = {
        "sent_bytes": length,
        "frames": len(frames),
        "time_on_air_ms": float(air),
        "power_dbm": power,
        "message": message.scheme if message else None,
    }
    return radio, sent, [sending, *([listening] if listening else [])]


def show_battery(document: Document) -> None:
    """Print the answer for people."""
    years = document["life_years"]
    click.echo(f"life            {years['typical']:.2f} years ({years['low']:.2f} to {years['high']:.2f})")
    click.echo(f"mean current    {_spread(document['mean_current_a'], 'A')}")
    if "time_on_air_ms" in document:
        click.echo(f"time on air     {document['time_on_air_ms']:g} ms, {document['frames']} frame(s)")
    click.echo(f"messages        {document['messages_per_day']:g} a day; each, with the sleep before it:")
    for name, charge in document["charge_per_message_c"].items():
        share = document["shares"][name] * 100
        joules = document["energy_per_message_j"].get(name)
        beside = f", {_spread(joules, 'J')}" if joules else ""
        click.echo(f"  {name:10}{share:5.1f} %  {_spread(charge, 'C')}{beside}")
    for warning in document["warnings"]:
        click.echo(f"warning: {warning}")
    for note in document["notes"]:
        click.echo(f"modelled: {note}")
