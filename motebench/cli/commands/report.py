"""``motebench report``: a stored run as one HTML file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from motebench.cli.options import force_option, host_device, host_option, store_option


@click.command("report")
@click.argument("run", default="latest")
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path, dir_okay=False),
    default=Path("report.html"),
    show_default=True,
    help="The file to write.",
)
@force_option
@host_option
@store_option
def command(run: str, output: Path, **options: Any) -> None:
    """Write a stored RUN, or all runs of a group, as one HTML file that opens offline."""
    from motebench.base.files.access import FileKind, check
    from motebench.cli.text import forms
    from motebench.cli.text.run import write_report
    from motebench.results.leaks import leak_test_of
    from motebench.results.selection import ResultFilter
    from motebench.results.together import result_of
    from motebench.store import Store

    check(output, FileKind.HTML, force=options["force"])
    host = host_device(options)
    with Store.open(options["store"], create=False) as store:
        leak_test = leak_test_of(store, run)
        if leak_test is not None:
            forms.without_effect(leak_test, ResultFilter(), device=options["device"])
            forms.write_leak_report(leak_test, output, force=options["force"], where="--output")
            return
        shown = result_of(store, run, host=host)
    write_report(shown, output, force=options["force"], where="--output")
