"""``motebench airtime``: how long a packet is on air, and what LoRaWAN and a cipher make of a message."""

from __future__ import annotations

from typing import Any

import click

from motebench.cli.options import LONGEST_MESSAGE, Whole, catalog_option, cipher_options, json_option, print_json


@click.command("airtime")
@click.option("--sf", type=Whole(), metavar="SF", help="Spreading factor, 5 to 12; which of them depends on the radio.")
@click.option("--bw", metavar="KHZ", help="Bandwidth in kHz: 7.8 to 500.")
@click.option("--cr", default=None, metavar="RATE", help="Coding rate: 4/5 to 4/8.  [default: 4/5]")
@click.option("--payload", type=Whole(), metavar="BYTES", help="What the modem is given: MAC header and all.")
@click.option("--preamble", type=Whole(), metavar="SYMBOLS", help="Programmed preamble symbols.  [default: 8]")
@click.option("--implicit", is_flag=True, help="Implicit header: length, rate and CRC are agreed beforehand.")
@click.option("--no-crc", is_flag=True, help="No CRC over the payload.")
@click.option("--ldro", type=click.Choice(["auto", "on", "off"]), help="Low data rate optimisation.  [default: auto]")
@click.option("--radio", default="sx1276", show_default=True, metavar="NAME", help="A radio of the catalog.")
@click.option("--lorawan", metavar="REGION", help="A LoRaWAN uplink in this region instead: with --dr, --app-payload.")
@click.option("--dr", type=Whole(), metavar="NUMBER", help="Data rate of the region.")
@click.option(
    "--app-payload", type=LONGEST_MESSAGE, metavar="BYTES", help="What the application sends; 13 bytes come around it."
)
@click.option("--fopts", type=Whole(), metavar="BYTES", help="MAC options in the frame, 0 to 15.  [default: 0]")
@click.option("--sub-band", metavar="NAME", help="Sub-band whose duty cycle counts.  [default: of the join channels]")
@click.option("--fragment", is_flag=True, help="Split what is too long into several uplinks.")
@cipher_options
@catalog_option
@json_option
def command(**options: Any) -> None:
    """Compute the time on air of a LoRa packet, or of a LoRaWAN uplink with its limits."""
    from motebench.cli import airing

    document = airing.airtime(options)
    if options["as_json"]:
        print_json(document)
    else:
        airing.show(document)
