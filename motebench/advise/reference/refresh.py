"""Checking the stored reference results against new ones, and storing new ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from motebench.advise.reference.make import Change, Made, ReferenceUnit, Said, Workers, changes, make
from motebench.advise.reference.selection import Selection
from motebench.advise.reference.table import references, write


def check(
    selection: Selection, wanted: Sequence[ReferenceUnit], said: Said, workers: Workers | None = None
) -> list[Change]:
    """Measure ``wanted`` again; the cases that differ from the stored ones. ``said`` is called with
    progress messages."""
    there = {reference.target: reference for reference in selection.references()}
    return [change for made in make(wanted, said, workers) for change in changes(there[made.unit.target], made)]


def update(selection: Selection, said: Said, workers: Workers | None = None) -> Iterator[tuple[str, Path, int]]:
    """Measure everything that is selected and store it; target, file and number of cases of each written table."""
    made: dict[str, list[Made]] = {}
    for item in make(selection.units(), said, workers):
        made.setdefault(item.unit.target, []).append(item)
    for target, items in made.items():
        path = _keep(target, items, replaced=not selection.implementations)
        yield target, path, len(references()[target].entries)


def _keep(target: str, items: Sequence[Made], *, replaced: bool) -> Path:
    """Write the table of a target. If only some cases were selected, the others stay; otherwise a table that cannot be
    read is simply ``replaced``."""
    new = {item.unit.implementation for item in items}
    old = None if replaced else references().get(target)
    kept = [entry for entry in old.entries.values() if entry.implementation not in new] if old else []
    # Firmware that does not fit says nothing about the compiler.
    said = [item.provenance for item in items if item.entries] + ([dict(old.provenance)] if old else [])
    provenance = next((words for words in said if "compiler" in words), said[0] if said else {})
    return write(target, provenance, [*kept, *(entry for item in items for entry in item.entries)])
