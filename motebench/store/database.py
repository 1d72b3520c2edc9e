"""Opening, use and transactions of a store, the same for every kind of database."""

from __future__ import annotations

import contextlib
import os
import re
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from sqlalchemy import URL, Connection, Engine, inspect, make_url, select
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError

from motebench.base.errors import StoreError, is_unicode, visible
from motebench.base.identity import CaseId
from motebench.base.model import Failure
from motebench.base.process import held
from motebench.store import schema
from motebench.store.backend import Backend, Sqlite
from motebench.store.rows import case_keys
from motebench.store.schema import cases, failures, notes

VALID = "the path of a file, or postgresql://user@host/database"


def backend_of(place: str | os.PathLike[str]) -> Backend:
    """Store of that path or URL, not opened yet. StoreError for an unknown kind of store."""
    text = os.fspath(place)
    if not is_unicode(text):
        raise StoreError(
            f"{visible(text)}: the name of the store is not UTF-8",
            where="--store",
            valid=VALID,
            hint="a link of another name to the file will do",
        )
    if not text.strip():
        raise StoreError("no store is named", where="--store", valid=VALID)
    if "://" not in text:
        return Sqlite(URL.create("sqlite", database=text))
    kind = re.split(r"\+|:", text, maxsplit=1)[0].lower()
    try:
        url = make_url(text)
    except (ArgumentError, ValueError) as error:
        raise StoreError(
            f"{_without_password(text)!r} is not the URL of a database",
            where="--store",
            valid=VALID,
        ) from error
    if kind == "sqlite":
        return Sqlite(url)
    if kind in ("postgresql", "postgres"):
        from motebench.store.postgresql import Postgresql

        return Postgresql(url)
    raise StoreError(
        f"stores are not kept in databases of the kind {kind!r}", where="--store", valid=VALID
    )


def _without_password(url: str) -> str:
    return re.sub(r"//[^@]*@", "//***@", url)


@contextlib.contextmanager
def explained(backend: Backend) -> Iterator[None]:
    """Turn any error of the database into a StoreError that explains it."""
    try:
        yield
    except (SQLAlchemyError, sqlite3.Error) as error:
        raise backend.explained(error) from error


def engine_of(backend: Backend, *, create: bool) -> Engine:
    """An engine of the store."""
    try:
        return backend.engine(create=create)
    except (NoSuchModuleError, ArgumentError, ImportError, ValueError) as error:
        raise StoreError(
            f"no driver for the database {backend.place}: {error}", where="--store", valid=VALID
        ) from error


@contextlib.contextmanager
def transaction(
    connection: Connection, backend: Backend, *, writes: bool, long: bool = False
) -> Iterator[Connection]:
    """All or nothing. With ``writes``, the lock is taken at the start, when waiting for it is
    possible.

    A signal that ends the program waits until the transaction has begun, or has ended: between them
    SQLAlchemy's connection is of no use any more. While a transaction writes it waits too, unless
    that takes ``long``.
    """
    with held() as hold:
        connection.info["writes"] = writes
        with connection.begin():
            backend.begun(connection, writes=writes)
            with contextlib.nullcontext() if writes and not long else hold.released():
                yield connection


def prepare(connection: Connection, backend: Backend, *, create: bool) -> int:
    """Create missing tables (``create``), check that they are ours, and return the version of the
    schema.
    """
    place = backend.place
    backend.limit(connection, on=True)
    _check_computed(connection, backend)
    tables = _tables(connection, backend)
    if not tables and create:
        with transaction(connection, backend, writes=True):
            backend.may_be_new(connection)
            # Another process may have been faster.
            if not inspect(connection).get_table_names():
                _make(connection, backend)
    elif not tables:
        # This is left if the disk was full when the store was created.
        raise StoreError(
            f"{place} is empty, and not a motebench store yet",
            where="--store",
            hint="motebench run makes one",
        )
    elif "meta" not in tables:
        raise _foreign(place)
    version = _version(connection, backend)
    if version > schema.VERSION:
        raise StoreError(
            f"the store {place} has schema version {version}, this motebench knows versions up "
            f"to {schema.VERSION}",
            where="--store",
            hint="upgrade motebench, or name another store",
        )
    _check_objects(connection, backend, version)
    backend.limit(connection, on=False)
    return version


def _check_computed(connection: Connection, backend: Backend) -> None:
    """StoreError if a table of a store is something else, which might never end: before any row is
    read.
    """
    with transaction(connection, backend, writes=False):
        computed = backend.computed(connection, list(schema.METADATA.tables))
    if computed is not None:
        raise StoreError(
            f"{computed} in the store {backend.place}, which could take forever to read",
            where="--store",
            valid="a store as motebench makes it",
            hint="use a backup, or ask whoever changed it",
        )


def _tables(connection: Connection, backend: Backend) -> list[str]:
    with transaction(connection, backend, writes=False):
        return inspect(connection).get_table_names()


