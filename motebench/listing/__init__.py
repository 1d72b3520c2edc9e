"""What there is, as rows: of the catalog, on this machine, in a store."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from motebench.listing.of_catalog import (
    algorithm_rows,
    battery_rows,
    device_rows,
    paper_rows,
    radio_rows,
    region_rows,
    study_rows,
)
from motebench.listing.of_machine import implementation_rows, target_rows
from motebench.listing.of_schemes import scheme_rows
from motebench.listing.of_store import run_rows
from motebench.listing.only import Only, Rows

__all__ = ["KINDS", "Only", "listing"]

KINDS: Mapping[str, Callable[[Only], Rows]] = MappingProxyType(
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
    }
)


def listing(what: str, only: Only) -> Rows:
    """Rows of one kind of `KINDS`. InputError or StoreError for what there is not; KeyError for another kind."""
    return KINDS[what](only)
