"""Documents of runs: what one would do, and the medians of several by group and case."""

from __future__ import annotations

from typing import Any

from motebench.comparison.groups import summary
from motebench.groups import Session
from motebench.model import Run
from motebench.runner.plan import Plan

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


def plan_document(plan: Plan) -> dict[str, Any]:
    """What a run would do, and how long it would take: cases, failures, what patterns left out, seconds."""
    return {
        "cases": [{**case.entry(), "file": case.file} for case in plan.cases],
        "failures": [
            {
                "scheme": item.scheme,
                "implementation": item.implementation,
                "kind": item.kind.value,
                "message": item.message,
            }
            for item in plan.failures
        ],
        "skipped": [
            {"scheme": item.scheme, "implementation": item.implementation, "reason": item.reason}
            for item in plan.skipped
        ],
        "seconds_expected": round(plan.least, 1),
        "seconds_at_most": round(plan.budget + plan.preparation, 1),
    }
