"""From rows to the words of ``motebench.model``."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from sqlalchemy import Connection, Row, select

from motebench.model import (
    Case,
    CaseResult,
    Evidence,
    Failure,
    FailureKind,
    Operation,
    Run,
    RunInfo,
    Sample,
    Series,
)
from motebench.store.schema import cases, failures, notes, runs, samples, series


def case_keys(connection: Connection, run_id: int) -> Iterator[tuple[int, tuple[Any, ...]]]:
    """Row id and `Case.key` of each case of a run."""
    for row in connection.execute(select(cases).where(cases.c.run_id == run_id)):
        yield row.id, _case(row).key


def infos(connection: Connection) -> list[RunInfo]:
    """All runs, oldest first."""
    texts: dict[int, list[str]] = defaultdict(list)
    wanted = select(notes.c.run_id, notes.c.text).where(notes.c.case_id.is_(None)).order_by(notes.c.id)
    for row in connection.execute(wanted):
        texts[row.run_id].append(row.text)
    return [_info(row, texts[row.id]) for row in connection.execute(select(runs).order_by(runs.c.id))]


def run(connection: Connection, run_id: int) -> Run:
    """A run with everything it holds; cases in the order they were asked for, samples by round."""
    texts: dict[int | None, list[str]] = defaultdict(list)
    for row in connection.execute(select(notes).where(notes.c.run_id == run_id).order_by(notes.c.id)):
        texts[row.case_id].append(row.text)
    failed: dict[int, Failure] = {}
    others: list[Failure] = []
    for row in connection.execute(select(failures).where(failures.c.run_id == run_id).order_by(failures.c.id)):
        if row.case_id is None:
            others.append(_failure(row))
        else:
            failed[row.case_id] = _failure(row)
    found = _series(connection, run_id)
    results = tuple(
        CaseResult(
            _case(row),
            tuple(found.get(row.id, ())),
            failed.get(row.id),
            row.state == "finished",
            tuple(texts.get(row.id, ())),
        )
        for row in connection.execute(select(cases).where(cases.c.run_id == run_id).order_by(cases.c.id))
    )
    info = _info(connection.execute(select(runs).where(runs.c.id == run_id)).one(), texts.get(None, []))
    return Run(info, results, tuple(others))


def pending(connection: Connection, run_id: int) -> list[Case]:
    """Cases that are neither finished nor failed."""
    wanted = select(cases).where(cases.c.run_id == run_id, cases.c.state == "pending").order_by(cases.c.id)
    return [_case(row) for row in connection.execute(wanted)]


def _series(connection: Connection, run_id: int) -> dict[int, list[Series]]:
    """Series with their samples by case id."""
    of_run = select(series.c.id).join(cases, series.c.case_id == cases.c.id).where(cases.c.run_id == run_id)
    taken: dict[int, list[Sample]] = defaultdict(list)
    wanted = select(samples).where(samples.c.series_id.in_(of_run)).order_by(samples.c.series_id, samples.c.round)
    for series_id, *of_sample in connection.execute(wanted):
        taken[series_id].append(Sample(*of_sample))
    found: dict[int, list[Series]] = defaultdict(list)
    for row in connection.execute(select(series).where(series.c.id.in_(of_run)).order_by(series.c.id)):
        found[row.case_id].append(
            Series(
                row.metric,
                row.raw_unit,
                row.scale,
                row.overhead,
                row.source,
                Evidence(row.evidence),
                tuple(taken.get(row.id, ())),
                row.type_b,
            )
        )
    return found


def _info(row: Row[Any], texts: list[str]) -> RunInfo:
    environment = dict(row.environment)
    if row.environment_end is not None:
        environment["end"] = row.environment_end
    return RunInfo(
        id=row.id,
        name=row.name,
        study=row.study,
        started=row.started,
        finished=row.finished,
        status=row.status,
        version=row.version,
        seed=row.seed,
        settings=dict(row.settings),
        environment=environment,
        notes=tuple(texts),
    )


def _case(row: Row[Any]) -> Case:
    return Case(
        row.scheme,
        row.implementation,
        Operation(row.operation),
        row.input_bytes,
        row.target,
        row.provider,
        row.file or None,
        row.aad_bytes,
    )


def _failure(row: Row[Any]) -> Failure:
    return Failure(
        row.scheme,
        row.implementation,
        row.target,
        FailureKind(row.kind),
        row.message,
        row.operation,
        row.input_bytes,
        row.vector,
        row.file,
        row.aad_bytes,
    )
