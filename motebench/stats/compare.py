"""Test of two sets of samples: do they differ, by how much, and how certain is that?

All tests work on logarithms, where a ratio is a shift, and assume no distribution of single samples
(`motebench.stats.shift`):

- *Paired*, for two cases of one run: the samples of one round were taken close together and in
  random order, so under "no difference" each log ratio is as likely positive as negative, whatever
  drift the machine has.
- *Unpaired*, for cases of two runs.
- *Groups*, where each value stands for a unit of its own, such as the median of a run or of one
  start of a virtual machine: what varies from unit to unit is in the test.

Numbers without noise, which the caller knows by their evidence, are compared exactly. Equal
readings are not exact by themselves: a coarse clock gives them too.

"Different" is said where the hypothesis that the ratio lies within the margin is rejected at
`ALPHA`. Where the rank test of so few samples could not reject it, and the difference is not gross,
the answer is "too few samples to decide", with the number that could. Of many comparisons made
together `judged` says which stand, and what the family needs.

Many tests at once: adjusted p values, so that a long table does not report differences by chance.
Both functions take p values in any order and return adjusted ones in the same order; a difference
is reported if its adjusted value is at most the required level.

- `holm` controls the probability of even one false report (S. Holm, Scandinavian Journal of
  Statistics 6 (1979) 65-70). For gates, which block work.
- `benjamini_hochberg` controls the expected share of false reports among all reports (Y. Benjamini
  and Y. Hochberg, Journal of the Royal Statistical Society B 57 (1995) 289-300). For tables.

The geometric mean of ratios does not depend on which side is called A (Fleming and Wallace, "How
not to lie with statistics: the correct way to summarize benchmark results", Communications of the
ACM 29 (1986) 218-221). The interval is Student's t on the logarithms over cases: it shows how much
cases differ, not how precise each is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from motebench.stats.dependence import Hidden
from motebench.stats.distributions import student_quantile
from motebench.stats.shift import Between, Shift, inverted, paired, pairs_needed, units, unpaired

HOLM = "Holm"
BENJAMINI_HOCHBERG = "Benjamini-Hochberg"


def holm(p: Sequence[float]) -> list[float]:
    """Adjusted p values that control the family-wise error rate."""
    values = np.asarray(p, dtype=np.float64)
    order = np.argsort(values, kind="stable")
    raised = np.maximum.accumulate(values[order] * np.arange(values.size, 0, -1))
    return _back(np.minimum(raised, 1.0), order)


def benjamini_hochberg(p: Sequence[float]) -> list[float]:
    """Adjusted p values that control the false discovery rate, for tests that are independent or
    depend positively.
    """
    values = np.asarray(p, dtype=np.float64)
    order = np.argsort(values, kind="stable")
    raised = values[order] * values.size / np.arange(1, values.size + 1)
    lowered = np.minimum.accumulate(raised[::-1])[::-1]
    return _back(np.minimum(lowered, 1.0), order)


def _back(adjusted: np.ndarray, order: np.ndarray) -> list[float]:
    out = np.empty_like(adjusted)
    out[order] = adjusted
    return [float(value) for value in out]


ALPHA = 0.01
"""Probability that one comparison reports a difference between equal sides."""

MARGIN_PAIRED = 0.0
"""Within a run, only chance has to be excluded: drift and memory layout are drawn anew each round
for both sides.
"""

MARGIN_UNPAIRED = 0.02
"""Margin between two single runs if the spread of runs on the machine is unknown: an assumption.
Several runs per side need no margin."""

EQUIVALENT = 0.02
"""Ratios that are certainly this close to 1 are called equivalent."""

FEWEST = 6
"""Fewer samples are not compared, unless they are exact."""
FEWEST_UNITS = 2
"""Fewer runs, or starts of a virtual machine, have no spread."""
WIDEST = 10.0
"""An interval that reaches a larger factor up or down says nothing, and is not given."""
_FARTHEST = 1000.0
"""The same where a bound of the ratio is requested, whose distance may be large too."""

_ROUNDING = 1e-9
"""Ratios this close to 1 are equal: (raw - overhead) * scale / batch rounds."""

Floats = NDArray[np.float64]


class Outcome(StrEnum):
    """Outcome of comparing the values of B with those of A."""

    LOWER = "lower"
    HIGHER = "higher"
    NOT_DISTINGUISHABLE = "not distinguishable"
    TOO_FEW = "too few samples"
    """No result with this number of samples could decide."""


@dataclass(frozen=True, slots=True)
class ComparisonVerdict:
    """Verdict on B compared with A.

    ratio is B / A with its interval [low, high], which reaches that ``confidence``, and
    ``confidence_dependent`` at least where samples depend on each other in ways that so few cannot
    show; None where there is none, or where the values are of units. p is that
    of the hypothesis that the ratio lies within the margin, None where no test was made;
    ``adjusted`` the same within a family of comparisons. ``p_equivalent`` is p of the hypothesis
    that the ratio is not within `EQUIVALENT`, None where nothing is known of what moves a whole
    run; ``equivalent``: it is rejected. ``needed``: samples a side with which the test could
    decide, where those there are cannot. ``inflation``: by how much dependence of the samples
    raised the variance of the ratio. ``span``: least and most ratio over conditions under which
    both sides were measured, such as places of their code; a difference within it is none. note
    says why there is no ratio, interval, test or difference.
    """

    outcome: Outcome
    ratio: float | None
    low: float | None
    high: float | None
    confidence: float | None
    p: float | None
    test: str
    n_a: int
    n_b: int
    margin: float
    note: str | None = None
    adjusted: float | None = None
    equivalent: bool = False
    p_equivalent: float | None = None
    needed: int | None = None
    inflation: float = 1.0
    confidence_dependent: float | None = None
    span: tuple[float, float] | None = None
    shift: Shift | None = field(default=None, repr=False, compare=False)

    @property
    def different(self) -> bool:
        """True if B is reported as lower or higher than A."""
        return self.outcome in (Outcome.LOWER, Outcome.HIGHER)

    def beyond(self, allowed: float, *, upwards: bool = True) -> float | None:
        """p of the hypothesis that the ratio is at most 1 + ``allowed``, or downwards at least 1 /
        (1 + ``allowed``).

        0 or 1 for exact counts; None where no test was made.
        """
        limit = math.log1p(allowed)
        if self.shift is not None:
            return self.shift.above(limit) if upwards else self.shift.below(-limit)
        if self.test != "exact" or self.ratio is None:
            return None
        low, high = self.span or (self.ratio, self.ratio)
        log = math.log(low) if upwards else -math.log(high)
        return 0.0 if log > max(limit, _ROUNDING) else 1.0

    def bounds(self, alpha: float) -> tuple[float | None, float | None]:
        """The ratios that its tests do not reject, each side at half of ``alpha``. None for an end
        where so few samples reject nothing, or where no test was made."""
        if self.test == "exact":
            return self.ratio, self.ratio
        if self.shift is None:
            return None, None
        low, high = inverted(self.shift, alpha, math.log(_FARTHEST))
        return (None if low is None else math.exp(low)), (None if high is None else math.exp(high))


def compare_paired(
    a: Sequence[float],
    b: Sequence[float],
    *,
    alpha: float = ALPHA,
    margin: float = MARGIN_PAIRED,
    exact: bool = False,
    between: Between | None = None,
) -> ComparisonVerdict:
    """Comparison of paired samples, in the order in which they were taken.

    ``exact``: numbers without noise, such as simulated cycles, which one sample tells. ``between``:
    what moves all pairs alike, if it is known from elsewhere; both its test and that of the samples
    must reject.
    """
    if len(a) != len(b):
        raise ValueError("pairs need as many samples on one side as on the other")
    evidence = _Evidence(FEWEST, exact, between, True, Hidden.PAIRS)
    return _compare(a, b, alpha, margin, evidence, lambda first, second: paired(second - first))


def compare_unpaired(
    a: Sequence[float],
    b: Sequence[float],
    *,
    alpha: float = ALPHA,
    margin: float = MARGIN_UNPAIRED,
    exact: bool = False,
    between: Between | None = None,
) -> ComparisonVerdict:
    """Compare samples of two runs, each in the order in which they were taken. ``exact`` as in
    `compare_paired`.

    ``between``: how far single runs of one thing lie apart. Without it nothing is equivalent.
    """
    return _compare(
        a, b, alpha, margin, _Evidence(FEWEST, exact, between, False, Hidden.SETS), unpaired
    )


def compare_groups(
    a: Sequence[float],
    b: Sequence[float],
    *,
    alpha: float = ALPHA,
    margin: float = 0.0,
    exact: bool = False,
    places: tuple[Sequence[float], Sequence[float]] | None = None,
) -> ComparisonVerdict:
    """Comparison of units, each with one value: medians of runs, or of starts of a virtual machine.

    ``places``: of units of both sides that were measured in turn, the place of each in the order of
    time. With a margin the units do not cover all that moves a side, and nothing is equivalent.
    """
    order = (
        None
        if places is None
        else (np.asarray(places[0], dtype=float), np.asarray(places[1], dtype=float))
    )
    evidence = _Evidence(FEWEST_UNITS, exact, None, margin == 0)
    return _compare(
        a, b, alpha, margin, evidence, lambda first, second: units(first, second, order)
    )


@dataclass(frozen=True, slots=True)
class _Evidence:
    """Facts about the values. ``covered``: they show all the variation. ``hidden``: the possible
    effect of dependence on their interval; None for units, which are independent.
    """

    fewest: int
    exact: bool
    between: Between | None
    covered: bool
    hidden: Hidden | None = None

    def above(self, shift: Shift, limit: float) -> float:
        """p of the hypothesis that the shift is at most ``limit``."""
        p = shift.above(limit)
        return p if self.between is None else max(p, self.between.above(shift.estimate, limit))

    def below(self, shift: Shift, limit: float) -> float:
        """p of the hypothesis that the shift is at least ``limit``."""
        p = shift.below(limit)
        return p if self.between is None else max(p, self.between.above(-shift.estimate, -limit))

    def equivalent(self, shift: Shift) -> float | None:
        """p of the hypothesis that the shift is not within `EQUIVALENT` (two one-sided tests)."""
        if self.between is None and not self.covered:
            return None
        equal = math.log1p(EQUIVALENT)
        return max(self.below(shift, equal), self.above(shift, -equal))


def _compare(
    a: Sequence[float],
    b: Sequence[float],
    alpha: float,
    margin: float,
    evidence: _Evidence,
    shift_of: Callable[[Floats, Floats], Shift],
) -> ComparisonVerdict:
    left, right = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    nothing = ComparisonVerdict(
        Outcome.NOT_DISTINGUISHABLE,
        None,
        None,
        None,
        None,
        None,
        "none",
        left.size,
        right.size,
        margin,
    )
    if not left.size or not right.size:
        return replace(
            nothing, outcome=Outcome.TOO_FEW, note="no samples on one side", needed=evidence.fewest
        )
    if min(left.min(), right.min()) <= 0:
        return replace(nothing, note="values of 0 have no ratio")
    if evidence.exact and _constant(left) and _constant(right):
        return _exact(nothing, float(right[0] / left[0]))
    if min(left.size, right.size) < evidence.fewest:
        ratio = float(np.median(right) / np.median(left))
        return _too_few(replace(nothing, ratio=ratio), evidence.fewest)
    shift = shift_of(np.log(left), np.log(right))
    limit = math.log1p(margin)
    p = min(1.0, 2 * min(evidence.above(shift, limit), evidence.below(shift, -limit)))
    p_equivalent = evidence.equivalent(shift)
    verdict = replace(
        _with_interval(nothing, shift, alpha, evidence),
        ratio=math.exp(shift.estimate),
        p=p,
        test=shift.test,
        equivalent=p_equivalent is not None and p_equivalent <= alpha,
        p_equivalent=p_equivalent,
        inflation=shift.inflation,
        shift=shift,
    )
    needed = shift.needed(alpha)
    if needed is not None and p > alpha:
        return _too_few(verdict, needed)
    return replace(verdict, outcome=_outcome(shift.estimate, p <= alpha))


def _with_interval(
    verdict: ComparisonVerdict, shift: Shift, alpha: float, evidence: _Evidence
) -> ComparisonVerdict:
    low, high, reached = shift.interval(alpha)
    between = evidence.between
    if between is not None and not verdict.margin:
        apart = between.reach(alpha)
        low, high = min(low, shift.estimate - apart), max(high, shift.estimate + apart)
    if max(high - shift.estimate, shift.estimate - low) > math.log(WIDEST):
        return replace(verdict, note="no interval: the samples are worth too little for one")
    hidden = None
    if evidence.hidden is not None and alpha <= ALPHA:
        hidden = evidence.hidden.confidence(min(verdict.n_a, verdict.n_b), reached)
    return replace(
        verdict,
        low=math.exp(low),
        high=math.exp(high),
        confidence=reached,
        confidence_dependent=hidden,
    )


def _exact(nothing: ComparisonVerdict, ratio: float) -> ComparisonVerdict:
    """Numbers without noise: any difference is real, and no margin is needed."""
    log = math.log(ratio)
    outcome = _outcome(log, abs(log) > _ROUNDING)
    close = abs(log) <= math.log1p(EQUIVALENT)
    return replace(
        nothing,
        outcome=outcome,
        ratio=ratio,
        low=ratio,
        high=ratio,
        confidence=1.0,
        confidence_dependent=1.0,
        test="exact",
        equivalent=close,
        margin=0.0,
    )


def _too_few(verdict: ComparisonVerdict, needed: int, family: int = 1) -> ComparisonVerdict:
    many = f" among {family} comparisons" if family > 1 else ""
    note = (
        f"too few samples to decide{many}: {verdict.n_a} and {verdict.n_b}, at least {needed} "
        "are needed"
    )
    return replace(verdict, outcome=Outcome.TOO_FEW, note=note, needed=needed)


def _constant(values: Floats) -> bool:
    return bool((values == values[0]).all())


def _outcome(log_ratio: float, different: bool) -> Outcome:
    if not different:
        return Outcome.NOT_DISTINGUISHABLE
    return Outcome.LOWER if log_ratio < 0 else Outcome.HIGHER


def judged(verdicts: Sequence[ComparisonVerdict], alpha: float = ALPHA) -> list[ComparisonVerdict]:
    """Verdicts of comparisons that are shown together: of those called different, at most a share
    of ``alpha`` is expected to be so by chance (Benjamini and Hochberg), and so of those called
    equivalent.

    One that no longer stands is not distinguishable, or has too few samples: where a comparison
    that alone differs among all of them could not reach the level with so many. Exact comparisons
    and those that were not tested stay as they are.
    """
    differences = _adjusted([verdict.p for verdict in verdicts])
    equivalences = _adjusted([verdict.p_equivalent for verdict in verdicts])
    family = sum(p is not None for p in differences)
    adjusted = zip(verdicts, differences, equivalences, strict=True)
    return [_judged(verdict, p, q, family, alpha) for verdict, p, q in adjusted]


def judged_beside(
    verdict: ComparisonVerdict, others: Sequence[ComparisonVerdict], alpha: float = ALPHA
) -> ComparisonVerdict:
    """The verdict of one more comparison than ``others``, as `judged` gives it among all of
    them.
    """
    every = [*others, verdict]
    p, q = (
        None
        if getattr(verdict, name) is None
        else _adjusted([getattr(other, name) for other in every])[-1]
        for name in ("p", "p_equivalent")
    )
    return _judged(verdict, p, q, sum(other.p is not None for other in every), alpha)


def pairs_for(family: int, alpha: float = ALPHA) -> int:
    """Pairs with which one comparison that alone differs among ``family`` can be called different
    by `judged`.
    """
    return max(FEWEST, pairs_needed(alpha / family))


def _adjusted(values: Sequence[float | None]) -> list[float | None]:
    """p values adjusted together; None stays."""
    adjusted = iter(benjamini_hochberg([p for p in values if p is not None]))
    return [None if p is None else next(adjusted) for p in values]


def _judged(
    verdict: ComparisonVerdict, p: float | None, q: float | None, family: int, alpha: float
) -> ComparisonVerdict:
    """The verdict with the p values that are adjusted for its family: of the difference, and of the
    equivalence.
    """
    verdict = replace(
        verdict, adjusted=p, equivalent=verdict.equivalent and (q is None or q <= alpha)
    )
    shift = verdict.shift
    if p is None or shift is None or (verdict.different and p <= alpha):
        return verdict
    needed = shift.needed(alpha / family)
    if needed is not None:
        return _too_few(verdict, needed, family)
    if not verdict.different:
        return verdict
    note = f"with this many comparisons, p {verdict.p:.2g} is not significant (adjusted {p:.2g})"
    return replace(verdict, outcome=Outcome.NOT_DISTINGUISHABLE, note=note)


METHOD = "t interval on the logarithms of the cases' ratios"


@dataclass(frozen=True, slots=True)
class GeometricMean:
    """The mean ratio of ``cases`` cases; its interval is None for one case."""

    ratio: float
    low: float | None
    high: float | None
    confidence: float
    cases: int
    method: str = METHOD


def geometric_mean(ratios: Sequence[float], confidence: float = 0.95) -> GeometricMean | None:
    """Geometric mean of positive ratios; None without ratios."""
    if not ratios:
        return None
    logs = np.log(np.asarray(ratios, dtype=np.float64))
    n, mean = len(ratios), float(np.mean(logs))
    if n == 1:
        return GeometricMean(math.exp(mean), None, None, confidence, n)
    reach = (
        student_quantile(n - 1, (1 + confidence) / 2) * float(np.std(logs, ddof=1)) / math.sqrt(n)
    )
    return GeometricMean(
        math.exp(mean), math.exp(mean - reach), math.exp(mean + reach), confidence, n
    )
