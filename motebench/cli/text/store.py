"""The output of ``motebench doctor --store``: the defects of a store, and a new store with the intact rows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict

import click

from motebench.base.errors import ExitCode
from motebench.cli.options import print_json
from motebench.documents.checks import DamageEntry, StoreCheckEntry
from motebench.store.opening import examine, repair

_LISTED = 1000


def tell_damage(run: str, notes: Iterable[str]) -> None:
    """Say on standard error what of a run could not be read, where the output itself has no place for it."""
    from motebench.cli.text.table import damage

    for note in damage(notes):
        click.echo(f"motebench: run {run}: {note}", err=True)


def look(place: str, new: str | None, *, as_json: bool) -> int:
    """Print the defects of a store; with ``new``, write the intact rows there. Returns the exit code."""
    found = examine(place) if new is None else repair(place, new)
    if as_json:
        print_json(
            StoreCheckEntry(
                store=found.place,
                whole=found.counts,
                findings=tuple(DamageEntry(**asdict(finding)) for finding in found.findings),
                repaired=new,
            )
        )
    else:
        for finding in found.findings[:_LISTED]:
            click.echo(finding)
        if len(found.findings) > _LISTED:
            click.echo(f"... and {len(found.findings) - _LISTED} more; --json has all")
        whole = ", ".join(f"{count} {name}" for name, count in found.counts.items())
        wrong = f"{len(found.findings)} wrong" if found.findings else "nothing is wrong"
        click.echo(f"{found.place}: {wrong}; whole: {whole}")
    if new is not None:
        click.echo(f"motebench: every intact row is in {new}", err=True)
        return ExitCode.OK
    if found.findings:
        if not as_json:
            click.echo(
                f"  hint: motebench doctor --store {place} --repair NEW writes every intact row into a new store",
                err=True,
            )
        return ExitCode.STORE
    return ExitCode.OK
