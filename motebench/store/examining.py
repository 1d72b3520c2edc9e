"""Examines a whole store."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, Table, select

from motebench.store import database, rows, schema
from motebench.store.backend import Backend
from motebench.store.checking import StoreFinding, usable_name
from motebench.store.rows import CASES, FAILURES, NOTES, RUNS, SAMPLES, SERIES, Row, Rows

_AT_ONCE = 10_000
_SAID = 20
"""Findings that the notes of a run in the new store list one by one."""
# Replacements of a run's columns that cannot be read, so that the rest of the run is not lost.
_UNKNOWN: dict[str, Any] = {
    "study": "", "started": "", "status": "interrupted", "version": "unknown", "seed": 0, "settings": {},
    "environment": {},
}  # fmt: skip


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

    def write(self, table: Table, found: Iterable[Mapping[str, Any]]) -> None:
        """Insert the rows of a table."""
        names = table.columns.keys()
        left = iter(found)
        while part := [{name: row[name] for name in names} for row in itertools.islice(left, _AT_ONCE)]:
            self._connection.execute(table.insert(), part)


class Look:
    """One pass over a store, from runs to notes."""

    def __init__(self, connection: Connection, backend: Backend) -> None:
        self._connection, self._backend = connection, backend
        self._rows = Rows()
        self._found = Examination(backend.place, findings=self._rows.findings)

    def examined(self, writer: Writer | None = None) -> Examination:
        """The result; ``writer``: writes the intact rows."""
        with database.explained(self._backend), database.transaction(self._connection, self._backend, writes=False):
            for said in self._backend.integrity(self._connection):
                self._say("database", "", "", f"is damaged: {said[:200]}")
            for name in database.without_keys(self._connection):
                self._say(name, "", "", "has no primary key: nothing can be added to it")
            runs = self._runs(replaced=writer is not None)
            self._rows.add_cases(self._of_runs(CASES, "case", runs, "; left out with its series"))
            self._rows.add_series(self._each(SERIES), orphans=True)
            self._rows.add_texts(
                self._of_runs(FAILURES, "failure", runs, "; left out"), self._of_runs(NOTES, "note", runs, "; left out")
            )
            counts = self._found.counts
            counts |= {"runs": len(runs), "cases": len(self._rows.cases), "series": len(self._rows.series)}
            counts |= {"samples": 0, "failures": len(self._rows.failures), "notes": len(self._rows.notes)}
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
        """Runs by id. ``replaced``: also those with columns that cannot be read, with their replacements."""
        found: dict[int, Row] = {}
        names: set[str] = set()
        for row in self._each(RUNS):
            decoded, broken, parts = rows.run_row(row)
            self._rows.findings += [*broken, *parts]
            run_id = row["id"]
            if not isinstance(run_id, int) or run_id < 0 or run_id in found:
                continue
            if broken and not replaced:
                continue
            for finding in broken:
                decoded[finding.column] = _UNKNOWN.get(finding.column)
            name = decoded["name"]
            if not isinstance(name, str) or not usable_name(name) or name in names:
                if not broken:
                    self._say("runs", f"run {run_id}", "name", f"is {name!r}, which another run has already")
                decoded["name"] = name = next(
                    each for n in itertools.count() if (each := f"run-{run_id}{f'-{n}' if n else ''}") not in names
                )
            names.add(name)
            found[run_id] = decoded
        return found

    def _of_runs(self, table: Any, word: str, runs: Mapping[int, Row], lost: str) -> Iterator[Row]:
        """Rows of a table whose run exists; defects of the others are found later."""
        for row in self._each(table):
            run_id = row["run_id"]
            if isinstance(run_id, int) and run_id not in runs:
                self._say(table.name, f"{word} {row['id']}", "", f"belongs to run {run_id}, which is not whole{lost}")
                continue
            yield row

    def _samples(self) -> Iterator[tuple[Any, ...]]:
        wanted = select(SAMPLES).order_by(SAMPLES.c.series_id, SAMPLES.c.round)
        found = (tuple(row.values()) for row in rows.each(self._connection, wanted, self._rows.findings))
        return rows.whole_samples(found, self._rows, orphans=True)

    def _write(self, writer: Writer, runs: Mapping[int, Row], samples: Iterator[tuple[Any, ...]]) -> None:
        found, counts, names = self._rows, self._found.counts, SAMPLES.c.keys()

        def counted() -> Iterator[dict[str, Any]]:
            for values in samples:
                counts["samples"] += 1
                yield dict(zip(names, values, strict=True))

        writer.write(schema.runs, runs.values())
        writer.write(schema.cases, found.cases.values())
        writer.write(schema.series, found.series.values())
        writer.write(schema.samples, counted())
        explained: set[int] = set()
        failures: list[Row] = []
        for row in found.failures:
            # A case has one failure; others become failures of the run.
            case_id = None if row["case_id"] in explained else row["case_id"]
            explained |= set() if case_id is None else {case_id}
            failures.append({**row, "case_id": case_id})
        writer.write(schema.failures, _numbered(failures))
        said: list[Row] = [
            {"id": None, "run_id": run_id, "case_id": None, "text": text}
            for run_id, texts in self._told(runs).items()
            for text in texts
        ]
        writer.write(schema.notes, _numbered([*found.notes, *said]))

    def _told(self, runs: Mapping[int, Row]) -> dict[int, list[str]]:
        """Notes of each run on what was left out; a finding that belongs to no run is in all of them."""
        by_run: dict[int, list[str]] = defaultdict(list)
        for finding in self._rows.findings:
            run_id = self._run_of(finding, runs)
            for each in runs if run_id is None else (run_id,):
                by_run[each].append(str(finding))
        for said in by_run.values():
            if len(said) > _SAID:
                said[_SAID:] = [f"store: and {len(said) - _SAID} rows more were left out by the repair"]
        return by_run

    def _run_of(self, finding: StoreFinding, runs: Mapping[int, Row]) -> int | None:
        word, _, number = finding.row.partition(",")[0].partition(" ")
        if not number.isdecimal():
            return None
        found: Any = int(number)
        if word == "series":
            found = self._rows.series.get(found, {}).get("case_id")
            word = "case"
        if word == "case":
            found = self._rows.cases.get(found, {}).get("run_id")
        elif word != "run":
            return None
        return found if found in runs else None

    def _say(self, table: str, row: str, column: str, what: str) -> None:
        self._rows.findings.append(StoreFinding(table, row, column, what))


def _numbered(found: Sequence[Row]) -> Iterator[Row]:
    """The rows with unique ids: their own if they are not taken."""
    own = {row["id"] for row in found}
    free = (number for number in itertools.count(1) if number not in own)
    taken: set[int] = set()
    for row in found:
        number = next(free) if row["id"] is None or row["id"] in taken else row["id"]
        taken.add(number)
        yield {**row, "id": number}
