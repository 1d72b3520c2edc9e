"""Several runs as one result: a value of each measurement is the median of a run.

A run is the random unit, as where groups of runs are compared: samples of one run say nothing of the next.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from motebench.base.model import Failure, Run
from motebench.base.naming import probe_key, split_probe_key
from motebench.base.shapes import part
from motebench.base.units import MAIN
from motebench.catalog.devices import Device
from motebench.documents.result import CaseOfGroup, CasesEntry, GroupEntry, Result, RunOfGroup, RunsEntry
from motebench.results.comparison.groups import members, summary
from motebench.results.groups import GroupSession, group_of
from motebench.results.results import measurement, result, rows
from motebench.results.row import MeasurementRow
from motebench.store import Store

Groups = Mapping[str, Sequence[Run]]
_CURVE = "warmup_time"
"""A value of each batch: the median of a run says nothing."""


def result_of(store: Store, reference: str, *, host: Device | None = None) -> Result:
    """The result, with samples, of a run; or of the runs that a group, a glob or a list with commas means.

    ``host``: the device that targets stand for whose names say none. InputError where nothing is meant.
    """
    found = members(store, reference)
    if found is None:
        return result(store.load_run(reference), samples=True, host=host)
    groups: dict[str, list[Run]] = defaultdict(list)
    for run in found:
        groups[group_of(run.info.settings) or run.info.name].append(run)
    return together(groups, host=host)


def together(groups: Groups, *, host: Device | None = None) -> Result:
    """The result, with samples, of all runs of these groups.

    Of several groups, the name of the group stands before the name of each implementation: ``old:openssl``. InputError
    where runs of a group did not measure in the same way.
    """
    several = len(groups) > 1
    parts = {name: _one(runs, f"{name}:" if several else "", host) for name, runs in groups.items()}
    every = [run for runs in groups.values() for run in runs]
    entry = replace(
        result(every[0]).run,
        name=", ".join(groups),
        started=min(run.info.started for run in every),
        finished=_finished(every),
        status="finished" if all(run.info.status == "finished" for run in every) else "interrupted",
        notes=(_meaning(groups), *_notes(every)),
        cases=_cases(every),
    )
    return Result(
        run=entry,
        environment=_environment(groups, several=several),
        measurements=tuple(item for group in parts.values() for item in group.measurements),
        failures=tuple(item for group in parts.values() for item in group.failures),
    )


def _finished(runs: Sequence[Run]) -> str | None:
    """When the last of the runs was finished; None if one is not."""
    ends = [run.info.finished for run in runs]
    return None if None in ends else max((end for end in ends if end is not None), default=None)


def _one(runs: Sequence[Run], before: str, host: Device | None) -> Result:
    """A group; ``before`` stands before the names of implementations."""
    each: dict[Any, list[tuple[str, MeasurementRow]]] = defaultdict(list)
    for run in runs:
        for row in rows(run, host):
            each[row.case, row.metric].append((run.info.name, row))
    found = [_merged(row, each[row.case, row.metric]) for row in summary(runs, host=host) if row.metric != _CURVE]
    whole = result(runs[0])
    return replace(
        whole,
        ratios=(),
        measurements=tuple(
            replace(item, implementation=before + item.implementation)
            for item in (measurement(row, samples=True) for row in found)
        ),
        failures=tuple(
            replace(item, implementation=before + item.implementation) for item in _failures(runs, len(runs) > 1)
        ),
    )


def _merged(row: MeasurementRow, of_runs: Sequence[tuple[str, MeasurementRow]]) -> MeasurementRow:
    """The row of all runs with what each of them says; quotable where every one is."""
    notes: dict[str, list[str]] = defaultdict(list)
    for name, one in of_runs:
        for note in one.notes:
            notes[note].append(name)
    return replace(
        row,
        notes=tuple(
            text if len(names) == len(of_runs) else f"{', '.join(names)}: {text}" for text, names in notes.items()
        ),
        disturbed=sum(one.disturbed for _, one in of_runs),
        quotable=all(one.quotable for _, one in of_runs),
        batches=None,
        course=None,
        invocations=(),
    )


def _failures(runs: Sequence[Run], several: bool) -> Iterable[Failure]:
    """Each failure once, with the runs that have it."""
    found: dict[Failure, list[str]] = defaultdict(list)
    for run in runs:
        failed = [item.failure for item in run.results if item.failure is not None]
        for failure in (*run.failures, *failed):
            found[failure].append(run.info.name)
    for failure, names in found.items():
        told = several and len(names) < len(runs)
        yield replace(failure, message=f"{', '.join(names)}: {failure.message}") if told else failure


def _meaning(groups: Groups) -> str:
    runs = "; ".join(f"{', '.join(run.info.name for run in runs)}" for runs in groups.values())
    return f"each value is the median of a run, and n is the number of runs: {runs}"


def _notes(every: Sequence[Run]) -> list[str]:
    return [f"{run.info.name}: {note}" for run in every for note in run.info.notes]


def _cases(every: Sequence[Run]) -> CasesEntry:
    each = [result(run).run.cases for run in every]
    return CasesEntry(
        finished=sum(cases.finished for cases in each),
        failed=sum(cases.failed for cases in each),
        pending=sum(cases.pending for cases in each),
    )


def _environment(groups: Groups, *, several: bool) -> dict[str, object]:
    """That of the first run, with the probes of each group, and as it ended with the last run."""
    every = [run for runs in groups.values() for run in runs]
    found: dict[str, object] = dict(every[0].info.environment)
    found.pop("end", None)
    if several:
        probes = {}
        for name, runs in groups.items():
            for key, facts in part(runs[0].info.environment, "probes").items():
                target, implementation = split_probe_key(key)
                probes[probe_key(target, f"{name}:{implementation}")] = facts
        found["probes"] = probes
    last = max(every, key=lambda run: run.info.started).info.environment.get("end")
    return {**found, "end": last} if last else found


def runs_document(session: GroupSession, groups: Mapping[str, Sequence[Run]]) -> RunsEntry:
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
