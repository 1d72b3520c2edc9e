"""A store that is a PostgreSQL database, which several users write at the same time: different
runs, one writer each.

A run is claimed by an advisory lock (PostgreSQL manual, 13.3.5), which ends with the connection.
Each transaction that writes first puts its number into ``writers``: if its commit had no answer,
that row says whether it happened.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import secrets
import socket
import time
from typing import Any

from sqlalchemy import (
    URL,
    BigInteger,
    Column,
    Connection,
    DateTime,
    Engine,
    MetaData,
    String,
    Table,
    create_engine,
    event,
    func,
    text,
)
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import DBAPIError

from motebench.base.errors import StoreError, visible
from motebench.store import schema
from motebench.store.backend import KEPT, Backend, Meaning

_OURS = "hashtext('motebench ' || current_schema())"
"""First half of a store's advisory locks. The second is the id of a run, or one of these:"""
_TABLES, _NEW_RUN = -1, -2
_RELEASE_SECONDS = 5.0
"""Time that the server may take to end the session of a writer that is gone, in seconds."""
_PASSWORD = "put the password into ~/.pgpass or PGPASSWORD"  # noqa: S105 (a hint)
_SERVER = "check the host and the port, and start the server"
_CONNECTING = {
    # A server that does not answer is noticed within half a minute, also in the middle of a
    # transaction.
    "connect_timeout": 10,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,
}
_ENDED = ("57P01", "57P02", "57P03", "57P05")
"""The server shuts down, has crashed, starts, or has ended an idle session (PostgreSQL manual,
appendix A).
"""

_CHANGING = """
WITH ours AS (
  SELECT to_regclass(quote_ident(name)) AS oid FROM unnest(CAST(:names AS text[])) AS name
)
SELECT tgname FROM pg_trigger JOIN ours ON tgrelid = ours.oid WHERE NOT tgisinternal
UNION ALL SELECT rulename FROM pg_rewrite JOIN ours ON ev_class = ours.oid
"""
_WRITER = f"""
SELECT usename, application_name FROM pg_locks JOIN pg_stat_activity USING (pid)
WHERE locktype = 'advisory' AND granted AND objsubid = 2
AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
AND objid = :run AND CAST(classid AS bigint) = CAST({_OURS} AS bigint) & 4294967295
"""  # noqa: S608 (constants)

writers = Table(
    "writers",
    MetaData(),
    Column("token", String, primary_key=True),
    Column("number", BigInteger, nullable=False),
    Column("at", DateTime(timezone=True), nullable=False),
)


