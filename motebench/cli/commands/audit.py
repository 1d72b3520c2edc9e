"""``motebench audit``: whether published numbers agree with each other, with the text and with
known facts.
"""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import click

from motebench.base.errors import ExitCode, InputError
from motebench.cli.options import json_option, print_json
from motebench.documents.papers import AuditEntry, FindingEntry, TableEntry, Weight

if TYPE_CHECKING:
    from fractions import Fraction


@click.command("audit")
@click.argument("publication", metavar="PAPER|FILE")
@click.option(
    "--fail-on",
    type=click.Choice(["material", "minor", "note"]),
    help="Exit code 3 if there is a finding of this weight or more.",
)
@click.option(
    "--repetitions",
    type=click.IntRange(2, 10**9),
    metavar="N",
    help="Of a file: readings behind each mean.",
)
@click.option(
    "--resolution",
    multiple=True,
    metavar="METRIC=STEP",
    help="Of a file: smallest step of a reading, in the column's unit.",
)
@json_option
def command(
    publication: str,
    fail_on: str | None,
    repetitions: int | None,
    resolution: tuple[str, ...],
    as_json: bool,
) -> ExitCode:
    """Check published tables without measuring: a paper of the catalog, or a file with tables of
    your own.
    """
    from motebench.publications.audit.auditing import audit

    document = audit(publication, repetitions, _steps(resolution))
    if as_json:
        print_json(document)
    else:
        show(document)
    if fail_on and any(
        Weight(finding.weight).rank <= Weight(fail_on).rank for finding in document.findings
    ):
        return ExitCode.FAILURES
    return ExitCode.OK


def _steps(given: tuple[str, ...]) -> dict[str, Fraction]:
    """``time=0.01`` by metric."""
    from motebench.catalog.published import printed

    steps: dict[str, Fraction] = {}
    for text in given:
        metric, equals, step = text.rpartition("=")
        if not equals or not metric.strip():
            raise InputError(
                f"{text!r} has no metric and step", where="--resolution", valid="time=0.01"
            )
        number = printed(step.strip(), where="--resolution")
        if number.value <= 0:
            raise InputError(
                f"{text!r} has no step above 0", where="--resolution", valid="time=0.01"
            )
        steps[metric.strip()] = number.value
    return steps


# The answer as text

_WIDTH = 80
_MOST_CELLS = 12


def _say(text: str, first: str = "", rest: str | None = None) -> None:
    for line in textwrap.wrap(
        text,
        _WIDTH,
        initial_indent=first,
        subsequent_indent=first if rest is None else rest,
        break_on_hyphens=False,
    ):
        click.echo(line)


def show(audit: AuditEntry) -> None:
    """Print the answer for people: a heading, the findings by table, how often each check
    looked.
    """
    _say(f"{audit.of}: {audit.title}" if audit.title != audit.of else audit.of)
    for table in audit.tables:
        _table(table)
    places = list(dict.fromkeys(entry.where for entry in audit.findings))
    for place in places:
        here = [entry for entry in audit.findings if entry.where == place]
        click.echo(f"\n{place}")
        for entry in here:
            _finding(entry)
    _end(audit)


def _table(table: TableEntry) -> None:
    readings = f", {table.repetitions} readings each" if table.repetitions else ""
    click.echo(f"  {table.table}: {table.numbers} numbers{readings}")
    for cell in table.unread[:_MOST_CELLS]:
        _say(f"not read: {cell}", "    ", "      ")
    if len(table.unread) > _MOST_CELLS:
        click.echo(
            f"    and {len(table.unread) - _MOST_CELLS} more cells that were not read (--json)"
        )
    if table.guessed:
        click.echo("    read as:")
    for guess in table.guessed:
        _say(guess, "      ", "        ")


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
    if entry.rests_on:
        _say(
            f"rests on cells that another finding calls wrong: {'; '.join(entry.rests_on)}",
            "      ! ",
            "        ",
        )
    _say(f"{entry.formula} ({entry.reference})", "      = ", "        ")


def _end(audit: AuditEntry) -> None:
    count = {weight: sum(entry.weight == weight for entry in audit.findings) for weight in Weight}
    looks = sum(entry.looks for entry in audit.checks)
    click.echo()
    _say(
        f"{len(audit.findings)} finding{'' if len(audit.findings) == 1 else 's'}: "
        + ", ".join(f"{number} {weight}" for weight, number in count.items())
        + f". {len(audit.checks)} of the checks could be applied, {looks} times."
    )
    if audit.findings:
        _say(
            "A finding says what the printed numbers show. It says nothing about how they came "
            "about; the data behind a table can decide."
        )
