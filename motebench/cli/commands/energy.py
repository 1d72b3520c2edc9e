"""``motebench energy``: energy of an operation from its time or cycles and a supply current."""

from __future__ import annotations

from typing import Any

import click

from motebench.base.units import format_value
from motebench.cli.options import (
    Frequency,
    Number,
    catalog_option,
    device_option,
    json_option,
    print_json,
    refuse,
)
from motebench.cli.text.layout import bounded
from motebench.documents.costs import EnergyEntry


@click.command("energy")
@click.option(
    "--cycles",
    type=Number(),
    metavar="NUMBER",
    help="Cycles of the operation, at the device's clock.",
)
@click.option(
    "--time",
    "duration",
    metavar="TIME",
    help="Time of the operation, instead of --cycles: 180us, 1.2s.",
)
@click.option("--size", metavar="SIZE", help="Input size, for energy per byte.")
@click.option(
    "--device",
    metavar="NAME",
    help="A device of the catalog: its clock, voltage and active current.",
)
@click.option(
    "--clock", type=Frequency(), metavar="FREQUENCY", help="Clock, instead of the device's: 48MHz."
)
@click.option("--current", metavar="CURRENT", help="Current, instead of the device's: 4.6mA.")
@click.option("--voltage", metavar="VOLTAGE", help="Voltage, instead of that of the current: 3.3V.")
@click.option(
    "--at", "at_voltage", metavar="VOLTAGE", help="Voltage for mAh.  [default: that of the current]"
)
@catalog_option
@json_option
def command(**options: Any) -> None:
    """Model the energy of an operation, and compute the formulas of published comparisons for
    it.
    """
    from motebench.advise.energy.consumption import GivenCurrent, Workload, operation_energy
    from motebench.base.units import parse_duration, parse_quantity, parse_size
    from motebench.catalog.currents import operated

    def quantity(name: str, unit: str, where: str) -> float | None:
        return parse_quantity(options[name], unit, where=where) if options[name] else None

    seconds = (
        None if options["duration"] is None else parse_duration(options["duration"], where="--time")
    )
    work = Workload(seconds, options["cycles"], options["clock"])
    work.check()
    if seconds is not None and options["device"] is None:
        refuse(
            ("clock",),
            "{option} has no effect: the time is given, and no device whose current depends on it",
        )
    volts, amps = quantity("voltage", "V", "--voltage"), quantity("current", "A", "--current")
    device = device_option({**options, "clock": None, "voltage": None})
    if device is not None and device.speeds is not None and amps is None:
        device = operated(device, options["clock"], volts, own_cycles=True)
    document = operation_energy(
        device,
        work,
        GivenCurrent(amps, volts),
        size=parse_size(options["size"], where="--size") if options["size"] else None,
        at_volts=quantity("at_voltage", "V", "--at"),
    )
    if options["as_json"]:
        print_json(document)
    else:
        _show(document)


def _show(energy: EnergyEntry) -> None:
    """Print the answer for people."""
    click.echo(f"{'time':16}{format_value(energy.time_s * 1e9, 'ns')}")
    for name, value, unit in (
        ("current", energy.current_a, "A"),
        ("power", energy.power_w, "W"),
        ("energy", energy.energy_j, "J"),
        ("energy per byte", energy.energy_per_byte_j, "J/B"),
    ):
        if value is not None:
            click.echo(f"{name:16}{bounded(value, unit)}")
    click.echo(f"{'charge':16}{energy.charge_mah.typical:.4g} mAh at {energy.charge_at_v:g} V")
    for note in energy.notes:
        click.echo(f"modelled: {note}")
    for paper in energy.papers:
        click.echo(f"{paper.paper}: {paper.called} {paper.value:.4g} {paper.unit} - {paper.wrong}")