def _make(connection: Connection, backend: Backend) -> None:
    schema.METADATA.create_all(connection)
    backend.make(connection)
    entries = {"format": schema.FORMAT, "schema": str(schema.VERSION)}
    connection.execute(
        schema.meta.insert(), [{"key": key, "value": value} for key, value in entries.items()]
    )


def _foreign(place: str) -> StoreError:
    return StoreError(
        f"{place} is a database, but not a motebench store",
        where="--store",
        hint="name another store with --store",
    )


def _version(connection: Connection, backend: Backend) -> int:
    """The version in ``meta``. Another program may have a table of that name, so nothing is assumed
    about it.
    """
    place = backend.place
    try:
        with transaction(connection, backend, writes=False):
            rows = connection.execute(select(schema.meta.c.key, schema.meta.c.value)).all()
            entries = {str(row.key): str(row.value) for row in rows}
    except DBAPIError as error:
        if "no such column" in str(error.orig) or getattr(error.orig, "sqlstate", None) == "42703":
            raise _foreign(place) from error
        raise
    version = entries.get("schema", "")
    if entries.get("format") != schema.FORMAT:
        raise _foreign(place)
    if not re.fullmatch("[1-9][0-9]{0,8}", version):
        raise StoreError(
            f"the store {place} has an unreadable schema version: {version[:40]!r}",
            where="--store",
            valid=f"1 to {schema.VERSION}",
            hint="it is damaged, or not a motebench store",
        )
    return int(version)


def without_keys(connection: Connection) -> list[str]:
    """Tables without the key that keeps their rows apart, so that nothing may be added to them."""
    tables = inspect(connection)
    return [
        name
        for name, declared in schema.METADATA.tables.items()
        if tables.get_pk_constraint(name)["constrained_columns"]
        != [key_column.name for key_column in declared.primary_key]
    ]


def check_keys(connection: Connection, backend: Backend) -> None:
    """StoreError if rows cannot be added: they would be duplicated, or not be found again."""
    keyless = without_keys(connection)
    if keyless:
        raise StoreError(
            f"the tables of the store {backend.place} have no keys ({', '.join(keyless)}), and "
            "nothing is added to it",
            where="--store",
            hint="motebench doctor --store FILE --repair NEW writes every intact row into a new "
            "store",
        )


def _check_objects(connection: Connection, backend: Backend, version: int) -> None:
    """Check that every table is a table (a view might never end), and that no trigger can change
    what is written.
    """
    place = backend.place
    missing = sorted(
        {*schema.tables_of(version), *backend.own_tables} - set(_tables(connection, backend))
    )
    if missing:
        raise StoreError(
            f"the store {place} has no table {', '.join(missing)}",
            where="--store",
            hint="it is damaged: use a backup",
        )
    with transaction(connection, backend, writes=False):
        trigger = backend.triggers(connection)
    if trigger is not None:
        raise StoreError(
            f"the store {place} has a trigger, {trigger[:60]!r}, which could change what is "
            "written",
            where="--store",
            valid="a store as motebench makes it",
            hint="remove it with DROP TRIGGER, if you know its purpose",
        )


def migrate(connection: Connection, backend: Backend) -> None:
    """Upgrade the tables, all or nothing."""
    place = backend.place
    with transaction(connection, backend, writes=True):
        backend.may_be_new(connection)
        rows = connection.execute(
            select(schema.meta.c.value).where(schema.meta.c.key == "schema")
        ).all()
        version = int(rows[0].value)
        while version < schema.VERSION:
            step = schema.MIGRATIONS.get(version)
            if step is None:
                raise StoreError(
                    f"the store {place} has the unknown schema version {version}", where="--store"
                )
            step(connection)
            version += 1
        connection.execute(
            schema.meta.update().where(schema.meta.c.key == "schema").values(value=str(version))
        )


# Transactions of an open store. A server that goes away is waited for, and no transaction happens
# twice


T = TypeVar("T")
Work = Callable[[Connection], T]

PATIENCE = 120.0
"""Seconds for which a server that is away is waited for."""
_PAUSES = (0.1, 0.2, 0.5, 1.0, 2.0)
"""Seconds between attempts; the last one repeats."""


