"""A run in another form than its table: bars of one metric, or a column for each size of the
input; and a leak test as text.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from motebench.base.errors import InputError, printable
from motebench.base.model import Failure
from motebench.base.units import Better, format_size, metric
from motebench.catalog.proof import unproven_words
from motebench.cli.streams import takes_unicode
from motebench.cli.text.layout import (
    TextColumn,
    coloured,
    print_rows,
    table_lines,
    table_width,
    width_of,
)
from motebench.documents.leak import (
    CountedEntry,
    ExampleEntry,
    FollowedEntry,
    LeakEntry,
    SecretFlowEntry,
)
from motebench.documents.result import Result
from motebench.results.presentation.by_size import SizesTable, sizes_tables
from motebench.results.presentation.leaks import (
    entry_remarks,
    example_words,
    finding_row,
    flow_lines,
    flow_row,
    leak_row,
    method_words,
    parts_of,
    remarks,
)
from motebench.results.presentation.panels import Panel, PanelSet
from motebench.results.presentation.rows import Row, case_words
from motebench.results.selection import EVERY_CASE, ResultFilter, no_curves, selected

_PIPED = 100
"""Columns in files and pipes."""
_SHORTEST, _LONGEST = 10, 60
"""Columns of the longest bar."""
_EIGHTHS = " ▏▎▍▌▋▊▉"


def show_bars(drawn: PanelSet) -> None:
    """Print the panels, each with its own scale."""
    entry = metric(drawn.metric)
    direction = "" if entry.better is Better.NEITHER else f", {entry.better.value} is better"
    click.echo(f"{entry.words}{direction}")
    for panel in drawn.panels:
        title = printable(panel.title)
        click.echo("\n" + (click.style(title, bold=True) if coloured(sys.stdout) else title))
        for line in _bar_lines(panel):
            click.echo(line)
    click.echo("")
    for note in drawn.notes:
        click.echo(printable(note))


def _bar_lines(panel: Panel) -> list[str]:
    labels = [tuple(map(printable, _label(panel, row))) for row in panel.rows]
    values = [
        row.text if row.alone or not row.quotable else f"{row.text} {row.spread}"
        for row in panel.rows
    ]
    columns = [TextColumn("", texts) for texts in zip(*labels, strict=True)]
    space = (width_of(sys.stdout) or _PIPED) - table_width(columns) - max(map(len, values)) - 4
    longest = max(_SHORTEST, min(space, _LONGEST))
    most = max(row.median for row in panel.rows)
    bars = [
        _bar(row.median / most if most > 0 else 0.0, longest, solid=row.quotable)
        for row in panel.rows
    ]
    return table_lines([*columns, TextColumn("", bars), TextColumn("", values)])


def _label(panel: Panel, row: Row) -> tuple[str, ...]:
    scheme = () if panel.one_scheme else ("plain copy" if row.is_copy else row.scheme,)
    size = (format_size(row.size),) if panel.lines else ()
    return (*scheme, row.implementation, *size)


def _bar(share: float, longest: int, *, solid: bool) -> str:
    """A bar that fills its share of the columns, to an eighth of one; hollow if its value must not
    be quoted.
    """
    share = max(0.0, share)
    if not takes_unicode(sys.stdout):
        return (("#" if solid else ".") * round(share * longest)).ljust(longest)
    if not solid:
        return ("░" * round(share * longest)).ljust(longest)
    whole, eighths = divmod(round(share * longest * 8), 8)
    return ("█" * whole + _EIGHTHS[eighths].strip()).ljust(longest)


# Tables by size


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


# Leak tests


_LONGEST_VALUE, _SHOWN = 160, 32
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


def write_leak_report(document: LeakEntry, path: Path, *, force: bool | None, where: str) -> None:
    """Write the page of a leak test and say where. InputError if it cannot be written."""
    from motebench.show.report.page import write_leak_page

    write_leak_page(document, path, force=force, where=where)
    click.echo(f"report: {path.resolve().as_uri()}", err=True)


def show_leak(document: LeakEntry) -> None:
    """Print the document as text."""
    if isinstance(document, FollowedEntry):
        _show_flow(document.flow)
        for note in document.run.notes:
            click.echo(f"\n{note}")
        return
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
    if len(digits) <= _LONGEST_VALUE:
        return digits
    return f"{digits[:_SHOWN]}... ({len(digits) // 2} bytes: --json)"


def _show_example(example: ExampleEntry) -> None:
    for side in (example.fewest, example.most):
        parts = [f"{name} {_short(digits)}" for name, digits in parts_of(side).items()]
        click.echo(f"  {side.cycles} cycles: {side.name}: {', '.join(parts)}")
    for line in example_words(example):
        click.echo(f"  {line}")


def _show_flow(document: SecretFlowEntry) -> None:
    click.echo(
        f"{document.implementation} on {document.target}: secrets followed bit by bit"
        f"{f' by {document.tool}' if document.tool else ''}, {document.evidence}, "
        f"{document.compiler} {document.flags}"
    )
    print_rows([flow_row(case) for case in document.cases])
    for case in document.cases:
        for line in flow_lines(case):
            click.echo(f"\n{line}")
        if case.findings:
            click.echo(
                f"\n{case.scheme} {case.operation}: where a secret reaches time (error) or an "
                "address (note)"
            )
        print_rows([finding_row(finding) for finding in case.findings])
    for failure in document.failures:
        subject = f"{failure.scheme} {failure.operation or ''}".strip()
        click.echo(f"\nfailed: {subject} ({failure.kind}): {failure.message}")
