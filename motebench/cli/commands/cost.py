"""``motebench cost``: costs of a scheme on a device, from reference results; nothing is built or
run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from motebench.base.errors import ExitCode, InputError
from motebench.cli.options import (
    Length,
    catalog_option,
    json_option,
    print_json,
    speed_options,
    volts_option,
)

if TYPE_CHECKING:
    from motebench.base.quantities import Interval
    from motebench.documents.known import KnownCostEntry, KnownCostsEntry


@click.command("cost")
@click.argument("scheme")
@click.argument("device")
@click.option(
    "--operation", "operations", multiple=True, metavar="NAME", help="Operations.  [default: all]"
)
@click.option(
    "--size",
    type=Length(2**24),
    metavar="SIZE",
    help="Length of the message.  [default: 64, as measured]",
)
@speed_options
@catalog_option
@json_option
def command(scheme: str, device: str, **options: Any) -> int:
    """Show what a SCHEME costs on a DEVICE: time, cycles, flash, RAM, stack and sizes, by every
    implementation.

    They are reference results, or those of a device like it with bounds. Exit code 3 if no
    implementation has a result.
    """
    from motebench.advise.choice.known_costs import known_costs
    from motebench.base.model import Operation
    from motebench.base.naming import did_you_mean, split_list
    from motebench.catalog import resolve
    from motebench.catalog.currents import operated
    from motebench.catalog.devices import DEVICES

    operations, own = options["operations"], options["own"]
    names = [operation.value for operation in Operation]
    for word in split_list(operations):
        if word not in names:
            raise InputError(
                f"unknown operation {word!r}",
                where="--operation",
                valid=", ".join(names),
                hint=did_you_mean(word, names),
            )
    chosen = [Operation(word) for word in split_list(operations)]
    costs = known_costs(
        resolve(scheme, "SCHEME"),
        operated(
            DEVICES.find(device.removeprefix("sim:"), own, where="DEVICE"),
            options["clock"],
            volts_option(options),
        ),
        chosen,
        options["size"],
    )
    if options["as_json"]:
        print_json(costs)
    else:
        _show(costs)
    return ExitCode.OK if costs.costs else ExitCode.FAILURES


def _show(costs: KnownCostsEntry) -> None:
    sizes = ", ".join(
        f"{name.replace('-', ' ')} {count:,} B" for name, count in costs.sizes.items()
    )
    clock = f"{costs.clock_hz / 1e6:g} MHz"
    flash = f"{costs.flash_bytes:,} B flash, " if costs.flash_bytes else ""
    click.echo(f"{costs.scheme} on {costs.device} ({clock}, {flash}{costs.ram_bytes:,} B RAM)")
    if sizes:
        click.echo(f"sizes: {sizes}")
    for operation in dict.fromkeys(entry.operation for entry in costs.costs):
        _show_operation(operation, [entry for entry in costs.costs if entry.operation == operation])
    if costs.failures:
        click.echo("\nwithout results")
        for failure in costs.failures:
            click.echo(f"  {failure.implementation}: {failure.reason}")
    if not costs.costs and not costs.failures:
        click.echo(f"\nno implementation of {costs.scheme} has results on {costs.device}")
    click.echo("")
    for source in dict.fromkeys(f"{entry.source} ({entry.target})" for entry in costs.costs):
        click.echo(f"source: {source}")
    for note in costs.notes:
        click.echo(f"from: {note}")
    click.echo(
        "flash and RAM are without the probe; RAM is with the keys, signature and ciphertext "
        "that the caller holds"
    )


def _show_operation(operation: str, entries: Sequence[KnownCostEntry]) -> None:
    from motebench.cli.text.layout import print_rows

    lengths = sorted({entry.input_bytes for entry in entries})
    size = "" if lengths == [0] else f" of {', '.join(str(length) for length in lengths)} B"
    click.echo(f"\n{operation}{size}")
    print_rows(
        [_row(entry) for entry in entries], right=("time", "cycles", "flash", "RAM", "stack")
    )


def _row(entry: KnownCostEntry) -> dict[str, object]:
    from motebench.cli.text.layout import bounded

    def spelt(value: Interval | None) -> str | None:
        if value is None:
            return None
        ends = dict.fromkeys(f"{end:,.0f}" for end in (value.low, value.high))
        return " to ".join(ends)

    cycles = spelt(entry.cycles)
    return {
        "implementation": entry.implementation,
        "time": bounded(entry.seconds, "ns", 1e9),
        "cycles": cycles
        if " to " not in str(cycles)
        else f"{entry.cycles.typical:,.0f} ({cycles})",
        "flash": spelt(entry.flash_bytes),
        "RAM": spelt(entry.ram_bytes),
        "stack": spelt(entry.stack_bytes),
        "fits": entry.fits,
        "evidence": entry.evidence,
    }
