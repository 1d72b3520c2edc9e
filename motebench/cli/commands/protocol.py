"""``motebench protocol``: messages, computations and costs of security protocols on a device."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from motebench.base.errors import InputError
from motebench.base.quantities import Interval
from motebench.base.units import format_value
from motebench.cli.options import (
    Number,
    Whole,
    asked_link,
    battery_option,
    catalog_option,
    converter_option,
    device_option,
    json_option,
    link_options,
    print_json,
    refuse,
    speed_options,
)
from motebench.cli.text.layout import bounded, print_rows, wrapped
from motebench.documents.costs import (
    FieldEntry,
    OperationEntry,
    ProtocolEntry,
    ProtocolSentEntry,
    ProtocolsEntry,
    RepeatedEntry,
)

if TYPE_CHECKING:
    from motebench.advise.protocol.protocol_costs import ProtocolQuestion


_NAMES = {"element": "--with"}
"""Options whose values have another name here."""


@click.command("protocol")
@click.argument("names", metavar="NAME[,NAME]...")
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    help="A setting of the protocols: group=x25519.",
)
@click.option("--fields", is_flag=True, help="Every field of every message, with its source.")
@click.option("--operations", is_flag=True, help="Every operation of the device.")
@click.option(
    "--device", metavar="NAME", help="A device of the catalog, for time and energy of computing."
)
@speed_options
@click.option(
    "--implementation",
    "implementations",
    multiple=True,
    metavar="PATTERN",
    help="Only results of these implementations.  [default: the most mature one]",
)
@click.option(
    "--include",
    type=click.Choice(["research"]),
    help="Also implementations that are not for products, such as mote/*.",
)
@click.option(
    "--lorawan", metavar="REGION", help="Send the messages by LoRaWAN in this region; needs --dr."
)
@click.option(
    "--dr", type=Whole(), metavar="NUMBER", help="Number of the data rate in the region: 0 is DR0."
)
@click.option(
    "--with",
    "element",
    metavar="NAME",
    help="A secure element beside the processor, such as atecc608b.",
)
@link_options
@click.option(
    "--power",
    type=Number("dBm"),
    metavar="DBM",
    help="Output power.  [default: the highest allowed]",
)
@click.option(
    "--transmissions",
    type=Number(),
    metavar="NUMBER",
    help="How often each frame is sent.  [default: 1]",
)
@click.option(
    "--network", metavar="NAME", help="The network whose own rules hold beside the region's: ttn."
)
@click.option(
    "--no-baseline",
    is_flag=True,
    help="With --lorawan: without the row of LoRaWAN's own protection.",
)
@click.option("--every", metavar="TIME", help="Time from one exchange to the next: 30d.")
@click.option("--battery", metavar="NAME", help="A battery of the catalog; needs --every.")
@converter_option
@click.option(
    "--sleep-current",
    metavar="CURRENT",
    help="Current of everything during sleep, instead of the catalog's.",
)
@catalog_option
@json_option
def command(names: str, **options: Any) -> None:
    """Model what protocols send by field, compute, and cost in energy, latency and years.

    NAME is a protocol or one of its profiles: `motebench list protocols` lists them; several with
    commas between.
    """
    from motebench.advise.protocol.protocol_costs import costs

    document = costs(_question(names, options))
    if options["as_json"]:
        print_json(document)
    else:
        show(document, fields=options["fields"], operations=options["operations"])


def _question(names: str, options: dict[str, Any]) -> ProtocolQuestion:
    from motebench.advise.protocol.protocol_costs import ProtocolQuestion
    from motebench.base.units import parse_duration, parse_quantity
    from motebench.catalog.parts import ELEMENTS
    from motebench.catalog.protocols import find

    _check(options)
    every, sleep = options["every"], options["sleep_current"]
    chosen = dict.fromkeys(name.strip() for name in names.split(",") if name.strip())
    if not chosen:
        raise InputError("no protocol is named", hint="`motebench list protocols` lists them")
    if options["device"] is None:
        refuse(("clock",), "this option needs --device")
        if options["converter"] is None:
            refuse(("voltage",), "this option needs --device or --converter")
    device = device_option(options)
    return ProtocolQuestion(
        protocols=[find(name, options["own"]) for name in chosen],
        settings=_settings(options["settings"]),
        device=device,
        element=ELEMENTS.find(options["element"], options["own"], where="--with")
        if options["element"]
        else None,
        link=asked_link(options, ("radio", "no_baseline"), fragment=True),
        every_s=None if every is None else _positive(parse_duration(every, where="--every")),
        battery=battery_option(options, device),
        sleep_amps=None if sleep is None else parse_quantity(sleep, "A", where="--sleep-current"),
        implementations=options["implementations"],
        research=options["include"] == "research",
        baseline=not options["no_baseline"],
    )


def _wired(options: dict[str, Any]) -> bool:
    return options["lorawan"] is None and options["link"] is None


def _check(options: dict[str, Any]) -> None:
    """InputError for an option that needs another one."""
    if options["battery"] is not None and options["every"] is None:
        raise InputError(
            "a life needs the time between exchanges", where="--battery", hint="add --every 30d"
        )
    if options["every"] is not None and options["device"] is None and _wired(options):
        raise InputError(
            "the sent bytes do not depend on the interval: "
            "this option needs --device or --lorawan, or --link",
            where="--every",
            hint="--device samd21g18a",
        )
    if options["battery"] is None and options["sleep_current"] is not None:
        raise InputError(
            "this option needs --battery", where="--sleep-current", hint="--battery cr2032"
        )
    for name in ("implementations", "include", "element"):
        if options[name] and options["device"] is None:
            raise InputError(
                "this option needs --device",
                where=_NAMES.get(name, f"--{name.rstrip('s')}"),
                hint="--device samd21g18a",
            )


def _positive(seconds: float) -> float:
    if seconds <= 0:
        raise InputError("the time between exchanges is 0", where="--every", valid="more than 0 s")
    return seconds


def _settings(given: tuple[str, ...]) -> dict[str, int | str]:
    """``name=value``, several with commas between."""
    settings: dict[str, int | str] = {}
    for text in (part for word in given for part in word.split(",")):
        name, equals, value = (part.strip() for part in text.partition("="))
        if not (name and equals and value):
            raise InputError(
                f"{text!r} is not a setting", where="--set", valid="NAME=VALUE: group=x25519"
            )
        settings[name] = value
    return settings


# The answer as text: one protocol with its messages and costs, several as a table

_LESS = ("latency", "frames", "received")
"""Columns of the table that a narrow terminal goes without."""


def show(costs: ProtocolsEntry, *, fields: bool = False, operations: bool = False) -> None:
    """Print the answer for people: the messages of each protocol that was asked for, then all of
    them as a table.
    """
    chosen = [entry for entry in costs.protocols if entry.asked]
    if len(chosen) == 1 or fields or operations:
        for entry in chosen:
            _show_one(
                entry,
                costs.device is not None,
                fields=fields,
                operations=operations or len(chosen) == 1,
            )
            if len(costs.protocols) > 1:
                click.echo()
    if len(costs.protocols) > 1:
        _show_table(costs)
    warnings = dict.fromkeys(warning for entry in costs.protocols for warning in entry.warnings)
    for warning in warnings:
        click.echo(f"warning: {warning}")
    for note in costs.notes:
        click.echo(f"modelled: {note}")


def _show_one(protocol: ProtocolEntry, timed: bool, *, fields: bool, operations: bool) -> None:
    click.echo(f"{protocol.name} ({protocol.id})")
    settings = (
        f"settings: {', '.join(f'{name}={value}' for name, value in protocol.settings.items())}"
    )
    checked = f"lengths checked against: {'; '.join(protocol.published)}"
    for line in (settings, *([checked] if protocol.published else [])):
        for part in wrapped(line, sys.stdout, "  "):
            click.echo(part)
    click.echo()
    print_rows([_message(item) for item in protocol.messages])
    if fields:
        for message in protocol.messages:
            click.echo(f"\n{message.name}, from the {message.sender}, {message.carried_bytes} B")
            print_rows(
                [
                    {
                        "bytes": part.bytes,
                        "field": part.name,
                        "layer": part.layer,
                        "source": _source(part),
                    }
                    for part in message.fields
                ],
                ("layer",),
            )
    if operations and protocol.operations:
        click.echo()
        print_rows(
            [_operation(item, timed) for item in protocol.operations], ("bytes",), right=("time",)
        )
    click.echo()
    _show_costs(protocol, timed)


def _source(part: FieldEntry) -> str:
    return f"{part.source} (unverified)" if part.unverified else part.source


def _message(message: ProtocolSentEntry) -> dict[str, Any]:
    row = {
        "message": message.name,
        "from": message.sender,
        "bytes": message.bytes,
        "with carrier": message.carried_bytes,
    }
    if message.times != 1:
        row["times"] = message.times
    if message.frames is not None:
        row |= {
            "frames": message.frames,
            "on air": format_value((message.time_on_air_ms or 0.0) * 1e6, "ns"),
        }
    return row


def _operation(operation: OperationEntry, timed: bool) -> dict[str, Any]:
    row = {
        "count": operation.count,
        "operation": f"{operation.scheme} {operation.operation}",
        "bytes": operation.bytes + operation.aad_bytes,
    }
    if timed:
        row["time"] = "no result" if operation.seconds is None else _time(operation.seconds)
        row["implementation"] = operation.implementation
    return {**row, "for": operation.statement}


def _time(seconds: Interval) -> str:
    return format_value(seconds.typical * 1e9, "ns")


def _show_costs(protocol: ProtocolEntry, timed: bool) -> None:
    click.echo(f"{'bytes':14}{protocol.sent_bytes} sent, {protocol.received_bytes} received")
    least = "" if protocol.complete or not timed else "at least "
    if timed:
        computing = (
            "no result"
            if protocol.compute_s is None
            else f"{least}{bounded(protocol.compute_s, 'ns', 1e9)}"
        )
        click.echo(f"{'computing':14}{computing}")
    if protocol.air is not None:
        air = protocol.air
        empty = f", {air.empty_uplinks} of them empty uplinks" if air.empty_uplinks else ""
        click.echo(
            f"{'on air':14}{format_value(air.on_air_s * 1e9, 'ns')} in {air.frames} frame(s){empty}"
        )
        duty = (
            f", {format_value(air.duty_wait_s * 1e9, 'ns')} for the duty cycle"
            if air.duty_wait_s
            else ""
        )
        click.echo(
            f"{'waiting':14}{format_value(air.windows_s * 1e9, 'ns')} for receive windows{duty}"
        )
    if protocol.latency_s is not None and protocol.air is not None:
        click.echo(f"{'latency':14}{least}{bounded(protocol.latency_s, 'ns', 1e9)}")
    for name, joules in protocol.energy_j.items():
        lower = least if name == "cipher" else ""
        click.echo(f"{'energy':14}{name:10}{lower}{bounded(joules, 'J')}")
    if protocol.repeated is not None:
        _show_year(protocol.repeated, complete=protocol.complete)


def _show_year(year: RepeatedEntry, *, complete: bool) -> None:
    """Print the energy of a year's exchanges and the life of a battery."""
    used = year.charge_share_a_year
    share = "" if used is None else f", {used * 100:.2g} % of the usable charge"
    click.echo(f"{'a year':14}{year.a_year:.4g} times: {bounded(year.energy_a_year_j, 'J')}{share}")
    if year.life_years is not None:
        years, most = year.life_years, "" if complete else "at most "
        spread = f"{years.typical:.2f} years ({years.low:.2f} to {years.high:.2f})"
        click.echo(f"{'life':14}{most}{spread}, if {year.battery} feeds this and sleep alone")


