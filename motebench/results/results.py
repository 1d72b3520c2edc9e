"""Rows of every metric of a run, read or derived, with their values.

Everything is computed from raw samples each time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from motebench.base.errors import InputError
from motebench.base.model import Case, CaseResult, Evidence, Run, RunInfo, RunKind, Series
from motebench.base.quantities import Interval
from motebench.base.units import METRICS, format_value
from motebench.catalog.proof import device_of
from motebench.results import formulas, invocations
from motebench.results.invocations import Invocation, observed
from motebench.results.places import at_usual_places
from motebench.results.row import FactorBounds, MeasurementRow
from motebench.results.slow_phases import MOVED, MachineCourses, note_of
from motebench.stats.phases import STEADY_MACHINE, SlowPhases
from motebench.stats.uncertainty import expanded

if TYPE_CHECKING:
    from motebench.catalog.devices import Device

_NS = 1e9
CURVE = "warmup_time"
"""A development in order: its values are no sample of anything."""
_OF_BATCHES = frozenset(("cpu_time", "cycles", "allocated"))
"""Metrics that are read of every batch beside its time."""
LEAST_QUIET = 6
"""Undisturbed readings that a case needs to be quoted: the fewest whose median has an interval."""
DISTURBED_AT_RANDOM = 0.1
"""The most of the readings that may be disturbed where none can be left out: the median then moves
by 5 % of the ranks at most."""


def only_measurements(info: RunInfo) -> None:
    """InputError if the run is a leak test, and so has no values."""
    if info.kind is RunKind.LEAK:
        raise InputError(
            f"run {info.name} is a leak test: it has verdicts on secrets, and no measured values",
            where="RUN",
            valid="a run that motebench run made",
            hint=f"motebench show {info.name}, motebench report {info.name} and motebench export "
            f"{info.name} show a leak test",
        )


def rows(run: Run, host: Device | None = None) -> list[MeasurementRow]:
    """Every metric of every case that did not fail, read and derived, in the order of cases and of
    the registry; code at several places gives one row.

    ``host``: the device that targets stand for whose names say none, so that energy can be modelled
    for them too. InputError for a leak test.
    """
    only_measurements(run.info)
    machines = MachineCourses(run.results)
    return at_usual_places(
        row
        for result in run.results
        if result.failure is None
        for row in rows_of_case(result, host, machines.during(result))
    )


def rows_of_case(
    result: CaseResult, host: Device | None = None, phases: SlowPhases = STEADY_MACHINE
) -> list[MeasurementRow]:
    """Every metric of one case. Metrics that this version does not know are left out: they have no
    unit.

    ``phases``: how the machine moved meanwhile.
    """
    result = readable(result)
    read_series = {
        series.metric: series
        for series in result.series
        if series.samples and series.metric in METRICS
    }
    read_series = _of_quiet_batches(result.case, read_series)
    times = undisturbed(result.case, read_series["time"]).series if "time" in read_series else None
    processes = observed(times, read_series.get(CURVE)) if times is not None else {}
    case_rows = {
        name: _row(result, series, processes, phases if name in MOVED else STEADY_MACHINE)
        for name, series in read_series.items()
    }
    for derived in (
        _throughput(result.case, case_rows),
        _cpu_load(case_rows),
        _peak_net(case_rows),
    ):
        if derived is not None:
            case_rows[derived.metric] = derived
    if not result.case.cores:  # a model of one core says nothing of several
        case_rows = {
            **modelled(result.case, case_rows, host),
            **case_rows,
            **metered(result.case, case_rows),
        }
        case_rows = above_zero(case_rows)
    return [case_rows[name] for name in METRICS if name in case_rows]


def values_of(series: Series) -> tuple[dict[int, float], str | None]:
    """Values by round in the metric's unit, and a note where they are not what the formula would
    give.

    Where some reading is no longer than the clock's own overhead, nothing is subtracted from any
    reading of the series: a negative time is no time, and a series of two kinds of values would be
    worse than a slightly long one.
    """
    values = {
        sample.round: (sample.raw - series.overhead) * series.scale / sample.batch
        for sample in series.samples
        if sample.batch > 0
    }
    short = sum(value <= 0 for value in values.values())
    if not short or series.overhead <= 0:
        return values, None
    values = {
        sample.round: sample.raw * series.scale / sample.batch
        for sample in series.samples
        if sample.batch > 0
    }
    note = (
        f"{series.metric}: {short} of {len(values)} readings are not longer than the overhead of "
        f"{series.source} ({series.overhead:g} {series.raw_unit}); it was not subtracted"
    )
    return values, note


def _row(
    result: CaseResult, series: Series, processes: Mapping[int, Invocation], phases: SlowPhases
) -> MeasurementRow:
    quiet = undisturbed(result.case, series)
    values, note = values_of(quiet.series)
    notes = (*result.notes, *(text for text in (note, note_of(phases), quiet.note) if text))
    type_b = series.type_b if series.evidence is Evidence.MEASURED else None
    row = MeasurementRow(
        result.case,
        series.metric,
        series.evidence,
        series.source,
        values,
        notes,
        type_b=type_b,
        disturbed=quiet.disturbed,
        simulated=series.evidence is Evidence.SIMULATED,
        quotable=quiet.quotable,
        phases=phases,
    )
    numbers = tuple(
        sample.invocation for sample in quiet.series.samples if sample.invocation is not None
    )
    if not numbers:  # other metrics of the case may come from processes of their own
        return row
    row = replace(row, notes=(*notes, *invocations.notes_of(processes)))
    if series.metric == CURVE:
        return replace(row, invocations=numbers)
    grouped = invocations.values(quiet.series, values, processes)
    fewest, course = invocations.fewest(quiet.series), invocations.kind_of(processes)
    return replace(row, values=grouped, batches=fewest, course=course)


def _of_quiet_batches(case: Case, readings: Mapping[str, Series]) -> dict[str, Series]:
    """Readings of the other metrics for the batches whose times count, where a process gives
    several: all series of a process must use the same batches.
    """
    time = readings.get("time")
    if time is None or not any(
        sample.disturbed and sample.invocation is not None for sample in time.samples
    ):
        return dict(readings)
    quiet_rounds = {sample.round for sample in undisturbed(case, time).series.samples}
    return {
        name: replace(
            series,
            samples=tuple(sample for sample in series.samples if sample.round in quiet_rounds),
        )
        if name in _OF_BATCHES
        else series
        for name, series in readings.items()
    }


@dataclass(frozen=True, slots=True)
class Undisturbed:
    """Readings of a series that statistics use, how many of all were disturbed, and the
    consequences.
    """

    series: Series
    disturbed: int
    quotable: bool
    note: str | None


def undisturbed(case: Case, series: Series) -> Undisturbed:
    """Readings during which the process was not preempted; all readings if it always was.

    Where fewer than `LEAST_QUIET` are left, the series is not quotable. Where the work itself is
    random nothing is left out, because what is left would be the short ones; it is quotable up to
    `DISTURBED_AT_RANDOM`.
    """
    marks = [sample.disturbed for sample in series.samples if sample.disturbed]
    count, total = len(marks), len(series.samples)
    if not count:
        return Undisturbed(series, 0, True, None)
    count_words = f"{count} of {total} readings disturbed"
    if case.operation.random_work:
        fine = count <= DISTURBED_AT_RANDOM * total and total - count >= LEAST_QUIET
        note = f"{count_words}, kept because how long this operation takes is random: {marks[0]}"
        return Undisturbed(series, count, fine, note)
    quiet = tuple(sample for sample in series.samples if not sample.disturbed)
    processes, left = (
        {sample.invocation for sample in readings} - {None} for readings in (series.samples, quiet)
    )
    # One value of a process is left where one of its batches is.
    fine = len(left) >= min(LEAST_QUIET, len(processes)) if processes else len(quiet) >= LEAST_QUIET
    consequence = (
        "left out"
        if fine
        else "too few others are left to quote it"
        if quiet
        else "do not quote it"
    )
    return Undisturbed(
        replace(series, samples=quiet or series.samples),
        count,
        fine,
        f"{count_words}, {consequence}: {marks[0]}",
    )


Rows = Mapping[str, MeasurementRow]


def _throughput(case: Case, rows: Rows) -> MeasurementRow | None:
    """Input bytes per second of elapsed time, where there is an input."""
    time = rows.get("time")
    if time is None or not case.operation.sized or case.input_bytes <= 0:
        return None
    return _derived(
        "throughput",
        time,
        {number: case.input_bytes / (ns / _NS) for number, ns in time.values.items() if ns > 0},
    )


def _cpu_load(rows: Rows) -> MeasurementRow | None:
    """Processor time as a part of elapsed time, of the same batch: no more to be quoted than that
    time.
    """
    time, cpu = rows.get("time"), rows.get("cpu_time")
    if time is None or cpu is None:
        return None
    rounds = [number for number in cpu.values if time.values.get(number, 0) > 0]
    row = _derived(
        "cpu_load", time, {number: cpu.values[number] / time.values[number] for number in rounds}
    )
    of_both = f"{cpu.source} / {time.source}"
    return row and replace(row, source=of_both, phases=STEADY_MACHINE)


def _peak_net(rows: Rows) -> MeasurementRow | None:
    """Memory that the operation added to the peak of its process; None if it was not measured."""
    peak, floor = rows.get("peak_rss"), rows.get("peak_rss_floor")
    if peak is None or floor is None:
        return None
    rounds = [number for number in peak.values if number in floor.values]
    return _derived(
        "peak_rss_net",
        peak,
        {number: peak.values[number] - floor.values[number] for number in rounds},
    )


def _derived(name: str, row: MeasurementRow, values: Mapping[int, float]) -> MeasurementRow | None:
    return replace(row, metric=name, values=values) if values else None


# Metrics of energy: computed from measured energies, and models if there are none.
#
# `energy` is everything that the supply gives while the operation runs, `energy_net` the part above
# idling; likewise `power` and `power_net`. Intervals: `gum` combines the spread of the batches with
# the instrument's errors, types A and B (JCGM 100:2008, see `motebench.stats.uncertainty`);
# `bounds` widens that of the time by the least and the most current of the device's file.


READ = ("energy", "energy_net")
"""The metrics that an instrument measures."""
_PER_BYTE = {"energy": "energy_per_byte", "energy_net": "energy_net_per_byte"}
_POWER = {"energy": "power", "energy_net": "power_net"}
_OLD = (
    "energy: not shown, because an earlier version of motebench counted checks of the operation as "
    "part of it, and did not keep the instrument's error; measure again"
)


def readable(result: CaseResult) -> CaseResult:
    """Result without energies whose errors are unknown: an earlier version of motebench measured
    them and counted too much.
    """
    readable_series = tuple(
        series
        for series in result.series
        if series.metric not in READ
        or series.evidence is not Evidence.MEASURED
        or series.type_b is not None
    )
    return (
        result
        if len(readable_series) == len(result.series)
        else replace(result, series=readable_series, notes=(*result.notes, _OLD))
    )


def metered(case: Case, measured: Mapping[str, MeasurementRow]) -> dict[str, MeasurementRow]:
    """Metrics computed from measured energies: per byte, and power."""
    rows = {}
    time = measured.get("time")
    for name in READ:
        row = measured.get(name)
        if row is None or row.type_b is None:
            continue
        rows[name] = row = replace(row, notes=(*row.notes, _how(row, row.type_b)))
        if case.operation.sized and case.input_bytes > 0:
            rows[_PER_BYTE[name]] = _divided(row, _PER_BYTE[name], case.input_bytes, row.source)
        if time is not None:
            seconds = time.describe().median / _NS
            rows[_POWER[name]] = _divided(
                row, _POWER[name], seconds, f"{row.source} / {time.source}"
            )
    return rows


def above_zero(rows: Rows) -> dict[str, MeasurementRow]:
    """Rows without measured energies whose mean may be zero, and without values derived from
    these.

    A note has the upper limit. Their readings stay in the store: a mean of only those above zero
    would be too large.
    """
    positive = dict(rows)
    for name in READ:
        row = rows.get(name)
        if row is None or row.type_b is None:
            continue
        low, high = _of_mean(row, row.type_b)
        if low > 0:
            continue
        for gone in (name, _PER_BYTE[name], _POWER[name]):
            positive.pop(gone, None)
        of_what = "zero" if name == "energy" else "the idle floor"
        limit = f"at most {format_value(high, row.unit)}" if high > 0 else "its mean is below it"
        note = f"{name}: not above {of_what}: {limit}"
        for other, beside in positive.items():
            positive[other] = replace(beside, notes=(*beside.notes, note))
    return positive


def _of_mean(row: MeasurementRow, type_b: float) -> tuple[float, float]:
    """Interval of the mean. One batch has no spread: its interval is that of the instrument's
    errors alone.
    """
    values = list(row.values.values())
    whole = expanded(values, type_b) or expanded(values * 2, type_b)
    return (whole.low, whole.high) if whole else (0.0, 0.0)


def _divided(row: MeasurementRow, name: str, by: float, source: str) -> MeasurementRow:
    values = {number: joules / by for number, joules in row.values.items()}
    return replace(row, metric=name, source=source, values=values, type_b=(row.type_b or 0.0) / by)


def _how(row: MeasurementRow, type_b: float) -> str:
    whole = expanded(list(row.values.values()), type_b)
    if whole is None:
        return f"{row.metric}: one batch, so no spread is known and no interval"
    return (
        f"{row.metric}: 95 % interval of the mean of {len(row.values)} batches by {row.source}: "
        f"{whole}"
    )


def modelled(
    case: Case, measured: Mapping[str, MeasurementRow], host: Device | None
) -> dict[str, MeasurementRow]:
    """Modelled energy and metrics computed from it: time x voltage x the current in the device's
    file; above idling only if the file has an idle current."""
    device, time = device_of(case.target) or host, measured.get("time")
    if time is None or device is None:
        return {}
    from motebench.catalog.currents import active, idle

    drawn = active(device)
    if drawn is None:
        return {}
    watts = drawn.amps * drawn.volts
    how = f"{drawn.volts:g} V x {drawn.amps.typical:g} A"
    rows = _of_power(case, time, "energy", watts, how, drawn.notes)
    rows["current"] = _modelled(
        time,
        "current",
        dict.fromkeys(time.values, drawn.amps.typical),
        f"supply current of {device.id}",
        drawn.notes,
        _bounds(drawn.amps, fixed=True),
    )
    resting = idle(device)
    rest = resting.amps * resting.volts if resting else None
    if resting is not None and rest is not None and rest.typical < watts.typical:
        above = Interval(
            max(0.0, watts.low - rest.high), watts.typical - rest.typical, watts.high - rest.low
        )
        how = f"({how} - {resting.volts:g} V x {resting.amps.typical:g} A)"
        rows |= _of_power(case, time, "energy_net", above, how, (*drawn.notes, *resting.notes))
    return rows


def _of_power(
    case: Case, time: MeasurementRow, name: str, watts: Interval, how: str, notes: tuple[str, ...]
) -> dict[str, MeasurementRow]:
    joules = {number: ns / _NS * watts.typical for number, ns in time.values.items()}
    source, bounds = f"{time.source} x {how}", _bounds(watts)
    power = dict.fromkeys(joules, watts.typical)
    rows = {
        name: _modelled(time, name, joules, source, notes, bounds),
        _POWER[name]: _modelled(time, _POWER[name], power, how, notes, _bounds(watts, fixed=True)),
    }
    if case.operation.sized and case.input_bytes > 0:
        per_byte = {
            number: formulas.per_byte(value, case.input_bytes) for number, value in joules.items()
        }
        rows[_PER_BYTE[name]] = _modelled(time, _PER_BYTE[name], per_byte, source, notes, bounds)
    return rows


def _bounds(interval: Interval, *, fixed: bool = False) -> FactorBounds:
    return FactorBounds(interval.low / interval.typical, interval.high / interval.typical, fixed)


def _modelled(
    time: MeasurementRow,
    name: str,
    values: Mapping[int, float],
    source: str,
    notes: tuple[str, ...],
    bounds: FactorBounds,
) -> MeasurementRow:
    return replace(
        time,
        metric=name,
        evidence=Evidence.MODELLED,
        source=source,
        values=values,
        notes=(*time.notes, *notes),
        bounds=bounds,
    )
