"""``motebench plot``: a run as bars in the terminal, or as a picture in a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from motebench.cli.options import (
    by_option,
    filter_options,
    force_option,
    host_device,
    host_option,
    store_option,
)

if TYPE_CHECKING:
    from motebench.results.selection import ResultFilter


@click.command("plot")
@click.argument("run", default="latest")
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Draw to this file, by its ending: .svg, .pdf or .png.",
)
@filter_options
@by_option
@force_option
@host_option
@store_option
def command(run: str, output: Path | None, selection: ResultFilter, **options: Any) -> None:
    """Draw one metric of a stored RUN, or of all runs of a group: bars in the terminal, or a
    picture in a file.

    With --by size, a picture has lines over the size of the input. Intervals are drawn; what is
    hollow is disturbed.
    """
    from motebench.base.files.access import check
    from motebench.cli.text.table import tell_damage
    from motebench.results.presentation.panels import panels_of
    from motebench.results.selection import EVERY_CASE, no_curves
    from motebench.results.together import result_of
    from motebench.store import Store

    if output is not None:
        from motebench.show.plot import form_of

        check(output, form_of(output, where="--output"), force=options["force"])
    host = host_device(options)
    with Store.open(options["store"], create=False) as store:
        shown = result_of(store, run, host=host)
    chosen = no_curves(selection.of(shown), "--metric") if selection else EVERY_CASE
    drawn = panels_of(shown, chosen, by_size=options["by"] is not None, where="--metric")
    tell_damage(shown.run.name, shown.run.notes)
    if output is None:
        from motebench.cli.text.forms import show_bars

        show_bars(drawn)
        return
    from motebench.show.plot import caption_of, write_picture

    info = shown.run
    caption = caption_of(info.name, info.started, info.version, drawn.rows)
    write_picture(drawn, caption, output, force=options["force"], where="--output")
    click.echo(f"picture: {output.resolve().as_uri()}", err=True)