class Transactions:
    """Every transaction of one connection. ``forget`` is called when one was rolled back or may
    have been.
    """

    def __init__(
        self, connection: Connection, backend: Backend, forget: Callable[[], None]
    ) -> None:
        self._connection, self._backend, self._forget = connection, backend, forget
        self._number = 0
        self._claimed: set[int] = set()
        self._outer: Connection | None = None
        self._driver: Any = connection.connection.driver_connection
        self._patience = PATIENCE
        self.tell: Callable[[str], None] | None = None
        """Called when the server goes away and when it is back."""

    def read(self, work: Work[T]) -> T:
        """The result of ``work``, whose reads are all of one moment."""
        if self._outer is not None:
            return work(self._outer)
        return self._carry_out(lambda: self._once(work, writes=False), None)

    def write(self, work: Work[T], subject: str, run_id: int | None = None) -> T:
        """Execute ``work`` once, completely or not at all.

        subject: of messages, if it is not stored. run_id: the run that is written; this
        becomes its only writer. StoreError if the run has another one, or the server stays away.
        """
        if self._outer is not None:
            if run_id is not None and run_id not in self._claimed:
                self._claim(self._outer, run_id)
            return work(self._outer)
        self._number += 1
        number = self._number
        done: list[T] = []

        def once() -> T:
            with self._begun(writes=True) as connection:
                if not self._backend.first_time(connection, number):
                    return done[-1]  # it was committed; only the answer was lost
                if run_id is not None and run_id not in self._claimed:
                    self._claim(connection, run_id)
                done.append(work(connection))
            return done[-1]

        try:
            return self._carry_out(once, subject)
        except BaseException:
            self._forget()
            raise

    @contextmanager
    def together(self) -> Iterator[None]:
        """One transaction of all that is read and written within: committed at its end, or nothing
        of it. It is not tried again if the server goes away.
        """
        try:
            with self._begun(writes=True, long=True) as connection:
                self._outer = connection
                yield
        except BaseException:
            self._forget()
            raise
        finally:
            self._outer = None

    def claim(self, run_id: int) -> None:
        """Become the only writer of a run. StoreError if it has another one."""
        if self._backend.serves and run_id not in self._claimed:
            self.write(lambda _: None, f"the start of run {run_id}", run_id)

    def _once(self, work: Work[T], *, writes: bool) -> T:
        with self._begun(writes=writes) as connection:
            return work(connection)

    @contextmanager
    def _begun(self, *, writes: bool, long: bool = False) -> Iterator[Connection]:
        begun = transaction(self._connection, self._backend, writes=writes, long=long)
        with begun as connection:
            driver = connection.connection.driver_connection
            if driver is not self._driver:
                self._backend.reconnected(connection)
                for run_id in sorted(self._claimed):
                    self._claim(connection, run_id)
                self._driver = driver
            yield connection

    def _claim(self, connection: Connection, run_id: int) -> None:
        other = self._backend.claim(connection, run_id)
        if other is not None:
            raise StoreError(
                f"run {run_id} of {self._backend.place} is being written by {other}",
                where="--store",
                hint="wait until it has ended, or start a run of your own",
            )
        self._claimed.add(run_id)

    def _carry_out(self, once: Callable[[], T], subject: str | None) -> T:
        pauses = iter(_PAUSES)
        pause, since = 0.0, 0.0
        while True:
            try:
                result = once()
            except DBAPIError as error:
                if not self._backend.away(error):
                    raise
                self._forget()
                now = time.monotonic()
                if not since:
                    since = now
                    self._say(
                        f"the database {self._backend.place} is away: trying again for "
                        f"{self._patience:.0f} s"
                    )
                if now - since >= self._patience:
                    self._patience = 0.0
                    raise self._gone(subject, now - since) from error
                pause = next(pauses, pause)
                try:
                    time.sleep(pause)
                except BaseException:
                    self._patience = 0.0  # whoever ends the program does not want to wait twice
                    raise
            else:
                if since:
                    self._say(
                        f"the database is back after {time.monotonic() - since:.1f} s; nothing "
                        "was lost"
                    )
                self._patience = PATIENCE
                return result

    def _say(self, text: str) -> None:
        if self.tell is not None:
            self.tell(text)

    def _gone(self, subject: str | None, seconds: float) -> StoreError:
        missing = f", and this is not stored: {subject}" if subject else ""
        return StoreError.for_now(
            f"the database {self._backend.place} has not answered for {seconds:.0f} s{missing}",
            where="--store",
            hint="earlier results are stored; when the database is back, motebench run --resume "
            "measures the rest",
        )


def forget(connection: Connection, run_id: int, forgotten: Sequence[Failure]) -> None:
    """Remove these failures from a run: their cases are pending, and each gets a note with its
    former failure.
    """
    rows = connection.execute(select(failures).where(failures.c.run_id == run_id)).mappings().all()
    of_cases = {key: case_id for case_id, key in case_keys(connection, run_id)}
    for failure in forgotten:
        here = [
            row
            for row in rows
            if (CaseId.of(dict(row)), row["kind"]) == (failure.id, failure.kind.value)
        ]
        for row in here:
            connection.execute(failures.delete().where(failures.c.id == row["id"]))
            if row["case_id"] is not None:
                connection.execute(
                    cases.update().where(cases.c.id == row["case_id"]).values(state="pending")
                )
        if here:
            text = f"tried again after {failure.kind.value}: {failure.message}"
            values = {"run_id": run_id, "case_id": of_cases.get(failure.id), "text": text}
            connection.execute(notes.insert().values(values))
