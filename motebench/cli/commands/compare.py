"""``motebench compare``: B against A, with the test that compares them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from motebench.base.errors import ExitCode, InputError
from motebench.cli.options import (
    by_option,
    filter_options,
    json_option,
    print_json,
    refuse,
    store_option,
)

if TYPE_CHECKING:
    from motebench.results.selection import ResultFilter


@click.command("compare")
@click.argument("a")
@click.argument("b", required=False)
@click.option(
    "--run",
    "run",
    default="latest",
    show_default=True,
    metavar="RUN",
    help="The run of A and B, if they are implementations; latest: the newest that has both.",
)
@filter_options
@by_option
@click.option(
    "--margin",
    metavar="PERCENT",
    help="Ignore differences up to this; see docs/explain/statistics.md.",
)
@click.option(
    "--fail-if-slower",
    metavar="PERCENT",
    help="Exit code 4 if B is certainly slower by more than this; 3 if a case is open or fails.",
)
@click.option(
    "--across-environments", is_flag=True, help="Compare runs of different environments anyway."
)
@click.option("--paper", metavar="KEY", help="Check this paper's claims on A, without B.")
@store_option
@click.option("--store-b", metavar="URL", help="The store of B, if it is not that of A.")
@json_option
def command(a: str, b: str | None, selection: ResultFilter, **options: Any) -> int:
    """Compare B with A.

    A and B are runs (number, name, `latest`), implementations of one run, or RUN:IMPLEMENTATION.
    Several runs a side are a group, a glob (`base-*`), or names with commas: then the run is the
    random unit.
    """
    if options["paper"] is not None:
        if selection:
            raise InputError(
                "--paper chooses the cases itself", where=next(iter(selection.filters), "--sort")
            )
        refuse(
            ("run", "by", "margin", "fail_if_slower", "across_environments", "store_b"),
            "{option} has no effect with --paper: its claims are checked on one run",
        )
        return _with_paper(options["paper"], a, b, options)
    if b is None:
        raise InputError(
            "a comparison needs two sides",
            where="B",
            valid="a run, or an implementation of a run",
            hint="or give --paper KEY to check the claims of a paper on a run",
        )
    from motebench.base.units import parse_percent
    from motebench.cli.text import comparison as text
    from motebench.cli.text.table import tell_damage
    from motebench.results.comparison import compare_stored, document
    from motebench.results.comparison.model import left_open

    allowed = options["fail_if_slower"]
    limit = parse_percent(allowed, where="--fail-if-slower") if allowed else None
    margin = parse_percent(options["margin"], where="--margin") if options["margin"] else None
    comparison = compare_stored(
        (a, b),
        run=options["run"],
        stores=(options["store"], options["store_b"] or options["store"]),
        selection=selection,
        margin=margin,
        across=options["across_environments"],
    )
    for info in comparison.runs:
        tell_damage(info.name, info.notes)
    if options["as_json"]:
        print_json(document(comparison, limit))
    else:
        text.show(comparison, limit, by_size=options["by"] is not None)
    if limit is None:
        return ExitCode.OK
    if comparison.slower_than(limit):
        return ExitCode.SLOWER
    # A case that no longer works, or cannot be decided, is no slower number, but a check must not
    # pass over it.
    failed = any(item.failed for item in comparison.only_in_a)
    undecided = comparison.undecided() or left_open(comparison, limit)
    return ExitCode.FAILURES if failed or undecided else ExitCode.OK


def _with_paper(key: str, run: str, b: str | None, options: dict[str, Any]) -> int:
    """Claims of a paper by a run that exists."""
    if b is not None:
        raise InputError("--paper checks claims on one run", where="B", valid="no second run")
    from motebench.cli.commands.replicate import show
    from motebench.publications.papers.document import document
    from motebench.publications.papers.replicate import of_runs
    from motebench.results.document import result
    from motebench.store import Store

    with Store.open(options["store"], create=False) as store:
        replication = of_runs(key, [result(store.load_run(run), samples=True)])
    answer = document([replication])
    if options["as_json"]:
        print_json(answer)
    else:
        show(answer, details=False)
    return ExitCode.OK
