"""Several runs taken together: runs by name, one value a run and case, their spread, and their
documents.

A run is the random unit: samples of one run say nothing of the next. The statistics are in
``motebench.stats.runs``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

import numpy as np

from motebench.base.errors import InputError
from motebench.base.model import Evidence, Failure, Run, RunInfo, RunKind
from motebench.base.naming import is_pattern, probe_key, split_probe_key
from motebench.base.shapes import part
from motebench.base.units import MAIN
from motebench.documents.result import (
    CaseOfGroup,
    CasesEntry,
    GroupedRunEntry,
    GroupEntry,
    Result,
    RunOfGroup,
    RunsEntry,
)
from motebench.results.document import measurement, result
from motebench.results.groups import GROUP, GroupSession, group_of
from motebench.results.places import failures_of
from motebench.results.results import CURVE, rows
from motebench.results.row import MeasurementRow
from motebench.results.verdicts import alternate
from motebench.stats.phases import STEADY_MACHINE
from motebench.stats.runs import FEWEST_RUNS, RunSpread, spread
from motebench.stats.shift import without_trend
from motebench.targets.machine import differences

if TYPE_CHECKING:
    from motebench.catalog.devices import Device
    from motebench.store import Store

MOST_LOOKED_AT = 20
"""Runs, newest first, from which the spread of a machine is estimated: enough degrees of freedom,
and quick to read.
"""


def members(store: Store, reference: str) -> list[Run] | None:
    """The finished runs of a group, a glob or a list with commas, oldest first, a glob without leak
    tests; None if the text names one run.

    InputError if a part of it matches no run.
    """
    if store.is_run(reference):
        return None
    if "," in reference:
        return _of_list(store, reference)
    if is_pattern(reference):
        chosen = _matching(store.runs(), reference)
    else:
        mentioning = store.runs(reference)
        chosen = [info for info in mentioning if group_of(info.settings) == reference]
        if not chosen:
            return None
    finished = [store.load_run(info.id) for info in chosen if info.status == "finished"]
    if not finished:
        problem = "none of its runs is finished" if chosen else "no run has this name"
        raise InputError(
            f"{reference!r}: {problem}",
            valid=", ".join(sorted(info.name for info in store.runs())) or None,
            hint="motebench list runs",
        )
    return finished


def _matching(runs: Sequence[RunInfo], pattern: str) -> list[RunInfo]:
    measurements = (info for info in runs if info.kind is RunKind.MEASUREMENT)
    return [info for info in measurements if fnmatchcase(info.name, pattern)]


def _of_list(store: Store, reference: str) -> list[Run]:
    parts = [part.strip() for part in reference.split(",") if part.strip()]
    runs = [run for part in parts for run in members(store, part) or [store.load_run(part)]]
    return sorted({run.info.id: run for run in runs}.values(), key=lambda run: run.info.id)


def summary(
    runs: Sequence[Run], metrics: Iterable[str] | None = None, *, host: Device | None = None
) -> list[MeasurementRow]:
    """Each metric of each case over all runs: its values are the medians of the runs, by position
    of the run.

    ``host``: see `motebench.results.results.rows`. InputError if the runs used different counters.
    """
    asked_metrics = None if metrics is None else set(metrics)
    firsts: dict[tuple[Any, str], MeasurementRow] = {}
    medians: dict[tuple[Any, str], dict[int, float]] = {}
    for place, run in enumerate(runs):
        for row in rows(run, host):
            if not row.values or (asked_metrics is not None and row.metric not in asked_metrics):
                continue
            key = (row.case, row.metric)
            first = firsts.setdefault(key, row)
            if first.evidence is not row.evidence or (
                row.metric == "cycles" and first.source != row.source
            ):
                raise InputError(
                    f"{row.metric} is {first.evidence.value} by {first.source} in "
                    f"{runs[0].info.name}, {row.evidence.value} by {row.source} in {run.info.name}",
                    hint="all runs of a group must measure in the same way",
                )
            medians.setdefault(key, {})[place] = row.median
    # Movement of the machine from run to run is in the spread of the runs.
    return [replace(row, values=medians[key], phases=STEADY_MACHINE) for key, row in firsts.items()]


def spread_of(row: MeasurementRow) -> float | None:
    """Standard deviation of the logarithms of the runs' values; None for fewer than two runs, or if
    a value is 0.
    """
    values = list(row.values.values())
    if len(values) < FEWEST_RUNS or min(values) <= 0:
        return None
    return float(np.std(np.log(values), ddof=1))


def spread_between(sides: Sequence[Sequence[MeasurementRow]]) -> RunSpread | None:
    """The spread of runs of one metric within these groups."""
    values: dict[Any, dict[str, list[float]]] = {}
    for number, side in enumerate(sides):
        for row in side:
            if row.evidence is not Evidence.SIMULATED:  # exact: the same in each run
                values.setdefault(row.case, {})[str(number)] = list(row.values.values())
    return spread(values)


def known_spread(
    stores: Sequence[Store], environment: dict[str, Any], metrics: Sequence[str]
) -> dict[str, RunSpread]:
    """Spread by metric of the runs on the machine of ``environment``, from all groups in these
    stores.
    """
    sides: list[list[MeasurementRow]] = []
    for store in stores:
        fitting = [info for info in store.runs(GROUP) if _same(info, environment)]
        groups: dict[str, list[RunInfo]] = {}
        for info in fitting[-MOST_LOOKED_AT:]:
            groups.setdefault(group_of(info.settings) or "", []).append(info)
        sides += [
            summary([store.load_run(info.id) for info in infos], metrics)
            for infos in groups.values()
        ]
    spreads = {
        name: spread_between([[row for row in side if row.metric == name] for side in sides])
        for name in metrics
    }
    return {name: run_spread for name, run_spread in spreads.items() if run_spread is not None}


def _same(info: RunInfo, environment: dict[str, Any]) -> bool:
    return (
        group_of(info.settings) is not None
        and info.status == "finished"
        and not differences(environment, info.environment)
    )


Places = tuple[list[float], list[float]]
"""Positions of the runs of each side among the runs of both sides, ordered by time."""


def places(a: Sequence[Run], b: Sequence[Run]) -> Places:
    """Order in which the runs of both sides were made; a run that is on both sides has one
    place.
    """
    order = sorted({(run.info.started, run.info.id, run.info.name) for run in (*a, *b)})
    at = {key: float(number) for number, key in enumerate(order)}
    first, second = (
        [at[run.info.started, run.info.id, run.info.name] for run in side] for side in (a, b)
    )
    return first, second


def steady(
    a: MeasurementRow, b: MeasurementRow, order: Places
) -> tuple[MeasurementRow, MeasurementRow]:
    """Values of both sides without the trend of the machine over the runs."""
    if not (a.values and b.values) or min(*a.values.values(), *b.values.values()) <= 0:
        return a, b
    logs = [np.log(np.array(list(row.values.values()))) for row in (a, b)]
    at = [np.array([side[n] for n in row.values]) for row, side in zip((a, b), order, strict=True)]
    flat = without_trend(logs[0], logs[1], (at[0], at[1]))
    first, second = (
        replace(row, values=dict(zip(row.values, np.exp(values).tolist(), strict=True)))
        for row, values in zip((a, b), flat, strict=True)
    )
    return first, second


def in_turn(a: Sequence[Run], b: Sequence[Run]) -> bool:
    """True if the runs of two sides alternate, so that drift of the machine hit both alike: the
    side changes at least as often as the smaller side has runs.
    """
    sides = [(run, 0) for run in a], [(run, 1) for run in b]
    names = [{(run.info.id, run.info.name, run.info.started) for run, _ in side} for side in sides]
    if names[0] == names[1]:
        return True  # two implementations of the same runs
    # Start times have a resolution of one second. Run numbers are finer, but only within one store.
    one_store = not {run.info.id for run in a} & {run.info.id for run in b}
    order = sorted(
        (
            run.info.started,
            run.info.id if one_store else side,
            side if one_store else run.info.id,
            side,
        )
        for run, side in (*sides[0], *sides[1])
    )
    first, second = (
        [place for place, item in enumerate(order) if item[3] == number] for number in (0, 1)
    )
    return alternate(first, second)


# Documents: a value of each measurement is the median of a run


Groups = Mapping[str, Sequence[Run]]


def result_of(
    store: Store, reference: str, *, samples: bool = True, host: Device | None = None
) -> Result:
    """The result of a run; or of the runs that a group, a glob or a list with commas means.

    ``samples``: with every value; ``host``: the device that targets stand for whose names say none.
    InputError where nothing is meant.
    """
    groups = members(store, reference)
    if groups is None:
        return result(store.load_run(reference), samples=samples, host=host)
    shown = _of_groups(groups, host)
    if samples:
        return shown
    without = tuple(
        replace(item, values=(), rounds=(), invocations=()) for item in shown.measurements
    )
    return replace(shown, measurements=without)


def _of_groups(runs: Sequence[Run], host: Device | None) -> Result:
    """The result of runs by their groups."""
    groups: dict[str, list[Run]] = defaultdict(list)
    for run in runs:
        groups[group_of(run.info.settings) or run.info.name].append(run)
    return together(groups, host=host)


def together(groups: Groups, *, host: Device | None = None) -> Result:
    """Result of all runs of these groups together, with samples.

    Of several groups, the name of the group stands before the name of each implementation:
    ``old:openssl``. InputError where runs of a group did not measure in the same way.
    """
    several = len(groups) > 1
    every = [run for runs in groups.values() for run in runs]
    order = _in_order(groups)
    at = {entry.run: place for place, entry in enumerate(order)}
    parts = {
        name: _one(runs, f"{name}:" if several else "", [at[run.info.id] for run in runs], host)
        for name, runs in groups.items()
    }
    entry = replace(
        result(every[0]).run,
        name=", ".join(groups),
        started=min(run.info.started for run in every),
        finished=_finished(every),
        status="finished" if all(run.info.status == "finished" for run in every) else "interrupted",
        notes=(_meaning(groups), *_notes(every)),
        cases=_cases(every),
        runs=order,
    )
    return Result(
        run=entry,
        environment=_environment(groups, several=several),
        measurements=tuple(item for group in parts.values() for item in group.measurements),
        failures=tuple(item for group in parts.values() for item in group.failures),
    )


def _in_order(groups: Groups) -> tuple[GroupedRunEntry, ...]:
    """Runs in the order of time; those of one second by their numbers."""
    entries = (
        GroupedRunEntry(run=run.info.id, name=run.info.name, group=group, started=run.info.started)
        for group, runs in groups.items()
        for run in runs
    )
    return tuple(sorted(entries, key=lambda entry: (entry.started, entry.run)))


def _finished(runs: Sequence[Run]) -> str | None:
    """Time at which the last of the runs was finished; None if one is not."""
    ends = [run.info.finished for run in runs]
    return None if None in ends else max((end for end in ends if end is not None), default=None)


def _one(runs: Sequence[Run], before: str, order: Sequence[int], host: Device | None) -> Result:
    """A group; ``before`` stands before the names of implementations. ``order``: places of its runs
    among all.
    """
    merged = rows_together(runs, host)
    whole = result(runs[0])
    return replace(
        whole,
        ratios=(),
        measurements=tuple(
            replace(
                measurement(row, samples=True),
                implementation=before + row.case.implementation,
                rounds=tuple(order[number] for number in row.values),
                run_spread=spread_of(row),
            )
            for row in merged
        ),
        failures=tuple(
            replace(item, implementation=before + item.implementation)
            for item in _failures(runs, len(runs) > 1)
        ),
    )


def rows_together(runs: Sequence[Run], host: Device | None = None) -> list[MeasurementRow]:
    """Rows of all runs of a group, with the values of each run."""
    by_row: dict[Any, list[tuple[str, MeasurementRow]]] = defaultdict(list)
    for run in runs:
        for row in rows(run, host):
            by_row[row.case, row.metric].append((run.info.name, row))
    return [
        _merged(row, by_row[row.case, row.metric])
        for row in summary(runs, host=host)
        if row.metric != CURVE
    ]


def _merged(row: MeasurementRow, of_runs: Sequence[tuple[str, MeasurementRow]]) -> MeasurementRow:
    """Row of all runs with the values of each; quotable if every one is."""
    notes: dict[str, list[str]] = defaultdict(list)
    for name, run_row in of_runs:
        for note in run_row.notes:
            notes[note].append(name)
    return replace(
        row,
        notes=tuple(
            text if len(names) == len(of_runs) else f"{', '.join(names)}: {text}"
            for text, names in notes.items()
        ),
        disturbed=sum(run_row.disturbed for _, run_row in of_runs),
        quotable=all(run_row.quotable for _, run_row in of_runs),
        batches=None,
        course=None,
        invocations=(),
    )


def _failures(runs: Sequence[Run], several: bool) -> Iterable[Failure]:
    """Each failure once, with the runs that have it."""
    runs_by_failure: dict[Failure, list[str]] = defaultdict(list)
    for run in runs:
        for failure in failures_of(run):
            runs_by_failure[failure].append(run.info.name)
    for failure, names in runs_by_failure.items():
        only_some = several and len(names) < len(runs)
        yield (
            replace(failure, message=f"{', '.join(names)}: {failure.message}")
            if only_some
            else failure
        )


def _meaning(groups: Groups) -> str:
    runs = "; ".join(f"{', '.join(run.info.name for run in runs)}" for runs in groups.values())
    return f"each value is the median of a run, and n is the number of runs: {runs}"


def _notes(every: Sequence[Run]) -> list[str]:
    """Each note once, with the runs that have it where not all do."""
    runs_by_note: dict[str, list[str]] = defaultdict(list)
    for run in every:
        for note in dict.fromkeys(run.info.notes):
            runs_by_note[note].append(run.info.name)
    return [
        note if len(names) == len(every) else f"{', '.join(names)}: {note}"
        for note, names in runs_by_note.items()
    ]


def _cases(every: Sequence[Run]) -> CasesEntry:
    counts = [result(run).run.cases for run in every]
    return CasesEntry(
        finished=sum(cases.finished for cases in counts),
        failed=sum(cases.failed for cases in counts),
        pending=sum(cases.pending for cases in counts),
    )


def _environment(groups: Groups, *, several: bool) -> dict[str, object]:
    """Environment of the first run, with the probes of each group, and as it ended with the last
    run."""
    every = [run for runs in groups.values() for run in runs]
    common: dict[str, object] = dict(every[0].info.environment)
    common.pop("end", None)
    if several:
        probes = {}
        for name, runs in groups.items():
            for key, facts in part(runs[0].info.environment, "probes").items():
                target, implementation = split_probe_key(key)
                probes[probe_key(target, f"{name}:{implementation}")] = facts
        common["probes"] = probes
    last = max(every, key=lambda run: run.info.started).info.environment.get("end")
    return {**common, "end": last} if last else common


def runs_document(session: GroupSession, groups: Mapping[str, Sequence[Run]]) -> RunsEntry:
    """Every run of a session, and the times of its groups."""
    return RunsEntry(
        seed=session.seed,
        order=tuple(turn.name for turn in session.turns()),
        groups=tuple(
            GroupEntry(
                name=name,
                build=session.builds[name].path if name in session.builds else None,
                runs=tuple(
                    RunOfGroup(run=run.info.id, name=run.info.name, status=run.info.status)
                    for run in runs
                ),
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
