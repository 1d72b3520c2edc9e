"""How the targets of one run compare: each with the first one that has the case, as ratios with intervals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from motebench.base.metrics import MAIN
from motebench.base.model import Case, Evidence
from motebench.base.naming import usual
from motebench.documents.result import Ratio
from motebench.stats import Verdict, compare_groups, compare_unpaired
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
    differ is told by `motebench.results.placements`."""
    names = usual(line.case.target for line in group)
    return [line for line in group if line.case.target in names]


def _compared(first: Line, other: Line) -> Verdict:
    sides: tuple[Sequence[float], Sequence[float]] = (tuple(first.values.values()), tuple(other.values.values()))
    exact = first.evidence is Evidence.SIMULATED
    groups = first.batches is not None or other.batches is not None
    return compare_groups(*sides, exact=exact) if groups else compare_unpaired(*sides, exact=exact)


def _ratio(first: Line, other: Line, verdict: Verdict) -> Ratio:
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
