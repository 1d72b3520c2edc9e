"""``motebench show``: a stored run as a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from motebench.base.errors import InputError, NotFoundError, printable
from motebench.cli.options import (
    by_option,
    filter_options,
    host_device,
    host_option,
    json_option,
    print_json,
    refuse,
    store_option,
)

if TYPE_CHECKING:
    from motebench.base.model import Run
    from motebench.documents.result import Result
    from motebench.results.selection import ResultFilter


@click.command("show")
@click.argument("run", default="latest")
@filter_options
@by_option
@click.option("--details", is_flag=True, help="Also show processor time, cycles and memory.")
@click.option(
    "--brief",
    is_flag=True,
    help="A summary with one short table.",
)
@click.option(
    "--provenance",
    is_flag=True,
    help="What was measured, and how it was built, in words.",
)
@click.option("--samples", is_flag=True, help="With --json: include every sample's value.")
@click.option(
    "--history",
    is_flag=False,
    flag_value="text",
    type=click.Choice(["text", "csv"]),
    metavar="[csv]",
    help="One case over all runs: --scheme, --implementation, ... choose it.",
)
@click.option("--target", metavar="NAME", help="With --history: the target of the case.")
@host_option
@store_option
@json_option
def command(run: str, selection: ResultFilter, **options: Any) -> None:
    """Show a stored RUN (its number, its name, or `latest`), or a group of runs, as tables."""
    from motebench.results.document import result
    from motebench.results.selection import selected
    from motebench.results.together import result_of
    from motebench.store import Store

    if options["history"] is not None:
        _check_history(run, selection, options)
        _show_history(selection, options)
        return
    refuse(("target",), "this option needs --history: it chooses a case over runs")
    _check(selection, options)
    host = host_device(options)
    with Store.open(options["store"], create=False) as store:
        leak_test = store.leak_test(run)
        if leak_test is not None:
            stored = store.load_run(leak_test)
            if options["provenance"]:
                _show_provenance(result(stored), options)
            else:
                _show_leak(stored, selection, options)
            return
        shown = result_of(
            store, run, samples=options["samples"] or not options["as_json"], host=host
        )
    if options["provenance"]:
        _show_provenance(shown, options)
        return
    if options["as_json"]:
        print_json(selected(shown, selection.of(shown)) if selection else shown)
        return
    if options["brief"]:
        from motebench.cli.text.run import show_brief

        show_brief(shown, store=options["store"], run=None if run == "latest" else run)
        return
    if options["by"] is not None:
        from motebench.cli.text.forms import show_by_size

        show_by_size(shown, selection)
        return
    from motebench.cli.text.table import print_table

    print_table(shown, details=options["details"], selection=selection)


def _check_history(run: str, selection: ResultFilter, options: dict[str, Any]) -> None:
    """InputError for what has no effect on the history of a case."""
    unused = ("details", "brief", "provenance", "samples", "by", "device")
    given = [f"--{name}" for name in unused if options[name]]
    given += ["--sort"] if selection.sort else []
    given += ["RUN"] if run != "latest" else []
    if options["as_json"] and options["history"] != "text":
        given += ["--json"]
    if given:
        raise InputError(
            "--history shows one case over all runs of the store",
            where=given[0],
            hint="leave it out",
        )


def _show_history(selection: ResultFilter, options: dict[str, Any]) -> None:
    """The page of a history, as text or as one of its files."""
    from motebench.show.site import VIEWS, SiteQuery, refuse_unknown
    from motebench.show.site.views import Site
    from motebench.show.site.views.across import history

    values = {name.removeprefix("--"): ",".join(given) for name, given in selection.filters.items()}
    if options["target"]:
        values["target"] = options["target"]
    query = SiteQuery(VIEWS["history"], values)
    site = Site(options["store"])
    with site.open() as store:
        refuse_unknown(query, site.names(store))
    page = history(site, query)
    if not page.content["points"]:
        raise _no_history([case for case, _ in page.content["offered"]])
    if options["as_json"] or options["history"] == "csv":
        form = "json" if options["as_json"] else "csv"
        click.echo(page.files[form](), nl=False)
        return
    _print_history(page.title, page.content)


def _no_history(cases: Sequence[str]) -> InputError:
    if not cases:
        return NotFoundError(
            "no measured case has these names and this metric", hint="motebench list runs"
        )
    return InputError(
        f"at least {len(cases)} cases fit",
        where="--history",
        valid="; ".join(cases),
        hint="choose one: --scheme, --implementation, --operation, --size and --target",
    )


def _print_history(title: str, content: dict[str, Any]) -> None:
    from motebench.base.units import format_value, metric_words
    from motebench.cli.text.layout import print_rows

    click.echo(printable(f"{title}: {metric_words(content['metric'])}\n"))
    rows = [
        {
            "run": f"{point.stored.run.id} {point.stored.run.name}",
            "began": point.stored.run.started[:10],
            "median": format_value(point.stored.row.median, point.stored.row.unit, 4),
            "change": point.change or None,
            "version": point.stored.library,
            "compiler": point.stored.compiler,
            "what changed": ", ".join(("new level",) * point.new_level + point.changed) or None,
        }
        for point in content["points"]
    ]
    print_rows(rows, ("compiler", "began"), right=("median", "change"))
    if content["left"]:
        click.echo(f"{content['left']} older runs are left out")
    click.echo("")
    builds = [
        {
            "version": group.library,
            "compiler": group.compiler,
            "runs": len(group.points),
            **{
                name: format_value(value, group.points[0].row.unit, 4)
                for name, value in (
                    ("median of medians", group.median),
                    ("least", group.least),
                    ("most", group.most),
                )
            },
        }
        for group in content["groups"]
    ]
    print_rows(builds, right=("median of medians", "least", "most"))


def _show_provenance(shown: Result, options: dict[str, Any]) -> None:
    from motebench.results.presentation.provenance import provenance

    document = provenance(shown)
    if options["as_json"]:
        print_json(document)
        return
    for sentence in document.words:
        click.echo(printable(sentence))


def _check(selection: ResultFilter, options: dict[str, Any]) -> None:
    """InputError for options that have no effect beside others."""
    if options["provenance"]:
        _check_provenance(selection, options)
    if not options["as_json"]:
        refuse(("samples",), "this option needs --json: tables have no samples")
    if options["brief"]:
        refuse(("details",), "--details and --brief are mutually exclusive", valid="one of the two")
    if selection and options["brief"]:
        where = next(iter(selection.filters), "--sort")
        raise InputError("the summary is of the whole run", where=where, hint="leave out --brief")
    beside = next((name for name in ("brief", "details", "as_json") if options[name]), None)
    if options["by"] is not None and beside is not None:
        name = beside.removeprefix("as_")
        raise InputError(
            f"columns by size are for tables: they have no effect on --{name}",
            where="--by",
            valid="one of the two",
        )
    if selection.metrics and options["details"]:
        raise InputError(
            "--metric names the columns, --details adds others",
            where="--details",
            valid="one of the two",
        )


def _check_provenance(selection: ResultFilter, options: dict[str, Any]) -> None:
    """InputError for what chooses numbers, of which the provenance has none."""
    given = [
        f"--{name}" for name in ("details", "brief", "samples", "by", "device") if options[name]
    ]
    given += [*selection.filters, *(["--sort"] if selection.sort else [])]
    if given:
        raise InputError(
            "--provenance says where all numbers of a run come from",
            where=given[0],
            hint="leave it out",
        )


def _show_leak(stored: Run, selection: ResultFilter, options: dict[str, Any]) -> None:
    from motebench.cli.text.forms import show_leak, without_effect
    from motebench.results.leaks import leak_document, printed

    document = leak_document(stored)
    without_effect(
        document,
        selection,
        **{name: options[name] for name in ("details", "brief", "samples", "device", "by")},
    )
    if options["as_json"]:
        print_json(printed(document))
    else:
        show_leak(document)
