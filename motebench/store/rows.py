"""Rows of a store from the database, the intact ones among them, and runs made of these.

Columns are read without the types of ``schema``, because SQLite may have values of any type in
them.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from sqlalchemy import (
    BindParameter,
    Connection,
    Integer,
    Select,
    Table,
    TableClause,
    Text,
    bindparam,
    cast,
    column,
    func,
    select,
    table,
    tuple_,
)
from sqlalchemy.exc import DBAPIError

from motebench.base.errors import StoreError, visible
from motebench.base.identity import NAMES, CaseId
from motebench.base.model import (
    Case,
    CaseResult,
    Evidence,
    Failure,
    FailureKind,
    LeakRecord,
    Operation,
    Run,
    RunInfo,
    Sample,
    Series,
)
from motebench.base.naming import PLACE
from motebench.store import checking, schema
from motebench.store.checking import StoreFinding

Row = Mapping[str, Any]
MOST_SAMPLES = 50_000_000
"""Largest number of samples of one run: more do not fit into memory."""
MOST_BOUND = 5_000
"""Largest number of values that a query names one by one: databases have limits."""
_FETCHED = 1_000
"""Rows that are fetched at once."""


def _plain(declared: Table) -> TableClause:
    return table(declared.name, *(column(column_of.name) for column_of in declared.columns))


RUNS, CASES, SERIES, SAMPLES, FAILURES, NOTES, LEAKS = (
    _plain(made)
    for made in (
        schema.runs,
        schema.cases,
        schema.series,
        schema.samples,
        schema.failures,
        schema.notes,
        schema.leaks,
    )
)
_JSON = ("settings", "environment", "environment_end")


@dataclass(slots=True)
class Rows:
    """The intact rows of one run, or of all (``of_run``, ``of_all``), by id, and the defects of the
    others.

    Rows that refer to an invalid one are left out with it; failures and notes never are: they lose
    their case.
    """

    cases: dict[int, Row] = field(default_factory=dict)
    series: dict[int, Row] = field(default_factory=dict)
    failures: list[Row] = field(default_factory=list)
    notes: list[Row] = field(default_factory=list)
    leaks: dict[int, Row] = field(default_factory=dict)
    findings: list[StoreFinding] = field(default_factory=list)

    def add_cases(self, entries: Iterator[Row]) -> None:
        """Cases, each only once."""
        first_ids: dict[tuple[Any, ...], int] = {}
        names = ("run_id", *NAMES)
        for row in entries:
            if self._odd("cases", "case", row, "; left out with its series"):
                continue
            key = tuple(row[name] for name in names)
            if key in first_ids or row["id"] in self.cases:
                first = first_ids.get(key, row["id"])
                self._say(
                    "cases", f"case {row['id']}", f"repeats case {first}; left out with its series"
                )
                continue
            first_ids[key] = row["id"]
            self.cases[row["id"]] = row

    def add_series(self, entries: Iterator[Row], *, orphans: bool) -> None:
        """Series of the cases, each metric once. ``orphans``: report those without a case."""
        keys: set[tuple[int, str]] = set()
        for row in entries:
            if self._odd("series", "series", row, "; left out with its samples"):
                continue
            if row["case_id"] not in self.cases:
                if orphans:
                    self._say(
                        "series",
                        f"series {row['id']}",
                        f"belongs to case {row['case_id']}, which is not whole",
                    )
                continue
            key = (row["case_id"], row["metric"])
            if key in keys or row["id"] in self.series:
                self._say(
                    "series",
                    f"series {row['id']}",
                    f"repeats {row['metric']} of case {key[0]}; left out",
                )
                continue
            keys.add(key)
            self.series[row["id"]] = row

    def add_leaks(self, rows: Iterator[Row], *, orphans: bool) -> None:
        """Results of leak tests, each secret of a case once, with their content decoded.
        ``orphans``: report those without a case.
        """
        secrets: set[tuple[int, str]] = set()
        for row in rows:
            if self._odd("leaks", "leak", row, "; left out"):
                continue
            label, key = f"leak {row['id']}", (row["case_id"], row["varied"])
            if key[0] not in self.cases:
                if orphans:
                    self._say(
                        "leaks", label, f"belongs to case {key[0]}, which is not whole; left out"
                    )
                continue
            content, defects = checking.decoded("content", row["content"])
            if content is None or key in secrets or row["id"] in self.leaks:
                repeated = [f"repeats {key[1]} of case {key[0]}"]
                self._say("leaks", label, f"{(defects or repeated)[0]}; left out")
                continue
            self.findings += [StoreFinding("leaks", label, "content", defect) for defect in defects]
            secrets.add(key)
            self.leaks[row["id"]] = {**row, "content": content}

    def add_texts(self, failures: Iterator[Row], notes: Iterator[Row]) -> None:
        """Failures and notes. If a case is marked as failed and has no intact failure, one is
        created.
        """
        for row in failures:
            if not self._odd("failures", "failure", row, "; left out"):
                self.failures.append(self._with_case("failures", "failure", row))
        for row in notes:
            if not self._odd("notes", "note", row, "; left out"):
                self.notes.append(self._with_case("notes", "note", row))
        explained = {row["case_id"] for row in self.failures}
        for case_id, case in self.cases.items():
            if case["state"] == "failed" and case_id not in explained:
                self._say(
                    "cases", f"case {case_id}", "failed, and the failure with the reason is damaged"
                )
                self.failures.append(_unexplained(case))

    def _with_case(self, name: str, word: str, row: Row) -> Row:
        case_id = row["case_id"]
        case = self.cases.get(case_id)
        if case_id is None or (case is not None and case["run_id"] == row["run_id"]):
            return row
        self._say(
            name,
            f"{word} {row['id']}",
            f"is of case {case_id}, which is not whole; kept as one of the run",
        )
        return {**row, "case_id": None}

    def _odd(self, name: str, word: str, row: Row, lost: str) -> bool:
        faults = checking.problems(name, row)
        if faults:
            where, fault = faults[0]
            self.findings.append(
                StoreFinding(name, _label(word, row["id"]), where, f"{fault}{lost}")
            )
        return bool(faults)

    def _say(self, name: str, row: str, problem: str) -> None:
        self.findings.append(StoreFinding(name, row, "", problem))


def _label(word: str, row_id: object) -> str:
    return f"{word} {row_id if isinstance(row_id, int) else visible(repr(row_id))[:40]}"


def _unexplained(case: Row) -> Row:
    return {
        **{name: case[name] for name in ("run_id", *NAMES)},
        "id": None,
        "case_id": case["id"],
        "kind": "error",
        "message": "it failed, and the store does not say why",
        "vector": None,
        "file": case["file"] or None,
    }


def each(
    connection: Connection, query: Select[Any], findings: list[StoreFinding] | None = None
) -> Iterator[Row]:
    """Rows as maps. With ``findings``, an error of the database ends them and is added there;
    otherwise it is raised."""
    try:
        for row in _fetched(connection, query):
            yield dict(row._mapping)
    except DBAPIError as error:
        if findings is None:
            raise
        name = query.get_final_froms()[0]
        message = " ".join(str(error.orig).split())[:200]
        findings.append(
            StoreFinding(
                str(getattr(name, "name", "")), "", "", f"the rest cannot be read: {message}"
            )
        )


def _fetched(connection: Connection, query: Select[Any]) -> Iterator[Any]:
    """The rows of a query, many at once: one by one takes twice as long."""
    return chain.from_iterable(connection.execute(query).partitions(_FETCHED))


@dataclass(frozen=True, slots=True)
class RunPart:
    """A part of a run: these cases with all their series, their like at other places of the code,
    and the series of one metric of all cases.
    """

    ids: frozenset[int]
    metric: str

    def cases(self, run_id: int) -> Select[Any]:
        """Ids of its cases with all series."""
        same = [CASES.c[name] for name in NAMES if name != "target"]
        chosen = CASES.c.id.in_(self.ids)
        placed = CASES.c.target.contains(PLACE, autoescape=True)
        like_chosen = tuple_(*same).in_(select(*same).where(chosen))
        of_run = CASES.c.run_id == run_id
        return select(CASES.c.id).where(of_run, chosen | (placed & like_chosen))

    def beside(self, run_id: int) -> Select[Any]:
        """The series of that metric of all cases of the run."""
        joined = select(SERIES).join(CASES, CASES.c.id == SERIES.c.case_id)
        return joined.where(CASES.c.run_id == run_id, SERIES.c.metric == self.metric)


def of_run(
    connection: Connection, run_id: int, *, texts: bool = True, part: RunPart | None = None
) -> Rows:
    """The intact rows of one run, without samples. texts: with failures and notes; part: the rows
    of a part only.

    Queries name the rows by number: a server that does not know how few they are would read whole
    tables.
    """
    rows = Rows()
    _by_number(connection)
    beside: list[Row] = []
    if part is None:
        cases = list(_of_run(connection, CASES, run_id))
        chosen = every = _numbers(row["id"] for row in cases)
    else:
        chosen = _numbers(connection.scalars(part.cases(run_id)))
        beside += each(connection, part.beside(run_id))
        every = _numbers([*chosen, *(row["case_id"] for row in beside)])
        cases = list(_with_numbers(connection, CASES, CASES.c.id, every))
    rows.add_cases(iter(cases))
    series = list(_with_numbers(connection, SERIES, SERIES.c.case_id, chosen))
    present = {row["id"] for row in series}
    series += [row for row in beside if row["id"] not in present]
    rows.add_series(iter(series), orphans=False)
    rows.add_leaks(_with_numbers(connection, LEAKS, LEAKS.c.case_id, every), orphans=False)
    if texts:
        failures = _of_run(connection, FAILURES, run_id)
        notes = _of_run(connection, NOTES, run_id)
        of_failures, of_notes = {*chosen}, {None, *chosen}
        rows.add_texts(
            (row for row in failures if part is None or row["case_id"] in of_failures),
            (row for row in notes if part is None or row["case_id"] in of_notes),
        )
    return rows


def _by_number(connection: Connection) -> None:
    """Have the rest of the transaction read rows by their numbers: before a server has statistics
    of a table, it takes a few for a large part of it, and reads all.
    """
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("SET LOCAL enable_seqscan = off")


def _numbers(values: Iterable[Any]) -> list[int]:
    """The row ids among these values, which rise, each once."""
    return sorted({value for value in values if isinstance(value, int)})


def _with_numbers(
    connection: Connection, source: TableClause, key: Any, numbers: Sequence[int]
) -> Iterator[Row]:
    """The rows of a table in which a column is one of these numbers, in the order of it."""
    for part in _parts(numbers):
        chosen = select(source).where(key.in_(part))
        yield from each(connection, chosen.order_by(key, source.c.id))


def _parts(numbers: Sequence[int]) -> Iterator[BindParameter[Any]]:
    """The numbers, as many at once as a query may name."""
    for first in range(0, len(numbers), MOST_BOUND):
        yield listed(numbers[first : first + MOST_BOUND])


def listed(numbers: Sequence[int]) -> BindParameter[Any]:
    """Numbers for ``in_`` as a part of the query's text: the driver of PostgreSQL takes long for
    many parameters.
    """
    return bindparam(None, numbers, Integer, expanding=True, literal_execute=True)


def _of_run(connection: Connection, source: TableClause, run_id: int) -> Iterator[Row]:
    """The rows of a table that belong to a run."""
    return each(connection, select(source).where(source.c.run_id == run_id).order_by(source.c.id))


def samples_of_run(connection: Connection, run_id: int, rows: Rows) -> Iterator[tuple[Any, ...]]:
    """Intact samples of these intact series of a run, by series and round: values in the order of
    their table.

    StoreError if there are too many.
    """
    conditions = [SAMPLES.c.series_id.in_(part) for part in _parts(sorted(rows.series))]
    counted = select(func.count()).select_from(SAMPLES)
    count = sum(connection.scalar(counted.where(condition)) or 0 for condition in conditions)
    if count > MOST_SAMPLES:
        raise StoreError(
            f"run {run_id} has {count} samples",
            where="--store",
            valid=f"up to {MOST_SAMPLES} in a run",
        )
    for condition in conditions:
        query = select(SAMPLES).where(condition).order_by(SAMPLES.c.series_id, SAMPLES.c.round)
        yield from whole_samples(_fetched(connection, query), rows)


def whole_samples(
    entries: Iterable[Any], rows: Rows, *, orphans: bool = False
) -> Iterator[tuple[Any, ...]]:
    """Intact samples of intact series. ``orphans``: report those without a series."""
    last: tuple[Any, ...] = ()
    series_id: Any = None
    low, has_series = 0.0, False
    for values in entries:
        if values[0] != series_id:
            series_id = values[0]
            has_series = isinstance(series_id, int) and series_id in rows.series
            metric = rows.series[series_id]["metric"] if has_series else ""
            low = checking.LOWEST_RAW if checking.may_be_negative(metric) else 0.0
            if orphans and not has_series:
                where = _label("series", series_id)
                rows.findings.append(
                    StoreFinding("samples", where, "", "belong to a damaged series; left out")
                )
        if not has_series:
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
                rows.findings.append(
                    StoreFinding("samples", where, problem[0], f"{problem[1]}; left out")
                )
                continue
        last = tuple(values[:2])
        yield tuple(values)


def run_row(row: Row) -> tuple[dict[str, Any], list[StoreFinding], list[StoreFinding]]:
    """Row of a run with its JSON decoded; why it is unusable; what was left out."""
    label = _label("run", row["id"])
    faults = dict(checking.problems("runs", row))
    # If this time cannot be read, the run counts as unfinished; the other columns have no such
    # replacement.
    parts = (
        [StoreFinding("runs", label, "finished", f"{faults.pop('finished')}; left out")]
        if "finished" in faults
        else []
    )
    out = {**row, "finished": None if parts else row["finished"]}
    broken = [StoreFinding("runs", label, name, fault) for name, fault in faults.items()]
    for name in _JSON:
        if name == "environment_end" and row[name] in (None, "null"):
            out[name] = None
            continue
        out[name], wrong = checking.decoded(name, row[name])
        findings = [StoreFinding("runs", label, name, fault) for fault in wrong]
        if out[name] is None and name != "environment_end":
            broken += findings
        else:
            parts += findings
    return out, broken, parts


# Runs made of intact rows


_SAID = 20
"""Findings that the notes of a run list one by one."""
_REPAIR = (
    "motebench doctor --store FILE lists everything that is wrong; "
    "with --repair NEW it writes every intact row into a new store"
)


def case_keys(connection: Connection, run_id: int) -> Iterator[tuple[int, CaseId]]:
    """Row id and identity of each case of a run."""
    rows = Rows()
    rows.add_cases(_of_run(connection, CASES, run_id))
    for row_id, row in rows.cases.items():
        yield row_id, _case(row).id


def identities(connection: Connection, case_ids: Sequence[int]) -> dict[int, CaseId]:
    """Identities of the intact cases among these, by their row ids."""
    rows = Rows()
    for part in _parts(case_ids):
        rows.add_cases(each(connection, select(CASES).where(CASES.c.id.in_(part))))
    return {row_id: _case(row).id for row_id, row in rows.cases.items()}


def run_infos(
    connection: Connection, mentioning: str = ""
) -> tuple[list[RunInfo], list[StoreFinding]]:
    """All usable runs, oldest first, and why the others are unusable. ``mentioning``: only those
    whose settings have that text as a name or a value.
    """
    texts: dict[Any, list[str]] = defaultdict(list)
    query = select(NOTES).where(NOTES.c.case_id.is_(None)).order_by(NOTES.c.id)
    for note in connection.execute(query):
        if isinstance(note.text, str):
            texts[note.run_id].append(visible(note.text))
    infos, unusable = [], []
    chosen = select(RUNS)
    if mentioning:
        chosen = chosen.where(
            cast(RUNS.c.settings, Text).contains(json.dumps(mentioning), autoescape=True)
        )
    for row in each(connection, chosen.order_by(RUNS.c.id)):
        decoded, broken, parts = run_row(row)
        unusable += broken[:1]
        if not broken:
            infos.append(_info(decoded, [*texts[row["id"]], *_said(parts)]))
    return infos, unusable


def read_run(
    connection: Connection,
    run_id: int,
    place: str,
    *,
    whole: bool = False,
    part: RunPart | None = None,
) -> Run:
    """A run with its intact rows; cases in the order of the study, samples by round. ``part``: the
    rows of a part only.

    StoreError if its own row is unusable; with ``whole`` also if anything had to be left out.
    """
    row = connection.execute(select(RUNS).where(RUNS.c.id == run_id)).first()
    assert row is not None, "it was found before"
    decoded, broken, parts = run_row(dict(row._mapping))
    if broken:
        first = broken[0]
        raise StoreError(
            f"run {run_id} cannot be used: {first.column} {first.what}",
            where=f"{place}: {first.table}, {first.row}",
            hint=_REPAIR,
        )
    run_rows = of_run(connection, run_id, part=part)
    taken: dict[int, list[Sample]] = defaultdict(list)
    for series_id, *of_sample in samples_of_run(connection, run_id, run_rows):
        taken[series_id].append(Sample(*of_sample))
    findings = [*parts, *run_rows.findings]
    if whole and findings:
        raise StoreError(
            f"run {run_id} is damaged, so nothing can be added to it: {findings[0]}",
            where=place,
            hint=_REPAIR,
        )
    return _assembled(decoded, run_rows, taken, findings)


def _assembled(
    info: Row, rows: Rows, taken: dict[int, list[Sample]], findings: Sequence[StoreFinding]
) -> Run:
    texts: dict[int | None, list[str]] = defaultdict(list)
    for row in rows.notes:
        texts[row["case_id"]].append(visible(row["text"]))
    failed: dict[int, Failure] = {}
    others: list[Failure] = []
    for row in rows.failures:
        if row["case_id"] is None:
            others.append(_failure(row))
        else:
            failed.setdefault(row["case_id"], _failure(row))
    leaks: dict[int, list[LeakRecord]] = defaultdict(list)
    for row in rows.leaks.values():
        leaks[row["case_id"]].append(LeakRecord(row["varied"], row["content"]))
    series: dict[int, list[Series]] = defaultdict(list)
    for series_id, row in rows.series.items():
        series[row["case_id"]].append(_series(row, taken.get(series_id, ())))
    results = tuple(
        CaseResult(
            _case(row),
            tuple(series.get(case_id, ())),
            failed.get(case_id),
            row["state"] == "finished",
            tuple(texts.get(case_id, ())),
            tuple(leaks.get(case_id, ())),
        )
        for case_id, row in rows.cases.items()
    )
    return Run(_info(info, [*texts.get(None, []), *_said(findings)]), results, tuple(others))


def pending_cases(connection: Connection, run_id: int) -> list[Case]:
    """Cases that are neither finished nor failed."""
    cases = of_run(connection, run_id, texts=False).cases
    return [_case(row) for row in cases.values() if row["state"] == "pending"]


def _said(findings: Sequence[StoreFinding]) -> list[str]:
    """Findings as notes; of many, the first ones and their number."""
    texts = [str(finding) for finding in findings[:_SAID]]
    if len(findings) > _SAID:
        texts.append(
            f"store: and {len(findings) - _SAID} more rows; motebench doctor --store lists all"
        )
    return texts


def _info(row: Row, texts: list[str]) -> RunInfo:
    environment = dict(row["environment"])
    if row["environment_end"] is not None:
        environment["end"] = row["environment_end"]
    return RunInfo(
        id=row["id"],
        name=row["name"],
        study=visible(row["study"]),
        started=row["started"],
        finished=row["finished"],
        status=row["status"],
        version=row["version"],
        seed=row["seed"],
        settings=row["settings"],
        environment=environment,
        notes=tuple(texts),
    )


def _case(row: Row) -> Case:
    values = CaseId.of(row).identity() | {"operation": Operation(row["operation"])}
    return Case(**values, provider=row["provider"])


def _series(row: Row, samples: Sequence[Sample]) -> Series:
    return Series(
        row["metric"],
        row["raw_unit"],
        float(row["scale"]),
        float(row["overhead"]),
        row["source"],
        Evidence(row["evidence"]),
        tuple(samples),
        row["type_b"],
    )


def _failure(row: Row) -> Failure:
    identity = CaseId.of({**row, "file": None if row["file"] is None else visible(row["file"])})
    vector = None if row["vector"] is None else visible(row["vector"])
    return Failure.of_case(identity, FailureKind(row["kind"]), visible(row["message"]), vector)
