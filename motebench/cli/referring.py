"""Reference results: shown, checked, made anew."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Any

import click

from motebench.cli.options import print_json
from motebench.errors import ExitCode, InputError
from motebench.naming import chooses, split_list
from motebench.reference.make import Change, Made, Unit, changes, make, sample, units
from motebench.reference.make import targets as known
from motebench.reference.table import METRICS_KEPT, Entry, Reference, references, write


def show(options: dict[str, Any]) -> int:
    """The entries that were asked for, as a table or JSON."""
    from motebench.cli.text.rows import print_rows

    patterns, schemes = split_list(options["implementations"]), split_list(options["schemes"])
    found = [
        {"target": reference.target, **_plain(entry)}
        for reference in _asked(options["targets"])
        for entry in reference.entries.values()
        if (not patterns or any(chooses(pattern, entry.implementation) for pattern in patterns))
        and (not schemes or any(fnmatchcase(entry.scheme, pattern) for pattern in schemes))
    ]
    if options["as_json"]:
        sources = {reference.target: dict(reference.provenance) for reference in _asked(options["targets"])}
        print_json({"evidence": "simulated", "provenance": sources, "entries": found})
        return ExitCode.OK
    print_rows(found)
    if not found:
        click.echo("motebench: no reference result is of these", err=True)
    return ExitCode.OK


def check(options: dict[str, Any]) -> int:
    """Measure again and compare with what is kept."""
    wanted = _units(options)
    if options["sample"]:
        wanted = sample(wanted, min(options["sample"], len(wanted)), options["seed"])
    there = {reference.target: reference for reference in _asked(options["targets"])}
    found = [change for made in make(wanted, _say) for change in changes(there[made.unit.target], made)]
    if options["as_json"]:
        print_json(
            {"checked": [[unit.target, unit.implementation] for unit in wanted], "changes": list(map(_of, found))}
        )
    else:
        for change in found:
            click.echo(
                f"{change.target} {' '.join(map(str, change.key))}: {_words(change.kept)} -> {_words(change.now)}"
            )
        click.echo(f"{len(wanted)} implementations checked: {len(found)} cases changed")
    return ExitCode.FAILURES if found else ExitCode.OK


def update(options: dict[str, Any]) -> int:
    """Measure everything that was asked for, and keep it instead of what was there of it."""
    wanted = _units(options)
    made: dict[str, list[Made]] = {}
    for item in make(wanted, _say):
        made.setdefault(item.unit.target, []).append(item)
    for target, items in made.items():
        new = {item.unit.implementation for item in items}
        # Where only some were asked for, the others stay. Otherwise a table that cannot be read is simply replaced.
        old = references().get(target) if options["implementations"] else None
        kept = [entry for entry in old.entries.values() if entry.implementation not in new] if old else []
        # Those that do not fit say nothing of the compiler.
        said = [item.provenance for item in items if item.entries] + ([dict(old.provenance)] if old else [])
        provenance = next((words for words in said if "compiler" in words), said[0] if said else {})
        path = write(target, provenance, [*kept, *(entry for item in items for entry in item.entries)])
        click.echo(f"{target}: {path.name} has {len(references()[target].entries)} cases")
    return ExitCode.OK


def _units(options: dict[str, Any]) -> list[Unit]:
    patterns = split_list(options["implementations"])
    wanted = units(split_list(options["targets"]) or known())
    if patterns:
        wanted = [unit for unit in wanted if any(chooses(pattern, unit.implementation) for pattern in patterns)]
    if not wanted:
        raise InputError("no implementation is of that name", where="--implementation")
    return wanted


def _asked(targets: Sequence[str]) -> list[Reference]:
    there = references()
    names = split_list(targets) or list(there)
    for name in names:
        if name not in there:
            raise InputError(
                f"there are no reference results for {name!r}", where="--target", valid=", ".join(there) or None,
                hint="motebench reference update",
            )  # fmt: skip
    return [there[name] for name in names]


def _plain(entry: Entry) -> dict[str, Any]:
    key = dict(zip(("scheme", "implementation", "operation", "input_bytes"), entry.key, strict=True))
    failure = f"{entry.failure}: {entry.message}" if entry.failure else None
    return {**key, **{name: entry.values.get(name) for name in METRICS_KEPT}, "failure": failure}


def _of(change: Change) -> dict[str, Any]:
    sides = {"kept": change.kept, "now": change.now}
    return {"target": change.target, **{name: entry and _plain(entry) for name, entry in sides.items()}}


def _words(entry: Entry | None) -> str:
    if entry is None:
        return "not there"
    return entry.failure or ", ".join(f"{value} {name}" for name, value in entry.values.items())


def _say(words: str) -> None:
    click.echo(words, err=True)
