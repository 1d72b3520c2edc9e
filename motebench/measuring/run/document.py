"""Documents of runs: what one would do, and the medians of several by group and case."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from motebench.base.metrics import MAIN
from motebench.base.model import Run
from motebench.documents.runs import (
    CaseOfGroup,
    GroupEntry,
    PlanEntry,
    PlannedEntry,
    RunOfGroup,
    RunsEntry,
    SkippedEntry,
)
from motebench.measuring.plan.plan import Plan
from motebench.results.comparison.groups import summary
from motebench.results.groups import GroupSession
from motebench.results.row import MeasurementRow


def document(session: GroupSession, groups: Mapping[str, Sequence[Run]]) -> RunsEntry:
    """Every run of a session, and the times of its groups."""
    return RunsEntry(
        seed=session.seed,
        order=tuple(turn.name for turn in session.turns()),
        groups=tuple(
            GroupEntry(
                name=name,
                build=session.builds[name].path if name in session.builds else None,
                runs=tuple(RunOfGroup(run=run.info.id, name=run.info.name, status=run.info.status) for run in runs),
                cases=tuple(map(_case, summary(runs, MAIN))),
            )
            for name, runs in groups.items()
        ),
    )


def _case(row: MeasurementRow) -> CaseOfGroup:
    values = tuple(row.values.values())
    return CaseOfGroup(
        **row.case.identity(),
        metric=row.metric,
        unit=row.unit,
        evidence=row.evidence,
        runs=len(values),
        medians=values,
    )


def plan_document(plan: Plan, runs: int = 1) -> PlanEntry:
    """What so many runs would do, and how long they would take."""
    return PlanEntry(
        cases=tuple(PlannedEntry(**case.identity()) for case in plan.cases),
        failures=plan.failures,
        skipped=tuple(
            SkippedEntry(scheme=item.scheme, implementation=item.implementation, target=item.target, reason=item.reason)
            for item in plan.skipped
        ),
        runs=runs,
        seconds_expected=round(runs * plan.least, 1),
        seconds_at_most=round(runs * (plan.budget + plan.preparation), 1),
    )
