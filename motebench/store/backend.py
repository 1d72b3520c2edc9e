"""Kinds of databases: the operations in which they differ, and the kind that is one SQLite file.

Everything else about a store is the same for all of them.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import sqlite3
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError

from motebench.base.errors import StoreError
from motebench.store.schema import METADATA

KEPT = "what was stored before is still there"


class Meaning(NamedTuple):
    """An error of a database in the user's words: ``sign`` is part of the database's own
    message.
    """

    sign: str
    what: str
    hint: str


class Backend:
    """One database of one kind, open or not. ``place``: its name in messages, without a
    password.
    """

    meanings: tuple[Meaning, ...] = ()

    def __init__(self, url: URL) -> None:
        self.url = url
        self.place = url.render_as_string(hide_password=True)

    # Opening

    def check(self, *, create: bool) -> None:
        """StoreError for faults that are visible without connecting."""

    def engine(self, *, create: bool) -> Engine:
        """An engine whose committed transactions survive ``kill -9`` of this process. ``create``:
        it may be written."""
        raise NotImplementedError

    def opened(self, connection: Connection, *, create: bool) -> None:
        """Prepare an opened store, whose tables are those of this version."""

    def may_be_new(self, connection: Connection) -> None:
        """Wait, in a transaction, until no other process creates or upgrades tables."""

    def make(self, connection: Connection) -> None:
        """Create the tables that only this kind of database has."""

    serves = False
    """True if it is a server, which may be away, and where a run has only one writer."""

    own_tables: tuple[str, ...] = ()
    """Names of the store's own tables."""

    def triggers(self, connection: Connection) -> str | None:
        """Name of a trigger or rule that could change what is written; None if the database has
        none.
        """
        del connection
        return None

    def computed(self, connection: Connection, names: Sequence[str]) -> str | None:
        """Name of something in these tables that is computed while they are read or checked, and
        could take forever; None if nothing is.
        """
        del connection, names
        return None

    def limit(self, connection: Connection, *, on: bool) -> None:
        """Limit the time of the following statements, or lift the limit: the tables are known to be
        ours.
        """

    def copy(self, connection: Connection, folder: Path) -> Backend | None:
        """Copy of the whole store in that folder; None if it cannot be made."""
        del connection, folder
        return None

    def only_read(self, connection: Connection) -> None:
        """Refuse everything that would write from now on."""

    # Transactions

    def begun(self, connection: Connection, *, writes: bool) -> None:
        """A transaction has begun."""

    def away(self, error: DBAPIError) -> bool:
        """True if the error says that the server cannot be reached for now."""
        del error
        return False

    def reconnected(self, connection: Connection) -> None:
        """End the remains of the lost connection, in the first transaction after reconnecting."""

    def first_time(self, connection: Connection, number: int) -> bool:
        """Record the number of a transaction that writes, within it; False if it was committed
        already.

        Numbers of one `Backend` rise. So a transaction whose commit had no answer can be tried
        again.
        """
        del connection, number
        return True

    def claim(self, connection: Connection, run_id: int) -> str | None:
        """Make this the only writer of a run until the connection ends. None, or who writes it
        now.
        """
        del connection, run_id
        return None

    def serialise(self, connection: Connection) -> None:
        """Wait, in a transaction that adds a run, for others that do, so that two do not take one
        name.
        """

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
                error = StoreError(
                    f"the store {self.place} cannot be used: {meaning}", where="--store", hint=hint
                )
                error.passing = sign in _PASSING
                return error
        return StoreError(
            f"the store {self.place} cannot be used: {text[:300]}", where="--store", hint=KEPT
        )

    def words(self, error: Exception) -> str:
        """The database's own message, in one line."""
        orig = error.orig if isinstance(error, DBAPIError) else None
        return " ".join(str(orig or error).split())


def free_bytes(folder: Path) -> int | None:
    """Free bytes of the disk of a folder; None if it cannot be found out."""
    with contextlib.suppress(OSError):
        return shutil.disk_usage(folder).free
    return None


# A store that is an SQLite file


_PASSING = ("database is locked",)
"""Signs of errors of SQLite that end by themselves."""
_BUSY_SECONDS = 15
_LONGEST = 64 * 2**20
"""Longest value in bytes that SQLite reads: no column has more."""
_MOST_SECONDS = 20
"""Time limit for looking at the schema of a file; a motebench store takes milliseconds."""
_STEPS = 100_000
"""Instructions of SQLite between two looks at the clock."""
_GENERATED = (2, 3)
"""The column ``hidden`` of ``PRAGMA table_xinfo``, of a generated column (sqlite.org/pragma.html).
"""
_EXPRESSION = -2
"""The column ``cid`` of ``PRAGMA index_xinfo``, of an expression."""
_CONDITION = re.compile(r"\bCHECK\s*\(", re.IGNORECASE)
_INDEX = 64 * 2**10
"""Bytes of disk that the index of a write-ahead log needs; without them, SQLite reports a disk
error.
"""


