"""The document of an audit as text."""

from __future__ import annotations

import textwrap

import click

from motebench.documents.papers import AuditEntry, FindingEntry, TableEntry, Weight

_WIDTH = 80
_MOST_CELLS = 12


def _say(text: str, first: str = "", rest: str | None = None) -> None:
    for line in textwrap.wrap(
        text, _WIDTH, initial_indent=first, subsequent_indent=first if rest is None else rest, break_on_hyphens=False
    ):
        click.echo(line)


def show(found: AuditEntry) -> None:
    """Print the answer for people: a heading, the findings by table, how often each check looked."""
    _say(f"{found.of}: {found.title}" if found.title != found.of else found.of)
    for table in found.tables:
        _table(table)
    places = list(dict.fromkeys(entry.where for entry in found.findings))
    for place in places:
        here = [entry for entry in found.findings if entry.where == place]
        click.echo(f"\n{place}")
        for entry in here:
            _finding(entry)
    _end(found)


def _table(table: TableEntry) -> None:
    known = f", {table.repetitions} readings each" if table.repetitions else ""
    click.echo(f"  {table.table}: {table.numbers} numbers{known}")
    for guess in table.guessed:
        _say(guess, "    ", "      ")


def _finding(entry: FindingEntry) -> None:
    click.echo()
    _say(f"{entry.weight}, {entry.certainty} [{entry.check}]", "  ")
    if entry.quote:
        _say(f'"{entry.quote}"', "    ")
    _say(f"{entry.what}.", "    ")
    if entry.cells:
        click.echo("      (printed | computed)")
    for cell in entry.cells[:_MOST_CELLS]:
        place = f", line {cell.line}" if cell.line else ""
        _say(f"{cell.cell}{place}: {cell.printed} | {cell.computed}", "      ", "        ")
    if len(entry.cells) > _MOST_CELLS:
        click.echo(f"      and {len(entry.cells) - _MOST_CELLS} more (--json)")
    _say(f"{entry.formula} ({entry.reference})", "      = ", "        ")


def _end(found: AuditEntry) -> None:
    count = {weight: sum(entry.weight == weight for entry in found.findings) for weight in Weight}
    looks = sum(entry.looks for entry in found.checks)
    click.echo()
    _say(
        f"{len(found.findings)} finding{'' if len(found.findings) == 1 else 's'}: "
        + ", ".join(f"{number} {weight}" for weight, number in count.items())
        + f". {len(found.checks)} of the checks could be applied, {looks} times."
    )
    if found.findings:
        _say(
            "A finding says what the printed numbers show. It says nothing about how they came about; the data behind "
            "a table can decide."
        )
