"""Removal, renaming, marking and copying of stored runs: rows stay unchanged, all of a run or
none.
"""

from __future__ import annotations

import hashlib
import itertools
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Table, select

from motebench.base.errors import StoreError
from motebench.base.identity import NAMES
from motebench.store import rows, schema
from motebench.store.checking import StoreFinding
from motebench.store.rows import RUNS, Row, Rows

TAGS = "tags"
"""Key of the settings of a run that has marks."""
_AT_ONCE = 10_000
_REPAIR = "motebench doctor --store FILE --repair NEW writes every intact row into a new store"


@dataclass(frozen=True, slots=True)
class WholeRun:
    """Every row of an intact run but its samples, as stored."""

    run: Row
    rows: Rows

    @property
    def identity(self) -> tuple[Any, ...]:
        """Properties in which copies of a run agree, whatever they are called."""
        return tuple(self.run[name] for name in ("started", "seed", "version", "study"))


def whole_run(connection: Connection, run_id: int, place: str) -> WholeRun:
    """The rows of a run. StoreError if one of them is damaged."""
    run, findings = _run(connection, run_id)
    run_rows = rows.of_run(connection, run_id)
    _check(run_id, place, [*findings, *run_rows.findings])
    return WholeRun(run, run_rows)


def _run(connection: Connection, run_id: int) -> tuple[dict[str, Any], list[StoreFinding]]:
    """Row of a run with its JSON decoded, and its defects."""
    row = dict(connection.execute(select(RUNS).where(RUNS.c.id == run_id)).one()._mapping)
    _, broken, parts = rows.run_row(row)
    findings = [*broken, *parts]
    if not findings:
        for name in ("settings", "environment", "environment_end"):
            row[name] = json.loads(row[name]) if isinstance(row[name], str) else row[name]
    return row, findings


def _check(run_id: int, place: str, findings: list[StoreFinding]) -> None:
    if findings:
        raise StoreError(
            f"run {run_id} is damaged, and stays as it is: {findings[0]}", where=place, hint=_REPAIR
        )


def samples_of(connection: Connection, whole: WholeRun, place: str) -> Iterator[tuple[Any, ...]]:
    """The samples of a run, by series and round. StoreError if one is damaged."""
    before = len(whole.rows.findings)
    run_id = whole.run["id"]
    for values in rows.samples_of_run(connection, run_id, whole.rows):
        _check(run_id, place, whole.rows.findings[before:])
        yield values
    _check(run_id, place, whole.rows.findings[before:])


def content(connection: Connection, whole: WholeRun, place: str) -> bytes:
    """Digest of the measured data, independent of ids: cases, series, samples, leaks and
    failures.
    """
    digest = hashlib.sha256()
    key_of = {
        case_id: tuple(case[name] for name in NAMES) for case_id, case in whole.rows.cases.items()
    }

    def add(*values: Any) -> None:
        digest.update(repr(values).encode("utf-8", "backslashreplace"))

    for case_id, case in whole.rows.cases.items():
        add(key_of[case_id], case["operation"], case["provider"], case["state"])
    of_series = {
        series_id: (
            key_of[series["case_id"]],
            *(series[name] for name in schema.series.columns.keys()[2:]),
        )
        for series_id, series in whole.rows.series.items()
    }
    for described in sorted(of_series.values(), key=repr):
        add(described)
    # Ids rise in another order in a copy only if two writers shared a run; then a copy is kept, and
    # nothing is lost.
    last = None
    for series_id, *values in samples_of(connection, whole, place):
        if series_id != last:
            add(of_series[series_id])
            last = series_id
        add(values)
    for leak in whole.rows.leaks.values():
        add(key_of[leak["case_id"]], leak["varied"], json.dumps(leak["content"], sort_keys=True))
    for failure in whole.rows.failures:
        add(
            key_of.get(failure["case_id"]),
            *(failure[name] for name in schema.failures.columns.keys()[3:]),
        )
    return digest.digest()


def copy(
    source: Connection, place: str, connection: Connection, whole: WholeRun, **changed: Any
) -> int:
    """Insert a run of another store with new ids, and return its id. ``changed``: columns of its
    row.
    """
    run = {name: whole.run[name] for name in schema.runs.columns.keys()[1:]} | changed
    run_id = _inserted(connection, schema.runs, run)
    cases = {
        case_id: _inserted(connection, schema.cases, {**_without_id(case), "run_id": run_id})
        for case_id, case in whole.rows.cases.items()
    }
    series = {
        series_id: _inserted(
            connection, schema.series, {**_without_id(row), "case_id": cases[row["case_id"]]}
        )
        for series_id, row in whole.rows.series.items()
    }
    names = schema.samples.columns.keys()
    taken = (
        dict(zip(names, (series[series_id], *values), strict=True))
        for series_id, *values in samples_of(source, whole, place)
    )
    _insert(connection, schema.samples, taken)
    leaks = (
        {**_without_id(row), "case_id": cases[row["case_id"]]} for row in whole.rows.leaks.values()
    )
    _insert(connection, schema.leaks, leaks)
    for table, entries in (
        (schema.failures, whole.rows.failures),
        (schema.notes, whole.rows.notes),
    ):
        again = (
            {**_without_id(row), "run_id": run_id, "case_id": cases.get(row["case_id"])}
            for row in entries
        )
        _insert(connection, table, again)
    return run_id


def _without_id(row: Row) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name != "id"}


def _inserted(connection: Connection, table: Table, values: Mapping[str, Any]) -> int:
    key: Any = connection.execute(table.insert().values(values)).inserted_primary_key
    return int(key[0])


def _insert(connection: Connection, table: Table, rows: Iterable[dict[str, Any]]) -> None:
    left = iter(rows)
    while part := list(itertools.islice(left, _AT_ONCE)):
        connection.execute(table.insert(), part)


def remove(connection: Connection, run_id: int) -> None:
    """Remove a run with everything that belongs to it, damaged rows too."""
    cases = select(schema.cases.c.id).where(schema.cases.c.run_id == run_id)
    series = select(schema.series.c.id).where(schema.series.c.case_id.in_(cases))
    connection.execute(schema.samples.delete().where(schema.samples.c.series_id.in_(series)))
    connection.execute(schema.leaks.delete().where(schema.leaks.c.case_id.in_(cases)))
    connection.execute(schema.series.delete().where(schema.series.c.case_id.in_(cases)))
    for table in (schema.failures, schema.notes):
        connection.execute(
            table.delete().where((table.c.run_id == run_id) | table.c.case_id.in_(cases))
        )
    connection.execute(schema.cases.delete().where(schema.cases.c.run_id == run_id))
    connection.execute(schema.runs.delete().where(schema.runs.c.id == run_id))


def change_settings(
    connection: Connection, run_id: int, place: str, changed: Mapping[str, Any]
) -> None:
    """Set entries of the settings of a run; those that are None are removed. StoreError if its row
    is damaged."""
    row, findings = _run(connection, run_id)
    _check(run_id, place, findings)
    settings = {
        key: value for key, value in (row["settings"] | changed).items() if value is not None
    }
    connection.execute(
        schema.runs.update().where(schema.runs.c.id == run_id).values(settings=settings)
    )
