"""Verdicts on the implementations of one run: the only place that decides which of two is
faster.

Tables, summaries, reports, exports, the Python API and ``motebench compare`` within a run all ask
`RunVerdicts`. Rows that do the same work (operation, input, target, evidence) are compared by the
samples of the rounds that both have; of a group of runs each run is one value. All
comparisons of a metric are one family (`motebench.stats.judged`), so that a reader who looks at
every sentence of a run is not misled by the many comparisons behind them. The family holds

- every two implementations of a scheme,
- every two schemes, each by its best implementation,
- the best row of all against each other row.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, pairwise

from motebench.base.identity import CaseId
from motebench.base.model import Evidence
from motebench.base.naming import SERIAL
from motebench.base.units import Better
from motebench.documents.result import Measurement
from motebench.results.places import inverse as inverse_span
from motebench.results.places import over_places
from motebench.stats import (
    FEWEST_EQUAL,
    MARGIN_UNPAIRED,
    ComparisonVerdict,
    Outcome,
    compare_groups,
    compare_paired,
    judged,
    judged_beside,
)

_Metric = tuple[str, str]
"""A metric and the evidence of its values."""
_COUNTED = ("time", "throughput", "cycles", "instructions")
"""Metrics that a real board counts by its cycles."""
_OPPOSITE = {Outcome.LOWER: Outcome.HIGHER, Outcome.HIGHER: Outcome.LOWER}


class RunVerdicts:
    """Verdicts on the measurements of a run, which are named by their place. They are made when one
    is asked for.

    ``of_runs``: each value is the median of a run, and its round the place of the run in the order
    of time.
    """

    def __init__(self, measurements: Sequence[Measurement], *, of_runs: bool = False) -> None:
        self._rows, self._of_runs = measurements, of_runs
        self._places = {
            (row.metric, row.evidence, row.id): place for place, row in enumerate(measurements)
        }
        self._families: dict[_Metric, dict[tuple[int, int], ComparisonVerdict]] = {}
        self._others: dict[tuple[int, int], ComparisonVerdict | None] = {}

    def of(self, a: int, b: int) -> ComparisonVerdict | None:
        """The verdict on B against A. None where nothing can be compared: one of them is disturbed,
        or no rounds are known that both have."""
        if self._exact(a, b):  # no other verdict changes it, and a run may have very many
            exact = verdict_of(self._rows[a], self._rows[b], of_runs=self._of_runs)
            return None if exact is None else judged_beside(exact, ())
        family = self._family(self._rows[a].metric, self._rows[a].evidence)
        if (a, b) in family:
            return family[a, b]
        if (b, a) in family:
            return _turned(family[b, a])
        if (a, b) not in self._others:
            alone = verdict_of(self._rows[a], self._rows[b], of_runs=self._of_runs)
            self._others[a, b] = None if alone is None else judged_beside(alone, [*family.values()])
        return self._others[a, b]

    def of_cases(
        self, metric: str, evidence: str, a: CaseId, b: CaseId
    ) -> ComparisonVerdict | None:
        """The verdict on case B against case A by a metric."""
        places = [self._places.get((metric, evidence, case)) for case in (a, b)]
        return (
            self.of(places[0], places[1])
            if places[0] is not None and places[1] is not None
            else None
        )

    def _exact(self, a: int, b: int) -> bool:
        """True if two rows have one simulated value each, so that nothing is tested."""
        first, second = self._rows[a], self._rows[b]
        same = (first.metric, first.evidence) == (second.metric, second.evidence)
        constant = len({*first.values}) == len({*second.values}) == 1
        return same and constant and first.evidence == Evidence.SIMULATED

    def _family(self, metric: str, evidence: str) -> dict[tuple[int, int], ComparisonVerdict]:
        if (metric, evidence) not in self._families:
            alone: dict[tuple[int, int], ComparisonVerdict] = {}
            for race in self._races(metric, evidence):
                for a, b in self._pairs(race):
                    if (a, b) in alone or (b, a) in alone:
                        continue
                    verdict = verdict_of(self._rows[a], self._rows[b], of_runs=self._of_runs)
                    if verdict is not None:
                        alone[a, b] = verdict
            together = judged(list(alone.values()))
            self._families[metric, evidence] = dict(zip(alone, together, strict=True))
        return self._families[metric, evidence]

    def _races(self, metric: str, evidence: str) -> Iterable[list[int]]:
        """Places of the rows that do the same work, the best first."""
        races: dict[CaseId, list[int]] = defaultdict(list)
        for place, row in enumerate(self._rows):
            if (row.metric, row.evidence, row.quotable) == (metric, evidence, True):
                races[row.without("scheme", "implementation")].append(place)
        for race in races.values():
            yield sorted(race, key=self._badness)

    def _badness(self, place: int) -> float:
        row = self._rows[place]
        return -row.median if row.better == Better.HIGHER else row.median

    def _pairs(self, race: Sequence[int]) -> Iterator[tuple[int, int]]:
        schemes: dict[str, list[int]] = defaultdict(list)
        for place in race:
            schemes[self._rows[place].scheme].append(place)
        for members in schemes.values():
            yield from combinations(members, 2)
        yield from combinations([members[0] for members in schemes.values()], 2)
        yield from ((race[0], other) for other in race[1:])


def family_size(cases: Iterable[CaseId]) -> int:
    """Number of comparisons of one metric that a run of these cases makes, before the best are
    known.
    """
    races: dict[CaseId, Counter[str]] = defaultdict(Counter)
    for case in cases:
        races[case.without("scheme", "implementation")][case.scheme] += 1
    return sum(_comparisons([*schemes.values()]) for schemes in races.values())


def _comparisons(rows: Sequence[int]) -> int:
    """Comparisons of one race, by the number of rows of each scheme: the most, where the scheme of
    the best row has the fewest."""
    within = sum(math.comb(number, 2) for number in rows)
    with_best = sum(number - 1 for number in rows) - (min(rows) - 1)
    return within + math.comb(len(rows), 2) + with_best


def verdict_of(
    a: Measurement, b: Measurement, *, of_runs: bool = False
) -> ComparisonVerdict | None:
    """The verdict on B against A alone, in no family; None where one is disturbed, or samples
    cannot be paired.

    Samples of one round were taken side by side. Where a side has invocations, each of which has a
    process of its own, the values of all invocations are compared instead. A difference that
    another place of the code undoes is none. ``of_runs``: see `RunVerdicts`.
    """
    if not (a.quotable and b.quotable):
        return None
    verdict = _between_runs(a, b) if of_runs else _of_samples(a, b)
    return None if verdict is None else over_places(verdict, _at_places(a), _at_places(b))


def _at_places(row: Measurement) -> dict[int, float]:
    """Ends of the range over places of the code, as two places; the median alone for one."""
    if row.places_least is None or row.places_most is None:
        return {0: row.median}
    return {0: row.places_least, 1: row.places_most}


def _between_runs(a: Measurement, b: Measurement) -> ComparisonVerdict | None:
    """Each run is one value. Runs that were not made in turn have the assumed margin of two single
    runs.
    """
    if not (len(a.values) == len(a.rounds) > 0 and len(b.values) == len(b.rounds) > 0):
        return None
    exact = without_noise(a.metric, *((row.target, row.evidence, row.values) for row in (a, b)))
    if alternate(a.rounds, b.rounds):
        return compare_groups(a.values, b.values, exact=exact, places=(a.rounds, b.rounds))
    return compare_groups(a.values, b.values, exact=exact, margin=MARGIN_UNPAIRED)


def alternate(a: Sequence[int], b: Sequence[int]) -> bool:
    """True if runs of two sides, by their places in the order of time, hit a drift of the machine
    alike: they are the same runs, or the side changes at least as often as the smaller side has
    runs.
    """
    if {*a} == {*b}:
        return True
    order = sorted([*((place, 0) for place in a), *((place, 1) for place in b)])
    changes = sum(first[1] != other[1] for first, other in pairwise(order))
    return changes >= min(len(a), len(b))


def _of_samples(a: Measurement, b: Measurement) -> ComparisonVerdict | None:
    exact = without_noise(a.metric, *((row.target, row.evidence, row.values) for row in (a, b)))
    if a.batches is not None or b.batches is not None:
        return compare_groups(a.values, b.values, exact=exact) if a.values and b.values else None
    if not (len(a.values) == len(a.rounds) > 0 and len(b.values) == len(b.rounds) > 0):
        return None
    left, right = (
        dict(zip(a.rounds, a.values, strict=True)),
        dict(zip(b.rounds, b.values, strict=True)),
    )
    common = sorted(left.keys() & right.keys())
    return compare_paired(
        [left[number] for number in common], [right[number] for number in common], exact=exact
    )


def without_noise(metric: str, *sides: tuple[str, str, Sequence[float]]) -> bool:
    """True if numbers have no noise, so that every difference is real. ``sides``: target, evidence
    and values of each.

    Simulated numbers have none. Modelled ones are as noisy as the times from which they are
    computed. A real board counts cycles, and shows by enough readings whether they repeat.
    """
    kinds = {evidence for _, evidence, _ in sides}
    if kinds == {Evidence.MEASURED}:
        counted = all(
            target.startswith(SERIAL) and len(values) >= FEWEST_EQUAL for target, _, values in sides
        )
        return counted and metric in _COUNTED
    if not kinds <= {Evidence.SIMULATED, Evidence.MODELLED}:
        return False
    return Evidence.MODELLED not in kinds or all(len({*values}) <= 1 for _, _, values in sides)


def _turned(verdict: ComparisonVerdict) -> ComparisonVerdict:
    """The verdict on A against B, from that on B against A."""

    def inverse(value: float | None) -> float | None:
        return None if value is None else 1 / value if value else math.inf

    return replace(
        verdict,
        outcome=_OPPOSITE.get(verdict.outcome, verdict.outcome),
        ratio=inverse(verdict.ratio),
        low=inverse(verdict.high),
        high=inverse(verdict.low),
        span=inverse_span(verdict.span),
        n_a=verdict.n_b,
        n_b=verdict.n_a,
        shift=None,
    )