class Postgresql(Backend):
    """One database of a PostgreSQL server."""

    # Messages of the server and of its client library.
    meanings = (
        Meaning("password authentication failed", "the user or the password is wrong", _PASSWORD),
        Meaning("no password supplied", "it asks for a password", _PASSWORD),
        Meaning("Peer authentication failed", "the server lets only the user of the same name in",
                "name your own user, or have pg_hba.conf changed"),
        Meaning("no pg_hba.conf entry", "the server does not let you in from here",
        "have pg_hba.conf changed"),
        Meaning("no schema has been selected", "its schema is missing",
        "create it, or correct the search path"),
        Meaning('role "', "the server has no such user",
        "name another, or have the user created: createuser"),
        Meaning('database "', "the server has no such database",
        "name another, or have it created: createdb"),
        Meaning("onnection refused", "no server answers there", _SERVER),
        Meaning("No such file or directory", "no server answers there", _SERVER),
        Meaning("could not translate host name", "the host is unknown",
        "check the name of the host"),
        Meaning("failed to resolve host", "the host is unknown", "check the name of the host"),
        Meaning("timeout expired", "the server does not answer", "check the host and the network"),
        Meaning("starting up", "the server is just starting", "try again in a moment"),
        Meaning("too many clients", "the server has no free connection",
        "wait, or raise max_connections"),
        Meaning("permission denied for schema", "you have no right to create tables there",
                "have its owner call: GRANT CREATE ON SCHEMA public TO you"),
        Meaning("permission denied for", "you have no right to use its tables",
                "have their owner grant it: docs/reference/results.md, 'A store for a lab'"),
        Meaning("must be owner", "its tables need an upgrade, and only their owner may do that",
                "let the owner open the store once with this version of motebench"),
        Meaning("read-only transaction", "it may not be written to",
        f"connect to the primary server; {KEPT}"),
        Meaning("No space left on device", "the server's disk is full", f"make room; {KEPT}"),
    )  # fmt: skip
    serves = True
    own_tables = (writers.name,)

    def __init__(self, url: URL) -> None:
        if url.password is not None or "password" in url.query:
            raise StoreError(
                f"the URL {url.set(query={}).render_as_string(hide_password=True)} has a password, "
                "which other users could read in the list of processes",
                where="--store",
                valid="postgresql://user@host/database",
                hint="put it into ~/.pgpass or PGPASSWORD",
            )
        if url.drivername not in ("postgresql", "postgres", "postgresql+psycopg"):
            raise StoreError(
                f"there is no driver {url.drivername}",
                where="--store",
                valid="postgresql://user@host/database",
            )
        super().__init__(url.set(drivername="postgresql"))
        self._token = secrets.token_hex(16)

    def engine(self, *, create: bool) -> Engine:
        """An engine whose committed transactions survive ``kill -9`` of this process. StoreError if
        the driver is not installed.
        """
        del create
        try:
            import psycopg  # noqa: F401
        except ImportError as error:
            raise StoreError(
                "the driver for PostgreSQL is not installed",
                where="--store",
                hint="pip install 'psycopg[binary]'",
            ) from error
        # Name of this writer in other users' messages; the server keeps 63 bytes.
        name = f"motebench {socket.gethostname()[:30]} {os.getpid()} {self._token[:8]}"
        engine = create_engine(
            self.url.set(drivername="postgresql+psycopg"),
            connect_args={
                **{key: value for key, value in _CONNECTING.items() if key not in self.url.query},
                "application_name": name,
            },
            json_serializer=_json,
        )
        event.listen(engine, "connect", _set_up)
        self._name = name
        return engine

    def opened(self, connection: Connection, *, create: bool) -> None:
        """Prepare an opened store, whose tables are those of this version."""
        del create
        with connection.begin():
            coding = connection.exec_driver_sql("SHOW server_encoding").scalar()
        if coding != "UTF8":
            raise StoreError(
                f"the database {self.place} has the encoding {coding}",
                where="--store",
                valid="UTF8",
                hint="createdb --encoding UTF8 --template template0 makes one",
            )

    def may_be_new(self, connection: Connection) -> None:
        """Wait, in a transaction, until no other process creates or upgrades tables."""
        connection.execute(text(f"SELECT pg_advisory_xact_lock({_OURS}, :what)"), {"what": _TABLES})

    def make(self, connection: Connection) -> None:
        """Create the tables that only this kind of database has."""
        writers.create(connection)

    def triggers(self, connection: Connection) -> str | None:
        """Rules (PostgreSQL manual, chapter 41) as well."""
        names = [*schema.METADATA.tables, *self.own_tables]
        trigger = connection.execute(text(_CHANGING), {"names": names}).scalar()
        return None if trigger is None else str(trigger)

    # Transactions

    def begun(self, connection: Connection, *, writes: bool) -> None:
        """A transaction has begun. What is read in one transaction is of one moment."""
        if not writes:
            connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")

    def away(self, error: DBAPIError) -> bool:
        """True if the error says that the server cannot be reached for now."""
        state = getattr(error.orig, "sqlstate", None)
        # Errors of connecting have no code, whatever the server or the network said.
        connecting = state is None and any(
            kind.__name__ == "OperationalError" for kind in type(error.orig).__mro__
        )
        return error.connection_invalidated or connecting or state in _ENDED

    def reconnected(self, connection: Connection) -> None:
        """A server that did not notice the loss would keep its locks for hours."""
        connection.execute(
            text(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = "
                ":name AND usename = current_user AND pid <> pg_backend_pid()"
            ),
            {"name": self._name},
        )

    def first_time(self, connection: Connection, number: int) -> bool:
        """Record the number of a transaction that writes, within it. The row stays locked until the
        end of the transaction, and a lost one is waited for."""
        if number == 1:
            connection.execute(
                writers.delete().where(writers.c.at < func.now() - text("interval '1 day'"))
            )
        new = insert(writers).values(token=self._token, number=number, at=func.now())
        again = new.on_conflict_do_update(
            index_elements=[writers.c.token],
            set_={"number": new.excluded.number, "at": func.now()},
            where=writers.c.number < new.excluded.number,
        )
        return connection.execute(again.returning(writers.c.number)).first() is not None

    def claim(self, connection: Connection, run_id: int) -> str | None:
        """Make this the only writer of a run until the connection ends."""
        lock = {"run": run_id}
        end = time.monotonic() + _RELEASE_SECONDS
        while not connection.execute(
            text(f"SELECT pg_try_advisory_lock({_OURS}, :run)"), lock
        ).scalar():
            if time.monotonic() > end:
                who = connection.execute(text(_WRITER), lock).first()
                return (
                    f"{who[0]} ({str(who[1]).rpartition(' ')[0]})" if who else "another motebench"
                )
            time.sleep(0.1)
        return None

    def serialise(self, connection: Connection) -> None:
        """Wait, in a transaction that adds a run, for others that do, so that two do not take one
        name.
        """
        connection.execute(
            text(f"SELECT pg_advisory_xact_lock({_OURS}, :what)"), {"what": _NEW_RUN}
        )


def _json(value: Any) -> str:
    """JSON without NaN and infinities, which PostgreSQL refuses; the checks of rows make null of
    them as well.
    """
    return json.dumps(_finite(value), allow_nan=False)


def _finite(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {key: _finite(part) for key, part in value.items()}
    return [_finite(part) for part in value] if isinstance(value, list | tuple) else value


def _set_up(dbapi: Any, record: object) -> None:
    """A new connection: JSON is read as text, which is checked before it is used; a commit waits
    for the disk; queries are not compiled.
    """
    del record
    from psycopg.types.string import StrDumper, TextLoader

    class Visible(StrDumper):
        """Text for PostgreSQL, which has no NUL."""

        def dump(self, obj: str) -> Any:
            return super().dump(visible(obj) if "\x00" in obj else obj)

    dbapi.adapters.register_dumper(str, Visible)
    for name in ("json", "jsonb"):
        dbapi.adapters.register_loader(name, TextLoader)
    with contextlib.closing(dbapi.cursor()) as cursor:
        cursor.execute(
            "SELECT set_config('synchronous_commit', 'on', false) "
            "WHERE current_setting('synchronous_commit') = 'off'"
        )
        # Compiling a query takes longer than any query of a store.
        cursor.execute("SELECT set_config('jit', 'off', false)")
    dbapi.commit()
