"""The store: the only code that writes results, and the entry point for reading them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Self, TypeVar

from sqlalchemy import Connection, func, select
from sqlalchemy.exc import IntegrityError

from motebench.base.errors import InputError, NotFoundError, StoreError, visible
from motebench.base.identity import CaseId
from motebench.base.model import (
    STATUSES,
    Case,
    Failure,
    LeakRecord,
    Run,
    RunInfo,
    RunKind,
    Sample,
    Series,
)
from motebench.base.naming import did_you_mean
from motebench.store import database, keeping, search
from motebench.store.checking import LATEST, MOST_ROUND, NAME_HELP, StoreFinding, usable_name
from motebench.store.database import Transactions
from motebench.store.opening import Opened
from motebench.store.rows import (
    CASES,
    RUNS,
    RunPart,
    case_keys,
    identities,
    pending_cases,
    read_run,
    run_infos,
)
from motebench.store.schema import cases, failures, leaks, notes, runs, samples, series
from motebench.store.search import CasePair, NewestCase, RunsPage, StoredNames, StoreFilter

T = TypeVar("T")
Entries = Sequence[tuple[Series, Sample]]
"""The readings of one visit: per metric a series (its own samples are ignored) and one sample."""


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


class Store:
    """An open store. Every method is one transaction, committed when it returns.

    Every error of the database is raised as StoreError; committed data stay.
    """

    def __init__(self, opened: Opened) -> None:
        self._opened = opened
        self._place = opened.place
        self._transactions = Transactions(opened.connection, opened.backend, self._forget)
        self._case_ids: dict[tuple[int, CaseId], int] = {}
        self._series: dict[tuple[int, str], tuple[int, tuple[Any, ...]]] = {}

    @classmethod
    def open(cls, place: str | os.PathLike[str], *, create: bool) -> Self:
        """Open the store at a path or a URL, ``postgresql://user@host/database``; with ``create``,
        make a missing one.

        Raises StoreError if it cannot be read, is no motebench store, or has a newer schema version
        than this.
        """
        return cls(Opened(place, create=create))

    @staticmethod
    def check(place: str | os.PathLike[str]) -> None:
        """StoreError if results cannot go there, as far as that is known without writing
        anything.
        """
        Opened.check(place)

    def close(self) -> None:
        """Close the database."""
        self._opened.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def tell(self, tell: Callable[[str], None]) -> None:
        """Set the function that is called when the database goes away during a transaction, and
        when it is back.
        """
        self._transactions.tell = tell

    def _forget(self) -> None:
        """Series of a transaction that was rolled back do not exist."""
        self._series.clear()

    def _read(self, work: Callable[[Connection], T]) -> T:
        with database.explained(self._opened.backend):
            return self._transactions.read(work)

    def _write(self, work: Callable[[Connection], T], subject: str, run_id: int | None = None) -> T:
        with database.explained(self._opened.backend):
            return self._transactions.write(work, subject, run_id)

    @contextmanager
    def together(self) -> Iterator[None]:
        """One transaction of all that is read and written within: committed at its end, or nothing
        of it.
        """
        with database.explained(self._opened.backend), self._transactions.together():
            yield

    def _check_keys(self) -> None:
        self._read(lambda connection: database.check_keys(connection, self._opened.backend))

    # Writing

    def claim(self, run_id: int) -> None:
        """Become the only writer of a run until this store is closed; whatever writes to a run does
        so as well.

        In an SQLite file any number of programs may write to a run. StoreError if the run has
        another writer.
        """
        with database.explained(self._opened.backend):
            self._transactions.claim(run_id)

    def create_run(
        self,
        name: str | None,
        study_text: str,
        settings: Mapping[str, Any],
        environment: Mapping[str, Any],
        seed: int,
        version: str,
        cases: Iterable[Case],
    ) -> int:
        """A new run with its cases, all pending; returns its id. Without a name it is called by
        date and number.

        InputError if the name cannot be used or is taken.
        """
        if name is not None:
            check_name(name)
        rows = {case.id: case for case in cases}
        self._check_keys()

        def work(connection: Connection) -> int:
            self._opened.backend.serialise(connection)
            taken = set(connection.scalars(select(RUNS.c.name)))
            if name in taken:
                raise InputError(
                    f"{self._place} already has a run {name!r}",
                    where="--name",
                    hint="give another name, or none: the run then gets the date and a number",
                )
            values = {
                "name": name or _free_name(taken),
                "study": study_text,
                "started": _now(),
                "status": "running",
                "version": version,
                "seed": seed,
                "settings": dict(settings),
                "environment": dict(environment),
            }
            run_id = _key(connection.execute(runs.insert().values(values)).inserted_primary_key)
            self._insert_cases(connection, run_id, rows.values())
            return run_id

        run_id = self._write(work, f"run {name}" if name else "the new run")
        self.claim(run_id)
        return run_id

    def _insert_cases(self, connection: Connection, run_id: int, inserted: Iterable[Case]) -> None:
        rows = [
            {
                "run_id": run_id,
                **case.identity(),
                "operation": case.operation.value,
                "provider": case.provider,
                "file": case.file or "",
                "state": "pending",
            }
            for case in inserted
        ]
        if rows:
            connection.execute(cases.insert(), rows)

    def add_samples(self, run_id: int, case: Case, entries: Entries) -> None:
        """Store the readings of one visit, completely or not at all. A sample of an existing round
        changes nothing.
        """
        if not entries:
            return
        label = (
            f"{case}: {', '.join(series.metric for series, _ in entries)} of round "
            f"{entries[0][1].round}"
        )

        def add(connection: Connection) -> None:
            connection.execute(samples.insert(), self._rows(connection, run_id, case, entries))

        def add_missing(connection: Connection) -> None:
            self._add_missing(connection, self._rows(connection, run_id, case, entries))

        with database.explained(self._opened.backend):
            try:
                self._transactions.write(add, label, run_id)
            except IntegrityError:
                # Rare: only after a resume could a round come twice.
                self._transactions.write(add_missing, label, run_id)

    def add_finished(self, run_id: int, readings: Mapping[Case, Entries]) -> None:
        """Store the readings of all cases of a new run, which are finished with them, in a few
        statements. A metric of a case has one reading.
        """

        def add(connection: Connection) -> None:
            of_cases = {
                self._case_id(connection, run_id, case): entries
                for case, entries in readings.items()
            }
            made = [
                _series_row(case_id, series_of)
                for case_id, entries in of_cases.items()
                for series_of, _ in entries
            ]
            if not made:
                return
            connection.execute(series.insert(), made)
            of_run = select(series.c.id, series.c.case_id, series.c.metric)
            of_run = of_run.join(cases, cases.c.id == series.c.case_id)
            stored = connection.execute(of_run.where(cases.c.run_id == run_id))
            numbers = {(row.case_id, row.metric): row.id for row in stored}
            rows = [
                _sample_row(numbers[case_id, series_of.metric], sample)
                for case_id, entries in of_cases.items()
                for series_of, sample in entries
            ]
            connection.execute(samples.insert(), rows)
            of_all = (cases.c.run_id == run_id) & cases.c.id.in_(select(series.c.case_id))
            connection.execute(cases.update().where(of_all).values(state="finished"))

        self._write(add, f"{len(readings)} cases", run_id)

    def mark_samples(
        self, run_id: int, places: Iterable[tuple[Case, str, int]], reason: str
    ) -> None:
        """Samples, each by its case, metric and round, that must not be quoted for that reason. A
        sample that has a reason keeps it."""
        marked = tuple(places)

        def work(connection: Connection) -> None:
            for case, metric, number in marked:
                case_id = self._case_id(connection, run_id, case)
                series_of = select(series.c.id).where(
                    series.c.case_id == case_id, series.c.metric == metric
                )
                sample_of = (samples.c.series_id == series_of.scalar_subquery()) & (
                    samples.c.round == number
                )
                unmarked = sample_of & (samples.c.disturbed == "")
                connection.execute(samples.update().where(unmarked).values(disturbed=reason[:200]))

        self._write(work, f"that samples must not be quoted: {reason}", run_id)

    def _rows(
        self, connection: Connection, run_id: int, case: Case, entries: Entries
    ) -> list[dict[str, Any]]:
        case_id = self._case_id(connection, run_id, case)
        self._make_series(connection, case_id, [series_of for series_of, _ in entries])
        return [
            _sample_row(self._series_id(case_id, series_of, case), sample)
            for series_of, sample in entries
        ]

    def _add_missing(self, connection: Connection, rows: list[dict[str, Any]]) -> None:
        for row in rows:
            same_round = select(samples.c.round).where(
                samples.c.series_id == row["series_id"], samples.c.round == row["round"]
            )
            if connection.execute(same_round).first() is None:
                connection.execute(samples.insert().values(row))

    def _case_id(self, connection: Connection, run_id: int, case: Case) -> int:
        key = (run_id, case.id)
        if key not in self._case_ids:
            ids = {row_key: case_id for case_id, row_key in case_keys(connection, run_id)}
            self._case_ids.update({(run_id, row_key): case_id for row_key, case_id in ids.items()})
        if key not in self._case_ids:
            raise StoreError(f"run {run_id} has no case {case}")
        return self._case_ids[key]

    def _make_series(
        self, connection: Connection, case_id: int, required: Sequence[Series]
    ) -> None:
        """Create missing series of these metrics and learn their ids, in a few statements for
        all.
        """
        if all((case_id, entry.metric) in self._series for entry in required):
            return
        self._read_series(connection, case_id)
        missing = {
            entry.metric: entry
            for entry in reversed(required)
            if (case_id, entry.metric) not in self._series
        }
        rows = [_series_row(case_id, entry) for entry in reversed(missing.values())]
        if rows:
            connection.execute(series.insert(), rows)
            self._read_series(connection, case_id)

    def _read_series(self, connection: Connection, case_id: int) -> None:
        for row in connection.execute(select(series).where(series.c.case_id == case_id)):
            constants = (row.raw_unit, row.scale, row.source, row.evidence)
            self._series.setdefault((case_id, row.metric), (row.id, constants))

    def _series_id(self, case_id: int, series_of: Series, case: Case) -> int:
        """Id of the existing series of that metric.

        Overhead is measured anew by every probe process; the first one's stands for the whole
        series. Another clock or unit would silently change what the numbers mean, and is refused.
        """
        constants = (
            series_of.raw_unit,
            series_of.scale,
            series_of.source,
            series_of.evidence.value,
        )
        series_id, before = self._series[case_id, series_of.metric]
        if before != constants:
            raise StoreError(
                f"{case}: {series_of.metric} was read from {before[2]} ({before[0]}, {before[3]}) "
                "before, "
                f"now from {series_of.source} ({series_of.raw_unit}, {series_of.evidence.value})",
                hint="start a new run",
            )
        return series_id

    def finish_case(self, run_id: int, case: Case, notes: Iterable[str] = ()) -> None:
        """Mark the case as finished; ``notes`` are remarks for readers."""

        def work(connection: Connection) -> None:
            case_id = self._case_id(connection, run_id, case)
            connection.execute(cases.update().where(cases.c.id == case_id).values(state="finished"))
            self._insert_notes(connection, run_id, case_id, notes)

        self._write(work, f"the end of {case}", run_id)

    def fail_case(self, run_id: int, case: Case, failure: Failure) -> None:
        """Mark the case as failed. Its samples stay in the store. The first failure of a case
        counts.
        """

        def work(connection: Connection) -> None:
            case_id = self._case_id(connection, run_id, case)
            connection.execute(cases.update().where(cases.c.id == case_id).values(state="failed"))
            if (
                connection.execute(
                    select(failures.c.id).where(failures.c.case_id == case_id)
                ).first()
                is None
            ):
                connection.execute(failures.insert().values(_failure(run_id, failure, case_id)))

        self._write(work, f"the failure of {case}: {failure.message}", run_id)

    def forget_failures(self, run_id: int, failures: Sequence[Failure]) -> None:
        """Make cases of these failures pending again; each gets a note with its former failure.

        Samples stay. What of ``failures`` is not there changes nothing.
        """

        def work(connection: Connection) -> None:
            database.forget(connection, run_id, failures)

        self._write(work, "which failures are tried again", run_id)

    def add_leak(self, run_id: int, case: Case, record: LeakRecord) -> None:
        """The result of varying one secret of a case."""

        def work(connection: Connection) -> None:
            case_id = self._case_id(connection, run_id, case)
            values = {"case_id": case_id, "varied": record.varied, "content": record.content}
            connection.execute(leaks.insert().values(values))

        self._write(work, f"the result of varying the {record.varied} of {case}", run_id)

    def add_failure(self, run_id: int, failure: Failure) -> None:
        """Store a failure that belongs to no case of the run, such as an unavailable
        implementation.
        """

        def work(connection: Connection) -> None:
            connection.execute(failures.insert().values(_failure(run_id, failure, None)))

        self._write(work, f"a failure: {failure.message}", run_id)

    def add_note(self, run_id: int, text: str, case: Case | None = None) -> None:
        """A sentence for readers, on the run or one of its cases."""

        def work(connection: Connection) -> None:
            case_id = None if case is None else self._case_id(connection, run_id, case)
            self._insert_notes(connection, run_id, case_id, [text])

        self._write(work, f"a note: {text}", run_id)

    def _insert_notes(
        self, connection: Connection, run_id: int, case_id: int | None, texts: Iterable[str]
    ) -> None:
        rows = [{"run_id": run_id, "case_id": case_id, "text": text} for text in texts]
        if rows:
            connection.execute(notes.insert(), rows)

    def finish_run(self, run_id: int, status: str) -> None:
        """Set the status: ``finished`` or ``interrupted`` at the end, ``running`` when a run is
        resumed.
        """
        if status not in STATUSES:
            raise ValueError(f"{status!r} is not one of {STATUSES}")
        ended = None if status == "running" else _now()
        self._update(run_id, status=status, finished=ended)

    def set_environment_end(self, run_id: int, environment: Mapping[str, Any]) -> None:
        """The environment after the last sample; it appears as ``environment["end"]``."""
        self._update(run_id, environment_end=dict(environment))

    def _update(self, run_id: int, **values: Any) -> None:

        def work(connection: Connection) -> None:
            connection.execute(runs.update().where(runs.c.id == run_id).values(values))

        self._write(work, f"{', '.join(values)} of the run", run_id)

    # Keeping

    def remove(self, run_id: int) -> None:
        """Remove a run with everything that belongs to it. StoreError if another program writes it
        (PostgreSQL).
        """
        self._write(
            lambda connection: keeping.remove(connection, run_id),
            f"that run {run_id} is removed",
            run_id,
        )
        self._forget()
        self._case_ids = {
            key: case_id for key, case_id in self._case_ids.items() if key[0] != run_id
        }

    def rename(self, names: Mapping[int, str], settings: Mapping[int, Mapping[str, Any]]) -> None:
        """New names of runs by id, and entries of their settings that change with them: all or
        none.

        InputError if a name cannot be used or is taken.
        """
        for name in names.values():
            check_name(name, "NAME")

        def work(connection: Connection) -> None:
            self._opened.backend.serialise(connection)
            others = set(connection.scalars(select(RUNS.c.name).where(RUNS.c.id.not_in(names))))
            taken = sorted(others & set(names.values()))
            if taken:
                raise InputError(
                    f"{self._place} already has a run {taken[0]!r}",
                    where="NAME",
                    hint="give another name",
                )
            for run_id, changed in settings.items():
                keeping.change_settings(connection, run_id, self._place, changed)
            for run_id in names:  # two runs may take each other's name; no run can be called this
                connection.execute(
                    runs.update().where(runs.c.id == run_id).values(name=f":{run_id}")
                )
            for run_id, name in names.items():
                connection.execute(runs.update().where(runs.c.id == run_id).values(name=name))

        self._write(work, "the new names")

    def set_tags(self, run_id: int, tags: Iterable[str]) -> None:
        """Set the marks of a run, replacing the previous ones. InputError for an invalid mark."""
        sorted_tags = sorted(set(tags))
        for tag in sorted_tags:
            if not usable_name(tag) or set(tag) & set(",*?[]"):
                raise InputError(
                    f"{tag[:200]!r} cannot be a tag",
                    where="TAG",
                    valid=f"{NAME_HELP}; none of , * ? [ ]",
                )

        def work(connection: Connection) -> None:
            keeping.change_settings(
                connection, run_id, self._place, {keeping.TAGS: sorted_tags or None}
            )

        self._write(work, f"the tags of run {run_id}")

    def holds_same(self, run_id: int, other: Self, other_id: int) -> bool:
        """True if two runs of two stores are one: the same study, seed and start, and the same
        samples.
        """
        mine = self._read(lambda connection: self._content(connection, run_id))
        return mine == other._read(lambda connection: other._content(connection, other_id))

    def _content(self, connection: Connection, run_id: int) -> tuple[Any, ...]:
        whole = keeping.whole_run(connection, run_id, self._place)
        return *whole.identity, keeping.content(connection, whole, self._place)

    def copy_from(self, other: Self, run_id: int, name: str, settings: Mapping[str, Any]) -> int:
        """Copy a run of another store under that name, with these entries of its settings; returns
        its new id.

        StoreError if the run is damaged; InputError if the name is taken.
        """
        check_name(name)
        self._check_keys()

        def write(source: Connection, connection: Connection) -> int:
            self._opened.backend.serialise(connection)
            if name in set(connection.scalars(select(RUNS.c.name))):
                raise InputError(f"{self._place} already has a run {name!r}", hint="try again")
            whole = keeping.whole_run(source, run_id, other._place)
            changed = {"name": name, "settings": {**whole.run["settings"], **settings}}
            return keeping.copy(source, other._place, connection, whole, **changed)

        return other._read(
            lambda source: self._write(
                lambda connection: write(source, connection), f"run {name} of {other._place}"
            )
        )

    # Reading

    def runs_page(
        self, chosen: StoreFilter, first: int, most: int, *, contents: bool = True
    ) -> RunsPage:
        """The runs that fit, the newest first: ``most`` of them from place ``first`` on;
        ``contents``: with what their cases are of.
        """
        return self._read(
            lambda connection: search.runs_page(connection, chosen, first, most, contents=contents)
        )

    def case_places(
        self, chosen: StoreFilter, first: int, most: int
    ) -> tuple[int, dict[int, list[int]]]:
        """The number of measured cases that fit, and by run the ids of ``most`` of them from place
        ``first`` on."""
        return self._read(lambda connection: search.case_places(connection, chosen, first, most))

    def case_identities(self, chosen: StoreFilter, most: int) -> list[CaseId]:
        """The first identities of the measured cases that fit, in the order of their names."""
        return self._read(lambda connection: search.case_identities(connection, chosen, most))

    def identity_of(self, case_id: int) -> CaseId | None:
        """The identity of the case of that number in the store; None if there is none."""
        return self._read(lambda connection: search.identity_of(connection, case_id))

    def newest_cases(self, chosen: StoreFilter, series: Sequence[str]) -> list[NewestCase]:
        """The newest measured cases that fit, one for each scheme, implementation, target,
        operation and size; with a series of one of these metrics."""
        return self._read(lambda connection: search.newest_cases(connection, chosen, series))

    def newest_pairs(self, older: StoreFilter, newer: StoreFilter) -> list[CasePair]:
        """For each identity that was measured in both selections of runs the newest case of each;
        ``newer`` selects the cases, too."""
        return self._read(lambda connection: search.newest_pairs(connection, older, newer))

    def names(self) -> StoredNames:
        """Names that the store has, for the choices of a filter."""
        return self._read(search.stored_names)

    def state(self) -> tuple[object, ...]:
        """Numbers that change when runs or cases are added or removed."""
        return self._read(search.state_of)

    def identities(self, case_ids: Iterable[int]) -> dict[int, CaseId]:
        """Identities of the intact cases among these, by their ids."""
        ids = tuple(case_ids)
        return self._read(lambda connection: identities(connection, ids))

    def cases_of(self, run_id: int) -> dict[int, CaseId]:
        """The cases of a run by their ids."""
        return self._read(lambda connection: dict(case_keys(connection, run_id)))

    def measured(self) -> dict[int, set[tuple[str, str]]]:
        """The schemes that each run has cases of, each with its target."""
        query = select(CASES.c.run_id, CASES.c.scheme, CASES.c.target).distinct()
        pairs: dict[int, set[tuple[str, str]]] = {}
        for run_id, scheme, target in self._read(
            lambda connection: connection.execute(query).all()
        ):
            if isinstance(run_id, int) and isinstance(scheme, str) and isinstance(target, str):
                pairs.setdefault(run_id, set()).add((scheme, target))
        return pairs

    def measured_cases(self) -> list[tuple[str, str, str, str, int]]:
        """Target, scheme, implementation, operation and size of every finished measurement, in any
        run.
        """
        column = CASES.c
        keys = (
            column.target,
            column.scheme,
            column.implementation,
            column.operation,
            column.input_bytes,
        )
        query = select(*keys).where(column.state == "finished").distinct()
        rows = self._read(lambda connection: connection.execute(query).all())
        return [(str(row[0]), str(row[1]), str(row[2]), str(row[3]), int(row[4])) for row in rows]

    def failures_of_cases(self) -> list[tuple[str, str, str, str, str]]:
        """Targets, schemes and implementations with the kind and message of each failure, the
        newest first.
        """
        column = failures.c
        query = select(
            column.target, column.scheme, column.implementation, column.kind, column.message
        ).order_by(column.id.desc())
        rows = self._read(lambda connection: connection.execute(query).all())
        return [(str(row[0]), str(row[1]), str(row[2]), str(row[3]), str(row[4])) for row in rows]

    def runs(self, mentioning: str = "") -> list[RunInfo]:
        """All usable runs, oldest first, without their cases. ``mentioning``: only those whose
        settings have that text as a name or a value.
        """
        return self._read(lambda connection: run_infos(connection, mentioning))[0]

    def is_run(self, name: str) -> bool:
        """True if a run has that name."""
        return self._read(lambda connection: search.run_named(connection, name)) is not None

    def survey(self) -> tuple[list[RunInfo], list[StoreFinding]]:
        """All usable runs, oldest first, without their cases, and why the others are unusable."""
        return self._read(run_infos)

    def load_run(self, reference: str | int, *, whole: bool = False) -> Run:
        """The run of that id or name, or ``latest``. InputError that lists the runs if there is
        none.

        Invalid rows are left out, and notes of the run say so; with ``whole`` that is a StoreError.
        """
        if whole:
            self._check_keys()
        return self._read(
            lambda connection: read_run(
                connection, self._find(connection, reference), self._place, whole=whole
            )
        )

    def load_part(self, run_id: int, part: RunPart) -> Run:
        """A run with the rows of a part of it only."""
        return self._read(lambda connection: read_run(connection, run_id, self._place, part=part))

    def newest_with(self, implementations: Iterable[str]) -> int | None:
        """Newest run with measurements of all these implementations; None if the store has no such
        run.
        """
        names = set(implementations)
        has_name = cases.c.implementation.in_(names)
        counted = func.count(func.distinct(cases.c.implementation)) == len(names)
        run_ids = select(cases.c.run_id).where(has_name).group_by(cases.c.run_id).having(counted)
        newest = run_ids.order_by(cases.c.run_id.desc())

        def work(connection: Connection) -> int | None:
            infos, _ = run_infos(connection, RunKind.LEAK)
            leak_tests = {info.id for info in infos if info.kind is RunKind.LEAK}
            return next(
                (run_id for run_id in connection.scalars(newest) if run_id not in leak_tests), None
            )

        return self._read(work)

    def find(self, reference: str | int) -> int:
        """Id of the run of that id or name, or ``latest``. InputError that lists the runs if none
        matches.
        """
        return self._read(lambda connection: self._find(connection, reference))

    def leak_test(self, reference: str | int) -> int | None:
        """The id of the leak test of that id or name, or ``latest``; None if the text means
        something else.
        """
        try:
            run_id = self.find(reference)
        except InputError:
            return None  # a group, or nothing: whoever reads measurements says what is valid
        kinds = {info.id: info.kind for info in self.runs(RunKind.LEAK)}
        return run_id if kinds.get(run_id) is RunKind.LEAK else None

    def unfinished(self, reference: str | int) -> list[Case]:
        """Cases of a run that are neither finished nor failed, in the order of the study."""
        return self._read(
            lambda connection: pending_cases(connection, self._find(connection, reference))
        )

    def next_round(self, run_id: int) -> int:
        """The first round of a run after all rounds that have samples."""
        last = (
            select(func.max(samples.c.round))
            .join(series, samples.c.series_id == series.c.id)
            .join(cases, series.c.case_id == cases.c.id)
            # Text, which SQLite also accepts, sorts after every number.
            .where(cases.c.run_id == run_id, samples.c.round.between(0, MOST_ROUND))
        )
        newest = self._read(lambda connection: connection.scalar(last))
        return 0 if newest is None else int(newest) + 1

    def _find(self, connection: Connection, reference: str | int) -> int:
        exact = search.run_of(connection, str(reference))
        if exact is not None:
            return exact
        listed = connection.execute(select(RUNS.c.id, RUNS.c.name)).all()
        ids = {visible(str(row.name)): row.id for row in listed if isinstance(row.id, int)}
        text = str(reference)
        if ids and text in LATEST:
            return max(ids.values())
        if text in ids:
            return ids[text]
        if text.isascii() and text.isdecimal() and len(text) <= 19 and int(text) in ids.values():
            return int(text)
        if not ids:
            raise NotFoundError(
                f"there is no run in {self._place} yet", hint="motebench run creates one"
            )
        newest = sorted(ids.items(), key=lambda item: -item[1])
        names = ", ".join(f"{name} ({run_id})" for name, run_id in newest[:10])
        more = f" and {len(newest) - 10} older ones" if len(newest) > 10 else ""
        raise NotFoundError(
            f"there is no run {text!r} in {self._place}",
            valid=f"latest, {names}{more}",
            hint=did_you_mean(text, ids) or "`motebench list runs` lists all",
        )


def _series_row(case_id: int, entry: Series) -> dict[str, Any]:
    return {
        "case_id": case_id,
        "metric": entry.metric,
        "raw_unit": entry.raw_unit,
        "scale": entry.scale,
        "overhead": entry.overhead,
        "source": entry.source,
        "evidence": entry.evidence.value,
        "type_b": entry.type_b,
    }


def _sample_row(series_id: int, sample: Sample) -> dict[str, Any]:
    return {
        "series_id": series_id,
        "round": sample.round,
        "raw": float(sample.raw),
        "batch": sample.batch,
        "position": sample.position,
        "at": sample.at,
        "invocation": sample.invocation,
        "disturbed": sample.disturbed[:200],
    }


def _key(row: Any) -> int:
    return int(row[0])


def check_name(name: str, where: str = "--name") -> None:
    """InputError if no run can have that name."""
    if not usable_name(name):
        raise InputError(
            f"{name[:200]!r} cannot be the name of a run", where=where, valid=NAME_HELP
        )


def _free_name(taken: set[str]) -> str:
    day = datetime.now(UTC).date().isoformat()
    number = 1
    while f"{day}-{number}" in taken:
        number += 1
    return f"{day}-{number}"


def _failure(run_id: int, failure: Failure, case_id: int | None) -> dict[str, Any]:
    return {
        "run_id": run_id,
        "case_id": case_id,
        **failure.identity(),
        "kind": failure.kind.value,
        "message": failure.message,
        "vector": failure.vector,
    }
