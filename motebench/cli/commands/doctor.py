"""``motebench doctor``: what is installed, what is missing, what disturbs."""

from __future__ import annotations

import click

from motebench.cli.options import json_option, print_json
from motebench.errors import ExitCode


@click.command("doctor")
@json_option
def command(as_json: bool) -> int:
    """Say what is installed, what is missing with the line that installs it, and what would disturb measuring.

    Exit code 7 if something needed for measuring is missing.
    """
    from motebench.cli.probing import ask
    from motebench.environment.doctor import examine, render

    report = examine(ask_probe=ask)
    if as_json:
        print_json(report.to_dict())
    else:
        click.echo(render(report))
    return ExitCode.OK if report.healthy else ExitCode.SETUP
