"""Opening a store, examining all its rows, and repairing it: writing the intact ones into a new
store.

A version that differs only in its indices is upgraded if that is possible; its rows are not looked
at. An older version is upgraded if a copy of it shows no defects. A damaged store of an older
version stays as it is, byte for byte: the copy is read, and nothing can be added.
"""

from __future__ import annotations

import contextlib
import itertools
import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from sqlalchemy import Connection, Engine, Table, select
from sqlalchemy.exc import DBAPIError

from motebench.base.errors import StoreError
from motebench.base.process import TemporaryFolder
from motebench.store import database, rows, schema
from motebench.store.backend import Backend
from motebench.store.checking import StoreFinding, usable_name
from motebench.store.rows import CASES, FAILURES, LEAKS, NOTES, RUNS, SAMPLES, SERIES, Row, Rows

_AT_ONCE = 10_000
_SAID = 20
"""Findings that the notes of a run in the new store list one by one."""
# Replacements of a run's columns that cannot be read, so that the rest of the run is not lost.
_UNKNOWN: dict[str, Any] = {
    "study": "",
    "started": "",
    "status": "interrupted",
    "version": "unknown",
    "seed": 0,
    "settings": {},
    "environment": {},
}


@dataclass(slots=True)
class Examination:
    """The intact rows of a store by table, and its defects."""

    place: str
    counts: dict[str, int] = field(default_factory=dict)
    findings: list[StoreFinding] = field(default_factory=list)


def look(connection: Connection, backend: Backend) -> Examination:
    """Look at every row of a store that is open."""
    return Look(connection, backend).examined()


class Writer:
    """Writes intact rows in the order that their references need."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def write(self, table: Table, rows: Iterable[Mapping[str, Any]]) -> None:
        """Insert the rows of a table."""
        names = table.columns.keys()
        left = iter(rows)
        while part := [
            {name: row[name] for name in names} for row in itertools.islice(left, _AT_ONCE)
        ]:
            self._connection.execute(table.insert(), part)


class Look:
    """One pass over a store, from runs to notes."""

    def __init__(self, connection: Connection, backend: Backend) -> None:
        self._connection, self._backend = connection, backend
        self._rows = Rows()
        self._found = Examination(backend.place, findings=self._rows.findings)

    def examined(self, writer: Writer | None = None) -> Examination:
        """The result; ``writer``: writes the intact rows."""
        with (
            database.explained(self._backend),
            database.transaction(self._connection, self._backend, writes=False),
        ):
            for message in self._backend.integrity(self._connection):
                self._say("database", "", "", f"is damaged: {message[:200]}")
            for name in database.without_keys(self._connection):
                self._say(name, "", "", "has no primary key: nothing can be added to it")
            runs = self._runs(replaced=writer is not None)
            self._rows.add_cases(self._of_runs(CASES, "case", runs, "; left out with its series"))
            self._rows.add_series(self._each(SERIES), orphans=True)
            self._rows.add_texts(
                self._of_runs(FAILURES, "failure", runs, "; left out"),
                self._of_runs(NOTES, "note", runs, "; left out"),
            )
            self._rows.add_leaks(self._each(LEAKS), orphans=True)
            counts = self._found.counts
            counts |= {
                "runs": len(runs),
                "cases": len(self._rows.cases),
                "series": len(self._rows.series),
            }
            counts |= {
                "samples": 0,
                "failures": len(self._rows.failures),
                "notes": len(self._rows.notes),
            }
            counts |= {"leaks": len(self._rows.leaks)}
            samples = self._samples()
            if writer is None:
                counts["samples"] = sum(1 for _ in samples)
            else:
                self._write(writer, runs, samples)
        return self._found

    def _each(self, table: Any) -> Iterator[Row]:
        order = table.c.id if "id" in table.c else table.c.series_id
        return rows.each(self._connection, select(table).order_by(order), self._rows.findings)

    def _runs(self, *, replaced: bool) -> dict[int, Row]:
        """Runs by id. ``replaced``: also those with columns that cannot be read, with their
        replacements.
        """
        runs: dict[int, Row] = {}
        names: set[str] = set()
        for row in self._each(RUNS):
            decoded, broken, parts = rows.run_row(row)
            self._rows.findings += [*broken, *parts]
            run_id = row["id"]
            if not isinstance(run_id, int) or run_id < 0 or run_id in runs:
                continue
            if broken and not replaced:
                continue
            for finding in broken:
                decoded[finding.column] = _UNKNOWN.get(finding.column)
            name = decoded["name"]
            if not isinstance(name, str) or not usable_name(name) or name in names:
                if not broken:
                    self._say(
                        "runs",
                        f"run {run_id}",
                        "name",
                        f"is {name!r}, which another run has already",
                    )
                decoded["name"] = name = next(
                    free_name
                    for n in itertools.count()
                    if (free_name := f"run-{run_id}{f'-{n}' if n else ''}") not in names
                )
            names.add(name)
            runs[run_id] = decoded
        return runs

    def _of_runs(self, table: Any, word: str, runs: Mapping[int, Row], lost: str) -> Iterator[Row]:
        """Rows of a table whose run exists; defects of the others are found later."""
        for row in self._each(table):
            run_id = row["run_id"]
            if isinstance(run_id, int) and run_id not in runs:
                self._say(
                    table.name,
                    f"{word} {row['id']}",
                    "",
                    f"belongs to run {run_id}, which is not whole{lost}",
                )
                continue
            yield row

    def _samples(self) -> Iterator[tuple[Any, ...]]:
        query = select(SAMPLES).order_by(SAMPLES.c.series_id, SAMPLES.c.round)
        values = (
            tuple(row.values()) for row in rows.each(self._connection, query, self._rows.findings)
        )
        return rows.whole_samples(values, self._rows, orphans=True)

    def _write(
        self, writer: Writer, runs: Mapping[int, Row], samples: Iterator[tuple[Any, ...]]
    ) -> None:
        intact, counts, names = self._rows, self._found.counts, SAMPLES.c.keys()

        def counted() -> Iterator[dict[str, Any]]:
            for values in samples:
                counts["samples"] += 1
                yield dict(zip(names, values, strict=True))

        writer.write(schema.runs, runs.values())
        writer.write(schema.cases, intact.cases.values())
        writer.write(schema.series, intact.series.values())
        writer.write(schema.samples, counted())
        writer.write(schema.leaks, intact.leaks.values())
        explained: set[int] = set()
        failures: list[Row] = []
        for row in intact.failures:
            # A case has one failure; others become failures of the run.
            case_id = None if row["case_id"] in explained else row["case_id"]
            explained |= set() if case_id is None else {case_id}
            failures.append({**row, "case_id": case_id})
        writer.write(schema.failures, _numbered(failures))
        remarks: list[Row] = [
            {"id": None, "run_id": run_id, "case_id": None, "text": text}
            for run_id, texts in self._told(runs).items()
            for text in texts
        ]
        writer.write(schema.notes, _numbered([*intact.notes, *remarks]))

    def _told(self, runs: Mapping[int, Row]) -> dict[int, list[str]]:
        """Notes of each run on left-out data; a finding of no particular run is in all of them."""
        by_run: dict[int, list[str]] = defaultdict(list)
        for finding in self._rows.findings:
            run_id = self._run_of(finding, runs)
            for owner in runs if run_id is None else (run_id,):
                by_run[owner].append(str(finding))
        for remarks in by_run.values():
            if len(remarks) > _SAID:
                remarks[_SAID:] = [
                    f"store: and {len(remarks) - _SAID} rows more were left out by the repair"
                ]
        return by_run

    def _run_of(self, finding: StoreFinding, runs: Mapping[int, Row]) -> int | None:
        word, _, number = finding.row.partition(",")[0].partition(" ")
        if not number.isdecimal():
            return None
        key: Any = int(number)
        if word == "series":
            key = self._rows.series.get(key, {}).get("case_id")
            word = "case"
        if word == "case":
            key = self._rows.cases.get(key, {}).get("run_id")
        elif word != "run":
            return None
        return key if key in runs else None

    def _say(self, table: str, row: str, column: str, problem: str) -> None:
        self._rows.findings.append(StoreFinding(table, row, column, problem))


def _numbered(rows: Sequence[Row]) -> Iterator[Row]:
    """The rows with unique ids: their own if they are not taken."""
    own = {row["id"] for row in rows}
    free = (number for number in itertools.count(1) if number not in own)
    taken: set[int] = set()
    for row in rows:
        number = next(free) if row["id"] is None or row["id"] in taken else row["id"]
        taken.add(number)
        yield {**row, "id": number}


class Opened:
    """Connection to a store of this version; a context, closed at its end.

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
        """StoreError for an invalid name, file or server; nothing is created."""
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
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _bring_up_to_date(self, version: int, *, create: bool) -> None:
        if version >= schema.SAME_ROWS:
            # Only speed depends on it: a store that may not be written, is damaged, or belongs to
            # another user of the server stays as it is.
            with contextlib.suppress(DBAPIError):
                database.migrate(self.connection, self.backend)
            return
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
                f"the store {self.place} has schema version {version} and is damaged, so nothing "
                f"can be added: {wrong}",
                where="--store",
                hint="motebench doctor --store FILE --repair NEW writes every intact row into a "
                "new store",
            )
        self.connection.close()
        self.engine.dispose()
        copy.place += f" (a copy of it: it has schema version {version}, and is damaged)"
        self.backend = copy
        self._connect(create=False)
        self.backend.only_read(self.connection)


