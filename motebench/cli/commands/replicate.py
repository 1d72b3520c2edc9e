"""``motebench replicate``: a published study again, claim by claim."""

from __future__ import annotations

import math
import sys
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from motebench.base.errors import ExitCode, InputError
from motebench.base.units import METRICS, format_size, format_value
from motebench.cli.options import force_option, json_option, print_json, refuse, store_option
from motebench.cli.text.layout import coloured, print_rows
from motebench.documents.papers import (
    VERDICTS,
    BoundedEntry,
    ClaimEntry,
    JudgedEntry,
    PaperEntry,
    PlannedPaperEntry,
    ReplicationEntry,
    ReplicationPlanEntry,
    ReplicationTableEntry,
    RerunEntry,
)

if TYPE_CHECKING:
    from motebench.publications.papers.bundle import Bundle, BundledRequest
    from motebench.publications.papers.replicate import Replication


@click.command("replicate")
@click.argument("papers", nargs=-1, metavar="[PAPER]...")
@click.option("--all", "every", is_flag=True, help="Every paper that can be replicated.")
@click.option(
    "--target",
    "targets",
    multiple=True,
    metavar="NAME",
    help="Targets instead of the paper's; each takes the parts of its kind.",
)
@click.option(
    "--scale",
    metavar="FACTOR",
    help="Factor up to 1 for inputs above 1000 B; small: what the claims need.  [default: 1]",
)
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Also write a page: page.html.",
)
@click.option(
    "--bundle",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="Also write everything as one folder, or one file: x.zip.",
)
@click.option(
    "--rerun",
    type=click.Path(path_type=Path),
    metavar="BUNDLE",
    help="Measure what a bundle measured, and compare the verdicts.",
)
@click.option(
    "--resume",
    is_flag=True,
    help="Keep finished runs of the same request, continue others.",
)
@click.option(
    "--extra",
    metavar="TIME",
    help="With --scale small: time for more samples where claims are open.  [default: 5min]",
)
@click.option(
    "--budget",
    metavar="TIME",
    help="Processor time for the samples of each paper.",
)
@click.option(
    "--dry-run", is_flag=True, help="Say what is measured, with how many samples; measure nothing."
)
@click.option(
    "--details",
    is_flag=True,
    help="Also show every comparison, and each published value beside ours.",
)
@click.option("--quiet", "-q", is_flag=True, help="No progress on standard error.")
@force_option
@store_option
@json_option
def command(papers: tuple[str, ...], **options: Any) -> int:
    """Measure what a PAPER measured, and check each of its claims.

    By the numbers that it printed, by its method here, and by motebench's own.
    """
    from motebench.cli.text.progress import Terminal
    from motebench.publications.papers.document import document, plan_document
    from motebench.publications.papers.looks import outlined
    from motebench.publications.papers.parts import InputScale
    from motebench.publications.papers.replicate import carried_out, check_request

    bundle = _bundle_of(papers, options)
    request = _request(papers, options) if bundle is None else _again(bundle, options)
    scale, extra = InputScale.of(request.scale), _extra(request)
    check_request(request.papers, request.targets)
    _check_outputs(options)
    if options["dry_run"]:
        outlines = [outlined(key, request.targets, scale) for key in request.papers]
        return _dry_run(plan_document(outlines, extra), as_json=options["as_json"])
    terminal = Terminal(quiet=options["quiet"], compared=False)
    replications = []
    for key in request.papers:
        outline = outlined(key, request.targets, scale)
        announced = _plan_lines(plan_document([outline], extra).papers[0])
        _echo_all(() if options["quiet"] else announced, err=True)
        replications.append(
            carried_out(
                outline,
                options["store"],
                resume=options["resume"],
                extra=extra,
                budget=_budget(request),
                observer=terminal,
            )
        )
    answer = document(replications)
    if bundle is not None:
        from motebench.publications.papers.bundle import compared

        answer = replace(answer, rerun=compared(bundle, answer))
    _write(answer, replications, request, options)
    if options["as_json"]:
        print_json(answer)
    else:
        show(answer, details=options["details"])
    return (
        ExitCode.FAILURES
        if any(replication.problems for replication in replications)
        else ExitCode.OK
    )


def _request(papers: tuple[str, ...], options: dict[str, Any]) -> BundledRequest:
    """Request from the options. InputError without a paper."""
    from motebench.base.units import parse_duration
    from motebench.publications.papers.bundle import BundledRequest
    from motebench.publications.papers.claims import replicable

    if bool(papers) == options["every"]:
        raise InputError(
            "which paper?" if not papers else "PAPER and --all are mutually exclusive",
            where="PAPER",
            valid=", ".join(replicable()),
            hint="--all for every one",
        )
    chosen = tuple(replicable()) if options["every"] else papers
    extra, budget = (
        None if options[name] is None else parse_duration(options[name], where=f"--{name}")
        for name in ("extra", "budget")
    )
    return BundledRequest(chosen, tuple(options["targets"]), options["scale"] or "1", extra, budget)


