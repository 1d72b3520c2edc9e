"""Entries of the catalog by their kind."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from motebench.catalog.shelf import CatalogEntry, Shelf

KINDS = ("device", "radio", "region", "battery", "element")


def shelf(kind: str) -> Shelf[Any]:
    """The shelf of a kind of `KINDS`."""
    from motebench.catalog.batteries import BATTERIES
    from motebench.catalog.devices import DEVICES
    from motebench.catalog.elements import ELEMENTS
    from motebench.catalog.radios import RADIOS
    from motebench.catalog.regions import REGIONS

    shelves: tuple[Shelf[Any], ...] = (DEVICES, RADIOS, REGIONS, BATTERIES, ELEMENTS)
    return dict(zip(KINDS, shelves, strict=True))[kind]


def find(kind: str, name: str, own: Path | None) -> CatalogEntry:
    """The entry of that kind and id. InputError that lists the entries if there is none."""
    found: CatalogEntry = shelf(kind).find(name, own)
    return found


def names(own: Path | None) -> list[str]:
    """The ids of all entries of all kinds."""
    return [name for kind in KINDS for name in shelf(kind).all(own)]
