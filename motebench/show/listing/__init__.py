"""Rows of every list: from the catalog, this machine, a store."""

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


def listing(kind: str, only: ListingFilter) -> ListEntry:
    """Rows of one kind of `KINDS`. InputError or StoreError for unknown names; KeyError for another
    kind.
    """
    rows = KINDS[kind](only)
    if kind != "schemes" and only.names:  # schemes have aliases and patterns of their own
        rows = _selected(rows, only.names, kind)
    return ListEntry(what=kind, rows=tuple(rows))


def _selected(rows: Sequence[Row], names: tuple[str, ...], kind: str) -> list[Row]:
    """The rows whose first value fits some name; the run of ``latest`` is the last. InputError for
    names of none.
    """
    first = [str(getattr(row, fields(row)[0].name)) for row in rows]
    also = [row.name if isinstance(row, RunRow) else "" for row in rows]
    chosen: set[int] = set()
    for name in names:
        places = _places(list(zip(first, also, strict=True)), name.strip().casefold())
        if kind == "runs" and name.strip().casefold() == "latest" and rows:
            places.add(len(rows) - 1)
        if not places:
            raise _unknown(name, kind, [text for text in (*also, *first) if text])
        chosen |= places
    return [row for place, row in enumerate(rows) if place in chosen]


def _places(texts: Sequence[tuple[str, ...]], pattern: str) -> set[int]:
    """Places of the rows one of whose texts fits a pattern in small letters."""
    return {
        place
        for place, alike in enumerate(texts)
        if any(fnmatchcase(text.casefold(), pattern) for text in alike if text)
    }


def _unknown(name: str, kind: str, valid: Sequence[str]) -> InputError:
    from motebench.base.naming import did_you_mean

    hint = did_you_mean(name, valid) or f"`motebench list {kind}` lists all"
    return InputError(
        f"none of the {kind} is called {name!r}", valid=", ".join(valid) or None, hint=hint
    )
