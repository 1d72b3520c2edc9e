"""Rows of the runs in a store."""

from __future__ import annotations

import logging

from motebench.listing.only import Only, Rows

_log = logging.getLogger("motebench")


def run_rows(only: Only) -> Rows:
    """Runs of a store; those that cannot be used are told and left out. StoreError if the store cannot be read."""
    from motebench.store import Store

    with Store.open(only.store, create=False) as store:
        found, unusable = store.survey()
        for problem in unusable:
            _log.warning("%s: this run cannot be used", problem)
        return [
            {
                "run": info.id,
                "name": info.name,
                "study": info.settings.get("study"),
                "started": info.started,
                "finished": info.finished,
                "status": info.status,
                "command": info.settings.get("command"),
            }
            for info in found
        ]
