"""Places of the code of simulated boards: one row a case, with the range of its values over the
places.

Each place is a firmware of its own and a target of its own (`targets.settings.everywhere`), with
exact cycles. The row of a case is that of the usual place: its value is what all other commands
show. A range is no interval, because the linker of a program decides the place. Two implementations
whose ranges overlap are not ranked.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from motebench.base.identity import CaseId
from motebench.base.model import Evidence, Failure, FailureKind, Run
from motebench.base.naming import PLACE, unplaced
from motebench.base.naming import usual as usual_targets
from motebench.catalog.proof import unproven
from motebench.documents.result import CasesEntry
from motebench.results.row import MeasurementRow
from motebench.stats import EQUIVALENT, ComparisonVerdict, Outcome

MOVED = (
    "time",
    "throughput",
    "cycles",
    "energy",
    "energy_per_byte",
    "energy_net",
    "energy_net_per_byte",
)
"""Metrics that the place of code moves."""
DEPENDS = "depends on where the code lies"
"""Reason why two implementations are not ranked, as a predicate."""
_COUNTED = (Evidence.SIMULATED, Evidence.MODELLED)

PlaceValues = Mapping[int, float]
"""A value for each place of the code, by its number; 0 is the usual place."""


def place_of(target: str) -> int:
    """The number of the place in the name of a target; 0 is the usual one."""
    number = target.partition(PLACE)[2]
    return int(number) if number.isdigit() else 0


def at_usual_places(rows: Iterable[MeasurementRow]) -> list[MeasurementRow]:
    """Rows at the default place, each with its values at all places. A row at another place stays
    if the run has no quotable row of the same case at the default one.
    """
    placed = list(rows)
    usual = {
        _key(row): place
        for place, row in enumerate(placed)
        if not place_of(row.case.target) and _counted(row)
    }
    values: dict[int, dict[int, float]] = {}
    left_out = set()
    for place, row in enumerate(placed):
        number = place_of(row.case.target)
        at = usual.get(_key(row)) if number and _counted(row) else None
        if at is None:
            continue
        left_out.add(place)
        if row.metric in MOVED:
            values.setdefault(at, {0: _value(placed[at])})[number] = _value(row)
    return [
        replace(row, places=values[place]) if place in values else row
        for place, row in enumerate(placed)
        if place not in left_out
    ]


def _counted(row: MeasurementRow) -> bool:
    return row.evidence in _COUNTED and row.quotable and bool(row.values)


def _key(row: MeasurementRow) -> tuple[Any, ...]:
    case = row.case
    return (row.metric, row.evidence, unplaced(case.target), case.operation, case.without("target"))


def _value(row: MeasurementRow) -> float:
    return row.median


def failures_of(run: Run) -> tuple[Failure, ...]:
    """Failures of a run; one that occurs at each place of the code is there once, and firmware that
    does not fit with the gaps of another place is no failure if it fits at the default one.
    """
    failures = (
        *run.failures,
        *(result.failure for result in run.results if result.failure is not None),
    )
    moved = [failure for failure in failures if place_of(failure.target)]
    if not moved:
        return failures
    fits = {result.case.id for result in run.results if result.failure is None}
    usual = {(failure.kind, failure.id) for failure in failures if not place_of(failure.target)}

    def once(failure: Failure) -> bool:
        case = replace(failure.id, target=unplaced(failure.target))
        return (failure.kind, case) not in usual and not (
            failure.kind is FailureKind.TOO_BIG and case in fits
        )

    return tuple(failure for failure in failures if not place_of(failure.target) or once(failure))


def counts(run: Run) -> CasesEntry:
    """Number of cases by status; a case at several places of the code is one."""
    names = usual_targets(result.case.target for result in run.results)
    failed = {failure.id for failure in failures_of(run)}
    states: dict[CaseId, set[str]] = defaultdict(set)
    for result in run.results:
        case = result.case.id
        if result.failure is not None and case.target not in names and case not in failed:
            continue
        state = (
            "failed" if result.failure is not None else "finished" if result.finished else "pending"
        )
        states[case if case.target in names else replace(case, target=unplaced(case.target))].add(
            state
        )
    case_states = [
        next(state for state in ("failed", "pending", "finished") if state in of_case)
        for of_case in states.values()
    ]
    return CasesEntry(
        finished=case_states.count("finished"),
        failed=case_states.count("failed"),
        pending=case_states.count("pending"),
    )


def proven(row: MeasurementRow) -> bool:
    """True if it does not follow from cycles of a simulated board that are not proven on
    silicon.
    """
    return row.metric not in MOVED or unproven(row.case.target) is None


def ends(values: PlaceValues) -> tuple[float, float] | None:
    """Least and most over the places; None for one place."""
    return (min(values.values()), max(values.values())) if len(values) > 1 else None


def over_places(
    verdict: ComparisonVerdict, a: PlaceValues, b: PlaceValues, *, same_code: bool = False
) -> ComparisonVerdict:
    """The verdict on B against A with the range of the ratio over the places of both.

    Two implementations lie in a program independently of each other: each place of A meets each of
    B. ``same_code``: of one implementation, whose places with the same number are laid out alike,
    each meets its own. Where the range includes 1, the two are not distinguishable.
    """
    span = _of_same(a, b) if same_code else _of_two(a, b)
    if span is None or verdict.ratio is None:
        return verdict
    low, high = span
    equivalent = verdict.equivalent and low >= 1 / (1 + EQUIVALENT) and high <= 1 + EQUIVALENT
    spanned = replace(verdict, span=span, equivalent=equivalent)
    if verdict.different and low <= 1 <= high:
        return replace(spanned, outcome=Outcome.NOT_DISTINGUISHABLE, note=DEPENDS)
    return spanned


def _of_two(a: PlaceValues, b: PlaceValues) -> tuple[float, float] | None:
    if not (a and b) or len(a) == len(b) == 1 or min(a.values()) <= 0:
        return None
    return min(b.values()) / max(a.values()), max(b.values()) / min(a.values())


def _of_same(a: PlaceValues, b: PlaceValues) -> tuple[float, float] | None:
    common = a.keys() & b.keys()
    if len(common) < 2 or min(a[number] for number in common) <= 0:
        return None
    ratios = [b[number] / a[number] for number in common]
    return min(ratios), max(ratios)


def inverse(span: tuple[float, float] | None) -> tuple[float, float] | None:
    """Range of A / B, from that of B / A."""
    if span is None:
        return None
    low, high = span
    return (1 / high if high else math.inf), (1 / low if low else math.inf)
