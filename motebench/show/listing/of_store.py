"""Rows of the runs in a store."""

from __future__ import annotations

import logging

from motebench.documents.listing import RunRow
from motebench.show.listing.only import ListingFilter

_log = logging.getLogger("motebench")


def run_rows(only: ListingFilter) -> list[RunRow]:
    """Runs of a store; those that cannot be used are told and left out. StoreError if the store cannot be read."""
    from motebench.store import Store

    with Store.open(only.store, create=False) as store:
        found, unusable = store.survey()
        for problem in unusable:
            _log.warning("%s: this run cannot be used", problem)
        return [
            RunRow(
                run=info.id,
                name=info.name,
                study=_text(info.settings.get("study")),
                started=info.started,
                finished=info.finished,
                status=info.status,
                command=_text(info.settings.get("command")),
            )
            for info in found
        ]


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