def _bundle_of(papers: tuple[str, ...], options: dict[str, Any]) -> Bundle | None:
    """The bundle to carry out again. InputError for one that is none, and for options that it has
    itself.
    """
    from motebench.publications.papers.bundle import check_store, read_bundle

    if options["rerun"] is None:
        return None
    if papers:
        raise InputError(
            "PAPER and --rerun are mutually exclusive: the bundle names its papers", where="PAPER"
        )
    refuse(
        ("every", "scale", "extra", "budget"),
        "{option} and --rerun are mutually exclusive: the bundle has it",
    )
    bundle = read_bundle(options["rerun"])
    check_store(options["rerun"], str(options["store"]))
    return bundle


def _again(bundle: Bundle, options: dict[str, Any]) -> BundledRequest:
    """The request of a bundle, on other targets where some are given."""
    return replace(bundle.request, targets=tuple(options["targets"]) or bundle.request.targets)


def _check_outputs(options: dict[str, Any]) -> None:
    """InputError for a page or a bundle that cannot be written."""
    from motebench.base.files.access import FileKind, check
    from motebench.publications.papers.bundle import check_bundle

    if options["output"] is None and options["bundle"] is None:
        refuse(("force",), "this option needs --output or --bundle", hint="-o page.html")
    if options["output"] is not None:
        check(options["output"], FileKind.HTML, force=options["force"])
    if options["bundle"] is not None:
        check_bundle(options["bundle"], force=options["force"])


def _write(
    answer: ReplicationEntry,
    replications: Sequence[Replication],
    request: BundledRequest,
    options: dict[str, Any],
) -> None:
    """Write the page and the bundle that are asked for."""
    from motebench.publications.papers.bundle import write_bundle
    from motebench.publications.papers.page import render, write_page

    if options["output"] is not None:
        click.echo(
            f"wrote {write_page(answer, options['output'], force=options['force'])}", err=True
        )
    if options["bundle"] is not None:
        path, page = options["bundle"], render(answer)
        write_bundle(
            path, request, answer, page, replications, str(options["store"]), force=options["force"]
        )
        click.echo(
            f"wrote {path}; to measure it again: motebench replicate --rerun {path}", err=True
        )


def _extra(request: BundledRequest) -> float:
    """Seconds for more samples."""
    from motebench.publications.papers.looks import EXTRA_SECONDS
    from motebench.publications.papers.parts import SMALL

    if request.extra is None:
        return EXTRA_SECONDS
    if request.scale != SMALL:
        raise InputError("--extra is for --scale small", where="--extra", hint="add --scale small")
    return request.extra


def _budget(request: BundledRequest) -> float:
    """Seconds of processor time for the samples of a paper."""
    return math.inf if request.budget is None else request.budget


def _dry_run(plan: ReplicationPlanEntry, *, as_json: bool) -> int:
    """Print what would be measured."""
    if as_json:
        print_json(plan)
    else:
        _echo_all(line for entry in plan.papers for line in _plan_lines(entry))
    return ExitCode.FAILURES if any(entry.problems for entry in plan.papers) else ExitCode.OK


def _echo_all(lines: Iterable[str], *, err: bool = False) -> None:
    for line in lines:
        click.echo(line, err=err)


def _plan_lines(plan: PlannedPaperEntry) -> Iterator[str]:
    """Lines on the parts of a paper that are measured. The modelled seconds are left out: they may
    be wrong by more than a factor of 2.
    """
    busy = (
        f"; work takes {plan.slowdown:.1f} times as long here as on an idle machine"
        if plan.slowdown >= 1.2
        else ""
    )
    yield f"{plan.key}: {sum(part.cases for part in plan.parts)} cases{busy}"
    for part in plan.parts:
        yield f"  {part.name} ({part.about}): {part.cases} cases, {part.samples} samples each"
    for name in plan.unused:
        yield f"  {name}: no claim needs it at this scale"
    for problem in plan.problems:
        yield f"  cannot be measured: {problem}"
    if plan.seconds_extra:
        yield (
            f"  at most {_duration(plan.seconds_extra)} more where noise leaves a claim open "
            "(--extra)"
        )


