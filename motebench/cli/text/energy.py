"""Energy of an operation, and the life of a battery, as text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from motebench.units import format_value

if TYPE_CHECKING:
    pass

Document = Mapping[str, Any]


def show_energy(document: Document) -> None:
    """Print the answer for people."""
    for name, key, unit in (
        ("time", "time_s", "ns"),
        ("current", "current_a", "A"),
        ("power", "power_w", "W"),
        ("energy", "energy_j", "J"),
        ("energy per byte", "energy_per_byte_j", "J/B"),
    ):
        value = document[key]
        if value is not None:
            click.echo(
                f"{name:16}{_spread(value, unit) if isinstance(value, dict) else format_value(value * 1e9, unit)}"
            )
    click.echo(f"{'charge':16}{document['charge_mah']['typical']:.4g} mAh at {document['charge_at_v']:g} V")
    for note in document["notes"]:
        click.echo(f"modelled: {note}")
    for paper in document["papers"]:
        click.echo(f"{paper['paper']}: {paper['called']} {paper['value']:.4g} {paper['unit']} - {paper['wrong']}")


def _spread(found: Mapping[str, float], unit: str) -> str:
    typical = format_value(found["typical"], unit)
    if found["low"] == found["high"]:
        return typical
    return f"{typical} ({format_value(found['low'], unit)} to {format_value(found['high'], unit)})"


def show_battery(document: Document) -> None:
    """Print the answer for people."""
    years = document["life_years"]
    click.echo(f"life            {years['typical']:.2f} years ({years['low']:.2f} to {years['high']:.2f})")
    click.echo(f"mean current    {_spread(document['mean_current_a'], 'A')}")
    if "time_on_air_ms" in document:
        click.echo(f"time on air     {document['time_on_air_ms']:g} ms, {document['frames']} frame(s)")
    click.echo(f"messages        {document['messages_per_day']:g} a day; each, with the sleep before it:")
    for name, charge in document["charge_per_message_c"].items():
        share = document["shares"][name] * 100
        joules = document["energy_per_message_j"].get(name)
        beside = f", {_spread(joules, 'J')}" if joules else ""
        click.echo(f"  {name:10}{share:5.1f} %  {_spread(charge, 'C')}{beside}")
    for warning in document["warnings"]:
        click.echo(f"warning: {warning}")
    for note in document["notes"]:
        click.echo(f"modelled: {note}")
