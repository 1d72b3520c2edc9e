"""``motebench energy``: energy of an operation from its time or cycles and a supply current."""

from __future__ import annotations

from typing import Any

import click

from motebench.cli.options import Number, catalog_option, json_option, print_json


@click.command("energy")
@click.option("--cycles", type=Number(), metavar="NUMBER", help="Cycles of the operation, at the device's clock.")
@click.option("--time", "duration", metavar="TIME", help="Its time instead: 180us, 1.2s.")
@click.option("--size", metavar="SIZE", help="Input size, for energy per byte.")
@click.option("--device", metavar="NAME", help="A device of the catalog: its clock, voltage and active current.")
@click.option("--clock", type=Number(), metavar="HZ", help="Another clock than the device's.")
@click.option("--current", metavar="CURRENT", help="Another current than the device's: 4.6mA.")
@click.option("--voltage", metavar="VOLTAGE", help="Another voltage than that of the current: 3.3V.")
@click.option("--at", "at_voltage", metavar="VOLTAGE", help="Voltage of mAh.  [default: that of the current]")
@catalog_option
@json_option
def command(**options: Any) -> None:
    """Model the energy of an operation, beside what published comparisons compute for it."""
    from motebench.cli import powering

    document = powering.energy(options)
    if options["as_json"]:
        print_json(document)
    else:
        powering.show_energy(document)
