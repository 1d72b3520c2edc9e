"""``motebench instruments``: kinds of instruments for `motebench meter`."""

from __future__ import annotations

import click

from motebench.cli.options import json_option, print_json


@click.command("instruments")
@json_option
def command(as_json: bool) -> None:
    """List instruments that measure energy: those found here, and what the others need.

    Instruments on USB and I2C are not opened.
    """
    from motebench.cli.text.layout import print_rows
    from motebench.measuring.instruments.registry import listing

    entry = listing()
    if as_json:
        print_json(entry)
    else:
        columns = ("instrument", "what", "here", "missing", "example")
        print_rows([{key: getattr(row, key) for key in columns} for row in entry.instruments])
