"""``motebench instruments``: which instruments there are for `motebench meter`."""

from __future__ import annotations

import click

from motebench.cli.options import json_option, print_json


@click.command("instruments")
@json_option
def command(as_json: bool) -> None:
    """List instruments that measure energy: those found here, and what the others need.

    Instruments on USB and I2C are not opened.
    """
    from motebench.cli.text.rows import print_rows
    from motebench.instruments.registry import listing

    rows = listing()
    if as_json:
        print_json({"instruments": rows})
    else:
        print_rows([{key: row[key] for key in ("instrument", "what", "here", "missing", "example")} for row in rows])