class Sqlite(Backend):
    """One SQLite file, or a store in memory."""

    # Messages of SQLite: sqlite.org/rescode.html
    meanings = (
        Meaning(
            "database is locked",
            "another program is writing to it",
            "wait until it is done, or use another --store",
        ),
        Meaning("database or disk is full", "the disk is full", f"make room; {KEPT}"),
        Meaning(
            "readonly database",
            "it may not be written to",
            f"check the permissions of the file and its folder; {KEPT}",
        ),
        Meaning(
            "file is not a database",
            "it is not a motebench store",
            "name another file with --store",
        ),
        Meaning(
            "malformed", "the file is damaged", "sqlite3 FILE .recover may save what can be read"
        ),
        Meaning(
            "unable to open database file",
            "it cannot be opened",
            "check the permissions of the file and its folder",
        ),
        Meaning(
            "string or blob too big",
            "it holds a value that is far too long",
            "it was not written by motebench as it is",
        ),
        Meaning(
            "interrupted",
            f"reading its schema took longer than {_MOST_SECONDS} s",
            "it was not made by motebench",
        ),
        Meaning("disk I/O error", "the disk reports an error", "check the file system"),
    )

    def __init__(self, url: URL) -> None:
        super().__init__(url)
        self.file = file_of(url)
        if self.file is not None:
            self.place = str(url.database)

    def check(self, *, create: bool) -> None:
        """Problems of the file in plain words, before the database reports them in
        its own."""
        if self.file is not None:
            _check_file(self.file, create=create)

    def engine(self, *, create: bool) -> Engine:
        """An engine whose committed transactions survive ``kill -9`` of this process."""
        engine = create_engine(
            self.url if create else _for_reading(self.url), connect_args={"timeout": _BUSY_SECONDS}
        )
        event.listen(engine, "connect", _set_up)
        event.listen(engine, "begin", _begin)
        return engine

    def opened(self, connection: Connection, *, create: bool) -> None:
        """Turn on the write-ahead log of a store that is written, so that readers do not wait for
        writers.

        Only speed depends on it: if the file system does not support it, or a reader is active, the
        store stays as it is.
        """
        if create:
            with contextlib.suppress(Exception):
                driver: Any = connection.connection.driver_connection
                driver.execute("PRAGMA journal_mode = WAL")

    def triggers(self, connection: Connection) -> str | None:
        """Name of a trigger that could change what is written; None if the database has none."""
        trigger = connection.exec_driver_sql(
            "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        ).scalar()
        return None if trigger is None else str(trigger)

    def computed(self, connection: Connection, names: Sequence[str]) -> str | None:
        """Views, generated columns, indexes of expressions or of some rows,
        conditions."""
        query = "SELECT type, name, tbl_name, sql FROM sqlite_master"
        parts = [row for row in connection.exec_driver_sql(query) if str(row[2]).lower() in names]
        for kind, name, table, sql in parts:
            if kind == "view":
                return f"{name} is a view"
            if kind == "table" and _CONDITION.search(str(sql)):
                return f"the table {name} has a condition (CHECK)"
            if (
                kind == "index"
                and sql is not None
                and _is_computed(connection, str(name), str(table))
            ):
                return f"the index {str(name)[:60]!r} is computed"
        for name in names:
            for row in connection.exec_driver_sql(f'PRAGMA table_xinfo("{name}")'):
                if row[6] in _GENERATED:
                    return f"the column {row[1]} of {name} is computed"
        return None

    def limit(self, connection: Connection, *, on: bool) -> None:
        """Limit the time of the following statements, or lift the limit: the tables are known to be
        ours.
        """
        driver: Any = connection.connection.driver_connection
        end = time.monotonic() + _MOST_SECONDS
        driver.set_progress_handler((lambda: time.monotonic() > end) if on else None, _STEPS)

    def copy(self, connection: Connection, folder: Path) -> Backend | None:
        """A copy of the whole store in that folder."""
        if self.file is None:
            return None
        path = folder / "copy.db"
        old: Any = connection.connection.driver_connection
        new = sqlite3.connect(path)
        try:
            old.backup(new)
        finally:
            new.close()
        return Sqlite(URL.create("sqlite", database=str(path)))

    def only_read(self, connection: Connection) -> None:
        """Refuse everything that would write from now on."""
        connection.exec_driver_sql("PRAGMA query_only = ON")
        connection.rollback()

    def integrity(self, connection: Connection) -> Iterator[str]:
        """Defects of the database below its tables."""
        try:
            own = list(METADATA.tables)
            tables = connection.exec_driver_sql(
                "SELECT name FROM sqlite_master WHERE type IN ('table', 'view')"
            ).all()
            # Tables of others may hold computed columns, which a check of the whole file would
            # compute.
            foreign = any(
                str(name).lower() not in own and not str(name).startswith("sqlite_")
                for (name,) in tables
            )
            for part in [f'"{name}"' for name in own] if foreign else ["20"]:
                for (message,) in connection.exec_driver_sql(f"PRAGMA integrity_check({part})"):
                    if message != "ok":
                        yield str(message)
        except DBAPIError as error:
            yield self.words(error)

    def words(self, error: Exception) -> str:
        """The database's own message, in one line. A disk that has no room for an index of the log
        is full, too.
        """
        text = super().words(error)
        if "disk I/O error" in text and self.file is not None:
            free = free_bytes(self.file.absolute().parent)
            if free is not None and free < _INDEX:
                return "database or disk is full"
        return text


def file_of(url: URL) -> Path | None:
    """The file of an SQLite store; None if it is in memory, or a URI that SQLite itself reads."""
    name = url.database
    if not name or name == ":memory:" or name.startswith("file:"):
        return None
    return Path(name)


def _for_reading(url: URL) -> URL:
    """URL for reading a store on a read-only medium.

    SQLite needs an index of its write-ahead log next to the file while it reads. If it cannot be
    created, SQLite must be told that there are no writers; not if such a log exists, which would
    then be ignored.
    """
    path = file_of(url)
    if path is None or os.access(path.absolute().parent, os.W_OK) or Path(f"{path}-wal").exists():
        return url
    return url.set(
        database=path.absolute().as_uri(), query={**url.query, "immutable": "1", "uri": "true"}
    )


def _check_file(path: Path, *, create: bool) -> None:
    if path.is_dir():
        raise StoreError(f"{path} is a folder", where="--store", valid="a file")
    if not path.exists():
        if not create:
            raise StoreError.for_now(
                f"there is no store {path}",
                where="--store",
                hint="motebench run creates one; --store names another",
            )
        if not path.absolute().parent.is_dir():
            raise StoreError(
                f"there is no folder {path.absolute().parent}",
                where="--store",
                hint="make it first",
            )
    elif not path.is_file():
        raise StoreError(f"{path} is not a file", where="--store", valid="a file")
    elif create and _is_standard_output(path):
        raise StoreError(f"{path} is standard output", where="--store", valid="a file")
    elif not os.access(path, os.R_OK):
        raise StoreError(
            f"no permission to read {path}",
            where="--store",
            hint="check the permissions of the file",
        )


def _is_standard_output(path: Path) -> bool:
    """True if the file is standard output, which would then damage it."""
    with contextlib.suppress(OSError):
        return os.path.samestat(path.stat(), os.fstat(1))
    return False


def _set_up(dbapi: Any, record: object) -> None:
    del record
    # SQLAlchemy says BEGIN itself (see _begin), so that reads need no write lock and writes wait
    # for it at once.
    dbapi.isolation_level = None
    dbapi.execute("PRAGMA foreign_keys = ON")
    # The file is not trusted: functions in its schema must be harmless, and invalid text stays
    # bytes.
    dbapi.execute("PRAGMA trusted_schema = OFF")
    dbapi.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
    dbapi.text_factory = _text
    # With the write-ahead log, NORMAL loses nothing when the process dies; after a power failure
    # the file is intact.
    dbapi.execute("PRAGMA synchronous = NORMAL")


def _is_computed(connection: Connection, name: str, table: str) -> bool:
    """True if an index has expressions, or only rows that fulfil one."""
    quoted = name.replace('"', '""')
    if any(
        row[1] == _EXPRESSION
        for row in connection.exec_driver_sql(f'PRAGMA index_xinfo("{quoted}")')
    ):
        return True
    return any(
        row[1] == name and row[4]
        for row in connection.exec_driver_sql(f'PRAGMA index_list("{table}")')
    )


def _text(raw: bytes) -> str | bytes:
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE" if connection.info.get("writes") else "BEGIN")
