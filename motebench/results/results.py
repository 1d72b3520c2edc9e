"""From what a run holds to what it says: values, derived metrics, statistics, and the result document.

Everything is computed from raw samples each time. The document is described in ``docs/results.md``; its parts are
classes in ``motebench/documents/result.py``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from motebench.base.model import Case, CaseResult, Evidence, Run, Series
from motebench.base.units import METRICS
from motebench.catalog.devices import Device
from motebench.documents.result import CasesEntry, Measurement, Result, RunEntry, Scaling
from motebench.results import invocations
from motebench.results.across import placements, ratios, scaling
from motebench.results.invocations import Invocation, observed
from motebench.results.powered import metered, modelled, readable
from motebench.results.row import MeasurementRow
from motebench.stats import Description
from motebench.stats.dependence import DEPENDENT

_NS = 1e9
_CURVE = "warmup_time"
"""A development in order: its values are no sample of anything."""
_OF_BATCHES = frozenset(("cpu_time", "cycles", "allocated"))
"""Read of every batch beside its time."""
LEAST_QUIET = 6
"""Undisturbed readings that a case needs to be quoted: the fewest whose median has an interval."""
DISTURBED_AT_RANDOM = 0.1
"""The most of the readings that may be disturbed where none can be left out: the median then moves by 5 % of the
ranks at most."""


def rows(run: Run, host: Device | None = None) -> list[MeasurementRow]:
    """Every metric of every case that did not fail, read and derived, in the order of cases and of the registry.

    ``host``: the device that targets stand for whose names say none, so that energy can be modelled for them too.
    """
    return [row for result in run.results if result.failure is None for row in rows_of_case(result, host)]


def rows_of_case(result: CaseResult, host: Device | None = None) -> list[MeasurementRow]:
    """Every metric of one case. Metrics that this version does not know are left out: they have no unit."""
    result = readable(result)
    known = {series.metric: series for series in result.series if series.samples and series.metric in METRICS}
    known = _of_quiet_batches(result.case, known)
    times = undisturbed(result.case, known["time"]).series if "time" in known else None
    processes = observed(times, known.get(_CURVE)) if times is not None else {}
    found = {name: _row(result, series, processes) for name, series in known.items()}
    for derived in (_throughput(result.case, found), _cpu_load(found), _peak_net(found)):
        if derived is not None:
            found[derived.metric] = derived
    if not result.case.cores:  # a model of one core says nothing of several
        found = {**modelled(result.case, found, host), **found, **metered(result.case, found)}
    return [found[name] for name in METRICS if name in found]


def values_of(series: Series) -> tuple[dict[int, float], str | None]:
    """Values by round in the metric's unit, and a note where they are not what the formula would give.

    Where some reading is no longer than the clock's own overhead, nothing is subtracted from any reading of the series:
    a negative time is no time, and a series of two kinds of values would be worse than a slightly long one.
    """
    values = {
        sample.round: (sample.raw - series.overhead) * series.scale / sample.batch
        for sample in series.samples
        if sample.batch > 0
    }
    short = sum(value <= 0 for value in values.values())
    if not short or series.overhead <= 0:
        return values, None
    values = {sample.round: sample.raw * series.scale / sample.batch for sample in series.samples if sample.batch > 0}
    note = (
        f"{series.metric}: {short} of {len(values)} readings are not longer than the overhead of {series.source} "
        f"({series.overhead:g} {series.raw_unit}); it was not subtracted"
    )
    return values, note


def _row(result: CaseResult, series: Series, processes: Mapping[int, Invocation]) -> MeasurementRow:
    quiet = undisturbed(result.case, series)
    values, note = values_of(quiet.series)
    notes = (*result.notes, *(text for text in (note, quiet.note) if text))
    type_b = series.type_b if series.evidence is Evidence.MEASURED else None
    row = MeasurementRow(result.case, series.metric, series.evidence, series.source, values, notes, type_b=type_b)
    simulated = series.evidence is Evidence.SIMULATED
    row = replace(row, disturbed=quiet.disturbed, quotable=quiet.quotable, simulated=simulated)
    numbers = tuple(sample.invocation for sample in quiet.series.samples if sample.invocation is not None)
    if not numbers:  # other metrics of the case may come from processes of their own
        return row
    row = replace(row, notes=(*notes, *invocations.notes_of(processes)))
    if series.metric == _CURVE:
        return replace(row, invocations=numbers)
    grouped = invocations.values(quiet.series, values, processes)
    fewest, course = invocations.fewest(quiet.series), invocations.kind_of(processes)
    return replace(row, values=grouped, batches=fewest, course=course)


def _of_quiet_batches(case: Case, known: Mapping[str, Series]) -> dict[str, Series]:
    """The other readings of the batches whose times count, where a process gives several: what counts in a process from
    some batch on must be the same batches in all its series."""
    time = known.get("time")
    if time is None or not any(sample.disturbed and sample.invocation is not None for sample in time.samples):
        return dict(known)
    kept = {sample.round for sample in undisturbed(case, time).series.samples}
    return {
        name: replace(series, samples=tuple(sample for sample in series.samples if sample.round in kept))
        if name in _OF_BATCHES
        else series
        for name, series in known.items()
    }


@dataclass(frozen=True, slots=True)
class Undisturbed:
    """What of a series statistics are made of, how many of all its readings were disturbed, and what follows."""

    series: Series
    disturbed: int
    quotable: bool
    note: str | None


def undisturbed(case: Case, series: Series) -> Undisturbed:
    """The readings during which the process had the processor, if there is one at least; else all.

    Where fewer than `LEAST_QUIET` are left, the series is not quotable. Where the work itself is random nothing is left
    out, because what is left would be the short ones; it is quotable up to `DISTURBED_AT_RANDOM`.
    """
    marks = [sample.disturbed for sample in series.samples if sample.disturbed]
    count, total = len(marks), len(series.samples)
    if not count:
        return Undisturbed(series, 0, True, None)
    found = f"{count} of {total} readings disturbed"
    if case.operation.random_work:
        fine = count <= DISTURBED_AT_RANDOM * total and total - count >= LEAST_QUIET
        note = f"{found}, kept because how long this operation takes is random: {marks[0]}"
        return Undisturbed(series, count, fine, note)
    quiet = tuple(sample for sample in series.samples if not sample.disturbed)
    processes, left = ({sample.invocation for sample in each} - {None} for each in (series.samples, quiet))
    # One value of a process is left where one of its batches is.
    fine = len(left) >= min(LEAST_QUIET, len(processes)) if processes else len(quiet) >= LEAST_QUIET
    what = "left out" if fine else "too few others are left to quote it" if quiet else "do not quote it"
    return Undisturbed(replace(series, samples=quiet or series.samples), count, fine, f"{found}, {what}: {marks[0]}")


Rows = Mapping[str, MeasurementRow]


def _throughput(case: Case, found: Rows) -> MeasurementRow | None:
    """Input bytes per second of elapsed time, where there is an input."""
    time = found.get("time")
    if time is None or not case.operation.sized or case.input_bytes <= 0:
        return None
    return _derived(
        "throughput", time, {number: case.input_bytes / (ns / _NS) for number, ns in time.values.items() if ns > 0}
    )


def _cpu_load(found: Rows) -> MeasurementRow | None:
    """Processor time as a part of elapsed time, of the same batch."""
    time, cpu = found.get("time"), found.get("cpu_time")
    if time is None or cpu is None:
        return None
    rounds = [number for number in cpu.values if time.values.get(number, 0) > 0]
    row = _derived("cpu_load", time, {number: cpu.values[number] / time.values[number] for number in rounds})
    return row and replace(row, source=f"{cpu.source} / {time.source}", disturbed=0, quotable=True)


def _peak_net(found: Rows) -> MeasurementRow | None:
    """What the operation added to the peak memory of its process."""
    peak, floor = found.get("peak_rss"), found.get("peak_rss_floor")
    if peak is None or floor is None:
        return None
    rounds = [number for number in peak.values if number in floor.values]
    return _derived("peak_rss_net", peak, {number: peak.values[number] - floor.values[number] for number in rounds})


def _derived(name: str, of: MeasurementRow, values: Mapping[int, float]) -> MeasurementRow | None:
    return replace(of, metric=name, values=values) if values else None


# The document


def result(run: Run, *, samples: bool = False, host: Device | None = None) -> Result:
    """The result document of a run. ``samples``: each measurement's ``values`` with their ``rounds`` or
    ``invocations`` too; ``host``: see ``rows``."""
    failed = [result.failure for result in run.results if result.failure is not None]
    found = rows(run, host)
    return Result(
        run=_run(run),
        environment=run.info.environment,
        measurements=tuple(measurement(row, samples=samples) for row in found),
        failures=(*run.failures, *failed),
        ratios=ratios(found),
        placements=placements(found),
        scaling=scaling_of(found),
    )


def scaling_of(found: Iterable[MeasurementRow]) -> tuple[Scaling, ...]:
    """How the throughput of these rows grows with the number of cores."""
    times = (row for row in found if row.metric == "time" and row.case.cores)
    return scaling((row.case.id, tuple(row.values.values()), row.quotable) for row in times)


def _run(run: Run) -> RunEntry:
    info = run.info
    failed = sum(result.failure is not None for result in run.results)
    finished = sum(result.finished and result.failure is None for result in run.results)
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
        cases=CasesEntry(finished=finished, failed=failed, pending=len(run.results) - finished - failed),
    )


def measurement(row: MeasurementRow, *, samples: bool = False) -> Measurement:
    """A row with its statistics; ``samples``: see `result`."""
    stats = row.describe()
    found = Measurement(
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
        notes=(*row.notes, *(() if row.metric == _CURVE else _dependent(stats))),
    )
    if not samples:
        return found
    numbers = tuple(row.values)
    invocations = row.invocations or (() if row.batches is None else numbers)
    rounds = numbers if row.batches is None else ()
    return replace(found, values=tuple(row.values.values()), rounds=rounds, invocations=invocations)


def _dependent(stats: Description) -> list[str]:
    """What readers should know where samples are worth less than their number."""
    found = stats.dependence
    if not found.dependent or found.lag1 is None:
        return []
    moved = "" if found.halves is None else f", the second half is {found.halves - 1:+.1%} from the first"
    reached = "" if stats.confidence is None else f" and reaches {stats.confidence:.0%}"
    return [
        f"{DEPENDENT} (correlation {found.lag1:.2f}{moved}): {found.n} are worth "
        f"{found.effective_n:.1f}, the interval is wider for it{reached}"
    ]
