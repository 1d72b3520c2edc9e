"""Energy of an operation, and the life of a battery, as text."""

from __future__ import annotations

import click

from motebench.base.quantities import Interval
from motebench.base.units import format_value
from motebench.documents.costs import BatteryEntry, EnergyEntry


def show_energy(found: EnergyEntry) -> None:
    """Print the answer for people."""
    click.echo(f"{'time':16}{format_value(found.time_s * 1e9, 'ns')}")
    for name, value, unit in (
        ("current", found.current_a, "A"),
        ("power", found.power_w, "W"),
        ("energy", found.energy_j, "J"),
        ("energy per byte", found.energy_per_byte_j, "J/B"),
    ):
        if value is not None:
            click.echo(f"{name:16}{_spread(value, unit)}")
    click.echo(f"{'charge':16}{found.charge_mah.typical:.4g} mAh at {found.charge_at_v:g} V")
    for note in found.notes:
        click.echo(f"modelled: {note}")
    for paper in found.papers:
        click.echo(f"{paper.paper}: {paper.called} {paper.value:.4g} {paper.unit} - {paper.wrong}")


def _spread(found: Interval, unit: str) -> str:
    typical = format_value(found.typical, unit)
    if found.low == found.high:
        return typical
    return f"{typical} ({format_value(found.low, unit)} to {format_value(found.high, unit)})"


def show_battery(found: BatteryEntry) -> None:
    """Print the answer for people."""
    years = found.life_years
    click.echo(f"life            {years.typical:.2f} years ({years.low:.2f} to {years.high:.2f})")
    click.echo(f"mean current    {_spread(found.mean_current_a, 'A')}")
    if found.time_on_air_ms is not None:
        click.echo(f"time on air     {found.time_on_air_ms:g} ms, {found.frames} frame(s)")
    click.echo(f"messages        {found.messages_per_day:g} a day; each, with the sleep before it:")
    for name, charge in found.charge_per_message_c.items():
        share = found.shares[name] * 100
        joules = found.energy_per_message_j.get(name)
        beside = f", {_spread(joules, 'J')}" if joules else ""
        click.echo(f"  {name:10}{share:5.1f} %  {_spread(charge, 'C')}{beside}")
    for warning in found.warnings:
        click.echo(f"warning: {warning}")
    for note in found.notes:
        click.echo(f"modelled: {note}")
