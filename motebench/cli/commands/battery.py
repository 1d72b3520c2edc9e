"""``motebench battery``: how long a battery carries a device that sends a message now and then."""

from __future__ import annotations

from typing import Any

import click

from motebench.cli.options import (
    LONGEST_MESSAGE,
    Number,
    Whole,
    catalog_option,
    cipher_options,
    json_option,
    print_json,
)


@click.command("battery")
@click.option("--battery", required=True, metavar="NAME", help="A battery of the catalog.")
@click.option("--every", required=True, metavar="TIME", help="From one message to the next: 10min.")
@click.option("--device", metavar="NAME", help="A device of the catalog: its clock, active and sleep current.")
@click.option("--cycles", type=Number(), metavar="NUMBER", help="Cycles that a message takes the processor.")
@click.option("--time", "duration", metavar="TIME", help="That time instead.")
@click.option("--active-current", metavar="CURRENT", help="Another active current than the device's: 4.6mA.")
@click.option("--sleep-current", metavar="CURRENT", help="Of everything while it sleeps, instead of the catalog's.")
@click.option("--radio", default="sx1276", show_default=True, metavar="NAME", help="With --lorawan: a radio.")
@click.option("--power", type=Number(), metavar="DBM", help="Output power.  [default: the highest that is allowed]")
@click.option("--lorawan", metavar="REGION", help="Messages go out by LoRaWAN: with --dr, --message.")
@click.option("--dr", type=Whole(), metavar="NUMBER", help="Data rate of the region.")
@click.option("--message", type=LONGEST_MESSAGE, metavar="BYTES", help="What the application sends, before encryption.")
@click.option("--fragment", is_flag=True, help="Split what is too long into several uplinks.")
@click.option("--transmissions", type=Number(), metavar="NUMBER", help="How often each frame is sent.  [default: 1]")
@cipher_options
@catalog_option
@json_option
def command(**options: Any) -> None:
    """Model the life of a battery in years, with an interval that carries the uncertainty of every input."""
    from motebench.cli import powering

    document = powering.battery(options)
    if options["as_json"]:
        print_json(document)
    else:
        powering.show_battery(document)
