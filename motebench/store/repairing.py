"""Examining a store by its name, and writing its intact rows into a new one."""

from __future__ import annotations

from pathlib import Path

from motebench.base.errors import StoreError
from motebench.store import database
from motebench.store.examining import Examination, Look, Writer, look
from motebench.store.opening import Opened


def examine(place: str) -> Examination:
    """Examine every row of a store. StoreError if it is not a store."""
    with Opened(place, create=False) as opened:
        found = look(opened.connection, opened.backend)
    found.place = database.backend_of(place).place
    return found


def repair(place: str, new: str) -> Examination:
    """Write the intact rows of a store into a new one, and report what was left out. Runs, cases and series keep their
    ids.

    StoreError if it is not a store, if ``new`` exists, or if it cannot be written; then no part of it is left.
    """
    if "://" in new:
        raise StoreError(f"{new!r} is not a file name", where="--repair", valid="a file that does not exist yet")
    path = Path(new)
    with Opened(place, create=False) as old:
        try:
            path.touch(exist_ok=False)
        except FileExistsError:
            raise StoreError(f"{new} exists", where="--repair", valid="a file that does not exist yet") from None
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise StoreError(f"cannot write {new}: {reason}", where="--repair", valid="a file in a folder") from None
        try:
            with Opened(new, create=True) as made, database.explained(made.backend):
                found = Look(old.connection, old.backend)
                with database.transaction(made.connection, made.backend, writes=True, long=True) as connection:
                    return found.examined(Writer(connection))
        except BaseException:
            for name in (new, f"{new}-wal", f"{new}-shm", f"{new}-journal"):
                Path(name).unlink(missing_ok=True)
            raise
