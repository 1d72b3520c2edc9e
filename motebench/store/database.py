"""Opening the database of a store, and turning its errors into messages for the user."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, inspect, make_url, select
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError

from motebench.errors import StoreError
from motebench.store import schema

_BUSY_SECONDS = 15
_KEPT = "what was stored before is still there"
_LONGEST = 64 * 2**20
"""Longest value in bytes that SQLite reads: no column has more."""
_INDEX = 64 * 2**10
"""Bytes of disk that the index of a write-ahead log needs; without them, SQLite reports a disk error."""
# Messages of SQLite (sqlite.org/rescode.html), their meaning for the user, and what to do.
_MEANINGS = (
    ("database is locked", "another program is writing to it", "wait until it is done, or use another --store"),
    ("database or disk is full", "the disk is full", f"make room; {_KEPT}"),
    ("readonly database", "it may not be written to", f"check the permissions of the file and its folder; {_KEPT}"),
    ("file is not a database", "it is not a motebench store", "name another file with --store"),
    ("malformed", "the file is damaged", "sqlite3 FILE .recover may save what can be read"),
    ("unable to open database file", "it cannot be opened", "check the permissions of the file and its folder"),
    ("string or blob too big", "it holds a value that is far too long", "it was not written by motebench as it is"),
    ("disk I/O error", "the disk reports an error", "check the file system"),
)


def url_of(place: str | os.PathLike[str]) -> URL:
    """The URL of a store given as a path or as an SQLAlchemy URL."""
    text = os.fspath(place)
    if "://" not in text:
        return URL.create("sqlite", database=text)
    try:
        return make_url(text)
    except ArgumentError as error:
        raise StoreError(
            f"{text!r} is not the URL of a database",
            where="--store",
            valid="the path of a file, or dialect://user@host/database",
        ) from error


def shown(url: URL) -> str:
    """The store for messages, without a password."""
    return str(url.database) if file_of(url) else url.render_as_string(hide_password=True)


def file_of(url: URL) -> Path | None:
    """The file of an SQLite store; None for anything else, or in memory."""
    name = url.database
    if url.get_backend_name() != "sqlite" or not name or name == ":memory:" or name.startswith("file:"):
        return None
    return Path(name)


def for_reading(url: URL) -> URL:
    """The URL with which a store on a read-only medium can be read.

    SQLite needs an index of its write-ahead log next to the file while it reads. If it cannot be created, SQLite must
    be told that there are no writers; not if such a log exists, which would then be ignored.
    """
    path = file_of(url)
    if path is None or os.access(path.absolute().parent, os.W_OK) or Path(f"{path}-wal").exists():
        return url
    return url.set(database=path.absolute().as_uri(), query={**url.query, "immutable": "1", "uri": "true"})


def check_file(path: Path, *, create: bool) -> None:
    """Report problems of the file in plain words, before the database reports them in its own."""
    if path.is_dir():
        raise StoreError(f"{path} is a folder", where="--store", valid="a file")
    if not path.exists():
        if not create:
            raise StoreError(
                f"there is no store {path}", where="--store", hint="motebench run creates one; --store names another"
            )
        if not path.absolute().parent.is_dir():
            raise StoreError(f"there is no folder {path.absolute().parent}", where="--store", hint="make it first")
    elif not path.is_file():
        raise StoreError(f"{path} is not a file", where="--store", valid="a file")
    elif create and _is_standard_output(path):
        raise StoreError(f"{path} is standard output", where="--store", valid="a file")
    elif not os.access(path, os.R_OK):
        raise StoreError(f"no permission to read {path}", where="--store", hint="check the permissions of the file")


def _is_standard_output(path: Path) -> bool:
    """Whether the file is standard output, which would then damage it."""
    with contextlib.suppress(OSError):
        return os.path.samestat(path.stat(), os.fstat(1))
    return False


@contextlib.contextmanager
def explained(place: str) -> Iterator[None]:
    """Turn any error of the database into a StoreError that explains it."""
    try:
        yield
    except (SQLAlchemyError, sqlite3.Error) as error:
        raise _meaning(error, place) from error


def _meaning(error: Exception, place: str) -> StoreError:
    orig = error.orig if isinstance(error, DBAPIError) else None
    text = " ".join(str(orig or error).split())
    if "disk I/O error" in text and _full(Path(place).absolute().parent):
        text = "database or disk is full"
    for sign, meaning, hint in _MEANINGS:
        if sign in text:
            return StoreError(f"the store {place} cannot be used: {meaning}", where="--store", hint=hint)
    return StoreError(f"the store {place} cannot be used: {text[:300]}", where="--store", hint=_KEPT)


def _full(folder: Path) -> bool:
    try:
        return shutil.disk_usage(folder).free < _INDEX
    except OSError:
        return False


def engine_of(url: URL) -> Engine:
    """An engine; SQLite is configured so that a committed sample survives ``kill -9`` of this process."""
    try:
        if url.get_backend_name() != "sqlite":
            return create_engine(url)
        engine = create_engine(url, connect_args={"timeout": _BUSY_SECONDS})
    except (NoSuchModuleError, ArgumentError, ImportError) as error:
        raise StoreError(
            f"no driver for the database {shown(url)}: {error}",
            where="--store",
            hint="install the Python driver that SQLAlchemy names for it",
        ) from error
    event.listen(engine, "connect", _set_up)
    event.listen(engine, "begin", _begin)
    return engine


def _set_up(dbapi: Any, record: object) -> None:
    del record
    # SQLAlchemy says BEGIN itself (see _begin), so that reads need no write lock and writes wait for it at once.
    dbapi.isolation_level = None
    dbapi.execute("PRAGMA foreign_keys = ON")
    # The file is not trusted: functions in its schema must be harmless, and invalid text stays bytes.
    dbapi.execute("PRAGMA trusted_schema = OFF")
    dbapi.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
    dbapi.text_factory = _text
    # With the write-ahead log, NORMAL loses nothing when the process dies; after a power failure the file is intact.
    dbapi.execute("PRAGMA synchronous = NORMAL")


def _text(raw: bytes) -> str | bytes:
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE" if connection.info.get("writes") else "BEGIN")


@contextlib.contextmanager
def transaction(connection: Connection, *, writes: bool) -> Iterator[Connection]:
    """All or nothing. With ``writes``, the lock is taken at the start, when waiting for it is possible."""
    connection.info["writes"] = writes
    with connection.begin():
        yield connection


def prepare(connection: Connection, url: URL, *, create: bool) -> int:
    """Create the tables if there are none (``create``), check that they are ours; returns the version of the schema."""
    place = shown(url)
    tables = _tables(connection)
    if not tables and create:
        with transaction(connection, writes=True):
            # Another process may have been faster.
            if not inspect(connection).get_table_names():
                _make(connection)
    elif not tables:
        # This is left if the disk was full when the store was created.
        raise StoreError(
            f"{place} is empty, and not a motebench store yet", where="--store", hint="motebench run makes one"
        )
    elif "meta" not in tables:
        raise _foreign(place)
    version = _version(connection, place)
    if version > schema.VERSION:
        raise StoreError(
            f"the store {place} has schema version {version}, this motebench knows versions up to {schema.VERSION}",
            where="--store",
            hint="upgrade motebench, or name another store",
        )
    _check_objects(connection, url, place)
    return version


def write_ahead(connection: Connection) -> None:
    """Switch an SQLite store to a write-ahead log, so that readers do not wait for writers.

    Only speed depends on it: if the file system does not support it, or a reader is active, the store stays as it is.
    """
    with contextlib.suppress(Exception):
        driver: Any = connection.connection.driver_connection
        driver.execute("PRAGMA journal_mode = WAL")


def _tables(connection: Connection) -> list[str]:
    with transaction(connection, writes=False):
        return inspect(connection).get_table_names()


def _make(connection: Connection) -> None:
    schema.METADATA.create_all(connection)
    entries = {"format": schema.FORMAT, "schema": str(schema.VERSION)}
    connection.execute(schema.meta.insert(), [{"key": key, "value": value} for key, value in entries.items()])


def _foreign(place: str) -> StoreError:
    return StoreError(
        f"{place} is a database, but not a motebench store", where="--store", hint="give another file with --store"
    )


def _version(connection: Connection, place: str) -> int:
    """The version in ``meta``. Another program may have a table of that name, so nothing is assumed about it."""
    try:
        with transaction(connection, writes=False):
            rows = connection.execute(select(schema.meta.c.key, schema.meta.c.value)).all()
            found = {str(row.key): str(row.value) for row in rows}
    except DBAPIError as error:
        if "no such column" in str(error.orig):
            raise _foreign(place) from error
        raise
    version = found.get("schema", "")
    if found.get("format") != schema.FORMAT:
        raise _foreign(place)
    if not re.fullmatch("[1-9][0-9]{0,8}", version):
        raise StoreError(
            f"the store {place} has an unreadable schema version: {version[:40]!r}",
            where="--store", valid=f"1 to {schema.VERSION}",
            hint="the file is damaged, or not a motebench store",
        )  # fmt: skip
    return int(version)


def without_keys(connection: Connection) -> list[str]:
    """Tables without the key that keeps their rows apart, so that nothing may be added to them."""
    tables = inspect(connection)
    return [
        name
        for name, of in schema.METADATA.tables.items()
        if tables.get_pk_constraint(name)["constrained_columns"] != [each.name for each in of.primary_key]
    ]


def check_keys(connection: Connection, place: str) -> None:
    """StoreError if rows cannot be added: they would be duplicated, or not be found again."""
    with transaction(connection, writes=False):
        found = without_keys(connection)
    if found:
        raise StoreError(
            f"the tables of the store {place} have no keys ({', '.join(found)}), and nothing is added to it",
            where="--store", hint="motebench doctor --store FILE --repair NEW writes every intact row into a new store",
        )  # fmt: skip


def _check_objects(connection: Connection, url: URL, place: str) -> None:
    """Every table must be a table (a view might never end), and nothing may change what is written."""
    missing = sorted(set(schema.METADATA.tables) - set(_tables(connection)))
    if missing:
        raise StoreError(
            f"the store {place} has no table {', '.join(missing)}",
            where="--store",
            hint="the file is damaged: use a backup",
        )
    if url.get_backend_name() == "sqlite":
        with transaction(connection, writes=False):
            trigger = connection.exec_driver_sql("SELECT name FROM sqlite_master WHERE type = 'trigger'").scalar()
        if trigger is not None:
            raise StoreError(
                f"the store {place} has a trigger, {str(trigger)[:60]!r}, which could change what is written",
                where="--store", valid="a store as motebench makes it",
                hint="remove it with DROP TRIGGER, if you know its purpose",
            )  # fmt: skip


def migrate(connection: Connection, place: str) -> None:
    """Upgrade the tables, all or nothing."""
    with transaction(connection, writes=True):
        rows = connection.execute(select(schema.meta.c.value).where(schema.meta.c.key == "schema")).all()
        version = int(rows[0].value)
        while version < schema.VERSION:
            step = schema.MIGRATIONS.get(version)
            if step is None:
                raise StoreError(f"the store {place} has the unknown schema version {version}", where="--store")
            step(connection)
            version += 1
        connection.execute(schema.meta.update().where(schema.meta.c.key == "schema").values(value=str(version)))
