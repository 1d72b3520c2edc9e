"""Ratios between cases of one run that differ in one thing: target, place of the code, number of cores.

Targets: each is compared with the first one that has the case. Places of code: each is a firmware of its own
(`targets.firmware.placing`), whose cycles are exact; there is a range and no interval, because the linker decides the
place. Cores: throughput of all cores together to that of one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from statistics import median
from typing import Any, Protocol

from motebench.base.identity import CaseId
from motebench.base.model import Case, Evidence
from motebench.base.naming import unplaced, usual
from motebench.base.units import MAIN, metric
from motebench.documents.result import Placement, Ratio, Scaling
from motebench.stats import ComparisonVerdict, compare_groups, compare_unpaired
from motebench.stats.compare import judged

METRICS = (*MAIN, "energy")
"""Metrics that are compared; energy where an instrument read it."""


class Line(Protocol):
    """One metric of one case, as `motebench.results.results.MeasurementRow`."""

    @property
    def case(self) -> Case:
        """The case."""
        ...

    @property
    def metric(self) -> str:
        """Its metric."""
        ...

    @property
    def evidence(self) -> Evidence:
        """Where the values come from."""
        ...

    @property
    def values(self) -> Mapping[int, float]:
        """By round or invocation."""
        ...

    @property
    def batches(self) -> int | None:
        """Not None where each value is that of an invocation."""
        ...

    @property
    def quotable(self) -> bool:
        """Whether the values are a result."""
        ...


def ratios(lines: Iterable[Line]) -> tuple[Ratio, ...]:
    """The ratio of each target to the first one, by case and metric. Only equal evidence is compared, and nothing that
    is not quotable. The samples of two targets are no pairs: `motebench.stats.compare_unpaired`."""
    found: dict[tuple[Any, ...], list[Line]] = {}
    for line in lines:
        measured = line.metric in MAIN or line.evidence is Evidence.MEASURED
        if line.metric in METRICS and measured and line.quotable and line.values:
            key = (line.metric, line.evidence, line.case.operation, line.case.without("target"))
            found.setdefault(key, []).append(line)
    found = {key: _usual(group) for key, group in found.items()}
    pairs = [(group[0], other) for group in found.values() for other in group[1:]]
    verdicts = judged([_compared(first, other) for first, other in pairs])
    return tuple(_ratio(first, other, verdict) for (first, other), verdict in zip(pairs, verdicts, strict=True))


def _usual(group: Sequence[Line]) -> list[Line]:
    """Without the lines of a target whose code is elsewhere, where the same target has it at the usual place: how they
    differ is told by `motebench.results.across`."""
    names = usual(line.case.target for line in group)
    return [line for line in group if line.case.target in names]


def _compared(first: Line, other: Line) -> ComparisonVerdict:
    sides: tuple[Sequence[float], Sequence[float]] = (tuple(first.values.values()), tuple(other.values.values()))
    exact = first.evidence is Evidence.SIMULATED
    groups = first.batches is not None or other.batches is not None
    return compare_groups(*sides, exact=exact) if groups else compare_unpaired(*sides, exact=exact)


def _ratio(first: Line, other: Line, verdict: ComparisonVerdict) -> Ratio:
    return Ratio(
        **other.case.identity(),
        metric=other.metric,
        evidence=other.evidence,
        to=first.case.target,
        ratio=verdict.ratio,
        ci_low=verdict.low,
        ci_high=verdict.high,
        confidence=verdict.confidence,
        verdict=verdict.outcome.value,
        note=verdict.note,
    )


PLACES_METRICS = ("time", "cycles")
"""Metrics that the place of code moves."""


def placements(lines: Iterable[Line]) -> tuple[Placement, ...]:
    """Median and range of each simulated case that was measured at several places, the usual one among them or not."""
    found: dict[tuple[str, CaseId], dict[str, float]] = defaultdict(dict)
    for line in lines:
        if line.metric in PLACES_METRICS and line.evidence is Evidence.SIMULATED and line.quotable and line.values:
            case = line.case.id
            at = CaseId(**{**case.identity(), "target": unplaced(case.target)})
            found[line.metric, at][case.target] = median(line.values.values())
    return tuple(_range(name, case, list(values.values())) for (name, case), values in found.items() if len(values) > 1)


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
    """For each case on several cores how often its throughput is that of one core.

    ``times``: cases with the times of one operation of all cores together, in the order in which they were taken, and
    whether these are quotable. What is not quotable, or was not measured on one core too, has no ratio.
    """
    groups: dict[CaseId, dict[int, Sequence[float]]] = defaultdict(dict)
    for case, values, quotable in times:
        if case.cores and quotable and values:
            groups[case.without("cores")][case.cores] = values
    return tuple(entry for case, found in groups.items() if 1 in found for entry in _entries(case, found))


def _entries(case: CaseId, found: Mapping[int, Sequence[float]]) -> Iterable[Scaling]:
    for cores in sorted(found):
        if cores == 1:
            continue
        # Throughput is the reciprocal of time: its ratio to one core is that of the times the other way round.
        verdict = compare_unpaired(found[cores], found[1])
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
