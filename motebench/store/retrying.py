"""Failures that are tried again."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, select

from motebench.base.identity import CaseId
from motebench.base.model import Failure
from motebench.store import reading
from motebench.store.schema import cases, failures, notes


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
