"""Reference results, and their changes, as documents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from motebench.advise.reference.make import Change, ReferenceUnit, Selection
from motebench.advise.reference.table import METRICS_KEPT, ReferenceCase
from motebench.documents.reference import (
    ChangeEntry,
    ReferenceCheckEntry,
    ReferenceEntry,
    ReferenceResult,
    ReferenceResultEntry,
)


def kept(selection: Selection) -> ReferenceEntry:
    """The stored results that the selection contains. InputError for a target that has none."""
    return ReferenceEntry(
        provenance={reference.target: dict(reference.provenance) for reference in selection.references()},
        entries=tuple(ReferenceResultEntry(target=target, **_result(entry)) for target, entry in selection.entries()),
    )


def checked(wanted: Sequence[ReferenceUnit], found: Sequence[Change]) -> ReferenceCheckEntry:
    """The cases that were measured again, and those that differ."""
    return ReferenceCheckEntry(
        checked=tuple((unit.target, unit.implementation) for unit in wanted),
        changes=tuple(
            ChangeEntry(target=change.target, kept=_side(change.kept), now=_side(change.now)) for change in found
        ),
    )


def _side(entry: ReferenceCase | None) -> ReferenceResult | None:
    return None if entry is None else ReferenceResult(**_result(entry))


def _result(entry: ReferenceCase) -> dict[str, Any]:
    return {
        "scheme": entry.scheme,
        "implementation": entry.implementation,
        "operation": entry.operation,
        "input_bytes": entry.input_bytes,
        **{name: entry.values.get(name) for name in METRICS_KEPT},
        "failure": f"{entry.failure}: {entry.message}" if entry.failure else None,
    }
