"""``motebench doctor``: installed and missing programs, and sources of noise."""

from __future__ import annotations

import sys
from dataclasses import asdict

import click

from motebench.base.errors import ExitCode, InputError
from motebench.cli.options import json_option, print_json
from motebench.documents.checks import DamageEntry, StoreCheckEntry

_TO_TYPE = " " * 12
"""Before a line that the report has for typing it."""


@click.command("doctor")
@click.option("--store", metavar="URL", help="Check this store instead of the machine.")
@click.option(
    "--repair", metavar="NEW", help="With --store: write its intact rows into this new store."
)
@json_option
def command(store: str | None, repair: str | None, as_json: bool) -> int:
    """Show what is installed, what is missing (with the line that installs it), and what disturbs
    measurements.

    Exit code 7 if something needed for measuring is missing. With --store, exit code 6 if the store
    is damaged.
    """
    if store is not None:
        return look(store, repair, as_json=as_json)
    if repair is not None:
        raise InputError(
            "--repair needs --store", where="--repair", valid="--store FILE --repair NEW"
        )
    from motebench.targets.host.this_machine import greeting
    from motebench.targets.setup.building import buildable
    from motebench.targets.setup.checks import DoctorScope, examine, render

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


# Stores: their defects, and a new store with the intact rows

_LISTED = 1000


def look(place: str, new: str | None, *, as_json: bool) -> int:
    """Print the defects of a store; with ``new``, write the intact rows there. Returns the exit
    code.
    """
    from motebench.store.opening import examine, repair

    examination = examine(place) if new is None else repair(place, new)
    if as_json:
        print_json(
            StoreCheckEntry(
                store=examination.place,
                whole=examination.counts,
                findings=tuple(DamageEntry(**asdict(finding)) for finding in examination.findings),
                repaired=new,
            )
        )
    else:
        for finding in examination.findings[:_LISTED]:
            click.echo(finding)
        if len(examination.findings) > _LISTED:
            click.echo(f"... and {len(examination.findings) - _LISTED} more; --json has all")
        whole = ", ".join(f"{count} {name}" for name, count in examination.counts.items())
        wrong = f"{len(examination.findings)} wrong" if examination.findings else "nothing is wrong"
        click.echo(f"{examination.place}: {wrong}; whole: {whole}")
    if new is not None:
        click.echo(f"motebench: every intact row is in {new}", err=True)
        return ExitCode.OK
    if examination.findings:
        if not as_json:
            click.echo(
                f"  hint: motebench doctor --store {place} --repair NEW writes every intact row "
                "into a new store",
                err=True,
            )
        return ExitCode.STORE
    return ExitCode.OK
