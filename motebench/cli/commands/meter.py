"""``motebench meter``: the energy of an operation, measured by an instrument."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from motebench.cli.options import json_option, print_json


@click.command("meter")
@click.option(
    "--instrument", required=True, metavar="NAME", help="The instrument, or replay:FILE. See motebench instruments."
)
@click.option("--target", default="host", show_default=True, metavar="NAME", help="The target that it measures.")
@click.option("--implementation", metavar="NAME", help="The implementation.")
@click.option("--scheme", metavar="NAME", help="The scheme.")
@click.option("--operation", metavar="NAME", help="The operation.  [default: the scheme's first]")
@click.option("--size", default="16", show_default=True, metavar="SIZE", help="Input size.")
@click.option("--seconds", default="10s", show_default=True, metavar="TIME", help="Total time of the batches.")
@click.option(
    "--idle", default="3s", show_default=True, metavar="TIME", help="Time of idling before and after the batches."
)
@click.option(
    "--voltage", metavar="VOLTAGE", help="Supply voltage, for a PPK2 (which cannot measure it) and for --known-load."
)
@click.option("--accuracy", metavar="PERCENT", help="Largest error of the instrument, instead of its own statement.")
@click.option("--known-load", metavar="RESISTANCE", help="Check the instrument with a resistor: 100ohm.")
@click.option(
    "--record",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write all samples to this new file, for replay:FILE.",
)
@json_option
def command(**options: Any) -> int:
    """Measure the energy of an operation: an instrument reads while the target runs batches and while it idles.

    Exit code 3 if the instrument was lost, samples are missing, or the energy is not distinguishable from idling.
    """
    from motebench.base.units import parse_duration, parse_percent, parse_quantity, parse_size
    from motebench.cli.text import meter as text
    from motebench.measuring.instruments.operation import Request, exit_code, meter

    given = {key: options[key] for key in ("instrument", "target", "implementation", "scheme", "operation", "record")}
    load, voltage, accuracy = options["known_load"], options["voltage"], options["accuracy"]
    request = Request(
        **given,
        size=parse_size(options["size"], where="--size"),
        seconds=parse_duration(options["seconds"], where="--seconds"),
        idle=parse_duration(options["idle"], where="--idle"),
        volts=parse_quantity(voltage, "V", where="--voltage") if voltage else None,
        ohms=parse_quantity(load, "ohm", where="--known-load") if load is not None else None,
        accuracy=parse_percent(accuracy, where="--accuracy") if accuracy is not None else None,
    )
    document = meter(request)
    if options["as_json"]:
        print_json(document)
    else:
        text.show(document)
    return exit_code(document)
