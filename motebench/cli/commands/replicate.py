"""``motebench replicate``: a published study again, claim by claim."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from motebench.base.errors import ExitCode, InputError
from motebench.base.units import METRICS, format_size, format_value
from motebench.cli.options import force_option, json_option, print_json, store_option
from motebench.cli.text.layout import coloured, print_rows
from motebench.documents.papers import (
    BoundedEntry,
    ClaimEntry,
    JudgedEntry,
    PaperEntry,
    ReplicationEntry,
    ReplicationTableEntry,
)


@click.command("replicate")
@click.argument("papers", nargs=-1, metavar="[PAPER]...")
@click.option("--all", "every", is_flag=True, help="Every paper that can be replicated.")
@click.option("--target", "targets", multiple=True, metavar="NAME", help="Targets, in place of the paper's usual ones.")
@click.option(
    "--scale", default="1", show_default=True, metavar="FACTOR", help="Sizes of inputs: a factor up to 1, or `small`."
)
@click.option("--output", "-o", type=click.Path(path_type=Path, dir_okay=False), help="Also write a page: page.html.")
@click.option("--resume", is_flag=True, help="Take finished runs of the same request as they are, continue others.")
@click.option("--details", is_flag=True, help="Also show each published value beside ours.")
@click.option("--quiet", "-q", is_flag=True, help="No progress on standard error.")
@force_option
@store_option
@json_option
def command(papers: tuple[str, ...], **options: Any) -> int:
    """Measure what a PAPER measured, and check each of its claims.

    By the numbers that it printed, by its method here, and by motebench's own.
    """
    from motebench.base.files.access import FileKind, check
    from motebench.cli.text.progress import Terminal
    from motebench.publications.papers.claims import replicable
    from motebench.publications.papers.document import document
    from motebench.publications.papers.page import write_page
    from motebench.publications.papers.replicate import InputScale, check_request, replicate

    if bool(papers) == options["every"]:
        raise InputError(
            "which paper?" if not papers else "PAPER and --all are mutually exclusive",
            where="PAPER", valid=", ".join(replicable()), hint="--all for every one",
        )  # fmt: skip
    wanted = tuple(replicable()) if options["every"] else papers
    scale = InputScale.of(options["scale"])
    check_request(wanted, options["targets"])
    if options["output"] is not None:
        check(options["output"], FileKind.HTML, force=options["force"])
    terminal = Terminal(quiet=options["quiet"])
    found = []
    for key in wanted:
        if not options["quiet"]:
            click.echo(f"replicating {key}", err=True)
        found.append(
            replicate(
                key,
                options["store"],
                targets=options["targets"],
                scale=scale,
                resume=options["resume"],
                observer=terminal,
            )
        )
    answer = document(found)
    if options["output"] is not None:
        path = write_page(answer, options["output"], force=options["force"])
        click.echo(f"wrote {path}", err=True)
    if options["as_json"]:
        print_json(answer)
    else:
        show(answer, details=options["details"])
    return ExitCode.FAILURES if any(one.problems for one in found) else ExitCode.OK


# The answer as text: claims with their verdicts, then how far tables agree

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