def _duration(seconds: float) -> str:
    """``45 s``, ``12 min``, ``3.5 h``."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


# The answer as text: claims with their verdicts, then how far tables agree

_WIDTH = 80
_LONG = 86400.0
_COLOURS = {"holds": "green", "does not hold": "red"}
_SIDES = {"published": "printed numbers", "replicated": "paper's method", "own": "our method"}
_MANY = 12


def show(replication: ReplicationEntry, *, details: bool) -> None:
    """Print the answer."""
    for number, paper in enumerate(replication.papers):
        if number:
            click.echo()
        for line in _paper(paper, details=details):
            click.echo(line)
        _tables(paper, details=details)
    if replication.rerun is not None:
        click.echo()
        _echo_all(_rerun(replication.rerun))


def _paper(paper: PaperEntry, *, details: bool) -> Iterator[str]:
    scale = f", sizes {paper.scale}" if paper.scale else ""
    yield from _wrapped(f"{paper.key}: {paper.title} ({paper.year}){scale}")
    for problem in paper.problems:
        yield from _wrapped(f"not measured: {problem}", "  ")
    yield ""
    for claim in paper.claims:
        yield from _claim(claim, paper, details=details)
    yield _count(paper)
    yield from _origin(paper)


def _claim(claim: ClaimEntry, paper: PaperEntry, *, details: bool) -> Iterator[str]:
    yield from _wrapped(f"{claim.id}  {claim.statement}")
    if claim.reading:
        yield from _wrapped(f"read as: {claim.reading}", "    ")
    if claim.derived:
        yield from _wrapped("from table: no sentence of the paper says it", "    ")
    if claim.settled is not None:
        yield from _judged(f"by {claim.settled_by}", claim.settled, details=details)
    for side, title in _SIDES.items():
        judged: JudgedEntry | None = getattr(claim, side)
        if judged is not None:
            yield from _judged(title, judged, details=details)
            if judged.seconds_more is not None:
                yield from _wrapped(_lacking(paper, judged.seconds_more), "    ")
    yield ""


def _lacking(paper: PaperEntry, seconds: float) -> str:
    """Time for deciding an open claim, with the command that takes it."""
    if seconds > _LONG:
        return "no number of samples that this machine takes in a day would decide it"
    minutes = max(1, math.ceil(seconds * 1.5 / 60))
    again = f"motebench replicate {paper.key} --scale small --extra {minutes}min"
    return f"about {_duration(seconds)} of further samples would decide it here: {again}"


def _judged(side: str, judged: JudgedEntry, *, details: bool) -> Iterator[str]:
    first, *rest = _wrapped(f"{side}: {judged.verdict}: {judged.reason}", "    ")
    colour = _COLOURS.get(judged.verdict)
    if colour and coloured(sys.stdout):
        first = first.replace(judged.verdict, click.style(judged.verdict, fg=colour), 1)
    yield first
    yield from rest
    if details and len(judged.comparisons) > 1:
        for line in judged.comparisons:
            by = f" ({line.library})" if line.library else ""
            yield from _wrapped(f"- {line.verdict}: {line.words}{by}", "      ")


def _rerun(rerun: RerunEntry) -> Iterator[str]:
    """The verdicts beside those of the bundle."""
    verdicts = rerun.same + len(rerun.changed)
    yield from _wrapped(
        f"{rerun.bundle}, by motebench {rerun.version}: {rerun.same} of {verdicts} verdicts are "
        "the same"
    )
    for line in rerun.changed:
        before, now = (verdict or "no verdict" for verdict in (line.before, line.now))
        side = _SIDES.get(line.side, "settled without numbers")
        yield from _wrapped(
            f"{line.paper} {line.claim} by {side}: {before} in the bundle, {now} here", "  "
        )
    if rerun.differing:
        yield from _wrapped(
            f"this installation has other files, and used its own: {', '.join(rerun.differing)}",
            "  ",
        )


def _origin(paper: PaperEntry) -> Iterator[str]:
    """Readings that do not count, and how to cite the replication."""
    disturbed, unquoted = (
        sum(getattr(run, name) for run in paper.runs) for name in ("disturbed", "unquotable")
    )
    if disturbed or unquoted:
        yield from _wrapped(
            f"{disturbed:,} disturbed readings do not count; {unquoted:,} measurements with too "
            "few others are not quoted and decide nothing"
        )
    if paper.cite:
        yield from _wrapped(f"cite: {paper.cite}")


def _count(paper: PaperEntry) -> str:
    counted = []
    for verdict in VERDICTS:
        here, by_paper = (
            sum(judged is not None and judged.verdict == verdict for judged in side)
            for side in zip(
                *((claim.replicated, claim.published) for claim in paper.claims), strict=True
            )
        )
        if here or by_paper:
            counted.append(f"{verdict} {by_paper}/{here}")
    settled = [claim.settled.verdict for claim in paper.claims if claim.settled is not None]
    others = f"; settled without numbers: {', '.join(settled)}" if settled else ""
    return f"{len(paper.claims)} claims, by printed numbers/here: {', '.join(counted)}{others}"


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
            "published": cell.printed or format_value(cell.published.value, table.unit, 4),
            "ratio": _ratio(cell.published_ratio),
            f"ours ({cell.evidence})": format_value(cell.ours.value, unit, 4),
            "our ratio": _ratio(cell.ours_ratio),
        }
        for cell in table.cells
    ]


def _ratio(bounded: BoundedEntry | None) -> str:
    return "-" if bounded is None else f"{bounded.value:.3g}"


def _wrapped(text: str, indent: str = "") -> list[str]:
    return textwrap.wrap(
        text, _WIDTH, initial_indent=indent, subsequent_indent=f"{indent}    "
    ) or [""]
