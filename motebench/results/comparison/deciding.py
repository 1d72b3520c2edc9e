"""The margin of a comparison (the difference that is ignored), and cases that too few runs leave open."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from motebench.results.comparison.model import Comparison, Pair
from motebench.results.row import MeasurementRow
from motebench.stats import ALPHA, MARGIN_PAIRED, MARGIN_UNPAIRED, Between, RunSpread
from motebench.stats.runs import FEWEST_RUNS, detectable, runs_needed


@dataclass(frozen=True, slots=True)
class Open:
    """A case that is neither certainly slower than allowed nor certainly not slower.

    more: further runs per side that would decide with a probability of 95 %, if the true ratio is the observed one;
    None if it is too near to the allowed ratio, or if the spread is unknown.
    """

    pair: Pair
    more: int | None


def left_open(comparison: Comparison, allowed: float, alpha: float = ALPHA) -> list[Open]:
    """The cases left open about "slower by more than ``allowed``" with several runs per side; empty for single runs.

    The number of runs is for all cases together: they share ``alpha`` (Bonferroni, Holm's first step).
    """
    if not comparison.of_runs:
        return []
    slower = comparison.slower_than(allowed, alpha)
    found = []
    for pair in comparison.pairs:
        p = pair.p_not_slower(allowed)
        if p is not None and p > alpha and not any(pair is one for one in slower):
            found.append(Open(pair, _more(comparison, pair, allowed, alpha / len(comparison.pairs))))
    return found


def found_by(comparison: Comparison, allowed: float, alpha: float = ALPHA) -> float | None:
    """The slowdown that these runs find with a probability of 95 %: 0.03 is 3 %. None if the spread is unknown."""
    first = comparison.pairs[0]
    if not comparison.of_runs:
        if first.between is None:
            return None
        return math.expm1(first.between.detectable(alpha / len(comparison.pairs)) + math.log1p(allowed))
    spread = comparison.spreads.get(first.a.metric)
    least = min(min(pair.verdict.n_a, pair.verdict.n_b) for pair in comparison.pairs)
    if spread is None or least < FEWEST_RUNS:
        return None
    shift = detectable(spread.sd, least, alpha=alpha / len(comparison.pairs))
    return None if shift is None else math.expm1(shift + _limit(first, allowed))


def _limit(pair: Pair, allowed: float) -> float:
    """The value that the logarithm of the ratio must exceed; groups that were not made in turn have a margin."""
    return math.log1p(allowed) + math.log1p(pair.verdict.margin)


def _more(comparison: Comparison, pair: Pair, allowed: float, alpha: float) -> int | None:
    spread, ratio = comparison.spreads.get(pair.a.metric), pair.verdict.ratio
    if spread is None or ratio is None:
        return None
    slowness = math.log(ratio) if pair.a.better == "lower" else -math.log(ratio)
    distance = abs(slowness - _limit(pair, allowed))
    needed = runs_needed(max(spread.of(pair.a.case), spread.of(pair.b.case)), distance, alpha=alpha)
    return None if needed is None else max(1, needed - min(pair.verdict.n_a, pair.verdict.n_b))


@dataclass(frozen=True)
class Margins:
    """The margin of each case.

    given: by the user, for all cases. chance_alone: the test covers all variation, so there is no margin. spreads: by
    metric, the spread of runs on this machine, if known.
    """

    given: float | None
    chance_alone: bool
    spreads: Mapping[str, RunSpread]
    alpha: float

    def general(self, name: str) -> tuple[float, str]:
        """The margin of a metric, and its origin (see `Comparison.margin_source`)."""
        if self.given is not None:
            return self.given, "given"
        if self.chance_alone:
            return MARGIN_PAIRED, "none"
        if name in self.spreads:
            return self.spreads[name].margin(alpha=self.alpha), "spread"
        return MARGIN_UNPAIRED, "assumed"

    def of(self, a: MeasurementRow, b: MeasurementRow) -> float:
        """The margin of a case: the larger of its own spread of runs and that of all cases, if known."""
        margin, source = self.general(a.metric)
        if source != "spread":
            return margin
        return max(self.spreads[a.metric].margin(row.case, self.alpha) for row in (a, b))

    def between(self, a: MeasurementRow, b: MeasurementRow) -> Between | None:
        """The spread between single runs of a case; None if the margin has another origin."""
        if self.general(a.metric)[1] != "spread":
            return None
        return max((self.spreads[a.metric].between(row.case) for row in (a, b)), key=lambda found: found.sd)
