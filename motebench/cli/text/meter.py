"""What an instrument read, as text."""

from __future__ import annotations

from pathlib import Path

import click

from motebench.base.units import format_value
from motebench.documents.meter import KnownLoadEntry, MeterEntry


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
    what = " ".join(filter(None, (answer.implementation, answer.scheme, answer.operation)))
    size = f", {answer.input_bytes} B" if answer.input_bytes else ""
    click.echo(f"{what or 'an operation'}{size}, on {answer.target or 'a target that is not named'}")
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
    click.echo(f"{'expected':22}{format_value(answer.expected_w, 'W')} ({answer.volts:.4g} V, {answer.ohms:g} ohm)")
    click.echo(f"{'read':22}{format_value(answer.power_w, 'W')}")
    judged = {True: "within", False: "beyond", None: "not judged by"}[answer.within_accuracy]
    click.echo(f"{'error':22}{answer.error:+.2%}, {judged} its accuracy ({answer.instrument.accuracy_of})")
