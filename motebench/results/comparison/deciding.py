"""Cases that several runs per side leave open about a slowdown, and how many more runs would decide them."""

from __future__ import annotations

import math
from dataclasses import dataclass

from motebench.results.comparison.model import Comparison, Pair
from motebench.stats import ALPHA
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