def _tried(copy: Backend, place: str) -> str | None:
    """Upgrade the copy of a store, and return its defects as text; None for an intact one.

    StoreError, or an error of the database, if it cannot be upgraded.
    """
    copy.place = place
    engine = database.engine_of(copy, create=True)
    try:
        with engine.connect() as made:
            database.migrate(made, copy)
            findings = look(made, copy).findings
    finally:
        engine.dispose()
    return str(findings[0]) if findings else None


# A store by its name


def examine(place: str) -> Examination:
    """Examine every row of a store. StoreError if it is not a store."""
    with Opened(place, create=False) as opened:
        examination = look(opened.connection, opened.backend)
    examination.place = database.backend_of(place).place
    return examination


def repair(place: str, new: str) -> Examination:
    """Write the intact rows of a store into a new one, and report the others. Runs, cases and
    series keep their ids.

    StoreError if it is not a store, if ``new`` exists, or if it cannot be written; then no part of
    it is left.
    """
    if "://" in new:
        raise StoreError(
            f"{new!r} is not a file name", where="--repair", valid="a file that does not exist yet"
        )
    path = Path(new)
    with Opened(place, create=False) as old:
        try:
            path.touch(exist_ok=False)
        except FileExistsError:
            raise StoreError(
                f"{new} exists", where="--repair", valid="a file that does not exist yet"
            ) from None
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise StoreError(
                f"cannot write {new}: {reason}", where="--repair", valid="a file in a folder"
            ) from None
        try:
            with Opened(new, create=True) as made, database.explained(made.backend):
                damaged = Look(old.connection, old.backend)
                with database.transaction(
                    made.connection, made.backend, writes=True, long=True
                ) as connection:
                    return damaged.examined(Writer(connection))
        except BaseException:
            for name in (new, f"{new}-wal", f"{new}-shm", f"{new}-journal"):
                Path(name).unlink(missing_ok=True)
            raise
