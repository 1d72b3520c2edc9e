"""``motebench export``: a stored run in somebody else's format."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from motebench.cli.options import host_device, host_option, store_option
from motebench.errors import InputError


@click.command("export")
@click.argument("run", default="latest")
@click.option(
    "--format", "-f", "form", required=True, metavar="FORMAT", help="csv, json, markdown, latex, ...; see docs."
)
@click.option("--output", "-o", type=click.Path(path_type=Path, dir_okay=False), help="A file instead of stdout.")
@host_option
@store_option
def command(run: str, form: str, output: Path | None, **options: Any) -> None:
    """Write a stored RUN as csv, json, markdown, latex, google-benchmark or bencher."""
    from motebench.export import export, formats
    from motebench.results import document
    from motebench.store import Store
    from motebench.toml import did_you_mean

    if form not in formats():
        raise InputError(
            f"there is no format {form!r}",
            where="--format",
            valid=", ".join(formats()),
            hint=did_you_mean(form, formats()),
        )
    host = host_device(options)
    with Store.open(options["store"], create=False) as store:
        text = export(document(store.load_run(run), host=host), form)
    if output is None:
        click.echo(text, nl=not text.endswith("\n"))
        return
    try:
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot write {output}: {error.strerror}", where="--output") from error
