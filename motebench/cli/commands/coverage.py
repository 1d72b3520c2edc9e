"""``motebench coverage``: which targets, schemes and implementations have results, and why the
others have none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from motebench.base.errors import ExitCode, InputError
from motebench.cli.options import DEFAULT_STORE, NEED, json_option, print_json, store_option

if TYPE_CHECKING:
    from motebench.documents.known import CoverageEntry, CoverageReportEntry


@click.command("coverage")
@click.option("--target", "targets", multiple=True, metavar="PATTERN", help="Only these targets.")
@click.option("--scheme", "schemes", multiple=True, metavar="PATTERN", help="Only these schemes.")
@click.option(
    "--implementation",
    "implementations",
    multiple=True,
    metavar="PATTERN",
    help="Only these implementations.",
)
@click.option("--need", type=NEED, help="Only schemes that give this protection.")
@click.option(
    "--details",
    is_flag=True,
    help="A row for each scheme by each implementation.",
)
@click.option(
    "--format", "-f", "form", type=click.Choice(["csv"]), help="csv: all rows for another program."
)
@store_option
@json_option
def command(details: bool, form: str | None, store: str, as_json: bool, **options: Any) -> int:
    """Show which schemes have results on which targets, by which implementations.

    Reference results count, and those of the store. Nothing is built. Exit code 3 if nothing that
    you select has results.
    """
    from motebench.show.coverage import CoverageFilter, coverage

    if form is not None and (details or as_json):
        other = "--details" if details else "--json"
        raise InputError(
            f"{other} and --format are mutually exclusive", where="--format", valid="one of the two"
        )
    report = coverage(CoverageFilter(**options), _store(store))
    if as_json:
        print_json(report)
    elif form is not None:
        from motebench.show.export.csv import csv_text

        click.echo(csv_text(_HEADS, map(_cells, report.entries)), nl=False)
    elif details:
        _show_rows(report.entries)
    else:
        _show_counts(report)
    return ExitCode.OK if any(count.results for count in report.counts) else ExitCode.FAILURES


def _store(store: str) -> str | None:
    """The store, or None where none was named and the usual one does not exist yet."""
    from click.core import ParameterSource

    given = click.get_current_context().get_parameter_source("store")
    usual = given is ParameterSource.DEFAULT and store == DEFAULT_STORE
    return None if usual and not Path(store).exists() else store


_HEADS = (
    "target",
    "scheme",
    "family",
    "implementation",
    "state",
    "cases",
    "sources",
    "reason",
    "command",
)


def _cells(entry: CoverageEntry) -> list[object]:
    values = {name: getattr(entry, name) for name in _HEADS} | {"sources": " ".join(entry.sources)}
    return list(values.values())


def _show_rows(entries: Sequence[CoverageEntry]) -> None:
    from motebench.cli.text.layout import print_rows

    rows = [
        {
            "target": entry.target,
            "scheme": entry.scheme,
            "implementation": entry.implementation,
            "state": entry.state,
            "cases": entry.cases or None,
            "in": ", ".join(entry.sources) or None,
            "why not": entry.reason,
        }
        for entry in entries
    ]
    print_rows(rows, ("in", "why not"))
    for entry in _missing(entries)[:1]:
        click.echo(f"\nmeasure the first that is missing: {entry.command}")


def _show_counts(coverage: CoverageReportEntry) -> None:
    from motebench.cli.text.layout import print_rows

    families = dict.fromkeys(count.family for count in coverage.counts)
    rows: dict[str, dict[str, object]] = {}
    for count in coverage.counts:
        row = rows.setdefault(count.target, {"target": count.target, **dict.fromkeys(families)})
        with_code = count.results + count.too_big + count.failed + count.not_measured
        row[count.family] = f"{count.results}/{with_code}" if with_code else None
    print_rows(list(rows.values()), right=tuple(families))
    click.echo("")
    click.echo(
        "a/b: b pairs of a scheme and an implementation with code for the target, a of them with "
        "results"
    )
    for line in _left_out(coverage):
        click.echo(line)
    place = (
        f"reference results and {coverage.store}"
        if coverage.store
        else "reference results; --store adds your own"
    )
    click.echo(f"from: {place}")


def _left_out(coverage: CoverageReportEntry) -> Iterator[str]:
    """Lines on targets, schemes and implementations without results."""
    too_big = sum(count.too_big for count in coverage.counts)
    failed = sum(count.failed for count in coverage.counts)
    no_code = len({entry.scheme for entry in coverage.entries if entry.implementation is None})
    missing = _missing(coverage.entries)
    if too_big or failed:
        yield f"measured without results: {too_big} do not fit the board, {failed} failed otherwise"
    if no_code:
        yield f"without code: {no_code} schemes, on one of these targets or more"
    if missing:
        yield f"not measured yet: {len(missing)}, for example: {missing[0].command}"
    yield from _lacking(missing)
    if too_big or failed or no_code or missing:
        yield "each with its reason: --details"


def _lacking(missing: Sequence[CoverageEntry]) -> Iterator[str]:
    """Packages that must be installed before some of it can be measured, with the targets."""
    lacking: dict[str, dict[str, None]] = {}
    for entry in missing:
        if entry.reason:
            lacking.setdefault(entry.reason, {})[entry.target] = None
    for reason, targets in lacking.items():
        yield f"{', '.join(targets)}: {reason}"


def _missing(entries: Sequence[CoverageEntry]) -> list[CoverageEntry]:
    return [entry for entry in entries if entry.state == "not measured"]
