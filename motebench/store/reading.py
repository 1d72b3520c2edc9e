"""From rows to the types of ``motebench.base.model``. Invalid rows are left out, and a note of the run says so."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, select

from motebench.base.errors import StoreError, visible
from motebench.base.identity import CaseId
from motebench.base.model import (
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
from motebench.store import rows
from motebench.store.checking import StoreFinding
from motebench.store.rows import NOTES, RUNS, Row, Rows

_SAID = 20
"""Findings that the notes of a run list one by one."""
_REPAIR = (
    "motebench doctor --store FILE lists everything that is wrong; "
    "with --repair NEW it writes every intact row into a new store"
)


def case_keys(connection: Connection, run_id: int) -> Iterator[tuple[int, CaseId]]:
    """Row id and identity of each case of a run."""
    for row_id, row in rows.of_run(connection, run_id, texts=False).cases.items():
        yield row_id, _case(row).id


def infos(connection: Connection) -> tuple[list[RunInfo], list[StoreFinding]]:
    """All usable runs, oldest first, and why the others are unusable."""
    texts: dict[Any, list[str]] = defaultdict(list)
    wanted = select(NOTES).where(NOTES.c.case_id.is_(None)).order_by(NOTES.c.id)
    for note in connection.execute(wanted):
        if isinstance(note.text, str):
            texts[note.run_id].append(visible(note.text))
    found, unusable = [], []
    for row in rows.each(connection, select(RUNS).order_by(RUNS.c.id)):
        decoded, broken, parts = rows.run_row(row)
        unusable += broken[:1]
        if not broken:
            found.append(_info(decoded, [*texts[row["id"]], *_said(parts)]))
    return found, unusable


def run(connection: Connection, run_id: int, place: str, *, whole: bool = False) -> Run:
    """A run with its intact rows; cases in the order of the study, samples by round.

    StoreError if its own row is unusable; with ``whole`` also if anything had to be left out.
    """
    row = connection.execute(select(RUNS).where(RUNS.c.id == run_id)).first()
    assert row is not None, "it was found before"
    decoded, broken, parts = rows.run_row(dict(row._mapping))
    if broken:
        first = broken[0]
        raise StoreError(
            f"run {run_id} cannot be used: {first.column} {first.what}",
            where=f"{place}: {first.table}, {first.row}", hint=_REPAIR,
        )  # fmt: skip
    found = rows.of_run(connection, run_id)
    taken: dict[int, list[Sample]] = defaultdict(list)
    for series_id, *of_sample in rows.samples_of_run(connection, run_id, found):
        taken[series_id].append(Sample(*of_sample))
    findings = [*parts, *found.findings]
    if whole and findings:
        raise StoreError(
            f"run {run_id} is damaged, so nothing can be added to it: {findings[0]}", where=place, hint=_REPAIR
        )
    return _assembled(decoded, found, taken, findings)


def _assembled(info: Row, found: Rows, taken: dict[int, list[Sample]], findings: Sequence[StoreFinding]) -> Run:
    texts: dict[int | None, list[str]] = defaultdict(list)
    for row in found.notes:
        texts[row["case_id"]].append(visible(row["text"]))
    failed: dict[int, Failure] = {}
    others: list[Failure] = []
    for row in found.failures:
        if row["case_id"] is None:
            others.append(_failure(row))
        else:
            failed.setdefault(row["case_id"], _failure(row))
    series: dict[int, list[Series]] = defaultdict(list)
    for series_id, row in found.series.items():
        series[row["case_id"]].append(_series(row, taken.get(series_id, ())))
    results = tuple(
        CaseResult(
            _case(row),
            tuple(series.get(case_id, ())),
            failed.get(case_id),
            row["state"] == "finished",
            tuple(texts.get(case_id, ())),
        )
        for case_id, row in found.cases.items()
    )
    return Run(_info(info, [*texts.get(None, []), *_said(findings)]), results, tuple(others))


def pending(connection: Connection, run_id: int) -> list[Case]:
    """Cases that are neither finished nor failed."""
    found = rows.of_run(connection, run_id, texts=False).cases
    return [_case(row) for row in found.values() if row["state"] == "pending"]


def _said(findings: Sequence[StoreFinding]) -> list[str]:
    """Findings as notes; of many, the first ones and their number."""
    said = [str(finding) for finding in findings[:_SAID]]
    if len(findings) > _SAID:
        said.append(f"store: and {len(findings) - _SAID} more rows; motebench doctor --store lists all")
    return said


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
    found = CaseId.of(row).identity() | {"operation": Operation(row["operation"])}
    return Case(**found, provider=row["provider"])


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
    found = CaseId.of({**row, "file": None if row["file"] is None else visible(row["file"])})
    vector = None if row["vector"] is None else visible(row["vector"])
    return Failure.of_case(found, FailureKind(row["kind"]), visible(row["message"]), vector)
