"""Metrics of energy: metrics computed from measured energies, and models if there are none.

`energy` is everything that the supply gives while the operation runs, `energy_net` the part above idling; likewise
`power` and `power_net`. Intervals: `gum` combines the spread of the batches with the instrument's errors, types A and B
(JCGM 100:2008, see `motebench.stats.uncertainty`); `bounds` widens that of the time by the least and the most current
of the device's file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from motebench.base.model import Case, CaseResult, Evidence
from motebench.base.quantities import Interval
from motebench.catalog.currents import active, device_of, idle
from motebench.catalog.devices import Device
from motebench.results import formulas
from motebench.results.row import FactorBounds, MeasurementRow
from motebench.stats.uncertainty import expanded

_NS = 1e9
READ = ("energy", "energy_net")
"""The metrics that an instrument measures."""
_PER_BYTE = {"energy": "energy_per_byte", "energy_net": "energy_net_per_byte"}
_POWER = {"energy": "power", "energy_net": "power_net"}
_OLD = (
    "energy: not shown, because an earlier version of motebench counted checks of the operation as part of it, and did "
    "not keep the instrument's error; measure again"
)


def readable(result: CaseResult) -> CaseResult:
    """Without energies whose errors are unknown: an earlier version of motebench measured them and counted too much."""
    kept = tuple(
        series
        for series in result.series
        if series.metric not in READ or series.evidence is not Evidence.MEASURED or series.type_b is not None
    )
    return result if len(kept) == len(result.series) else replace(result, series=kept, notes=(*result.notes, _OLD))


def metered(case: Case, found: Mapping[str, MeasurementRow]) -> dict[str, MeasurementRow]:
    """Metrics computed from measured energies: per byte, and power."""
    rows = {}
    time = found.get("time")
    for name in READ:
        row = found.get(name)
        if row is None or row.type_b is None:
            continue
        rows[name] = row = replace(row, notes=(*row.notes, _how(row, row.type_b)))
        if case.operation.sized and case.input_bytes > 0:
            rows[_PER_BYTE[name]] = _divided(row, _PER_BYTE[name], case.input_bytes, row.source)
        if time is not None:
            seconds = time.describe().median / _NS
            rows[_POWER[name]] = _divided(row, _POWER[name], seconds, f"{row.source} / {time.source}")
    return rows


def _divided(row: MeasurementRow, name: str, by: float, source: str) -> MeasurementRow:
    values = {number: joules / by for number, joules in row.values.items()}
    return replace(row, metric=name, source=source, values=values, type_b=(row.type_b or 0.0) / by)


def _how(row: MeasurementRow, type_b: float) -> str:
    whole = expanded(list(row.values.values()), type_b)
    if whole is None:
        return f"{row.metric}: one batch, so no spread is known and no interval"
    return f"{row.metric}: 95 % interval of the mean of {len(row.values)} batches by {row.source}: {whole}"


def modelled(case: Case, found: Mapping[str, MeasurementRow], host: Device | None) -> dict[str, MeasurementRow]:
    """Modelled energy and metrics computed from it: time x voltage x the current in the device's file; above idling
    only if the file has an idle current."""
    device, time = device_of(case.target) or host, found.get("time")
    drawn = active(device) if device and time else None
    if time is None or drawn is None or device is None:
        return {}
    watts = drawn.amps * drawn.volts
    how = f"{drawn.volts:g} V x {drawn.amps.typical:g} A"
    rows = _of_power(case, time, "energy", watts, how, drawn.notes)
    rows["current"] = _modelled(
        time, "current", dict.fromkeys(time.values, drawn.amps.typical), f"supply current of {device.id}", drawn.notes,
        _bounds(drawn.amps, fixed=True),
    )  # fmt: skip
    resting = idle(device)
    rest = resting.amps * resting.volts if resting else None
    if resting is not None and rest is not None and rest.typical < watts.typical:
        above = Interval(max(0.0, watts.low - rest.high), watts.typical - rest.typical, watts.high - rest.low)
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
        each = {number: formulas.per_byte(value, case.input_bytes) for number, value in joules.items()}
        rows[_PER_BYTE[name]] = _modelled(time, _PER_BYTE[name], each, source, notes, bounds)
    return rows


def _bounds(of: Interval, *, fixed: bool = False) -> FactorBounds:
    return FactorBounds(of.low / of.typical, of.high / of.typical, fixed)


def _modelled(
    time: MeasurementRow,
    name: str,
    values: Mapping[int, float],
    source: str,
    notes: tuple[str, ...],
    bounds: FactorBounds,
) -> MeasurementRow:
    return replace(
        time, metric=name, evidence=Evidence.MODELLED, source=source, values=values, notes=(*time.notes, *notes),
        bounds=bounds,
    )  # fmt: skip
