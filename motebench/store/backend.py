"""What a kind of database does in its own way. Everything else about a store is the same for all of them."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import URL, Connection, Engine
from sqlalchemy.exc import DBAPIError

from motebench.base.errors import StoreError

KEPT = "what was stored before is still there"


class Meaning(NamedTuple):
    """An error of a database in the user's words: ``sign`` is part of the database's own message."""

    sign: str
    what: str
    hint: str


class Backend:
    """One database of one kind, open or not. ``place``: its name in messages, without a password."""

    meanings: tuple[Meaning, ...] = ()

    def __init__(self, url: URL) -> None:
        self.url = url
        self.place = url.render_as_string(hide_password=True)

    # Opening

    def check(self, *, create: bool) -> None:
        """StoreError for what can be seen without connecting."""

    def engine(self, *, create: bool) -> Engine:
        """An engine whose committed transactions survive ``kill -9`` of this process. ``create``: it may be
        written."""
        raise NotImplementedError

    def opened(self, connection: Connection, *, create: bool) -> None:
        """The store is open, and its tables are those of this version."""

    def may_be_new(self, connection: Connection) -> None:
        """In a transaction: wait until no other process creates or upgrades tables."""

    def make(self, connection: Connection) -> None:
        """Create the tables that only this kind of database has."""

    serves = False
    """Whether it is a server, which may be away, and where a run has only one writer."""

    own_tables: tuple[str, ...] = ()
    """Their names."""

    def triggers(self, connection: Connection) -> str | None:
        """The name of something that could change what is written; None if there is no such thing."""
        del connection
        return None

    def copy(self, connection: Connection, folder: Path) -> Backend | None:
        """A copy of the whole store in that folder; None if such a copy cannot be made."""
        del connection, folder
        return None

    def only_read(self, connection: Connection) -> None:
        """Refuse everything that would write from now on."""

    # Transactions

    def begun(self, connection: Connection, *, writes: bool) -> None:
        """A transaction has begun."""

    def away(self, error: DBAPIError) -> bool:
        """Whether the error says that the server cannot be reached for now."""
        del error
        return False

    def reconnected(self, connection: Connection) -> None:
        """In the first transaction after the connection was lost: end what is left of the lost one."""

    def first_time(self, connection: Connection, number: int) -> bool:
        """Record the number of a transaction that writes, within it; False if it was committed already.

        Numbers of one `Backend` rise. So a transaction whose commit had no answer can be tried again.
        """
        del connection, number
        return True

    def claim(self, connection: Connection, run_id: int) -> str | None:
        """Make this the only writer of a run until the connection ends. None, or who writes it now."""
        del connection, run_id
        return None

    def serialise(self, connection: Connection) -> None:
        """In a transaction that adds a run: wait for others that do, so that two do not take one name."""

    # Reading

    def integrity(self, connection: Connection) -> Iterator[str]:
        """Defects of the database below its tables."""
        del connection
        yield from ()

    # Errors

    def explained(self, error: Exception) -> StoreError:
        """An error of the database as a message for the user."""
        text = self.words(error)
        for sign, meaning, hint in self.meanings:
            if sign in text:
                return StoreError(f"the store {self.place} cannot be used: {meaning}", where="--store", hint=hint)
        return StoreError(f"the store {self.place} cannot be used: {text[:300]}", where="--store", hint=KEPT)

    def words(self, error: Exception) -> str:
        """The database's own message, in one line."""
        orig = error.orig if isinstance(error, DBAPIError) else None
        return " ".join(str(orig or error).split())


def free_bytes(folder: Path) -> int | None:
    """Free bytes of the disk of a folder; None if it cannot be found out."""
    with contextlib.suppress(OSError):
        return shutil.disk_usage(folder).free
    return None
