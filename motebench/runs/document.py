"""The document of several runs of one study: the medians of the runs by group and case."""

from __future__ import annotations

from typing import Any

from motebench.comparison.groups import summary
from motebench.groups import Session
from motebench.model import Run

SCHEMA = "motebench-runs-1"


def document(session: Session, groups: dict[str, list[Run]]) -> dict[str, Any]:
    """Every run of a session, and the times of its groups as plain data."""

    def case(row: Any) -> dict[str, Any]:
        values = list(row.values.values())
        return {
            **row.case.entry(),
            "metric": row.metric,
            "unit": row.unit,
            "evidence": row.evidence.value,
            "runs": len(values),
            "medians": values,
        }

    return {
        "schema": SCHEMA,
        "seed": session.seed,
        "order": [turn.name for turn in session.turns()],
        "groups": [
            {
                "name": name,
                "build": session.builds[name].path if name in session.builds else None,
                "runs": [{"run": run.info.id, "name": run.info.name, "status": run.info.status} for run in runs],
                "cases": [case(row) for row in summary(runs, ("time",))],
            }
            for name, runs in groups.items()
        ],
    }
