"""Two rows of one run laid side by side, round by round, or by invocation."""

from __future__ import annotations

from motebench.presentation.rows import Row
from motebench.stats import Outcome, Verdict, compare_groups, compare_paired

_ENOUGH = 8
"""Independent pairs with which the signed-rank test can reach a p of 0.01."""


def paired(a: Row, b: Row) -> Verdict | None:
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


def differ(a: Row, b: Row) -> bool:
    """True where the data show that the two differ; never where one of them was disturbed.

    The paired test decides where it can be made. Without samples both need an interval, and the intervals must not
    overlap, which is the stricter rule (Schenker and Gentleman, The American Statistician 55(3), 2001).
    """
    if not (a.quotable and b.quotable):
        return False
    verdict = paired(a, b)
    if verdict is not None:
        return verdict.different
    if a.ci_low is None or a.ci_high is None or b.ci_low is None or b.ci_high is None:
        return False
    return a.ci_low > b.ci_high or b.ci_low > a.ci_high


def too_few(a: Row, b: Row) -> bool:
    """True where more samples may decide whether the two differ.

    Either no result of a test with these could, or the samples depend on those before them and are worth fewer than a
    test of independent ones needs.
    """
    verdict = paired(a, b)
    if verdict is None:
        return a.ci_low is None or b.ci_low is None
    worth = min(verdict.n_a, verdict.n_b) / verdict.inflation
    return verdict.outcome is Outcome.TOO_FEW or (verdict.inflation > 1 and not verdict.different and worth < _ENOUGH)
