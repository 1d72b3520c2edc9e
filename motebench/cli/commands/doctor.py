"""``motebench doctor``: what is installed, what is missing, what disturbs."""

from __future__ import annotations

import sys

import click

from motebench.base.errors import ExitCode, InputError
from motebench.cli.options import json_option, print_json

_TO_TYPE = " " * 12
"""Before a line that the report has for typing it."""


@click.command("doctor")
@click.option("--store", metavar="URL", help="Check this store instead of the machine.")
@click.option("--repair", metavar="NEW", help="With --store: write its intact rows into this new store.")
@json_option
def command(store: str | None, repair: str | None, as_json: bool) -> int:
    """Show what is installed, what is missing (with the line that installs it), and what disturbs measurements.

    Exit code 7 if something needed for measuring is missing. With --store, exit code 6 if the store is damaged.
    """
    if store is not None:
        from motebench.cli.text.store import look

        return look(store, repair, as_json=as_json)
    if repair is not None:
        raise InputError("--repair needs --store", where="--repair", valid="--store FILE --repair NEW")
    from motebench.targets.host.this_machine import greeting
    from motebench.targets.setup.building import buildable
    from motebench.targets.setup.doctor import DoctorScope, examine, render

    report = examine(DoctorScope(ask_probe=greeting, buildable=buildable(())))
    if as_json:
        print_json(report.document())
    else:
        from motebench.cli.text.layout import wrapped

        for line in render(report).splitlines():
            # A line to type stays whole, so that it can be copied.
            parts = [line] if line.startswith(_TO_TYPE) else wrapped(line, sys.stdout, _TO_TYPE)
            click.echo("\n".join(parts))
    return ExitCode.OK if report.healthy else ExitCode.SETUP
