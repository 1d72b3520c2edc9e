"""How far the place of code moves results: the same case of targets that differ in nothing else.

Every place is a firmware of its own (`targets.firmware.placing`), whose cycles are exact. What differs between places
is no noise: a program has one of them, and its linker decides which. So there is a range, and no interval.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from statistics import median

from motebench.base.identity import CaseId
from motebench.base.metrics import metric
from motebench.base.model import Evidence
from motebench.base.naming import unplaced
from motebench.documents.result import Placement
from motebench.results.across import Line

METRICS = ("time", "cycles")
"""Metrics that the place of code moves."""


def placements(lines: Iterable[Line]) -> tuple[Placement, ...]:
    """Median and range of each simulated case that was measured at several places, the usual one among them or not."""
    found: dict[tuple[str, CaseId], dict[str, float]] = defaultdict(dict)
    for line in lines:
        if line.metric in METRICS and line.evidence is Evidence.SIMULATED and line.quotable and line.values:
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
