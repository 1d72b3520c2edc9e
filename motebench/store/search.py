"""Search in a store: the runs and cases that fit filters, a page at a time, without samples.

Every text of a filter is a bound parameter of its query, never a part of it.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import (
    CTE,
    ColumnElement,
    Connection,
    Row,
    Select,
    Text,
    cast,
    func,
    or_,
    select,
)

from motebench.base.errors import visible
from motebench.base.identity import DIMENSIONS, NAMES, CaseId
from motebench.base.model import KIND, Operation, RunKind
from motebench.store import checking
from motebench.store.keeping import TAGS
from motebench.store.rows import CASES, NOTES, RUNS, SERIES, listed

_HEAD = ("id", "name", "study", "started", "finished", "status", "version", "seed", "settings")
"""Columns of a run that are quick to read: its environment is not among them."""
_ESCAPE = "\\"
_EMPTY = {name: 0 if name == "input_bytes" else "" for name in NAMES} | {
    dimension.name: 0 for dimension in DIMENSIONS
}
"""Values of the parts of an identity that a case does not have."""


@dataclass(frozen=True, slots=True)
class StoreFilter:
    """A selection of runs and cases; empty: all. Names may be patterns: ``aes-*``.

    Several names of one kind mean any of them. ``since`` and ``until`` are days, both included.
    ``words`` must all be in the name, study, command, tags, notes or cases of a run.
    """

    schemes: tuple[str, ...] = ()
    implementations: tuple[str, ...] = ()
    targets: tuple[str, ...] | None = None
    """None: every target. Empty: no target fits."""
    operations: tuple[str, ...] = ()
    sizes: tuple[int, ...] = ()
    versions: tuple[str, ...] = ()
    since: str = ""
    until: str = ""
    tag: str = ""
    words: tuple[str, ...] = ()
    runs: tuple[int, ...] = ()
    case: CaseId | None = None
    """The identity of all cases that fit."""

    @property
    def of_runs(self) -> bool:
        """Not every run of the store fits."""
        return bool(
            self.versions or self.since or self.until or self.tag or self.words or self.runs
        )


@dataclass(frozen=True, slots=True)
class RunSummary:
    """A run for a list: its facts without the environment, and what its cases are of."""

    id: int
    name: str
    study: str | None
    started: str
    finished: str | None
    status: str
    version: str
    kind: RunKind
    command: str | None
    tags: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    states: dict[str, int] = field(default_factory=dict)
    """Number of cases by state."""
    schemes: tuple[str, ...] = ()
    implementations: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()

    @property
    def fingerprint(self) -> tuple[object, ...]:
        """Facts that change with the content of a run that has ended."""
        times = (self.started, self.finished)
        return (self.id, self.name, *times, self.status, self.tags, self.notes)


@dataclass(frozen=True, slots=True)
class RunsPage:
    """Runs of one page, the newest first, and the number of all that fit. ``unusable``: defects of
    those that cannot be shown.
    """

    total: int
    runs: tuple[RunSummary, ...]
    unusable: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StoredNames:
    """Names that a store has, for the choices of a filter."""

    schemes: tuple[str, ...]
    implementations: tuple[str, ...]
    targets: tuple[str, ...]
    operations: tuple[str, ...]
    sizes: tuple[int, ...]
    versions: tuple[str, ...]
    tags: tuple[str, ...]


def _like(column: Any, pattern: str) -> ColumnElement[bool]:
    return cast(column, Text).ilike(pattern, escape=_ESCAPE)


def _escaped(text: str) -> str:
    for character in (_ESCAPE, "%", "_"):
        text = text.replace(character, _ESCAPE + character)
    return text


def _values(column: Any, *conditions: ColumnElement[bool]) -> CTE:
    """The values of a column, by a step of its index for each value instead of one for each row."""
    values = select(func.min(column).label("value")).where(*conditions).cte(recursive=True)
    following = select(func.min(column)).where(column > values.c.value, *conditions)
    more = select(following.scalar_subquery()).where(values.c.value.is_not(None))
    return values.union_all(more)


def _values_like(connection: Connection, column: Any, patterns: Iterable[str]) -> list[Any]:
    """The values of a column that are like one of the patterns. Planners of databases know what a
    condition on these names costs, and not what one on a query for them does.
    """
    values = _values(column)
    fitting = or_(*(_like(values.c.value, pattern) for pattern in patterns))
    return list(connection.scalars(select(values.c.value).where(fitting)))


def _named(connection: Connection, column: Any, names: Sequence[str]) -> ColumnElement[bool]:
    """Condition: a column is one of these names or fits one of these patterns."""
    fitting = [name for name in names if "*" not in name and "?" not in name]
    patterns = [name for name in names if name not in fitting]
    if patterns:
        escaped = (_escaped(name).replace("*", "%").replace("?", "_") for name in patterns)
        fitting += _values_like(connection, column, escaped)
    condition: ColumnElement[bool] = column.in_(fitting)
    return condition


def _of_cases(connection: Connection, chosen: StoreFilter) -> list[ColumnElement[bool]]:
    """Conditions on cases."""
    names = (
        (CASES.c.scheme, chosen.schemes),
        (CASES.c.implementation, chosen.implementations),
        (CASES.c.operation, chosen.operations),
    )
    conditions = [_named(connection, column, given) for column, given in names if given]
    if chosen.targets is not None:
        conditions.append(CASES.c.target.in_(chosen.targets))
    if chosen.sizes:
        conditions.append(CASES.c.input_bytes.in_(chosen.sizes))
    if chosen.case is not None:
        identity = chosen.case.identity()
        conditions += [CASES.c[name] == (identity[name] or _EMPTY[name]) for name in NAMES]
    return conditions


def _of_runs(connection: Connection, chosen: StoreFilter) -> list[ColumnElement[bool]]:
    """Conditions on runs themselves."""
    conditions: list[ColumnElement[bool]] = []
    if chosen.runs:
        conditions.append(RUNS.c.id.in_(chosen.runs))
    if chosen.versions:
        conditions.append(_named(connection, RUNS.c.version, chosen.versions))
    if chosen.since:
        conditions.append(RUNS.c.started >= chosen.since)
    if chosen.until:
        conditions.append(func.substr(RUNS.c.started, 1, len(chosen.until)) <= chosen.until)
    if chosen.tag:
        conditions.append(_like(RUNS.c.settings, f"%{_escaped(json.dumps(chosen.tag))}%"))
    return conditions + [_has_word(connection, word) for word in chosen.words]


def _has_word(connection: Connection, word: str) -> ColumnElement[bool]:
    """Condition: a run, a note of it or one of its cases has the word."""
    pattern = f"%{_escaped(word)}%"
    stored = f"%{_escaped(json.dumps(word)[1:-1])}%"
    noted = select(NOTES.c.run_id).where(_like(NOTES.c.text, pattern))
    of_cases = (
        select(CASES.c.run_id).where(name.in_(values))
        for name in (CASES.c.scheme, CASES.c.implementation, CASES.c.target)
        if (values := _values_like(connection, name, [pattern]))
    )
    return or_(
        _like(RUNS.c.name, pattern),
        _like(RUNS.c.study, pattern),
        _like(RUNS.c.settings, stored),
        *(RUNS.c.id.in_(query) for query in (noted, *of_cases)),
    )


def _fitting_runs(
    connection: Connection, conditions: Sequence[ColumnElement[bool]], tag: str
) -> dict[int, str]:
    """The ids of the runs that fulfil the conditions and have the tag, with when they began."""
    tagged = (RUNS.c.settings,) if tag else ()
    rows = connection.execute(select(RUNS.c.id, RUNS.c.started, *tagged).where(*conditions))
    # The text of a tag may be a part of another setting.
    fitting = (row for row in rows if not tag or tag in _tags(_settings(row.settings)))
    return {row.id: str(row.started) for row in fitting if isinstance(row.id, int)}


def run_ids(connection: Connection, chosen: StoreFilter) -> list[int]:
    """Ids of the runs that fit, the newest first."""
    conditions = _of_runs(connection, chosen)
    of_cases = _of_cases(connection, chosen)
    if chosen.schemes and chosen.targets is None:
        # The index of the cases of a run begins with their schemes; targets have their own.
        fitting = select(CASES.c.id).where(CASES.c.run_id == RUNS.c.id, *of_cases)
        conditions.append(fitting.exists())
    elif of_cases:
        conditions.append(RUNS.c.id.in_(select(CASES.c.run_id).where(*of_cases)))
    return sorted(_fitting_runs(connection, conditions, chosen.tag), reverse=True)


def run_named(connection: Connection, name: str) -> int | None:
    """The id of the run of exactly that name; None without one."""
    if not name.isprintable():  # no name of a run; databases refuse some of these texts
        return None
    run_id = connection.scalar(select(RUNS.c.id).where(RUNS.c.name == name))
    return run_id if isinstance(run_id, int) else None


def run_of(connection: Connection, reference: str) -> int | None:
    """The id of the run of exactly that name, or else of that id; None without one."""
    named = run_named(connection, reference)
    decimal = reference.isascii() and reference.isdecimal() and len(reference) < 19
    if named is not None or not decimal:
        return named
    run_id: int | None = connection.scalar(select(RUNS.c.id).where(RUNS.c.id == int(reference)))
    return run_id


def runs_page(
    connection: Connection, chosen: StoreFilter, first: int, most: int, *, contents: bool = True
) -> RunsPage:
    """The runs that fit, ``most`` of them from place ``first`` on; ``contents``: with what their
    cases are of.
    """
    ids = run_ids(connection, chosen)
    shown = ids[first : first + most]
    query = select(*(RUNS.c[name] for name in _HEAD)).where(RUNS.c.id.in_(shown))
    rows = {row.id: dict(row._mapping) for row in connection.execute(query)}
    notes: dict[int, list[str]] = defaultdict(list)
    noted = select(NOTES.c.run_id, NOTES.c.text).where(
        NOTES.c.run_id.in_(shown), NOTES.c.case_id.is_(None)
    )
    for run_id, text in connection.execute(noted.order_by(NOTES.c.id)):
        if isinstance(text, str):
            notes[run_id].append(visible(text))
    cases = _contents(connection, shown) if contents else {}
    runs, unusable = [], []
    for run_id in shown:
        row = rows.get(run_id)
        faults = [("", "is gone")] if row is None else checking.problems("runs", row)
        if row is None or any(name != "finished" for name, _ in faults):
            name, fault = faults[0]
            unusable.append(f"run {run_id}: {name} {fault}")
            continue
        runs.append(_summary(row, notes[run_id], cases.get(run_id, ())))
    return RunsPage(len(ids), tuple(runs), tuple(unusable))


def _settings(value: object) -> dict[str, Any]:
    return checking.decoded("settings", value)[0] or {}


def _tags(settings: dict[str, Any]) -> tuple[str, ...]:
    return tuple(visible(str(tag)) for tag in settings.get(TAGS) or ())


def _text(value: object) -> str | None:
    return visible(value) if isinstance(value, str) else None


def _summary(row: dict[str, Any], notes: Iterable[str], cases: Sequence[Any]) -> RunSummary:
    settings = _settings(row["settings"])
    states: dict[str, int] = defaultdict(int)
    for entry in cases:
        states[str(entry.state)] += entry.count
    names = [
        tuple(dict.fromkeys(visible(str(getattr(entry, name))) for entry in cases))
        for name in ("scheme", "implementation", "target")
    ]
    return RunSummary(
        id=row["id"],
        name=row["name"],
        study=_text(settings.get("study")),
        started=row["started"],
        finished=row["finished"] if isinstance(row["finished"], str) else None,
        status=row["status"],
        version=row["version"],
        kind=RunKind.LEAK if settings.get(KIND) == RunKind.LEAK else RunKind.MEASUREMENT,
        command=_text(settings.get("command")),
        tags=_tags(settings),
        notes=tuple(notes),
        states=dict(states),
        schemes=names[0],
        implementations=names[1],
        targets=names[2],
    )


def _contents(connection: Connection, ids: Sequence[int]) -> dict[int, list[Any]]:
    """Cases of runs, counted by scheme, implementation, target and state."""
    columns = (
        CASES.c.run_id,
        CASES.c.scheme,
        CASES.c.implementation,
        CASES.c.target,
        CASES.c.state,
    )
    query = select(*columns, func.count().label("count")).where(CASES.c.run_id.in_(ids))
    contents: dict[int, list[Any]] = defaultdict(list)
    for row in connection.execute(query.group_by(*columns)):
        contents[row.run_id].append(row)
    return contents


def _measured_cases(connection: Connection, chosen: StoreFilter) -> list[ColumnElement[bool]]:
    """Conditions on cases with a number that fit."""
    conditions = [*_of_cases(connection, chosen), CASES.c.state == "finished"]
    if chosen.of_runs:
        runs = _fitting_runs(connection, _of_runs(connection, chosen), chosen.tag)
        conditions.append(CASES.c.run_id.in_(listed(list(runs))))
    return conditions


def case_places(
    connection: Connection, chosen: StoreFilter, first: int, most: int
) -> tuple[int, dict[int, list[int]]]:
    """The number of measured cases that fit, and by run, the newest first, the ids of ``most`` of
    them from place ``first`` on.
    """
    conditions = _measured_cases(connection, chosen)
    total = connection.scalar(select(func.count()).select_from(CASES).where(*conditions)) or 0
    query = select(CASES.c.run_id, CASES.c.id).where(*conditions)
    query = query.order_by(CASES.c.run_id.desc(), CASES.c.id).limit(most).offset(first)
    places: dict[int, list[int]] = defaultdict(list)
    for run_id, case_id in connection.execute(query):
        places[run_id].append(case_id)
    return total, dict(places)


def case_identities(connection: Connection, chosen: StoreFilter, most: int) -> list[CaseId]:
    """The first identities of the measured cases that fit, in the order of their names."""
    columns = [CASES.c[name] for name in NAMES]
    query = select(*columns).where(*_measured_cases(connection, chosen)).distinct()
    query = query.order_by(*columns)
    if chosen.case is not None or chosen.of_runs:
        return _identities(connection, query.limit(most))
    identities: list[CaseId] = []
    for row in _combinations(connection, chosen):
        same = [column == row._mapping[column.name] for column in _IDENTIFYING]
        identities += _identities(connection, query.where(*same).limit(most - len(identities)))
        if len(identities) >= most:
            break
    return identities


def _identities(connection: Connection, query: Select[Any]) -> list[CaseId]:
    return [CaseId.of(dict(row._mapping)) for row in connection.execute(query)]


def _combinations(connection: Connection, chosen: StoreFilter) -> Sequence[Row[Any]]:
    """Each scheme, implementation, operation, size and target of cases that fit, in the order of
    names: the parts that an identity begins with."""
    columns = sorted(_IDENTIFYING, key=lambda column: NAMES.index(column.name))
    steps = _steps(chosen)
    query = select(*columns).select_from(steps.join(CASES, CASES.c.id == steps.c.id))
    return connection.execute(query.where(*_of_cases(connection, chosen)).order_by(*columns)).all()


def identity_of(connection: Connection, case_id: int) -> CaseId | None:
    """The identity of the case of that number; None if there is none."""
    columns = [CASES.c[name] for name in NAMES]
    row = connection.execute(select(*columns).where(CASES.c.id == case_id)).first()
    return None if row is None else CaseId.of(dict(row._mapping))


_IDENTIFYING = (
    CASES.c.target,
    CASES.c.scheme,
    CASES.c.implementation,
    CASES.c.operation,
    CASES.c.input_bytes,
)
"""Columns of which each combination has a newest case, in the order of the index by target."""


@dataclass(frozen=True, slots=True)
class NewestCase:
    """The newest measured case of a scheme, implementation, target, operation and size."""

    run: int
    id: int
    target: str
    operation: str
    size: int


def newest_cases(
    connection: Connection, chosen: StoreFilter, series: Sequence[str]
) -> list[NewestCase]:
    """The newest measured cases that fit, with nothing beside their input: one for each scheme,
    implementation, target, operation and size; the newest run first. ``series``: metrics of which
    a case has one at least.
    """
    metrics = select(_values(SERIES.c.metric).c.value)
    if not set(series) & set(connection.scalars(metrics)):
        return []  # else every case of the store would be looked at
    steps = _steps(chosen)
    newer = CASES.alias("newer")
    same = [newer.c[column.name] == column for column in _IDENTIFYING]
    has_series = select(SERIES.c.id).where(
        SERIES.c.case_id == newer.c.id, SERIES.c.metric.in_(series)
    )
    bare = [newer.c[dimension.name] == 0 for dimension in DIMENSIONS]
    conditions = [*same, newer.c.state == "finished", has_series.exists(), *bare]
    if chosen.of_runs:
        fitting = _fitting_runs(connection, _of_runs(connection, chosen), chosen.tag)
        conditions.append(newer.c.run_id.in_(listed(list(fitting))))
    newest = select(newer.c.id).where(*conditions, newer.c.file == "").correlate(CASES)
    newest = newest.order_by(newer.c.run_id.desc()).limit(1)  # of a run there is one
    places = select(newest.scalar_subquery().label("id"))
    places = places.select_from(steps.join(CASES, CASES.c.id == steps.c.id))
    place = places.where(*_of_cases(connection, chosen)).subquery("place")
    case = CASES.alias("case_of_place")
    columns = (case.c.run_id, case.c.id, case.c.target, case.c.operation, case.c.input_bytes)
    rows = connection.execute(select(*columns).join(place, place.c.id == case.c.id)).all()
    cases = [NewestCase(row[0], row[1], str(row[2]), str(row[3]), int(row[4])) for row in rows]
    return sorted(cases, key=lambda entry: (-entry.run, entry.id))


_RUNS_AT_ONCE = 64
"""Runs whose cases are read first, twice as many next."""
_MANY = ("scheme", "implementation", "target")
"""Names of which a store has many, and that a query selects."""


@dataclass(frozen=True, slots=True)
class CasePair:
    """The newest measured case of an identity in one selection of runs, and in an older one."""

    older_run: int
    older: int
    run: int
    id: int


def newest_pairs(connection: Connection, older: StoreFilter, newer: StoreFilter) -> list[CasePair]:
    """For each identity with measured cases in both selections the newest of each, by the moment
    at which their runs began. Cases are selected by ``newer``, of ``older`` only runs are.
    """
    of_period = _started(connection, newer)
    newest = _newest(connection, of_period, _of_cases(connection, newer), None)
    before = _newest(connection, _started(connection, older), [], newest)
    return [CasePair(*before[names][1:], *newest[names][1:]) for names in before]


_Newest = dict[tuple[Any, ...], tuple[str, int, int]]
"""By the names of an identity: when the run of its newest case began, the run, the case."""


def _started(connection: Connection, chosen: StoreFilter) -> dict[int, str]:
    """Moments at which the runs that fit began, the newest first."""
    began = _fitting_runs(connection, _of_runs(connection, chosen), chosen.tag)
    newest = sorted(((started, run_id) for run_id, started in began.items()), reverse=True)
    return {run_id: started for started, run_id in newest}


def _newest(
    connection: Connection,
    started: Mapping[int, str],
    conditions: Sequence[ColumnElement[bool]],
    identities: Iterable[tuple[Any, ...]] | None,
) -> _Newest:
    """The newest measured case of each identity in these runs; ``identities``: of these alone. Runs
    are read from the newest on, until no identity is left without a case.
    """
    names = [CASES.c[name] for name in NAMES]
    newest: _Newest = {}
    left = None if identities is None else set(identities)
    runs, first, most = list(started), 0, _RUNS_AT_ONCE
    while first < len(runs) and (left is None or left):
        query = select(CASES.c.run_id, CASES.c.id, *names).where(*conditions)
        query = query.where(CASES.c.state == "finished")
        query = query.where(CASES.c.run_id.in_(listed(runs[first : first + most])))
        for place, column in enumerate(names):
            if left is not None and column.name in _MANY:
                query = query.where(column.in_({identity[place] for identity in left}))
        part: _Newest = {}
        for run_id, case_id, *rest in connection.execute(query):
            identity, case = tuple(rest), (started[run_id], run_id, case_id)
            if left is None or identity in left:
                part[identity] = max(part.get(identity, case), case)
        newest = part | newest
        first, most = first + most, 2 * most
        if left is not None:
            left -= part.keys()
    return newest


def _steps(chosen: StoreFilter) -> CTE:
    """The id of a case of each scheme, implementation, target, operation and size, of one target if
    only one fits: a step of the index for each, instead of one for each case.
    """
    targets = chosen.targets or ()
    of_target = [CASES.c.target == target for target in targets] if len(targets) == 1 else []
    first = select(CASES.c.id).where(*of_target).order_by(*_IDENTIFYING).limit(1).subquery()
    steps = select(first.c.id).cte("steps", recursive=True)
    last = CASES.alias("last")
    following = []
    for place in reversed(range(len(_IDENTIFYING))):
        same = [column == last.c[column.name] for column in _IDENTIFYING[:place]]
        more = _IDENTIFYING[place] > last.c[_IDENTIFYING[place].name]
        step = select(CASES.c.id).where(*of_target, *same, more)
        step = step.order_by(*_IDENTIFYING[place:]).limit(1)
        following.append(step.correlate(last).scalar_subquery())
    of_last = steps.join(last, last.c.id == steps.c.id)
    return steps.union_all(select(func.coalesce(*following)).select_from(of_last))


def stored_names(connection: Connection) -> StoredNames:
    """The names that cases and runs of the store have."""

    def of(column: Any, *conditions: ColumnElement[bool]) -> list[Any]:
        return list(connection.scalars(select(_values(column, *conditions).c.value)))

    def texts(column: Any) -> tuple[str, ...]:
        return tuple(sorted({value for value in of(column) if isinstance(value, str)}))

    tagged = select(RUNS.c.settings).where(_like(RUNS.c.settings, f'%"{TAGS}"%'))
    tags = {tag for value in connection.scalars(tagged) for tag in _tags(_settings(value))}
    size = CASES.c.input_bytes
    sizes = {value for name in Operation for value in of(size, CASES.c.operation == name.value)}
    return StoredNames(
        schemes=texts(CASES.c.scheme),
        implementations=texts(CASES.c.implementation),
        targets=texts(CASES.c.target),
        operations=texts(CASES.c.operation),
        sizes=tuple(sorted(value for value in sizes if isinstance(value, int))),
        versions=texts(RUNS.c.version),
        tags=tuple(sorted(tags)),
    )


def state_of(connection: Connection) -> tuple[object, ...]:
    """Numbers that change when runs or cases are added or removed."""
    return (
        connection.scalar(select(func.max(CASES.c.id))),
        connection.scalar(select(func.max(RUNS.c.id))),
        connection.scalar(select(func.count()).select_from(RUNS)),
    )
