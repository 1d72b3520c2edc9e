"""``motebench leak``: does the time of an operation depend on a secret?"""

from __future__ import annotations

import shlex
from collections.abc import Callable
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
    from motebench.base.model import Case, Run
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
    if options["dry_run"]:
        _show_plan(workspace, request, options)
        return ExitCode.OK
    return _examine(workspace, request, options)


def _examine(workspace: Workspace, request: LeakRequest, options: dict[str, Any]) -> int:
    from motebench.base.files.access import FileKind, check
    from motebench.cli.text.forms import show_leak, write_leak_report
    from motebench.results.leaks import exit_code, leak_document, printed

    report = None if options["report"] is None else Path(options["report"])
    if report is not None:
        check(report, FileKind.HTML, force=None, where="--report")
    run = _run_of(workspace, request, options)
    document = leak_document(run)
    if options["as_json"]:
        print_json(printed(document))
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


def _run_of(workspace: Workspace, request: LeakRequest, options: dict[str, Any]) -> Run:
    """The run that is made now."""
    if options["secret_flow"]:
        from motebench.measuring.leak.flow import FlowRequest, follow_stored

        heard = _flow_progress(quiet=options["quiet"])
        return follow_stored(
            options["store"], workspace, FlowRequest(request, options["public"]), heard
        )
    from motebench.cli.text.progress import leak_progress
    from motebench.measuring.leak.examination import examine

    with leak_progress(quiet=options["quiet"]) as progress:
        return examine(options["store"], workspace, request, progress)


def _show_plan(workspace: Workspace, request: LeakRequest, options: dict[str, Any]) -> None:
    from motebench.documents.leak import LeakPlanEntry
    from motebench.measuring.leak.examination import planned
    from motebench.measuring.leak.flow import FlowRequest, planned_flow

    made = (
        planned_flow(workspace, FlowRequest(request, options["public"]))
        if options["secret_flow"]
        else planned(workspace, request)
    )
    with made as plan:
        entry = LeakPlanEntry(
            target=plan.target.name,
            implementation=plan.question.implementation,
            samples=plan.question.samples,
            seed=plan.question.seed,
            cases=tuple(case.id for case in plan.cases),
        )
    if options["as_json"]:
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


def _flow_progress(*, quiet: bool) -> Callable[[Case, int, int], None]:
    """Progress of following secrets: a line on standard error for each operation."""

    def heard(case: Case, done: int, total: int) -> None:
        if not quiet:
            click.echo(f"{done + 1} of {total}: {case}", err=True)

    return heard
