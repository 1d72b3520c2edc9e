"""``motebench publish``: the runs of a store as a folder of pages that needs no server."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from motebench.cli.options import refuse, store_option


@click.command("publish")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option(
    "--run",
    "runs",
    multiple=True,
    metavar="RUN",
    help="Runs, groups or patterns.  [default: all runs]",
)
@click.option("--reference", is_flag=True, help="Publish the reference results instead of a store.")
@click.option(
    "--target",
    "targets",
    multiple=True,
    metavar="NAME",
    help="--reference: targets.  [default: all with reference results]",
)
@click.option(
    "--implementation",
    "implementations",
    multiple=True,
    metavar="PATTERN",
    help="--reference: implementations.",
)
@click.option("--scheme", "schemes", multiple=True, metavar="PATTERN", help="--reference: schemes.")
@store_option
def command(folder: Path, store: str, **options: Any) -> None:
    """Write the runs of a store into DIR as pages that open from disk, with CSV, JSON and an SQLite
    file beside.

    DIR is new, empty, or a site that motebench published, which is replaced as a whole.
    """
    from motebench.advise.reference.selection import Selection
    from motebench.show.site.publish import check_folder, of_references, of_store, publish

    check_folder(folder)
    if options["reference"]:
        refuse(("runs", "store"), "{option} has no effect on --reference")
        selection = Selection(options["targets"], options["implementations"], options["schemes"])
        fill = of_references(selection)
    else:
        refuse(("targets", "implementations", "schemes"), "{option} needs --reference")
        fill = of_store(store, options["runs"])
    done = publish(folder, fill, lambda text: click.echo(text, err=True))
    size = f"{done.size / 1e6:.1f} MB"
    click.echo(f"{done.pages} pages, {done.files} files, {size}: {folder / 'index.html'}", err=True)
