"""A replication as text: claims with their verdicts, then how far tables agree."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterator

import click

from motebench.base.units import METRICS, format_size, format_value
from motebench.cli.text.layout import coloured, print_rows
from motebench.documents.papers import (
    BoundedEntry,
    ClaimEntry,
    JudgedEntry,
    PaperEntry,
    ReplicationEntry,
    ReplicationTableEntry,
)

_WIDTH = 80
_COLOURS = {"holds": "green", "does not hold": "red"}
_SIDES = {"published": "printed numbers", "replicated": "paper's method", "own": "our method"}
_MANY = 12


def show(found: ReplicationEntry, *, details: bool) -> None:
    """Print the answer."""
    for number, paper in enumerate(found.papers):
        if number:
            click.echo()
        for line in _paper(paper):
            click.echo(line)
        _tables(paper, details=details)


def _paper(paper: PaperEntry) -> Iterator[str]:
    scale = f", sizes {paper.scale}" if paper.scale else ""
    yield from _wrapped(f"{paper.key}: {paper.title} ({paper.year}){scale}")
    for problem in paper.problems:
        yield from _wrapped(f"not measured: {problem}", "  ")
    yield ""
    for claim in paper.claims:
        yield from _claim(claim)
    yield _count(paper)


def _claim(claim: ClaimEntry) -> Iterator[str]:
    yield from _wrapped(f"{claim.id}  {claim.statement}")
    if claim.reading:
        yield from _wrapped(f"read as: {claim.reading}", "    ")
    for side, words in _SIDES.items():
        judged: JudgedEntry | None = getattr(claim, side)
        if judged is not None:
            yield from _judged(words, judged)
    yield ""


def _judged(side: str, judged: JudgedEntry) -> Iterator[str]:
    first, *rest = _wrapped(f"{side}: {judged.verdict}: {judged.reason}", "    ")
    colour = _COLOURS.get(judged.verdict)
    if colour and coloured(sys.stdout):
        first = first.replace(judged.verdict, click.style(judged.verdict, fg=colour), 1)
    yield first
    yield from rest


def _count(paper: PaperEntry) -> str:
    counted = []
    for verdict in ("holds", "does not hold", "cannot be told"):
        here = sum(claim.replicated.verdict == verdict for claim in paper.claims)
        there = sum(claim.published.verdict == verdict for claim in paper.claims)
        counted.append(f"{verdict} {there}/{here}")
    return f"{len(paper.claims)} claims, by printed numbers/here: {', '.join(counted)}"


def _tables(paper: PaperEntry, *, details: bool) -> None:
    rows = [
        {
            "table": table.table,
            "ours": f"{table.target} {table.library}",
            "case": _case(tau.operation, tau.size),
            "tau-b": f"{tau.tau:.2f} ({tau.low:.2f}..{tau.high:.2f})",
            "of": tau.subjects,
        }
        for table in paper.tables
        for tau in table.taus
    ]
    if rows:
        click.echo("\nThe same order as published? Kendall's tau-b, 1 is the same")
        print_rows(rows[:_MANY] if not details else rows)
        if len(rows) > _MANY and not details:
            click.echo(f"{len(rows) - _MANY} more: --details, or the page")
    if not details:
        return
    for table in paper.tables:
        click.echo(f"\n{table.table} ({table.device}) beside {table.library} on {table.target}")
        print_rows(_cells(table))


def _case(operation: str, size: int) -> str:
    return " ".join(part for part in (operation, format_size(size) if size else "") if part)


def _cells(table: ReplicationTableEntry) -> list[dict[str, object]]:
    unit = METRICS[table.metric].unit
    return [
        {
            "subject": cell.subject,
            "case": _case(cell.operation, cell.size),
            "published": format_value(cell.published.value, table.unit, 4),
            "ratio": _ratio(cell.published_ratio),
            f"ours ({cell.evidence})": format_value(cell.ours.value, unit, 4),
            "our ratio": _ratio(cell.ours_ratio),
        }
        for cell in table.cells
    ]


def _ratio(found: BoundedEntry | None) -> str:
    return "-" if found is None else f"{found.value:.3g}"


def _wrapped(text: str, indent: str = "") -> list[str]:
    return textwrap.wrap(text, _WIDTH, initial_indent=indent, subsequent_indent=f"{indent}    ") or [""]
