"""Rows of a store from the database, and the intact ones among them.

Columns are read without the types of ``schema``, because SQLite may have values of any type in them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, Select, Table, TableClause, column, func, select, table
from sqlalchemy.exc import DBAPIError

from motebench.base.errors import StoreError, visible
from motebench.base.identity import NAMES
from motebench.store import checking, schema
from motebench.store.checking import StoreFinding

Row = Mapping[str, Any]
MOST_SAMPLES = 50_000_000
"""Most samples of one run: more do not fit into memory."""


def _plain(of: Table) -> TableClause:
    return table(of.name, *(column(each.name) for each in of.columns))


RUNS, CASES, SERIES, SAMPLES, FAILURES, NOTES = (
    _plain(each) for each in (schema.runs, schema.cases, schema.series, schema.samples, schema.failures, schema.notes)
)
_JSON = ("settings", "environment", "environment_end")


@dataclass(slots=True)
class Rows:
    """The intact rows of one run, or of all (``of_run``, ``of_all``), by id, and the defects of the others.

    Rows that refer to an invalid one are left out with it; failures and notes never are: they lose their case.
    """

    cases: dict[int, Row] = field(default_factory=dict)
    series: dict[int, Row] = field(default_factory=dict)
    failures: list[Row] = field(default_factory=list)
    notes: list[Row] = field(default_factory=list)
    findings: list[StoreFinding] = field(default_factory=list)

    def add_cases(self, found: Iterator[Row]) -> None:
        """Cases, each only once."""
        known: dict[tuple[Any, ...], int] = {}
        names = ("run_id", *NAMES)
        for row in found:
            if self._odd("cases", "case", row, "; left out with its series"):
                continue
            key = tuple(row[name] for name in names)
            if key in known or row["id"] in self.cases:
                there = known.get(key, row["id"])
                self._say("cases", f"case {row['id']}", f"repeats case {there}; left out with its series")
                continue
            known[key] = row["id"]
            self.cases[row["id"]] = row

    def add_series(self, found: Iterator[Row], *, orphans: bool) -> None:
        """Series of the cases, each metric once. ``orphans``: report those without a case."""
        known: set[tuple[int, str]] = set()
        for row in found:
            if self._odd("series", "series", row, "; left out with its samples"):
                continue
            if row["case_id"] not in self.cases:
                if orphans:
                    self._say("series", f"series {row['id']}", f"belongs to case {row['case_id']}, which is not whole")
                continue
            key = (row["case_id"], row["metric"])
            if key in known or row["id"] in self.series:
                self._say("series", f"series {row['id']}", f"repeats {row['metric']} of case {key[0]}; left out")
                continue
            known.add(key)
            self.series[row["id"]] = row

    def add_texts(self, failures: Iterator[Row], notes: Iterator[Row]) -> None:
        """Failures and notes. If a case is marked as failed and has no intact failure, one is created."""
        for row in failures:
            if not self._odd("failures", "failure", row, "; left out"):
                self.failures.append(self._with_case("failures", "failure", row))
        for row in notes:
            if not self._odd("notes", "note", row, "; left out"):
                self.notes.append(self._with_case("notes", "note", row))
        explained = {row["case_id"] for row in self.failures}
        for case_id, case in self.cases.items():
            if case["state"] == "failed" and case_id not in explained:
                self._say("cases", f"case {case_id}", "failed, and the failure with the reason is damaged")
                self.failures.append(_unexplained(case))

    def _with_case(self, name: str, word: str, row: Row) -> Row:
        case_id = row["case_id"]
        case = self.cases.get(case_id)
        if case_id is None or (case is not None and case["run_id"] == row["run_id"]):
            return row
        self._say(name, f"{word} {row['id']}", f"is of case {case_id}, which is not whole; kept as one of the run")
        return {**row, "case_id": None}

    def _odd(self, name: str, word: str, row: Row, lost: str) -> bool:
        found = checking.problems(name, row)
        if found:
            where, what = found[0]
            self.findings.append(StoreFinding(name, _label(word, row["id"]), where, f"{what}{lost}"))
        return bool(found)

    def _say(self, name: str, row: str, what: str) -> None:
        self.findings.append(StoreFinding(name, row, "", what))


def _label(word: str, row_id: object) -> str:
    return f"{word} {row_id if isinstance(row_id, int) else visible(repr(row_id))[:40]}"


def _unexplained(case: Row) -> Row:
    return {
        **{name: case[name] for name in ("run_id", *NAMES)}, "id": None, "case_id": case["id"], "kind": "error",
        "message": "it failed, and the store does not say why", "vector": None, "file": case["file"] or None,
    }  # fmt: skip


def each(connection: Connection, wanted: Select[Any], findings: list[StoreFinding] | None = None) -> Iterator[Row]:
    """Rows as maps. With ``findings``, an error of the database ends them and is added there; otherwise it
    is raised."""
    try:
        for row in connection.execute(wanted):
            yield dict(row._mapping)
    except DBAPIError as error:
        if findings is None:
            raise
        name = wanted.get_final_froms()[0]
        said = " ".join(str(error.orig).split())[:200]
        findings.append(StoreFinding(str(getattr(name, "name", "")), "", "", f"the rest cannot be read: {said}"))


def of_run(connection: Connection, run_id: int, *, texts: bool = True) -> Rows:
    """The intact rows of one run, without samples. texts: with failures and notes."""
    rows = Rows()
    rows.add_cases(each(connection, select(CASES).where(CASES.c.run_id == run_id).order_by(CASES.c.id)))
    rows.add_series(
        each(connection, select(SERIES).where(SERIES.c.id.in_(_series_of(run_id))).order_by(SERIES.c.id)), orphans=False
    )
    if texts:
        rows.add_texts(
            each(connection, select(FAILURES).where(FAILURES.c.run_id == run_id).order_by(FAILURES.c.id)),
            each(connection, select(NOTES).where(NOTES.c.run_id == run_id).order_by(NOTES.c.id)),
        )
    return rows


def _series_of(run_id: int) -> Select[Any]:
    return select(SERIES.c.id).join(CASES, SERIES.c.case_id == CASES.c.id).where(CASES.c.run_id == run_id)


def samples_of_run(connection: Connection, run_id: int, rows: Rows) -> Iterator[tuple[Any, ...]]:
    """Intact samples of the intact series of a run, by series and round: values in the order of their table.

    StoreError if there are too many.
    """
    of_run = SAMPLES.c.series_id.in_(_series_of(run_id))
    count = connection.scalar(select(func.count()).select_from(SAMPLES).where(of_run))
    if (count or 0) > MOST_SAMPLES:
        raise StoreError(f"run {run_id} has {count} samples", where="--store", valid=f"up to {MOST_SAMPLES} in a run")
    wanted = select(SAMPLES).where(of_run).order_by(SAMPLES.c.series_id, SAMPLES.c.round)
    yield from whole_samples(connection.execute(wanted), rows)


def whole_samples(found: Iterable[Any], rows: Rows, *, orphans: bool = False) -> Iterator[tuple[Any, ...]]:
    """Intact samples of intact series. ``orphans``: report those without a series."""
    last: tuple[Any, ...] = ()
    series_id: Any = None
    low, known = 0.0, False
    for values in found:
        if values[0] != series_id:
            series_id = values[0]
            known = isinstance(series_id, int) and series_id in rows.series
            metric = rows.series[series_id]["metric"] if known else ""
            low = checking.LOWEST_RAW if checking.may_be_negative(metric) else 0.0
            if orphans and not known:
                where = _label("series", series_id)
                rows.findings.append(StoreFinding("samples", where, "", "belong to a damaged series; left out"))
        if not known:
            continue
        if tuple(values[:2]) == last:
            where = f"series {series_id}, round {values[1]}"
            rows.findings.append(StoreFinding("samples", where, "", "appears twice; left out"))
            continue
        if not checking.sample_fits(tuple(values), low):
            row = dict(zip(SAMPLES.c.keys(), values, strict=True))
            problem = checking.sample_problem(row, rows.series[series_id]["metric"])
            if problem is not None:
                where = f"series {series_id}, {_label('round', values[1])}"
                rows.findings.append(StoreFinding("samples", where, problem[0], f"{problem[1]}; left out"))
                continue
        last = tuple(values[:2])
        yield tuple(values)


def run_row(row: Row) -> tuple[dict[str, Any], list[StoreFinding], list[StoreFinding]]:
    """The row of a run with its JSON decoded; why it is unusable; what was left out."""
    label = _label("run", row["id"])
    said = dict(checking.problems("runs", row))
    # If this time cannot be read, the run counts as unfinished; the other columns have no such replacement.
    parts = [StoreFinding("runs", label, "finished", f"{said.pop('finished')}; left out")] if "finished" in said else []
    out = {**row, "finished": None if parts else row["finished"]}
    broken = [StoreFinding("runs", label, name, what) for name, what in said.items()]
    for name in _JSON:
        if name == "environment_end" and row[name] in (None, "null"):
            out[name] = None
            continue
        out[name], wrong = checking.decoded(name, row[name])
        found = [StoreFinding("runs", label, name, what) for what in wrong]
        if out[name] is None and name != "environment_end":
            broken += found
        else:
            parts += found
    return out, broken, parts
