"""Everything that can be listed, as rows: from the catalog, this machine, a store."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from fnmatch import fnmatchcase
from types import MappingProxyType

from motebench.base.errors import InputError
from motebench.documents.listing import ListEntry, Row, RunRow
from motebench.show.listing.rows import (
    ListingFilter,
    algorithm_rows,
    battery_rows,
    device_rows,
    implementation_rows,
    paper_rows,
    protocol_rows,
    radio_rows,
    region_rows,
    run_rows,
    scheme_rows,
    study_rows,
    target_rows,
)

__all__ = ["KINDS", "ListingFilter", "listing"]

KINDS: Mapping[str, Callable[[ListingFilter], Sequence[Row]]] = MappingProxyType(
    {
        "algorithms": algorithm_rows,
        "schemes": scheme_rows,
        "implementations": implementation_rows,
        "targets": target_rows,
        "studies": study_rows,
        "runs": run_rows,
        "papers": paper_rows,
        "devices": device_rows,
        "radios": radio_rows,
        "regions": region_rows,
        "batteries": battery_rows,
        "protocols": protocol_rows,
    }
)


def listing(what: str, only: ListingFilter) -> ListEntry:
    """Rows of one kind of `KINDS`. InputError or StoreError for what there is not; KeyError for another kind."""
    rows = KINDS[what](only)
    if what != "schemes" and only.names:  # schemes have aliases and patterns of their own
        rows = _selected(rows, only.names, what)
    return ListEntry(what=what, rows=tuple(rows))


def _selected(rows: Sequence[Row], names: tuple[str, ...], what: str) -> list[Row]:
    """The rows whose first value fits some name; the run of ``latest`` is the last. InputError for names of none."""
    from motebench.base.naming import did_you_mean

    first = [str(getattr(row, fields(row)[0].name)) for row in rows]
    also = [row.name if isinstance(row, RunRow) else "" for row in rows]
    chosen: set[int] = set()
    for name in names:
        wanted = name.strip().casefold()
        found = {
            place
            for place, words in enumerate(zip(first, also, strict=True))
            if any(fnmatchcase(word.casefold(), wanted) for word in words if word)
        }
        if what == "runs" and wanted == "latest" and rows:
            found.add(len(rows) - 1)
        if not found:
            known = [word for word in (*also, *first) if word]
            hint = did_you_mean(name, known) or f"`motebench list {what}` lists all"
            raise InputError(f"none of the {what} is called {name!r}", valid=", ".join(known) or None, hint=hint)
        chosen |= found
    return [row for place, row in enumerate(rows) if place in chosen]
