"""``motebench export``: a stored run in the format of another program."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from motebench.base.errors import InputError
from motebench.cli.options import (
    by_option,
    filter_options,
    force_option,
    host_device,
    host_option,
    refuse,
    store_option,
)

if TYPE_CHECKING:
    from motebench.results.selection import ResultFilter


@click.command("export")
@click.argument("run", default="latest")
@click.option(
    "--format",
    "-f",
    "form",
    metavar="FORMAT",
    help="csv, json, markdown, latex, ...; by default that of --output.",
)
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write to this file instead of standard output (-).",
)
@filter_options
@by_option
@force_option
@host_option
@store_option
def command(
    run: str, form: str | None, output: Path | None, selection: ResultFilter, **options: Any
) -> None:
    """Write a stored RUN, or a group of runs, as csv, json, markdown, latex, or for a tool.

    For tools: google-benchmark, github-action-benchmark, bencher, openmetrics, badge, badge-svg.
    """
    from motebench.base.files.access import check, write
    from motebench.cli.text.forms import without_effect
    from motebench.cli.text.table import tell_damage
    from motebench.results.leaks import leak_test_of
    from motebench.results.selection import EVERY_CASE, selected
    from motebench.results.together import result_of
    from motebench.show.export import export, export_by_size, export_leak, form_of
    from motebench.store import Store

    output = None if output == Path("-") else output
    form = _format(form, output)
    if output is None:
        refuse(
            ("force",),
            "this option needs --output: standard output is not replaced",
            hint="-o FILE",
        )
    else:
        check(output, form_of(form), force=options["force"])
    host = host_device(options)
    with Store.open(options["store"], create=False) as store:
        leak_test = leak_test_of(store, run)
        shown = None if leak_test is not None else result_of(store, run, samples=False, host=host)
    kind = form_of(form)
    if leak_test is not None:
        without_effect(leak_test, selection, device=options["device"], by=options["by"])
        tell_damage(leak_test.run.name, leak_test.run.notes)
        text, kind = export_leak(leak_test, form)
    elif shown is not None:
        tell_damage(shown.run.name, shown.run.notes)
        chosen = selection.of(shown) if selection else EVERY_CASE
        if options["by"] is not None:
            text = export_by_size(shown, chosen, form, where="--by")
        else:
            text = export(selected(shown, chosen), form)
    if output is None:
        click.echo(text, nl=not text.endswith("\n"))
        return
    write(output, text, kind, force=options["force"])


_BY_ENDING = {".csv": "csv", ".json": "json", ".md": "markdown", ".tex": "latex"}


def _format(named: str | None, output: Path | None) -> str:
    """The format that was named, or else that of the file's name."""
    from motebench.base.naming import did_you_mean
    from motebench.show.export import formats

    form = named or (_BY_ENDING.get(output.suffix.lower()) if output is not None else None)
    if form in formats():
        return form
    if form is None:
        also = f"; or --output with a name that ends in {', '.join(_BY_ENDING)}"
        raise InputError(
            "no format is given", where="--format", valid=f"{', '.join(formats())}{also}"
        )
    raise InputError(
        f"unknown format {form!r}",
        where="--format",
        valid=", ".join(formats()),
        hint=did_you_mean(form, formats()),
    )
