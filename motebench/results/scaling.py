"""How throughput grows with the number of cores: ratios of cases that differ in nothing else."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from motebench.base.identity import CaseId
from motebench.documents.result import Scaling
from motebench.stats import compare_unpaired


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
