"""Two rows of one run, paired by round, or compared by invocation."""

from __future__ import annotations

from enum import Enum, auto

from motebench.results.presentation.rows import CONFIDENCE, Row
from motebench.stats import ComparisonVerdict, Outcome, compare_groups, compare_paired

_ENOUGH = 8
"""Fewest independent pairs with which the signed-rank test can reach p = 0.01."""
_FAR = 2.0
"""No drift moves one of two cases that are visited in turn so far from the other."""


def paired(a: Row, b: Row) -> ComparisonVerdict | None:
    """The comparison of B with A by the samples of the rounds both have; None where these are not known.

    Samples of one round were taken side by side, so this is the test of ``motebench compare`` within a run. Where a
    side has invocations, the values of all rounds and invocations are compared.
    """
    if a.batches is not None or b.batches is not None:
        return compare_groups(a.values, b.values) if a.values and b.values else None
    if not (len(a.values) == len(a.rounds) > 0 and len(b.values) == len(b.rounds) > 0):
        return None
    left, right = dict(zip(a.rounds, a.values, strict=True)), dict(zip(b.rounds, b.values, strict=True))
    common = sorted(left.keys() & right.keys())
    exact = a.evidence == b.evidence == "simulated"
    return compare_paired([left[at] for at in common], [right[at] for at in common], exact=exact)


class Relation(Enum):
    """What the data show about two rows."""

    DIFFERENT = auto()
    EQUAL = auto()
    """Not distinguishable."""
    TOO_FEW = auto()
    """More samples may decide: no result of a test with these could, or they depend on the previous ones and are worth
    fewer than a test of independent samples needs."""


def relation(a: Row, b: Row, verdict: ComparisonVerdict | None) -> Relation:
    """What the data show of two rows; never that they differ where one of them was disturbed.

    ``verdict``: what `paired` says, which decides where it can be made. Where too few pairs are left, or without
    samples, both need an interval of `CONFIDENCE`, and the intervals must not overlap, which is the stricter rule
    (Schenker and Gentleman, The American Statistician 55(3), 2001). Where the ratios depend on each other, the
    intervals must lie a factor of `_FAR` apart.
    """
    different, few = _by_intervals(a, b) if verdict is None else _by_verdict(a, b, verdict)
    if different and a.quotable and b.quotable:
        return Relation.DIFFERENT
    return Relation.TOO_FEW if few else Relation.EQUAL


def _by_verdict(a: Row, b: Row, verdict: ComparisonVerdict) -> tuple[bool, bool]:
    """Whether two rows differ, and whether their pairs are too few to say so."""
    worth = min(verdict.n_a, verdict.n_b) / verdict.inflation
    different, depends = verdict.different, verdict.inflation > 1
    few = verdict.outcome is Outcome.TOO_FEW or (depends and not different and worth < _ENOUGH)
    if few and min(a.n, b.n) >= _ENOUGH:
        different = _apart(a, b) > (_FAR if depends else 1)
    return different, few


def _by_intervals(a: Row, b: Row) -> tuple[bool, bool]:
    if a.ci_low is None or a.ci_high is None or b.ci_low is None or b.ci_high is None:
        return False, True
    return a.ci_low > b.ci_high or b.ci_low > a.ci_high, False


def _apart(a: Row, b: Row) -> float:
    """How many times the nearer end of the larger interval is that of the smaller one; 0 without such intervals."""
    lower, upper = (a, b) if a.median <= b.median else (b, a)
    known = all(row.confidence is None or row.confidence >= CONFIDENCE for row in (a, b))
    if not known or lower.ci_high is None or upper.ci_low is None or lower.ci_high <= 0:
        return 0.0
    return upper.ci_low / lower.ci_high


def relate(a: Row, b: Row) -> Relation:
    """What the data show about two rows, by the samples of the rounds that both have."""
    return relation(a, b, paired(a, b))


def differ(a: Row, b: Row) -> bool:
    """Whether the data show that the two differ."""
    return relate(a, b) is Relation.DIFFERENT
