"""Behind ``motebench choose``: options to a question, and the answer as lines."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

import click

from motebench.catalog.batteries import BATTERIES
from motebench.catalog.devices import DEVICES, Device, devices
from motebench.catalog.radios import RADIOS, Radio
from motebench.catalog.regions import REGIONS
from motebench.choice import results
from motebench.choice.candidates import Form
from motebench.choice.choosing import Answer, Question, choose
from motebench.choice.judging import Demands, Need
from motebench.choice.limits import Limits
from motebench.choice.model import Offer
from motebench.choice.policies import choice, policy
from motebench.choice.ranking import weights
from motebench.choice.scene import Link, Scene, link
from motebench.cli.rows import print_rows
from motebench.energy.currents import Drawn, sleep_currents
from motebench.energy.derive import active
from motebench.energy.interval import Interval
from motebench.errors import InputError
from motebench.message import Nonce
from motebench.naming import chooses, split_list
from motebench.reference.table import references
from motebench.units import format_value, parse_duration, parse_quantity, parse_size

Options = Mapping[str, Any]
_OF_LORAWAN = ("dr", "radio", "power", "transmissions", "fragment")


def answer(options: Options) -> tuple[Answer, list[Offer], list[str]]:
    """The answer, what it was chosen from, and notes on its numbers. InputError for what cannot be asked."""
    question = _question(options)
    offers, notes = _offers(options, question.scene.device)
    found = choose(offers, question)
    if not found.ranked and not found.rejected:
        raise InputError(
            f"no result is of a scheme that gives {question.demands.need.value} to a message", where="--need",
            hint="other results (--results RUN), or less narrow --scheme and --implementation",
        )  # fmt: skip
    return found, offers, [*notes, *_current_notes(question.scene)]


def _question(options: Options) -> Question:
    device = DEVICES.find(options["device"], options["own"], where="--device")
    every = parse_duration(options["every"], where="--every") if options["every"] else None
    air = _link(options)
    battery = BATTERIES.find(options["battery"], options["own"], where="--battery") if options["battery"] else None
    if battery is not None and every is None:
        raise InputError("a battery's life needs the time between messages", where="--battery", hint="--every 10min")
    usual = "life" if battery else "energy" if active(device) else "latency"
    order = weights(usual if options["rank"] is None else options["rank"])
    if "life" in order and battery is None:
        raise InputError("life needs a battery", where="--rank", hint="--battery cr2032 --every 10min")
    drawn = active(device)
    if drawn is None and (battery is not None or "energy" in order):
        raise InputError(
            f"the file of {device.id} has no current for state active", where="--device",
            hint="an own file with [[currents]], named by --catalog: see docs/catalog.md; or --rank latency",
        )  # fmt: skip
    scene = Scene(
        device=device,
        message_bytes=options["message"],
        every_s=every,
        link=air,
        battery=battery,
        active=drawn,
        sleeping=_sleeping(options, device, air.radio if air else None, drawn) if battery else (),
    )
    demands = Demands(
        need=Need(options["need"]),
        policy=policy(options["policy"]),
        day=datetime.datetime.now(datetime.UTC).date(),
        strength_bits=options["strength"],
        constant_time=options["constant_time"],
    )
    form = Form(_nonce(options), options["tag_bytes"])
    return Question(scene, demands, _limits(options, device, every), form, order)


def _nonce(options: Options) -> Nonce:
    """As asked; every frame of LoRaWAN has a counter in it, which need not be sent a second time."""
    if options["nonce"]:
        return Nonce(options["nonce"])
    return Nonce.COUNTER if options["lorawan"] else Nonce.CARRIED


def _link(options: Options) -> Link | None:
    if options["lorawan"] is None:
        for name in _OF_LORAWAN:
            if options[name] is not None and options[name] is not False:
                raise InputError("has no meaning without --lorawan", where=f"--{name}", hint="--lorawan EU868 --dr 0")
        return None
    if options["dr"] is None:
        raise InputError("--dr must be given with --lorawan", hint="--dr 0")
    return link(
        RADIOS.find(options["radio"] or "sx1276", options["own"], where="--radio"),
        REGIONS.find(options["lorawan"], options["own"], where="--lorawan"),
        options["dr"],
        power_dbm=options["power"],
        transmissions=1.0 if options["transmissions"] is None else options["transmissions"],
        fragment=options["fragment"],
    )


def _sleeping(options: Options, device: Device, radio: Radio | None, drawn: Drawn | None) -> tuple[Drawn, ...]:
    if options["sleep_current"] is None:
        return tuple(sleep_currents(device, radio))
    amps = parse_quantity(options["sleep_current"], "A", where="--sleep-current")
    return (Drawn(Interval.exact(amps), drawn.volts if drawn else 0.0, "given"),)


def _limits(options: Options, device: Device, every: float | None) -> Limits:
    """What is asked for; without a word, what the device has. InputError for more than it has."""
    has = {"flash": device.flash_bytes - device.boot_loader_bytes, "ram": device.ram_bytes}
    found: dict[str, int | None] = {}
    of_device = set()
    for name, most in has.items():
        asked = parse_size(options[name], where=f"--{name}") if options[name] else None
        if asked is not None and most > 0 and asked > most:
            raise InputError(f"{device.id} has {most} bytes", where=f"--{name}", valid=f"at most {most} bytes")
        found[name] = asked if asked is not None else most if most > 0 else None
        if asked is None and found[name] is not None:
            of_device.add(name)
    latency = parse_duration(options["max_latency"], where="--max-latency") if options["max_latency"] else None
    if latency is not None and every is not None and latency > every:
        raise InputError(
            "is longer than the time from one message to the next", where="--max-latency", valid="at most --every"
        )
    return Limits(found["flash"], found["ram"], latency, frozenset(of_device))


def _offers(options: Options, device: Device) -> tuple[list[Offer], list[str]]:
    """What the run says, and of what it does not say, the reference results."""
    sources = []
    if options["results"] is not None:
        from motebench.store import Store

        with Store.open(options["store"], create=False) as store:
            run = store.load_run(options["results"])
        sources.append(results.of_run(run, device, options["store"]))
        if not sources[0].offers:
            host = results.stranger(run, device)
            raise InputError(
                f"run {options['results']} has no result of {device.id}"
                + (f": its host is {host}, the device {device.architecture}" if host else ""), where="--results",
                valid="a run on the host that the device was, or on a board of it",
            )  # fmt: skip
    reference = results.of_device(device)
    if reference is not None:
        sources.append(reference)
    if not sources:
        raise _no_results(device)
    found: dict[tuple[str, str], Offer] = {}
    for source in sources:
        for offer in source.offers:
            found.setdefault((offer.scheme, offer.implementation), offer)
    schemes, implementations = split_list(options["schemes"]), split_list(options["implementations"])
    for name, given, read in (("scheme", "schemes", schemes), ("implementation", "implementations", implementations)):
        if options[given] and not read:
            raise InputError("names nothing", where=f"--{name}", valid="patterns such as 'aes-128-*' and 'mote/*'")
    kept = [
        offer
        for offer in found.values()
        if (not schemes or any(fnmatchcase(offer.scheme, pattern) for pattern in schemes))
        and (not implementations or any(chooses(pattern, offer.implementation) for pattern in implementations))
    ]
    if not kept:
        raise InputError(
            "no result is of these names", where="--scheme" if schemes else "--implementation",
            valid="patterns such as 'aes-128-*' and 'mote/*'", hint="motebench reference show",
        )  # fmt: skip
    return kept, [note for source in sources for note in source.notes]


def _no_results(device: Device) -> InputError:
    known = {target.removeprefix("sim:") for target in references()}
    known |= {entry.device for entry in choice().stand_ins if entry.target in references()}
    valid = ", ".join(sorted(known & set(devices()))) or "none: motebench reference update"
    return InputError(
        f"there are no results of {device.id}", where="--device", valid=f"with reference results: {valid}",
        hint="measure it (motebench run), then name the run: --results latest",
    )  # fmt: skip


def _current_notes(scene: Scene) -> list[str]:
    drawn = [*([scene.active] if scene.active else []), *scene.sleeping]
    drawn += [part.drawn for part in scene.on_air(scene.message_bytes).parts]
    return list(dict.fromkeys(note for one in drawn for note in one.notes))


# Lines


def show(found: Mapping[str, Any], count: int) -> None:
    """Print the answer for people; ``count`` candidates and rejected ones, 0 for all."""
    click.echo(_heading(found["question"]))
    shown = found["candidates"][: count or None]
    if shown:
        click.echo(f"choice: {found['chosen']}\n")
        rows = [_row(entry) for entry in shown]
        known = [name for name in rows[0] if any(row[name] is not None for row in rows)]
        print_rows([{name: row[name] for name in known} for row in rows])
        _more(len(found["candidates"]) - len(shown), "candidates")
        click.echo("")
        for entry in shown:
            tie = " (tied)" if entry["tied"] else ""
            click.echo(f"{entry['rank']}{tie} {entry['scheme']} by {entry['implementation']}")
            for line in [*entry["why"], *_known(entry)]:
                click.echo(f"    {line}")
    else:
        click.echo("choice: none. Nothing keeps all limits; nearest, with what would have to give way:")
        for line in found["nearest"]:
            click.echo(f"  {line}")
    for line in [*found["remarks"], *found["alternatives"]]:
        click.echo(f"\n{line}")
    _show_rejected(found["rejected"], count)
    click.echo("")
    for note in found["notes"]:
        click.echo(f"from: {note}")


def _heading(question: Mapping[str, Any]) -> str:
    parts = [f"{question['message_bytes']} bytes"]
    if question["every_s"]:
        parts.append(f"every {question['every_s']:g} s")
    if question["lorawan"]:
        parts.append(f"{question['radio']} {question['lorawan']} DR{question['data_rate']} ({question['modulation']})")
    if question["battery"]:
        parts.append(question["battery"])
    parts.append(f"need {question['need']}, policy {question['policy']}")
    return f"{question['device']}: {', '.join(parts)}"


def _row(entry: Mapping[str, Any]) -> dict[str, Any]:
    energy = entry["energy"]
    return {
        "rank": f"{entry['rank']}{'=' if entry['tied'] else ''}",
        "scheme": entry["scheme"],
        "implementation": entry["implementation"],
        "life": _life(entry["life"]),
        "latency": _short(entry["latency"]),
        "flash": _short(entry["flash"]),
        "ram": _short(entry["ram"]),
        "sent": f"{entry['sent']['total_bytes']} B",
        "on_air": f"{entry['sent']['time_on_air_ms']:.5g} ms" if entry["sent"]["frames"] else None,
        **{name: _short(energy.get(name)) for name in ("cipher", "transmit", "receive", "sleep")},
        "pareto": "*" if entry["pareto"] else None,
    }


def _life(figure: Mapping[str, Any] | None) -> str | None:
    return f"{figure['typical']:.3g} y ({figure['low']:.3g} to {figure['high']:.3g})" if figure else None


def _short(figure: Mapping[str, Any] | None) -> str | None:
    if figure is None:
        return None
    if figure["unit"] == "B":
        same = figure["low"] == figure["high"]
        return f"{figure['typical']:,.0f} B" if same else f"{figure['low']:,.0f} to {figure['high']:,.0f} B"
    factor, unit = (1e9, "ns") if figure["unit"] == "s" else (1.0, figure["unit"])
    return format_value(figure["typical"] * factor, unit)


def _known(entry: Mapping[str, Any]) -> list[str]:
    """What is known of it, and where its numbers come from."""
    status = entry["status"]
    bits = "strength unknown" if status["strength_bits"] is None else f"{status['strength_bits']} bits"
    lines = [f"{'; '.join(status['words'])}; {bits}; constant time: {status['constant_time'] or 'nobody claims it'}"]
    latency = entry["latency"]
    sources = [
        f"{source['operation']} of {source['input_bytes']} B"
        + (f": {source['cycles']:,} cycles" if source.get("cycles") else "")
        + f", {source.get('file') or 'run {} on'.format(source.get('run'))} {source['target']}"
        for source in latency["source"]
    ]
    note = f" ({latency['note']})" if latency["note"] else ""
    return [*lines, *entry["sent"]["notes"], f"{latency['evidence']}{note}: {'; '.join(sources)}"]


def _show_rejected(rejected: Sequence[Mapping[str, Any]], count: int) -> None:
    if not rejected:
        return
    click.echo(f"\nrejected: {len(rejected)}")
    shown = rejected[: count or None]
    for entry in shown:
        reasons = "; ".join(f"{broken['limit']}: {broken['words']}" for broken in entry["broken"])
        click.echo(f"  {entry['scheme']} by {entry['implementation']} - {reasons}")
    _more(len(rejected) - len(shown), "rejected")


def _more(count: int, what: str) -> None:
    if count > 0:
        click.echo(f"... and {count} {what} more: --show 0 prints all")
