"""``motebench protocol``: what security protocols send, compute and cost a device."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from motebench.base.errors import InputError
from motebench.cli.options import Number, Whole, asked_link, catalog_option, device_option, json_option, print_json

if TYPE_CHECKING:
    from motebench.advise.protocol.protocol_costs import ProtocolQuestion


_NAMES = {"element": "--with"}
"""Options whose values have another name here."""


@click.command("protocol")
@click.argument("names", metavar="NAME[,NAME]...")
@click.option(
    "--set", "settings", multiple=True, metavar="NAME=VALUE", help="A setting of the protocols: group=x25519."
)
@click.option("--fields", is_flag=True, help="Every field of every message, with its source.")
@click.option("--operations", is_flag=True, help="Every operation of the device.")
@click.option("--device", metavar="NAME", help="A device of the catalog: what computing takes there.")
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
@click.option("--lorawan", metavar="REGION", help="Send the messages by LoRaWAN in this region; needs --dr.")
@click.option("--dr", type=Whole(), metavar="NUMBER", help="Number of the data rate in the region: 0 is DR0.")
@click.option("--with", "element", metavar="NAME", help="A secure element beside the processor, such as atecc608b.")
@click.option("--radio", metavar="NAME", help="With --lorawan: the radio.  [default: the device's, or sx1276]")
@click.option("--power", type=Number("dBm"), metavar="DBM", help="Output power.  [default: the highest allowed]")
@click.option("--transmissions", type=Number(), metavar="NUMBER", help="How often each frame is sent.  [default: 1]")
@click.option("--network", metavar="NAME", help="The network whose own rules hold beside the region's: ttn.")
@click.option("--no-baseline", is_flag=True, help="With --lorawan: without the row of LoRaWAN's own protection.")
@click.option("--every", metavar="TIME", help="Time from one exchange to the next: 30d.")
@click.option("--battery", metavar="NAME", help="A battery of the catalog; needs --every.")
@click.option(
    "--sleep-current", metavar="CURRENT", help="Current of everything during sleep, instead of the catalog's."
)
@catalog_option
@json_option
def command(names: str, **options: Any) -> None:
    """Model what protocols send by field, compute, and cost in energy, latency and years.

    NAME is a protocol or one of its profiles: `motebench list protocols` lists them; several with commas between.
    """
    from motebench.advise.protocol.protocol_costs import costs
    from motebench.cli.text.protocol import show

    document = costs(_question(names, options))
    if options["as_json"]:
        print_json(document)
    else:
        show(document, fields=options["fields"], operations=options["operations"])


def _question(names: str, options: dict[str, Any]) -> ProtocolQuestion:
    from motebench.advise.protocol.protocol_costs import ProtocolQuestion
    from motebench.base.units import parse_duration, parse_quantity
    from motebench.catalog.batteries import BATTERIES
    from motebench.catalog.elements import ELEMENTS
    from motebench.catalog.protocols import find

    _check(options)
    every, sleep = options["every"], options["sleep_current"]
    wanted = dict.fromkeys(name.strip() for name in names.split(",") if name.strip())
    if not wanted:
        raise InputError("no protocol is named", hint="`motebench list protocols` lists them")
    return ProtocolQuestion(
        protocols=[find(name, options["own"]) for name in wanted],
        settings=_settings(options["settings"]),
        device=device_option(options),
        element=ELEMENTS.find(options["element"], options["own"], where="--with") if options["element"] else None,
        link=asked_link(options, ("radio", "no_baseline"), fragment=True),
        every_s=None if every is None else _positive(parse_duration(every, where="--every")),
        battery=BATTERIES.find(options["battery"], options["own"], where="--battery") if options["battery"] else None,
        sleep_amps=None if sleep is None else parse_quantity(sleep, "A", where="--sleep-current"),
        implementations=options["implementations"],
        research=options["include"] == "research",
        baseline=not options["no_baseline"],
    )


def _check(options: dict[str, Any]) -> None:
    """InputError for an option that needs another one."""
    if options["battery"] is not None and options["every"] is None:
        raise InputError("a life needs the time between exchanges", where="--battery", hint="add --every 30d")
    if options["battery"] is None and options["sleep_current"] is not None:
        raise InputError("this option needs --battery", where="--sleep-current", hint="--battery cr2032")
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
    found: dict[str, int | str] = {}
    for text in (part for word in given for part in word.split(",")):
        name, equals, value = (part.strip() for part in text.partition("="))
        if not (name and equals and value):
            raise InputError(f"{text!r} is no setting", where="--set", valid="NAME=VALUE: group=x25519")
        found[name] = value
    return found
