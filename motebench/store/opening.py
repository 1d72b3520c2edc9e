"""Opening a store. An older version is upgraded if a copy of it shows no defects.

A damaged store of an older version stays as it is, byte for byte: the copy is read, and nothing can be added.
"""

from __future__ import annotations

import os
from types import TracebackType
from typing import Self

from sqlalchemy import Connection, Engine

from motebench.base.errors import StoreError
from motebench.base.process import TemporaryFolder
from motebench.store import database, schema
from motebench.store.backend import Backend


class Opened:
    """A connection to a store of this version. A context, closed at its end.

    backend: what kind of database it is; its ``place`` is the name of the store in messages.
    """

    def __init__(self, place: str | os.PathLike[str], *, create: bool) -> None:
        self.backend = database.backend_of(place)
        self.backend.check(create=create)
        self._copy: TemporaryFolder | None = None
        self._connect(create=create)
        try:
            with database.explained(self.backend):
                version = database.prepare(self.connection, self.backend, create=create)
                if version < schema.VERSION:
                    self._bring_up_to_date(version, create=create)
                self.backend.opened(self.connection, create=create)
        except BaseException:
            self.close()
            raise

    @staticmethod
    def check(place: str | os.PathLike[str]) -> None:
        """StoreError for what is wrong with the name of a store, its file or its server; nothing is created."""
        backend = database.backend_of(place)
        backend.check(create=True)
        if backend.serves:
            engine = database.engine_of(backend, create=True)
            try:
                with database.explained(backend), engine.connect():
                    pass
            finally:
                engine.dispose()

    @property
    def place(self) -> str:
        """The name of the store in messages."""
        return self.backend.place

    def _connect(self, *, create: bool) -> None:
        self.engine: Engine = database.engine_of(self.backend, create=create)
        try:
            with database.explained(self.backend):
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

    def _bring_up_to_date(self, version: int, *, create: bool) -> None:
        self._copy = TemporaryFolder()
        copy = self.backend.copy(self.connection, self._copy.path)
        wrong = None if copy is None else _tried(copy, self.backend.place)
        if copy is None or wrong is None:
            self._copy.close()
            self._copy = None
            database.migrate(self.connection, self.backend)
            return
        if create:
            raise StoreError(
                f"the store {self.place} has schema version {version} and is damaged, so nothing can be added: {wrong}",
                where="--store",
                hint="motebench doctor --store FILE --repair NEW writes every intact row into a new store",
            )  # fmt: skip
        self.connection.close()
        self.engine.dispose()
        copy.place += f" (a copy of it: it has schema version {version}, and is damaged)"
        self.backend = copy
        self._connect(create=False)
        self.backend.only_read(self.connection)


def _tried(copy: Backend, place: str) -> str | None:
    """Upgrade the copy of a store. Its defects as text; None if there are none.

    StoreError, or an error of the database, if it cannot be upgraded.
    """
    from motebench.store.examining import look

    copy.place = place
    engine = database.engine_of(copy, create=True)
    try:
        with engine.connect() as made:
            database.migrate(made, copy)
            found = look(made, copy).findings
    finally:
        engine.dispose()
    return str(found[0]) if found else None
