"""Functions that several formats share: the order of rows, names of cases, numbers for readers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from motebench.base.errors import InputError
from motebench.base.identity import CaseId
from motebench.base.model import Evidence, Failure, Operation
from motebench.base.naming import probe_key
from motebench.base.units import METRICS, Better, UnitScale, format_value, format_within
from motebench.catalog.proof import MARK
from motebench.documents.result import Measurement, Result, RunEntry
from motebench.results.presentation.provenance import probes_of
from motebench.results.presentation.rows import CONFIDENCE, WORTH_SHOWING, case_words, unquotable
from motebench.targets.machine import host_of

_BADGE_FIRST = ("cycles", "time", "instructions")
"""Metrics of which a badge shows the first: cycles of boards, which the clock does not change."""


def several(entries: Sequence[Measurement]) -> bool:
    """True if some values come from invocations with several batches each, so that a table needs
    `batch_words`.
    """
    return any(entry.batches is not None for entry in entries)


def batch_words(entry: Measurement) -> tuple[str, str]:
    """The number of batches behind each value, and the course of the invocations; dashes without
    invocations.
    """
    if entry.batches is None:
        return "-", "-"
    return str(entry.batches), str(entry.course or "-")


def by_metric(result: Result) -> list[tuple[str, str, list[Measurement]]]:
    """Metric, evidence and measurements of each table: a table never mixes evidence."""
    names = list(METRICS)

    def key(entry: Measurement) -> tuple[int, str]:
        return names.index(entry.metric), str(entry.evidence)

    ordered = sorted(result.measurements, key=key)
    return [
        (names[place], evidence, list(group)) for (place, evidence), group in groupby(ordered, key)
    ]


def title(name: str, evidence: str, printed: str | None = None) -> str:
    """Heading with unit, evidence and direction: ``time (ns), measured, lower is better``.
    ``printed``: the unit of the figures, if it is not that of the metric.
    """
    entry = METRICS[name]
    unit = "" if entry.unit == "1" else f" ({printed or entry.unit})"
    better = "" if entry.better is Better.NEITHER else f", {entry.better.value} is better"
    return f"{entry.words}{unit}, {evidence}{better}"


def input_words(case: CaseId) -> str:
    """The input of a case for a reader."""
    sized = case.operation in list(Operation) and Operation(case.operation).sized and not case.file
    text = case.input_words() if case.input_bytes or sized or any(case.beside()) else "-"
    return f"{text} ({case.file})" if case.file else text


def interval_words(entry: Measurement, scale: UnitScale | None = None) -> str:
    """Interval of the median for a reader, with its confidence if that is less than 95 %; empty
    without an interval. ``scale``: the unit of the whole table, which stands in its head.
    """
    reached = CONFIDENCE if entry.confidence is None else entry.confidence
    if (
        entry.ci_low is None
        or entry.ci_high is None
        or not entry.quotable
        or reached < WORTH_SHOWING
    ):
        return ""
    ends = entry.ci_low, entry.ci_high
    if scale is not None:
        interval = " .. ".join(scale.within(end, *ends) for end in ends)
    else:
        low, high = (format_within(end, entry.unit, *ends, 4) for end in ends)
        # 1.23 .. 1.25 µs: one unit for both ends where it is the same.
        interval = f"{low.split()[0] if low.split()[1:] == high.split()[1:] else low} .. {high}"
    return interval if reached >= CONFIDENCE else f"{interval} at {100 * reached:.0f} %"


def count_words(entry: Measurement) -> str:
    """The number of values, and of disturbed readings."""
    return f"{entry.n}, {entry.disturbed} disturbed" if entry.disturbed else str(entry.n)


def median_words(entry: Measurement, scale: UnitScale | None = None) -> str:
    """The median for a reader with the digits that its interval carries and its range over places
    of the code, marked if it is not quotable. ``scale``: the unit of the whole table, which stands
    in its head."""
    text = (
        format_within(entry.median, entry.unit, entry.ci_low, entry.ci_high, 4)
        if scale is None
        else scale.within(entry.median, entry.ci_low, entry.ci_high)
    )
    if entry.places_least is not None and entry.places_most is not None:
        ends = [
            _full(end, entry.unit) if scale is None else scale.within(end, None, None)
            for end in (entry.median, entry.places_least, entry.places_most)
        ]
        text = f"{ends[0]} ({ends[1]} to {ends[2]} over {entry.places} places)"
    return text if entry.quotable else unquotable(text)


def _full(value: float, unit: str) -> str:
    """Cycles as whole numbers, so that a range is one."""
    return f"{value:,.0f}" if unit == "cycles" else format_value(value, unit, 4)


def benchmark_name(case: CaseId, separator: str) -> str:
    """One name for a case, for formats that have only names."""
    sizes = [f"{case.input_bytes}B" if case.input_bytes else None]
    sizes += [
        dimension.words(number).replace(" ", "-")
        if dimension.counts
        else f"{number}B-{dimension.word.lower()}"
        for dimension, number in case.beside()
    ]
    parts = (case.scheme, case.operation, *sizes, case.implementation, case.target, case.file)
    return separator.join(part for part in parts if part)


def by_case(result: Result) -> Iterable[tuple[str, dict[str, Measurement]]]:
    """Measured or simulated numbers of each case by metric, with the ``/``-separated name of the
    case.
    """
    entries: dict[str, dict[str, Measurement]] = {}
    for entry in result.measurements:
        entries.setdefault(benchmark_name(entry, "/"), {})[entry.metric] = entry
    return entries.items()


def failure_words(failure: Failure) -> str:
    """``scheme implementation operation input on target: kind: message (vector)`` as plain text."""
    vector = f" ({failure.vector})" if failure.vector else ""
    return f"{case_words(failure)}: {failure.kind}: {failure.message}{vector}"


def runs_words(run: RunEntry) -> str:
    """``run NAME``; of a group also the meaning of its numbers."""
    if not run.runs:
        return f"run {run.name}"
    return f"{len(run.runs)} runs, {run.name} (medians of the medians of runs; n counts runs)"


def machine_words(result: Result) -> str:
    """The known facts of the machine in one line, with its load."""
    host = host_of(result.environment)
    facts = [
        str(host[name]) for name in ("cpu_model", "kernel", "virtualization") if host.get(name)
    ]
    load = host.get("load")
    if isinstance(load, list | tuple) and load:
        facts.append(f"load {load[0]} when the run began")
    return ", ".join(facts)


def software_words(result: Result) -> list[str]:
    """Each library of the results with its version and compiler."""
    probes = probes_of(result.environment)
    used = {
        probe_key(entry.target, entry.implementation)
        for entry in (*result.measurements, *result.failures)
    }
    # Results with labels of their own do not name their probe: all probes are listed then.
    names = [name for name in probes if name in used] if used <= probes.keys() else list(probes)
    return [
        (
            f"{name}: {probes[name].get('version', 'unknown version')}, "
            f"{probes[name].get('compiler', 'unknown compiler')}"
        )
        for name in names
    ]


# A badge: one case, one number, and where the number comes from


def badge_words(result: Result) -> tuple[str, str]:
    """Label and message. InputError if the result has not one case, or no number of it that may be
    quoted.
    """
    cases = list(dict.fromkeys(entry.id for entry in result.measurements))
    if len(cases) != 1:
        raise InputError(
            f"a badge holds one number, and {len(cases)} cases are chosen",
            where="--format",
            valid="one case: --scheme, --implementation, --operation, --size",
            hint="motebench show lists the cases of a run",
        )
    entry = _badge_entry(result.measurements)
    if not entry.quotable:
        raise InputError(
            f"{entry.metric} of {entry.scheme} is disturbed, so that a badge must not say it",
            where="--format",
            valid="a result that is not disturbed",
            hint="run again on a quieter machine",
        )
    parts = (entry.scheme, entry.operation, input_words(entry))
    return " ".join(word for word in parts if word and word != "-"), _badge_message(entry)


def _badge_entry(entries: tuple[Measurement, ...]) -> Measurement:
    by_metric = {entry.metric: entry for entry in entries}
    if len(by_metric) == 1:
        return entries[0]
    measured_cycles = "cycles" in by_metric and by_metric["cycles"].evidence == Evidence.MEASURED
    names = [
        name
        for name in _BADGE_FIRST
        if name in by_metric and not (name == "cycles" and measured_cycles)
    ]
    if not names:
        raise InputError(
            f"a badge holds one number, and {len(by_metric)} metrics are chosen",
            where="--metric",
            valid=", ".join(by_metric),
        )
    return by_metric[names[0]]


def _badge_message(entry: Measurement) -> str:
    """The number with its evidence: ``1.93 kcycles, sim:samd21g18a``;
    ``262 ns, measured on host``.
    """
    value = format_within(entry.median, entry.unit, entry.ci_low, entry.ci_high)
    simulated = entry.evidence == Evidence.SIMULATED
    place = entry.target if simulated else f"{Evidence(entry.evidence).value} on {entry.target}"
    return f"{value}, {place}" + ("" if entry.proven else f", {MARK}")
