"""The result document of a run: its measurements with statistics, and ratios of cases that differ
in one thing.

``docs/reference/results.md`` describes it; its parts are classes in
``motebench/documents/result.py``. Targets are compared with the first one that has the case, the
throughput of several cores with that of one. Each place of code is a firmware of its own
(`targets.firmware.placing`) with exact cycles: it has a range and no interval, as the linker
decides the place.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from statistics import median
from typing import TYPE_CHECKING, Any

from motebench.base.identity import CaseId
from motebench.base.model import Evidence, Run
from motebench.base.naming import unplaced, usual
from motebench.base.units import MAIN, metric
from motebench.documents.result import Measurement, Placement, Ratio, Result, RunEntry, Scaling
from motebench.results.places import counts, ends, failures_of, over_places, place_of, proven
from motebench.results.results import CURVE, rows
from motebench.results.row import MeasurementRow
from motebench.stats import ComparisonVerdict, Description, compare_groups, compare_unpaired
from motebench.stats.compare import judged
from motebench.stats.dependence import DEPENDENT

if TYPE_CHECKING:
    from motebench.catalog.devices import Device

COMPARED = (*MAIN, "energy")
"""Metrics that are compared; energy where an instrument read it."""


def result(run: Run, *, samples: bool = False, host: Device | None = None) -> Result:
    """The result document of a run. ``samples``: each measurement's ``values`` with their
    ``rounds`` or ``invocations`` too; ``host``: see ``rows``."""
    run_rows = rows(run, host)
    return Result(
        run=_run(run),
        environment=run.info.environment,
        measurements=tuple(measurement(row, samples=samples) for row in run_rows),
        failures=failures_of(run),
        ratios=ratios(run_rows),
        placements=placements(run_rows),
        scaling=scaling_of(run_rows),
    )


def some(
    run: Run,
    metrics: Collection[str],
    choice: Callable[[Sequence[MeasurementRow]], Sequence[MeasurementRow]] = list,
) -> Result:
    """The result of a run, or of some cases of one, with the measurements of these metrics and
    their samples, and nothing that compares them. ``choice``: of their rows, before their
    statistics.
    """
    chosen = choice([row for row in rows(run) if row.metric in metrics])
    return Result(
        run=_run(run),
        environment=run.info.environment,
        measurements=tuple(measurement(row, samples=True) for row in chosen),
        failures=(),
    )


def scaling_of(rows: Iterable[MeasurementRow]) -> tuple[Scaling, ...]:
    """Growth of the throughput of these rows with the number of cores."""
    times = (row for row in rows if row.metric == "time" and row.case.cores)
    return scaling((row.case.id, tuple(row.values.values()), row.quotable) for row in times)


def _run(run: Run) -> RunEntry:
    info = run.info
    return RunEntry(
        id=info.id,
        name=info.name,
        study=str(info.settings.get("study") or info.name),
        study_text=info.study,
        started=info.started,
        finished=info.finished,
        status=info.status,
        version=info.version,
        seed=info.seed,
        settings=info.settings,
        notes=info.notes,
        cases=counts(run),
    )


def measurement(row: MeasurementRow, *, samples: bool = False) -> Measurement:
    """A row with its statistics; ``samples``: see `result`."""
    stats, over = row.describe(), ends(row.places)
    entry = Measurement(
        **row.case.identity(),
        metric=row.metric,
        unit=row.unit,
        evidence=row.evidence,
        source=row.source,
        better=row.better,
        n=stats.n,
        median=stats.median,
        ci_low=stats.ci_low,
        ci_high=stats.ci_high,
        confidence=stats.confidence,
        confidence_dependent=stats.confidence_dependent,
        interval=row.interval,
        mean=stats.mean,
        variance=stats.variance,
        stddev=stats.stddev,
        min=stats.min,
        max=stats.max,
        outliers=stats.outliers.count,
        effective_n=stats.dependence.effective_n,
        lag1=stats.dependence.lag1,
        halves=stats.dependence.halves,
        batches=row.batches,
        course=row.course,
        disturbed=row.disturbed,
        quotable=row.quotable,
        machine_slower=row.phases.slower,
        places=max(1, len(row.places)),
        places_least=over and over[0],
        places_most=over and over[1],
        proven=proven(row),
        notes=(*row.notes, *(() if row.metric == CURVE else _dependent(stats))),
    )
    if not samples:
        return entry
    numbers = tuple(row.values)
    invocations = row.invocations or (() if row.batches is None else numbers)
    rounds = numbers if row.batches is None else ()
    return replace(entry, values=tuple(row.values.values()), rounds=rounds, invocations=invocations)


def _dependent(stats: Description) -> list[str]:
    """Note for readers where samples are worth less than their number; empty otherwise."""
    series = stats.dependence
    if not series.dependent or series.lag1 is None:
        return []
    moved = (
        ""
        if series.halves is None
        else f", the second half is {series.halves - 1:+.1%} from the first"
    )
    reached = "" if stats.confidence is None else f" and reaches {stats.confidence:.0%}"
    return [
        f"{DEPENDENT} (correlation {series.lag1:.2f}{moved}): {series.n} are worth "
        f"{series.effective_n:.1f}, the interval is wider for it{reached}"
    ]


def ratios(lines: Iterable[MeasurementRow]) -> tuple[Ratio, ...]:
    """The ratio of each target to the first one, by case and metric. Only equal evidence is
    compared, and nothing that is not quotable. The samples of two targets are no pairs:
    `motebench.stats.compare_unpaired`."""
    by_case: dict[tuple[Any, ...], list[MeasurementRow]] = {}
    for line in lines:
        measured = line.metric in MAIN or line.evidence is Evidence.MEASURED
        if line.metric in COMPARED and measured and line.quotable and line.values:
            key = (line.metric, line.evidence, line.case.operation, line.case.without("target"))
            by_case.setdefault(key, []).append(line)
    by_case = {key: _usual(group) for key, group in by_case.items()}
    pairs = [(group[0], other) for group in by_case.values() for other in group[1:]]
    verdicts = judged([_compared(first, other) for first, other in pairs])
    return tuple(
        _ratio(first, other, verdict)
        for (first, other), verdict in zip(pairs, verdicts, strict=True)
    )


def _usual(group: Sequence[MeasurementRow]) -> list[MeasurementRow]:
    """Rows without those of a target whose code is elsewhere, if the same target has it at the
    default place. `placements` has their differences.
    """
    names = usual(line.case.target for line in group)
    return [line for line in group if line.case.target in names]


def _compared(first: MeasurementRow, other: MeasurementRow) -> ComparisonVerdict:
    sides: tuple[Sequence[float], Sequence[float]] = (
        tuple(first.values.values()),
        tuple(other.values.values()),
    )
    exact = first.evidence is Evidence.SIMULATED
    groups = first.batches is not None or other.batches is not None
    verdict = (
        compare_groups(*sides, exact=exact) if groups else compare_unpaired(*sides, exact=exact)
    )
    return over_places(verdict, first.at_places, other.at_places)


def _ratio(first: MeasurementRow, other: MeasurementRow, verdict: ComparisonVerdict) -> Ratio:
    return Ratio(
        **other.case.identity(),
        metric=other.metric,
        evidence=other.evidence,
        to=first.case.target,
        ratio=verdict.ratio,
        ci_low=verdict.low,
        ci_high=verdict.high,
        confidence=verdict.confidence,
        confidence_dependent=verdict.confidence_dependent,
        places_low=verdict.span and verdict.span[0],
        places_high=verdict.span and verdict.span[1],
        verdict=verdict.outcome.value,
        note=verdict.note,
    )


PLACES_COMPARED = ("time", "cycles")
"""Metrics whose range the document shows."""


def placements(lines: Iterable[MeasurementRow]) -> tuple[Placement, ...]:
    """Median and range of each simulated case that was measured at several places, the usual one
    among them or not.
    """
    by_place: dict[tuple[str, CaseId], dict[int, float]] = defaultdict(dict)
    for line in lines:
        if (
            line.metric in PLACES_COMPARED
            and line.evidence is Evidence.SIMULATED
            and line.quotable
            and line.values
        ):
            case = line.case.id
            at = CaseId(**{**case.identity(), "target": unplaced(case.target)})
            by_place[line.metric, at] |= line.places or {place_of(case.target): line.median}
    return tuple(
        _range(name, case, list(values.values()))
        for (name, case), values in by_place.items()
        if len(values) > 1
    )


def _range(name: str, case: CaseId, values: list[float]) -> Placement:
    middle = median(values)
    return Placement(
        **case.identity(),
        metric=name,
        unit=metric(name).unit,
        places=len(values),
        median=middle,
        least=min(values),
        most=max(values),
        spread=(max(values) - min(values)) / middle if middle else 0.0,
    )


def scaling(times: Iterable[tuple[CaseId, Sequence[float], bool]]) -> tuple[Scaling, ...]:
    """Throughput of each case on several cores, divided by that of one core.

    ``times``: cases with the times of one operation of all cores together, in the order in which
    they were taken, and whether these are quotable. What is not quotable, or was not measured on
    one core too, has no ratio.
    """
    groups: dict[CaseId, dict[int, Sequence[float]]] = defaultdict(dict)
    for case, values, quotable in times:
        if case.cores and quotable and values:
            groups[case.without("cores")][case.cores] = values
    return tuple(
        entry
        for case, by_cores in groups.items()
        if 1 in by_cores
        for entry in _entries(case, by_cores)
    )


def _entries(case: CaseId, by_cores: Mapping[int, Sequence[float]]) -> Iterable[Scaling]:
    for cores in sorted(by_cores):
        if cores == 1:
            continue
        # Throughput is the reciprocal of time: its ratio to one core is that of the times the other
        # way round.
        verdict = compare_unpaired(by_cores[cores], by_cores[1])
        if verdict.ratio is None:
            continue
        yield Scaling(
            **{**case.identity(), "cores": cores},
            speedup=verdict.ratio,
            ci_low=verdict.low,
            ci_high=verdict.high,
            confidence=verdict.confidence,
            efficiency=verdict.ratio / cores,
        )
