"""A run as tables with a column for each size of the input."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from motebench.base.errors import printable
from motebench.base.model import Failure
from motebench.catalog.proof import unproven_words
from motebench.cli.text.layout import coloured, print_rows
from motebench.documents.result import Result
from motebench.results.presentation.by_size import SizesTable, sizes_tables
from motebench.results.presentation.rows import case_words
from motebench.results.selection import EVERY_CASE, ResultFilter, no_curves, selected


def show_by_size(result: Result, selection: ResultFilter) -> None:
    """Print a run with all its measurements. InputError for a name that fits nothing."""
    chosen = no_curves(selection.of(result), "--metric") if selection else EVERY_CASE
    tables = sizes_tables(result, chosen)
    run = result.run
    click.echo(printable(f"{run.study or run.name}: run {run.id}, {run.status}"))
    for table in tables:
        _show(table)
    if not tables:
        click.echo("\nNo case gave a number.")
    for line in unproven_words(dict.fromkeys(table.target for table in tables)):
        click.echo(line)
    _show_failures(selected(result, chosen).failures)


def _show(table: SizesTable) -> None:
    _say_title(table.title)
    heads = ("scheme", "by", "operation", *table.heads)
    rows = []
    for line in table.lines:
        texts = (line.scheme, line.implementation, line.operation, *table.texts(line))
        rows.append(dict(zip(heads, [printable(word) for word in texts], strict=True)))
    print_rows(rows, right=table.heads)
    for note in table.notes:
        click.echo(note)


def _say_title(text: str) -> None:
    title = printable(text)
    click.echo("\n" + (click.style(title, bold=True) if coloured(sys.stdout) else title))


def _show_failures(failures: Sequence[Failure]) -> None:
    if failures:
        click.echo(f"\n{len(failures)} {'case' if len(failures) == 1 else 'cases'} failed")
    for failure in failures:
        click.echo(printable(f"  {failure.kind}: {case_words(failure)}: {failure.message}"))
