"""What signing costs, as text."""

from __future__ import annotations

import click

from motebench.documents.signing import SigningEntry, SigningRow
from motebench.units import format_value


def show(found: SigningEntry) -> None:
    """Print one block for each scheme of an implementation."""
    for row in found.rows:
        _show(row)
    for failure in found.failures:
        click.echo(f"failed: {failure}")
    if not found.rows and not found.failures:
        click.echo("No implementation offers one of these schemes.")


def _show(row: SigningRow) -> None:
    last = row.first + row.messages - 1
    click.echo(f"{row.scheme} by {row.implementation} on {row.target}, {row.evidence}")
    click.echo(f"  messages {row.first} to {last}, 32 B each, signed and verified; {row.version}")
    if row.attempts is not None:
        click.echo(f"  attempts          {row.attempts:.2f} on average in this set; {row.expected_attempts:g} expected")
    else:
        click.echo(f"  attempts          not known: random bytes are drawn; {row.expected_attempts:g} expected")
    values = (
        ("mean, normalised", row.normalised, "with the expected attempts: compare this one"),
        ("one attempt", row.per_attempt, ""),
        ("beside attempts", row.beside, "once for each signature"),
        ("mean", row.mean, "of this set"),
        ("median", row.median, ""),
        ("p99", row.p99, ""),
        ("longest", row.longest, ""),
    )
    for name, seconds, remark in values:
        if seconds is not None:
            cycles = format_value(seconds * row.clock_hz, "cycles") if row.clock_hz else ""
            click.echo(f"  {name:<17} {format_value(seconds * 1e9, 'ns'):>8}  {cycles:<13}  {remark}".rstrip())
    if row.unexplained is not None:
        click.echo(f"  No message is more than {row.unexplained:.1%} from beside + attempts x one attempt.")
    click.echo()
