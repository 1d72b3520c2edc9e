"""``motebench firmware``: the firmware of a case as a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click


@click.command("firmware")
@click.option("--target", required=True, metavar="NAME", help="A board, simulated or real.")
@click.option("--implementation", required=True, metavar="NAME", help="The implementation, with its level: NAME@O2.")
@click.option("--scheme", required=True, metavar="NAME", help="The scheme.")
@click.option(
    "-o", "--output", required=True, type=click.Path(path_type=Path), metavar="FILE",
    help="Where to: an ELF file, or by its ending .hex (Intel HEX) or .bin (the bytes of flash).",
)  # fmt: skip
@click.option("--alone", is_flag=True, help="One that needs no host: writes its cycles as text on its serial line.")
@click.option("--operation", "operations", multiple=True, metavar="NAME", help="With --alone.  [default: by scheme]")
@click.option("--size", default="16", show_default=True, metavar="SIZE", help="With --alone: length of the message.")
def command(**options: Any) -> int:
    """Write the firmware that is measured, for avr-size, avrdude, simavr and their like.

    With --alone it does a known answer and each operation once by itself, and writes the cycles as text: those that
    `run` reports for the same case.
    """
    from motebench.cli import exporting

    exporting.firmware(
        options["target"],
        options["implementation"],
        options["scheme"],
        options["output"],
        alone=(options["operations"], options["size"]) if options["alone"] else None,
    )
    return 0
