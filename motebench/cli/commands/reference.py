"""``motebench reference``: results of the simulated boards that come with motebench."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from motebench.base.errors import ExitCode, InputError
from motebench.cli.options import json_option, print_json, refuse

if TYPE_CHECKING:
    from motebench.advise.reference.make import Change, Workers
    from motebench.advise.reference.selection import Selection
    from motebench.advise.reference.table import ReferenceCase


@click.command("reference")
@click.argument("action", type=click.Choice(["show", "check", "update"]))
@click.option(
    "--target",
    "targets",
    multiple=True,
    metavar="NAME",
    help="Targets.  [default: all with reference results]",
)
@click.option(
    "--implementation", "implementations", multiple=True, metavar="PATTERN", help="Implementations."
)
@click.option(
    "--scheme", "schemes", multiple=True, metavar="PATTERN", help="show, --secret-flow: schemes."
)
@click.option(
    "--sample",
    type=click.IntRange(1, 10_000),
    metavar="N",
    help="check: only N random implementations.",
)
@click.option(
    "--seed",
    type=click.IntRange(0, 2**63 - 1),
    default=1,
    show_default=True,
    help="check: seed of --sample.",
)
@click.option(
    "--workers",
    type=click.IntRange(1, 1024),
    metavar="N",
    help="check, update: processes at once.  [default: one per processor]",
)
@click.option(
    "--fleet",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="check, update: measure on the workers of this fleet instead.",
)
@click.option(
    "--secret-flow",
    is_flag=True,
    help="Flows of secrets instead of cycles; update: of changed code.",
)
@json_option
def command(action: str, **options: Any) -> int:
    """Show reference results, CHECK whether the code still gives them, or UPDATE them.

    They are exact: the same source and compiler give the same cycles everywhere. Exit code 3 if
    something changed.
    """
    from motebench.advise.reference.selection import Selection

    flow = options["secret_flow"]
    for name, actions in (_OPTIONS | _OF_FLOW if flow else _OPTIONS).items():
        if action not in actions:
            valid = f"with {' and '.join(actions)}" if actions else "without --secret-flow"
            refuse((name,), f"{{option}} has no effect on {action}", valid=valid)
    if options["sample"] is None:
        refuse(
            ("seed",),
            "this option needs --sample: without it every implementation is checked",
            hint="--sample 10",
        )
    selection = Selection(options["targets"], options["implementations"], options["schemes"])
    if flow:
        return _flow(action, selection, as_json=options["as_json"])
    if action == "show":
        return _show(selection, as_json=options["as_json"])
    if action == "check":
        return _check(selection, options)
    from motebench.advise.reference.make import update

    with _workers(options) as workers:
        for target, path, count in update(selection, _say, workers):
            click.echo(f"{target}: {path.name} has {count} cases")
    return ExitCode.OK


_OPTIONS = {
    "schemes": ("show",),
    "sample": ("check",),
    "seed": ("check",),
    "workers": ("check", "update"),
    "fleet": ("check", "update"),
    "as_json": ("show", "check"),
}
"""The actions that an option has an effect on."""
_OF_FLOW: dict[str, tuple[str, ...]] = {
    "schemes": ("show", "check", "update"),
    "sample": (),
    "seed": (),
    "workers": (),
    "fleet": (),
    "as_json": ("show",),
}
"""Those with --secret-flow."""


def _flow(action: str, selection: Selection, *, as_json: bool) -> int:
    if action == "show":
        return _show_flows(selection, as_json=as_json)
    from motebench.advise.reference.make import flow_changes, flow_units, update_flows

    if action == "update":
        count = sum(1 for _ in update_flows(selection, _say))
        click.echo(f"{count} schemes followed; the code of the others is as it was")
        return ExitCode.OK
    units = flow_units(selection)
    changed = list(flow_changes(units, _say))
    for unit in changed:
        click.echo(f"{unit.target} {unit.implementation} {unit.scheme}: another result")
    click.echo(f"{len(units)} schemes followed: {len(changed)} changed")
    return ExitCode.FAILURES if changed else ExitCode.OK


def _show_flows(selection: Selection, *, as_json: bool) -> int:
    from motebench.advise.reference.selection import followed
    from motebench.catalog.proof import marked
    from motebench.cli.text.layout import print_rows

    results = followed(selection)
    if as_json:
        print_json(results)
        return ExitCode.OK
    print_rows(
        [
            {
                "target": marked(entry.target),
                "scheme": entry.scheme,
                "implementation": entry.implementation,
                "operation": entry.operation,
                "lines run": f"{entry.ran} of {entry.lines}",
                "errors": entry.errors,
                "notes": entry.notes,
                "first": entry.failure or entry.first or "-",
            }
            for entry in results.secret_flow
        ]
    )
    if not results.secret_flow:
        click.echo("motebench: no reference results match", err=True)
    return ExitCode.OK


def _workers(options: dict[str, Any]) -> AbstractContextManager[Workers]:
    """Workers that measure: processes of this machine, or the workers of a fleet."""
    if options["fleet"] is None:
        from motebench.advise.reference.make import Processes

        return nullcontext(Processes(options["workers"]))
    if options["workers"]:
        raise InputError(
            "--workers and --fleet are mutually exclusive",
            where="--workers",
            valid="one of the two",
        )
    from motebench.measuring.fleet.crew import Crew
    from motebench.measuring.fleet.file import load

    return Crew(load(options["fleet"]))


def _show(selection: Selection, *, as_json: bool) -> int:
    from motebench.advise.reference.selection import kept
    from motebench.advise.reference.table import METRICS_KEPT
    from motebench.base.shapes import as_document
    from motebench.base.units import metric_words
    from motebench.catalog.proof import marked
    from motebench.cli.text.layout import print_rows

    results = kept(selection)
    if as_json:
        print_json(results)
        return ExitCode.OK
    shown = [as_document(entry) | {"target": marked(entry.target)} for entry in results.entries]
    empty = {key for key in METRICS_KEPT if all(row.get(key) is None for row in shown)}
    print_rows(
        [
            {metric_words(key): row[key] for key in row if key not in {"proven", *empty}}
            for row in shown
        ]
    )
    for note in results.notes:
        click.echo(note)
    if not results.entries:
        click.echo("motebench: no reference results match", err=True)
    return ExitCode.OK


def _check(selection: Selection, options: dict[str, Any]) -> int:
    from motebench.advise.reference.make import check, checked, sample, units_of

    units = units_of(selection)
    if options["sample"]:
        units = sample(units, min(options["sample"], len(units)), options["seed"])
    with _workers(options) as workers:
        changes = check(selection, units, _say, workers)
    if options["as_json"]:
        print_json(checked(units, changes))
    else:
        for change in changes:
            click.echo(_change_line(change))
        click.echo(f"{len(units)} implementations checked: {len(changes)} cases changed")
    return ExitCode.FAILURES if changes else ExitCode.OK


def _say(text: str) -> None:
    click.echo(text, err=True)


def _change_line(change: Change) -> str:
    """A change as a line."""
    return (
        f"{change.target} {' '.join(map(str, change.key))}: {_words(change.kept)} -> "
        f"{_words(change.now)}"
    )


def _words(entry: ReferenceCase | None) -> str:
    if entry is None:
        return "not there"
    return entry.failure or ", ".join(f"{value} {name}" for name, value in entry.values.items())
