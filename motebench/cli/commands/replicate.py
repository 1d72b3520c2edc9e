"""``motebench replicate``: a published study again, claim by claim."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from motebench.base.errors import ExitCode, InputError
from motebench.cli.options import force_option, json_option, print_json, store_option


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
    from motebench.cli.text.replication import show
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
