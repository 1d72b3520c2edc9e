"""Opening a store. An older version is upgraded if a copy of it shows no defects.

A damaged store of an older version stays as it is, byte for byte: the copy is read, and nothing can be added.
"""

from __future__ import annotations

import os
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from sqlalchemy import URL, Connection, Engine

from motebench.cleanup import TemporaryFolder
from motebench.errors import StoreError
from motebench.store import database, schema


class Opened:
    """A connection to a store of this version. A context, closed at its end.

    place: the name of the store in messages.
    """

    def __init__(self, place: str | os.PathLike[str], *, create: bool) -> None:
        url = database.url_of(place)
        path = database.file_of(url)
        if path is not None:
            database.check_file(path, create=create)
        self._copy: TemporaryFolder | None = None
        self.place = database.shown(url)
        self._connect(url if create else database.for_reading(url))
        try:
            with database.explained(self.place):
                version = database.prepare(self.connection, url, create=create)
                if version < schema.VERSION:
                    self._bring_up_to_date(path, version, create=create)
                if create and url.get_backend_name() == "sqlite":
                    database.write_ahead(self.connection)
        except BaseException:
            self.close()
            raise

    def _connect(self, url: URL) -> None:
        self.engine: Engine = database.engine_of(url)
        try:
            with database.explained(self.place):
                self.connection: Connection = self.engine.connect()
        except BaseException:
            self.engine.dispose()
            raise

    def close(self) -> None:
        """Close the database."""
        self.connection.close()
        self.engine.dispose()
        if self._copy is not None:
            self._copy.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _bring_up_to_date(self, path: Path | None, version: int, *, create: bool) -> None:
        if path is None:
            database.migrate(self.connection, self.place)
            return
        self._copy = TemporaryFolder()
        copy = self._copy.path / "copy.db"
        if (wrong := _tried(self.connection, copy, self.place)) is None:
            database.migrate(self.connection, self.place)
            self._copy.close()
            self._copy = None
            return
        if create:
            raise StoreError(
                f"the store {self.place} has schema version {version} and is damaged, so nothing can be added: {wrong}",
                where="--store",
                hint="motebench doctor --store FILE --repair NEW writes every intact row into a new store",
            )  # fmt: skip
        self.connection.close()
        self.engine.dispose()
        self._connect(database.url_of(copy))
        self.connection.exec_driver_sql("PRAGMA query_only = ON")
        self.connection.rollback()
        self.place += f" (a copy of it: it has schema version {version}, and is damaged)"


def _tried(connection: Connection, copy: Path, place: str) -> str | None:
    """Copy the store and upgrade the copy. Its defects as text; None if there are none.

    StoreError, or an error of the database, if it cannot be upgraded.
    """
    import sqlite3

    from motebench.store.examining import look

    old: Any = connection.connection.driver_connection
    new = sqlite3.connect(copy)
    try:
        old.backup(new)
    finally:
        new.close()
    engine = database.engine_of(database.url_of(copy))
    try:
        with engine.connect() as made:
            database.migrate(made, place)
            found = look(made, place).findings
    finally:
        engine.dispose()
    return str(found[0]) if found else None
