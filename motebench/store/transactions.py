"""Transactions of an open store. A server that goes away is waited for, and no transaction happens twice."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from sqlalchemy import Connection, select
from sqlalchemy.exc import DBAPIError

from motebench.base.errors import StoreError
from motebench.base.identity import CaseId
from motebench.base.model import Failure
from motebench.store import database, reading
from motebench.store.backend import Backend
from motebench.store.schema import cases, failures, notes

T = TypeVar("T")
Work = Callable[[Connection], T]

PATIENCE = 120.0
"""Seconds for which a server that is away is waited for."""
_PAUSES = (0.1, 0.2, 0.5, 1.0, 2.0)
"""Seconds between attempts; the last one repeats."""


class Transactions:
    """Every transaction of one connection. ``forget`` is called when one was rolled back or may have been."""

    def __init__(self, connection: Connection, backend: Backend, forget: Callable[[], None]) -> None:
        self._connection, self._backend, self._forget = connection, backend, forget
        self._number = 0
        self._claimed: set[int] = set()
        self._driver: Any = connection.connection.driver_connection
        self._patience = PATIENCE
        self.tell: Callable[[str], None] | None = None
        """Is told when the server goes away and when it is back."""

    def read(self, work: Work[T]) -> T:
        """The result of ``work``, whose reads are all of one moment."""
        return self._carry_out(lambda: self._once(work, writes=False), None)

    def write(self, work: Work[T], what: str, run_id: int | None = None) -> T:
        """Carry out ``work`` once, completely or not at all.

        what: what is not stored if that fails, for messages. run_id: the run that is written; this becomes its only
        writer. StoreError if the run has another one, or the server stays away.
        """
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
            return self._carry_out(once, what)
        except BaseException:
            self._forget()
            raise

    def claim(self, run_id: int) -> None:
        """Become the only writer of a run. StoreError if it has another one."""
        if self._backend.serves and run_id not in self._claimed:
            self.write(lambda _: None, f"the start of run {run_id}", run_id)

    def _once(self, work: Work[T], *, writes: bool) -> T:
        with self._begun(writes=writes) as connection:
            return work(connection)

    @contextmanager
    def _begun(self, *, writes: bool) -> Iterator[Connection]:
        with database.transaction(self._connection, self._backend, writes=writes) as connection:
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
                where="--store", hint="wait until it has ended, or start a run of your own",
            )  # fmt: skip
        self._claimed.add(run_id)

    def _carry_out(self, once: Callable[[], T], what: str | None) -> T:
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
                    self._say(f"the database {self._backend.place} is away: trying again for {self._patience:.0f} s")
                if now - since >= self._patience:
                    self._patience = 0.0
                    raise self._gone(what, now - since) from error
                pause = next(pauses, pause)
                try:
                    time.sleep(pause)
                except BaseException:
                    self._patience = 0.0  # whoever ends the program does not want to wait twice
                    raise
            else:
                if since:
                    self._say(f"the database is back after {time.monotonic() - since:.1f} s; nothing was lost")
                self._patience = PATIENCE
                return result

    def _say(self, text: str) -> None:
        if self.tell is not None:
            self.tell(text)

    def _gone(self, what: str | None, seconds: float) -> StoreError:
        missing = f", and this is not stored: {what}" if what else ""
        return StoreError(
            f"the database {self._backend.place} has not answered for {seconds:.0f} s{missing}",
            where="--store",
            hint="what came before is stored; when the database is back, motebench run --resume measures the rest",
        )


def forget(connection: Connection, run_id: int, found: Sequence[Failure]) -> None:
    """Remove these failures from a run: their cases are pending, and a note of each says what had failed."""
    rows = connection.execute(select(failures).where(failures.c.run_id == run_id)).mappings().all()
    of_cases = {key: case_id for case_id, key in reading.case_keys(connection, run_id)}
    for failure in found:
        here = [row for row in rows if (CaseId.of(dict(row)), row["kind"]) == (failure.id, failure.kind.value)]
        for row in here:
            connection.execute(failures.delete().where(failures.c.id == row["id"]))
            if row["case_id"] is not None:
                connection.execute(cases.update().where(cases.c.id == row["case_id"]).values(state="pending"))
        if here:
            text = f"tried again after {failure.kind.value}: {failure.message}"
            values = {"run_id": run_id, "case_id": of_cases.get(failure.id), "text": text}
            connection.execute(notes.insert().values(values))