def _show_table(costs: ProtocolsEntry) -> None:
    rows = [_row(entry, costs.device is not None) for entry in costs.protocols]
    print_rows(rows, _LESS, right=("computing", "energy", "latency", "years"))
    if any(entry.baseline for entry in costs.protocols):
        click.echo("* what a LoRaWAN device does anyway")
    if not all(entry.complete for entry in costs.protocols) and costs.device:
        click.echo(
            ">= a lower bound, <= an upper bound: operations without a result, see the warnings"
        )


def _row(protocol: ProtocolEntry, timed: bool) -> dict[str, Any]:
    row: dict[str, Any] = {"protocol": f"{protocol.id} *" if protocol.baseline else protocol.id}
    row |= {"sent": protocol.sent_bytes, "received": protocol.received_bytes}
    least = "" if protocol.complete or not timed else ">= "
    if protocol.air is not None:
        row["frames"] = protocol.air.frames
    if timed:
        row["computing"] = (
            "no result" if protocol.compute_s is None else f"{least}{_time(protocol.compute_s)}"
        )
    if protocol.latency_s is not None and protocol.air is not None:
        row["latency"] = f"{least}{_time(protocol.latency_s)}"
    if protocol.energy_j:
        whole = sum(part.typical for part in protocol.energy_j.values())
        row["energy"] = f"{least}{format_value(whole, 'J')}"
    if protocol.repeated is not None and protocol.repeated.life_years is not None:
        row["years"] = f"{'<= ' if least else ''}{protocol.repeated.life_years.typical:.2f}"
    return row
