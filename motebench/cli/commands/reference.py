"""``motebench reference``: results of the simulated boards that come with motebench."""

from __future__ import annotations

from typing import Any

import click

from motebench.cli.options import json_option


@click.command("reference")
@click.argument("action", type=click.Choice(["show", "check", "update"]))
@click.option("--target", "targets", multiple=True, metavar="NAME", help="Targets.  [default: all that have some]")
@click.option("--implementation", "implementations", multiple=True, metavar="PATTERN", help="Implementations.")
@click.option("--scheme", "schemes", multiple=True, metavar="PATTERN", help="show: schemes.")
@click.option("--sample", type=click.IntRange(1, 10_000), metavar="N", help="check: only N implementations, by chance.")
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), default=1, show_default=True, help="check: of that chance.")
@json_option
def command(action: str, **options: Any) -> int:
    """Show reference results, CHECK whether the code still gives them, or UPDATE them.

    They are exact: the same source and compiler give the same cycles everywhere. Exit code 3 if something changed.
    """
    from motebench.cli import referring

    if action == "show":
        return referring.show(options)
    return referring.check(options) if action == "check" else referring.update(options)
