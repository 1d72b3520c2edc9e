"""Leak test as text: a row for each secret of each operation, the inputs that show a leak, and the
open questions.
"""

from __future__ import annotations

from pathlib import Path

import click

from motebench.base.errors import InputError
from motebench.cli.text.layout import print_rows
from motebench.documents.leak import CountedEntry, ExampleEntry, LeakEntry
from motebench.results.presentation.leaks import (
    entry_remarks,
    example_words,
    leak_row,
    method_words,
    parts_of,
    remarks,
)
from motebench.results.selection import ResultFilter

_LONGEST, _SHOWN = 160, 32
"""Hexadecimal digits of the longest value that is printed whole, and those that are printed of a
longer one.
"""


def without_effect(document: LeakEntry, selection: ResultFilter, **given: object) -> None:
    """InputError for an option without effect on a leak test: a filter, or one of these by its
    name.
    """
    named = {"sort": selection.sort, **given}
    for option in (*selection.filters, *(f"--{name}" for name, value in named.items() if value)):
        raise InputError(
            f"run {document.run.name} is a leak test: {option} has no effect on it", where=option
        )


def write_report(document: LeakEntry, path: Path, *, force: bool | None, where: str) -> None:
    """Write the page of a leak test and say where. InputError if it cannot be written."""
    from motebench.show.report.leak_page import write_page

    write_page(document, path, force=force, where=where)
    click.echo(f"report: {path.resolve().as_uri()}", err=True)


def show(document: LeakEntry) -> None:
    """Print the document as text."""
    click.echo(method_words(document))
    print_rows([leak_row(entry) for entry in document.findings])
    for entry in document.findings:
        if isinstance(entry, CountedEntry) and entry.example:
            click.echo(
                f"\n{entry.scheme} {entry.operation}, varied {entry.varied}: an example pair"
            )
            _show_example(entry.example)
        for line in entry_remarks(entry):
            click.echo(f"\n{line}")
    for line in remarks(document):
        click.echo(f"\n{line}")


def _short(digits: str) -> str:
    if len(digits) <= _LONGEST:
        return digits
    return f"{digits[:_SHOWN]}... ({len(digits) // 2} bytes: --json)"


def _show_example(example: ExampleEntry) -> None:
    for side in (example.fewest, example.most):
        parts = [f"{name} {_short(digits)}" for name, digits in parts_of(side).items()]
        click.echo(f"  {side.cycles} cycles: {side.name}: {', '.join(parts)}")
    for line in example_words(example):
        click.echo(f"  {line}")
