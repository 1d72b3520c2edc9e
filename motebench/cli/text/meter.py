"""What an instrument read, as text."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from motebench.units import format_value

Document = Mapping[str, Any]
_FIGURES = (
    ("energy", "energy_j", "J"),
    ("energy per byte", "energy_per_byte_j", "J/B"),
    ("energy above idling", "energy_net_j", "J"),
    ("per byte", "energy_net_per_byte_j", "J/B"),
)


def show(answer: Document) -> None:
    """Print the answer for people."""
    info = answer["instrument"]
    if "ohms" in answer:
        _show_load(answer)
    else:
        what = " ".join(str(answer[key]) for key in ("implementation", "scheme", "operation") if answer.get(key))
        size = f", {answer['input_bytes']} B" if answer.get("input_bytes") else ""
        click.echo(f"{what or 'an operation'}{size}, on {answer.get('target', 'a target that is not named')}")
        for name, key, unit in _FIGURES:
            figure = answer[key]
            if figure is not None:
                low, high = (format_value(figure[end], unit) for end in ("low", "high"))
                click.echo(f"{name:22}{format_value(figure['typical'], unit)} ({low} to {high})")
        for name, key in (("power", "power_w"), ("power above idling", "power_net_w")):
            if answer[key] is not None:
                click.echo(f"{name:22}{format_value(answer[key], 'W')}")
        if answer["floor"] is not None:
            click.echo(f"{'idle':22}{format_value(answer['floor']['typical_w'], 'W')}")
        if answer["energy_j"] is not None:
            click.echo(f"{'interval':22}{answer['energy_j']['interval']}")
    click.echo(f"{'measured by':22}{info['name']}: {info['measures']}")
    for note in answer["notes"]:
        click.echo(f"note: {note}")
    for problem in answer["problems"]:
        click.secho(f"failed: {problem}", fg="red", err=True)
    if answer["recording"] and Path(answer["recording"]).exists():
        click.echo(f"recording: {answer['recording']}", err=True)


def _show_load(answer: Document) -> None:
    if answer["power_w"] is None:
        return
    click.echo(
        f"{'expected':22}{format_value(answer['expected_w'], 'W')} ({answer['volts']:.4g} V, {answer['ohms']:g} ohm)"
    )
    click.echo(f"{'read':22}{format_value(answer['power_w'], 'W')}")
    judged = {True: "within", False: "beyond", None: "not judged by"}[answer["within_accuracy"]]
    click.echo(f"{'error':22}{answer['error']:+.2%}, {judged} its accuracy ({answer['instrument']['accuracy_of']})")
