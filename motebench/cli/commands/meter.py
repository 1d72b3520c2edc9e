"""``motebench meter``: the energy of an operation, measured by an instrument."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from motebench.base.units import format_value
from motebench.cli.options import json_option, print_json
from motebench.documents.meter import KnownLoadEntry, MeterEntry


@click.command("meter")
@click.option(
    "--instrument",
    required=True,
    metavar="NAME",
    help="The instrument, or replay:FILE. See motebench instruments.",
)
@click.option(
    "--target",
    default="host",
    show_default=True,
    metavar="NAME",
    help="The target that it measures: host or serial:PORT.",
)
@click.option("--implementation", metavar="NAME", help="The implementation.")
@click.option("--scheme", metavar="NAME", help="The scheme.")
@click.option("--operation", metavar="NAME", help="The operation.  [default: the scheme's first]")
@click.option("--size", default="16", show_default=True, metavar="SIZE", help="Input size.")
@click.option(
    "--seconds",
    default="10s",
    show_default=True,
    metavar="TIME",
    help="Total time of the batches; with --known-load, of the reading.",
)
@click.option(
    "--idle",
    default="3s",
    show_default=True,
    metavar="TIME",
    help="Time of idling before and after the batches.",
)
@click.option(
    "--voltage",
    metavar="VOLTAGE",
    help="Supply voltage, for a PPK2 (which cannot measure it) and for --known-load.",
)
@click.option(
    "--accuracy",
    metavar="PERCENT",
    help="Largest error of the instrument, instead of its own statement.",
)
@click.option(
    "--known-load", metavar="RESISTANCE", help="Check the instrument with a resistor: 100ohm."
)
@click.option(
    "--record",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write all samples to this new file, for replay:FILE.",
)
@json_option
def command(**options: Any) -> int:
    """Measure the energy of an operation: an instrument reads while the target runs batches and
    while it idles.

    Exit code 3 if the instrument was lost, samples are missing, or the energy is not above idling.
    """
    from motebench.base.units import parse_duration, parse_percent, parse_quantity, parse_size
    from motebench.measuring.instruments.operation import Request, exit_code, meter

    given = {
        key: options[key]
        for key in ("instrument", "target", "implementation", "scheme", "operation", "record")
    }
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
        show(document)
    return exit_code(document)


# The answer as text


def show(answer: MeterEntry | KnownLoadEntry) -> None:
    """Print the answer for people."""
    if isinstance(answer, KnownLoadEntry):
        _show_load(answer)
    else:
        _show_operation(answer)
    click.echo(f"{'measured by':22}{answer.instrument.name}: {answer.instrument.measures}")
    for note in answer.notes:
        click.echo(f"note: {note}")
    for problem in answer.problems:
        click.secho(f"failed: {problem}", fg="red", err=True)
    if answer.recording and Path(answer.recording).exists():
        click.echo(f"recording: {answer.recording}", err=True)


def _show_operation(answer: MeterEntry) -> None:
    operation = " ".join(filter(None, (answer.implementation, answer.scheme, answer.operation)))
    size = f", {answer.input_bytes} B" if answer.input_bytes else ""
    click.echo(
        f"{operation or 'an operation'}{size}, on {answer.target or 'a target that is not named'}"
    )
    for name, figure, unit in (
        ("energy", answer.energy_j, "J"),
        ("energy per byte", answer.energy_per_byte_j, "J/B"),
        ("energy above idling", answer.energy_net_j, "J"),
        ("per byte", answer.energy_net_per_byte_j, "J/B"),
    ):
        if figure is not None:
            low, high = (format_value(end, unit) for end in (figure.low, figure.high))
            click.echo(f"{name:22}{format_value(figure.typical, unit)} ({low} to {high})")
    for name, watts in (
        ("power", answer.power_w),
        ("power above idling", answer.power_net_w),
        ("idle", answer.floor.typical_w if answer.floor else None),
    ):
        if watts is not None:
            click.echo(f"{name:22}{format_value(watts, 'W')}")
    if answer.energy_j is not None:
        click.echo(f"{'interval':22}{answer.energy_j.interval}")


def _show_load(answer: KnownLoadEntry) -> None:
    if answer.power_w is None or answer.expected_w is None:
        return
    click.echo(
        f"{'expected':22}{format_value(answer.expected_w, 'W')} ({answer.volts:.4g} V, "
        f"{answer.ohms:g} ohm)"
    )
    click.echo(f"{'read':22}{format_value(answer.power_w, 'W')}")
    judged = {True: "within", False: "beyond", None: "not judged by"}[answer.within_accuracy]
    click.echo(
        f"{'error':22}{answer.error:+.2%}, {judged} its accuracy ({answer.instrument.accuracy_of})"
    )
