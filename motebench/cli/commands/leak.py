"""``motebench leak``: does the time of an operation depend on a secret?"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from motebench.base.errors import ExitCode, InputError
from motebench.cli.options import (
    DEFAULT_STORE,
    BoardOptions,
    OwnCode,
    command_line,
    json_option,
    own_code_options,
    print_json,
    settings_options,
    store_option,
)

if TYPE_CHECKING:
    from motebench.base.model import Case
    from motebench.documents.leak import (
        CodePlaceEntry,
        FlowCaseEntry,
        FlowFindingEntry,
        SecretFlowEntry,
    )
    from motebench.measuring.leak.examination import LeakRequest
    from motebench.targets.code.workspace import Workspace


@click.command("leak")
@click.option(
    "--implementation", metavar="NAME", help="The implementation.  [default: that of --code]"
)
@click.option("--target", default="host", show_default=True, metavar="NAME", help="The target.")
@click.option(
    "--scheme",
    "schemes",
    multiple=True,
    metavar="PATTERN",
    help="Schemes.  [default: plain ciphers (ECB), or all]",
)
@click.option(
    "--operation",
    "operations",
    multiple=True,
    metavar="NAME",
    help="Operations.  [default: by scheme]",
)
@click.option(
    "--size", default="16", show_default=True, metavar="SIZE", help="Length of the message."
)
@click.option(
    "--samples",
    type=click.IntRange(min=2, max=1_000_000),
    help="Inputs for each secret; at least 1800 on hosts.  [default: 300 on boards, 20000 on "
    "hosts]",
)
@click.option(
    "--seed",
    type=click.IntRange(0, 2**63 - 1),
    default=1,
    show_default=True,
    help="Seed of the random inputs.",
)
@click.option(
    "--secret-flow",
    is_flag=True,
    help="Follow secrets through the code, on a simulated board or a host; --samples: 12 by "
    "default.",
)
@click.option(
    "--public",
    multiple=True,
    metavar="FUNCTION",
    help="With --secret-flow: branches of this function are on public values.",
)
@own_code_options
@settings_options
@click.option("--name", help="A name for the run.  [default: date and number]")
@click.option("--dry-run", is_flag=True, help="List what would be examined; examine nothing.")
@click.option(
    "--report", type=click.Path(dir_okay=False), help="Also write the HTML report to this file."
)
@click.option("--quiet", "-q", is_flag=True, help="No progress on standard error.")
@store_option
@json_option
def command(own: OwnCode, settings: BoardOptions, **options: Any) -> int:
    """Test whether the time of an operation depends on keys, messages, forged tags, bad padding,
    ciphertexts or coins.

    On boards every cycle is counted: two inputs that differ in cycles prove a leak, and are shown.
    On a host a statistical test gives the probability of error. The result is a run of the store.
    With --secret-flow a simulator or valgrind shows where a secret reaches time. Exit code 8 if
    there is a leak, 3 if there is no conclusion.
    """
    from motebench.cli.options import implementation_of
    from motebench.measuring.leak.examination import LeakRequest

    workspace, implementations, schemes = own.named(options["schemes"])
    targets = settings.of([options["target"]])
    if len(targets) != 1:
        raise InputError(
            "leak examines one target at a time", where="--target", valid=" or ".join(targets)
        )
    request = LeakRequest(
        target=targets[0],
        implementation=implementation_of(
            options["implementation"], implementations, targets[0], options["schemes"]
        ),
        schemes=options["schemes"] or schemes,
        operations=options["operations"],
        size=options["size"],
        samples=options["samples"],
        seed=options["seed"],
        name=options["name"],
        command=command_line(),
    )
    if options["public"] and not options["secret_flow"]:
        raise InputError("--public needs --secret-flow", where="--public")
    if options["secret_flow"]:
        return _follow(workspace, request, options)
    if options["dry_run"]:
        _show_plan(workspace, request, as_json=options["as_json"])
        return ExitCode.OK
    return _examine(workspace, request, options)


def _examine(workspace: Workspace, request: LeakRequest, options: dict[str, Any]) -> int:
    from motebench.base.files.access import FileKind, check
    from motebench.cli.text.forms import show_leak, write_leak_report
    from motebench.cli.text.progress import leak_progress
    from motebench.measuring.leak.examination import examine
    from motebench.results.leaks import exit_code, leak_document

    report = None if options["report"] is None else Path(options["report"])
    if report is not None:
        check(report, FileKind.HTML, force=None, where="--report")
    with leak_progress(quiet=options["quiet"]) as progress:
        run = examine(options["store"], workspace, request, progress)
    document = leak_document(run)
    if options["as_json"]:
        print_json(document)
    else:
        show_leak(document)
    if report is not None:
        write_leak_report(document, report, force=None, where="--report")
    name, counts = document.run.name, document.run.cases
    at = "" if options["store"] == DEFAULT_STORE else f" --store {shlex.quote(options['store'])}"
    click.echo(
        f"run {name} is in {options['store']}; motebench show {name}{at} shows it again, "
        f"motebench report {name}{at} makes a page of it",
        err=True,
    )
    if document.run.status == "interrupted":
        done = counts.finished + counts.failed
        click.echo(
            f"interrupted: {done} of {done + counts.pending} operations were examined, and what "
            "was found is stored; "
            "a leak test cannot be resumed: name the operations that are missing with --operation",
            err=True,
        )
    return exit_code(document)


def _follow(workspace: Workspace, request: LeakRequest, options: dict[str, Any]) -> int:
    from motebench.measuring.leak.flow import FlowRequest, flow_exit_code, follow

    for option in ("name", "report", "dry_run"):
        if options[option]:
            shown = f"--{option.replace('_', '-')}"
            raise InputError(f"{shown} and --secret-flow are mutually exclusive", where=shown)
    document = follow(
        workspace,
        FlowRequest(request, options["public"]),
        _flow_progress(quiet=options["quiet"]),
    )
    if options["as_json"]:
        print_json(document)
    else:
        _show_flow(document)
    return flow_exit_code(document)


def _show_plan(workspace: Workspace, request: LeakRequest, *, as_json: bool) -> None:
    from motebench.documents.leak import LeakPlanEntry
    from motebench.measuring.leak.examination import planned

    with planned(workspace, request) as plan:
        entry = LeakPlanEntry(
            target=plan.target.name,
            implementation=plan.question.implementation,
            samples=plan.question.samples,
            seed=plan.question.seed,
            cases=tuple(case.id for case in plan.cases),
        )
    if as_json:
        print_json(entry)
        return
    for case in plan.cases:
        click.echo(str(case))
    click.echo(
        f"{len(plan.cases)} operation{'' if len(plan.cases) == 1 else 's'}, "
        f"{plan.question.samples} inputs for each "
        "secret of each; how long that takes is said after the first secret of an operation",
        err=True,
    )


# Flow of secrets, as text


def _flow_progress(*, quiet: bool) -> Callable[[Case, int, int], None]:
    """Progress of following secrets: a line on standard error for each operation."""

    def heard(case: Case, done: int, total: int) -> None:
        if not quiet:
            click.echo(f"{done + 1} of {total}: {case}", err=True)

    return heard


def _show_flow(document: SecretFlowEntry) -> None:
    """Print where secrets flow, as text."""
    from motebench.cli.text.layout import print_rows

    click.echo(
        f"{document.implementation} on {document.target}: secrets followed bit by bit"
        f"{f' by {document.tool}' if document.tool else ''}, {document.evidence}, "
        f"{document.compiler} {document.flags}"
    )
    print_rows([_flow_row(case) for case in document.cases])
    for case in document.cases:
        for line in _flow_lines(case):
            click.echo(line)
        print_rows([_finding_row(finding) for finding in case.findings])
    for failure in document.failures:
        subject = f"{failure.scheme} {failure.operation or ''}".strip()
        click.echo(f"\nfailed: {subject} ({failure.kind}): {failure.message}")


def _flow_row(case: FlowCaseEntry) -> dict[str, str]:
    errors = sum(finding.error for finding in case.findings)
    coverage = case.coverage
    return {
        "scheme": case.scheme,
        "operation": case.operation,
        "bytes": str(case.input_bytes or "-"),
        "secret": ", ".join(case.secrets),
        "inputs": str(case.inputs),
        "lines run": f"{coverage.ran} of {coverage.lines}" if coverage else "not known on hosts",
        "errors": str(errors),
        "notes": str(len(case.findings) - errors),
        "verdict": case.verdict,
    }


def _flow_lines(case: FlowCaseEntry) -> Iterator[str]:
    """Lines on the verdict of a case, before its findings."""
    subject = f"{case.scheme} {case.operation}"
    for public in case.declassified:
        yield (
            f"\n{subject}: declared public by {public.declared}: {_place_words(public.at)}, "
            f"{public.times} times"
        )
    if case.coverage and case.coverage.not_covered:
        yield f"\n{subject}: not covered: lines of this code that did not run:"
        for gap in case.coverage.not_covered:
            yield f"  {gap.function} ({gap.file}): {_ranges(gap.lines)}"
    for reason in dict.fromkeys(case.refused.values()):
        names = ", ".join(name for name, message in case.refused.items() if message == reason)
        yield f"\n{subject}: refused by the implementation: {names}: {reason}"
    if case.findings_lost:
        yield f"\n{subject}: {case.findings_lost} more findings had no room in the answer"
    if case.findings:
        yield f"\n{subject}: where a secret reaches time (error) or an address (note)"


def _finding_row(finding: FlowFindingEntry) -> dict[str, str]:
    return {
        "": "error" if finding.error else "note",
        "what": finding.kind,
        "where": _place_words(finding.at),
        "instruction": finding.at.instruction or "-",
        "times": str(finding.times),
        "cycles": "-" if finding.cycles is None else str(finding.cycles),
        "from": ", ".join(finding.secrets) or "-",
        "through": " > ".join(finding.through) or "-",
    }


def _place_words(place: CodePlaceEntry) -> str:
    line = "" if place.file is None else f" {place.file}"
    line += "" if place.line is None else f":{place.line}"
    return f"{place.function or '?'}{line} ({place.address})"


def _ranges(numbers: Sequence[int]) -> str:
    """Numbers in their order, those in a row as a range."""
    starts = [numbers[0], *(after for before, after in pairwise(numbers) if after != before + 1)]
    ends = [*(before for before, after in pairwise(numbers) if after != before + 1), numbers[-1]]
    return ", ".join(
        str(start) if start == end else f"{start}-{end}"
        for start, end in zip(starts, ends, strict=True)
    )
