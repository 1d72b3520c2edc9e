"""Entries of the catalog by their kind."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from motebench.catalog.shelf import Entry


def find(kind: str, name: str, own: Path | None) -> Entry:
    """The entry of that kind and id. InputError, with what there is, if there is none."""
    from motebench.catalog.batteries import BATTERIES
    from motebench.catalog.devices import DEVICES
    from motebench.catalog.radios import RADIOS
    from motebench.catalog.regions import REGIONS
    from motebench.catalog.shelf import Shelf

    shelves: dict[str, Shelf[Any]] = {"device": DEVICES, "radio": RADIOS, "region": REGIONS, "battery": BATTERIES}
    found: Entry = shelves[kind].find(name, own)
    return found
