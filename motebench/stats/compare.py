"""Whether two sets of samples differ, by how much, and how sure that is.

Both tests work on logarithms, where a ratio is a shift, and assume no distribution:

- *Paired*, for two cases of one run: the samples of one round were taken close together and in random order, so under
  "no difference" each log ratio is as likely positive as negative, whatever drift the machine has. Wilcoxon's
  signed-rank test; the ratio is the Hodges-Lehmann estimate, the median of all Walsh averages.
- *Unpaired*, for cases of two runs: Mann-Whitney U test; the ratio is the Hodges-Lehmann estimate, the median of all
  differences of logarithms.

The intervals invert the tests: they lie between the k-th smallest and k-th largest Walsh average (difference), k from
the null distribution of the test statistic. Source: Hollander, Wolfe and Chicken, *Nonparametric Statistical Methods*,
3rd ed. (2014), 3.1-3.3 and 4.1-4.3.

"Different" needs all three: p below `ALPHA`, an interval of confidence 1 - `ALPHA` that excludes 1, and a ratio that is
further from 1 than the margin.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from motebench.stats.ranks import signed_rank_tail, u_tail

ALPHA = 0.01
"""Probability of calling equals different that one comparison may have."""

MARGIN_PAIRED = 0.0
"""Within a run, chance alone is judged: drift and memory layout are drawn anew each round for both sides. One
implementation under two names was called different in 6 of 892 comparisons (0.7 %) on a busy virtual machine."""

MARGIN_UNPAIRED = 0.02
"""Between two runs, ratios this close to 1 are not called different: machines drift by as much between runs of the same
binary, and nothing inside either run can show that. On the same machine, comparing one binary with itself in the next
run called 44 of 806 cases different without a margin, 35 with 1 %, 6 with 2 % (``docs/results.md``)."""

FEWEST = 6
"""Fewer samples are not compared. (Paired ones need eight before p can fall below `ALPHA`.)"""

_FINE = 1e-13
"""Resolution of logarithms of ratios."""

_ROUNDING = 1e-9
"""Ratios this close to 1 are equal: (raw - overhead) * scale / batch rounds."""

Floats = NDArray[np.float64]


class Outcome(StrEnum):
    """How the values of B lie against those of A."""

    LOWER = "lower"
    HIGHER = "higher"
    NOT_DISTINGUISHABLE = "not distinguishable"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The comparison of B with A.

    ratio is B / A with its interval [low, high]; None where there is none. p is None where no test was made. note says
    why there is no ratio, interval or test.
    """

    outcome: Outcome
    ratio: float | None
    low: float | None
    high: float | None
    confidence: float
    p: float | None
    test: str
    n_a: int
    n_b: int
    margin: float
    note: str | None = None


def compare_paired(
    a: Sequence[float], b: Sequence[float], *, alpha: float = ALPHA, margin: float = MARGIN_PAIRED, exact: bool = False
) -> Verdict:
    """Compare samples that belong together one by one. ``exact``: numbers without noise, such as simulated cycles."""
    if len(a) != len(b):
        raise ValueError("pairs need as many samples on one side as on the other")
    return _compare("Wilcoxon signed-rank test", a, b, alpha, margin, exact, _paired)


def compare_unpaired(
    a: Sequence[float],
    b: Sequence[float],
    *,
    alpha: float = ALPHA,
    margin: float = MARGIN_UNPAIRED,
    exact: bool = False,
) -> Verdict:
    """Compare samples of two runs. ``exact``: numbers without noise, such as simulated cycles."""
    return _compare("Mann-Whitney U test", a, b, alpha, margin, exact, _unpaired)


_Shift = tuple[float, float, float, float]
"""p, estimate, and the interval of a shift of logarithms."""


def _compare(
    test: str,
    a: Sequence[float],
    b: Sequence[float],
    alpha: float,
    margin: float,
    exact: bool,
    shift: Callable[[Floats, Floats, float], _Shift],
) -> Verdict:
    left, right = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)

    def verdict(outcome: Outcome, name: str, *found: float | None, note: str | None = None) -> Verdict:
        p, ratio, low, high = found or (None, None, None, None)
        return Verdict(outcome, ratio, low, high, 1 - alpha, p, name, len(a), len(b), margin, note)

    if not left.size or not right.size:
        return verdict(Outcome.NOT_DISTINGUISHABLE, "none", note="no samples on one side")
    if min(left.min(), right.min()) <= 0:
        return verdict(Outcome.NOT_DISTINGUISHABLE, "none", note="values of 0 have no ratio")
    if exact and _constant(left) and _constant(right):
        ratio = float(right[0] / left[0])
        return verdict(_outcome(math.log(ratio), 0.0), "exact", None, ratio, ratio, ratio)
    if min(left.size, right.size) < FEWEST:
        ratio = float(np.median(right) / np.median(left))
        note = f"too few samples: {left.size} and {right.size}, at least {FEWEST} are needed"
        return verdict(Outcome.NOT_DISTINGUISHABLE, "none", None, ratio, None, None, note=note)
    p, estimate, low, high = shift(np.log(left), np.log(right), alpha)
    different = p < alpha and not low <= 0 <= high
    outcome = _outcome(estimate, margin) if different else Outcome.NOT_DISTINGUISHABLE
    return verdict(outcome, test, p, math.exp(estimate), math.exp(low), math.exp(high))


def _constant(values: Floats) -> bool:
    return bool((values == values[0]).all())


def _outcome(log_ratio: float, margin: float) -> Outcome:
    # The margin is symmetrical in logarithms, so that A against B and B against A agree.
    if abs(log_ratio) <= max(math.log1p(margin), _ROUNDING):
        return Outcome.NOT_DISTINGUISHABLE
    return Outcome.LOWER if log_ratio < 0 else Outcome.HIGHER


def _paired(a: Floats, b: Floats, alpha: float) -> _Shift:
    from scipy.stats import wilcoxon

    logs = np.sort(b - a)
    if not logs.any():
        return 1.0, 0.0, 0.0, 0.0
    # Pratt's treatment keeps ratios of exactly 1 in the ranking: they speak against a difference.
    p = float(wilcoxon(logs, zero_method="pratt").pvalue)
    n = logs.size
    rows = np.arange(1, n + 1)

    def count(limit: float) -> int:
        """Pairs i <= j whose sum is at most twice the limit."""
        reach = np.searchsorted(logs, 2 * limit - logs, side="right")
        return int(np.minimum(reach, rows).sum())

    total = n * (n + 1) // 2
    return p, *_order(count, total, signed_rank_tail(n, alpha), float(logs[0]), float(logs[-1]))


def _unpaired(a: Floats, b: Floats, alpha: float) -> _Shift:
    from scipy.stats import mannwhitneyu

    p = float(mannwhitneyu(b, a).pvalue)
    left, right = np.sort(a), np.sort(b)

    def count(limit: float) -> int:
        """Pairs whose difference is at most the limit."""
        return int(np.searchsorted(right, left + limit, side="right").sum())

    tail = u_tail(left.size, right.size, alpha)
    return p, *_order(count, left.size * right.size, tail, float(right[0] - left[-1]), float(right[-1] - left[0]))


def _order(
    count: Callable[[float], int], total: int, tail: int, lowest: float, highest: float
) -> tuple[float, float, float]:
    """Median, and the ends of the interval that leaves ``tail`` values outside on each side.

    Found by bisection of the counting function, so that n^2 values need not be held for long runs.
    """

    def at(rank: int) -> float:
        """The value of that rank, counted from 1."""
        low, high = lowest, highest
        if count(low) >= rank:
            return low
        if low < 0 < high:
            # Whether an end of the interval is 0 or next to it decides a verdict, so 0 is found exactly.
            if count(0.0) < rank:
                low = 0.0
            elif count(-_FINE) < rank:
                return 0.0
            else:
                high = -_FINE
        while high - low > _FINE:
            middle = (low + high) / 2
            if count(middle) >= rank:
                high = middle
            else:
                low = middle
        return high

    median = (at((total + 1) // 2) + at(total // 2 + 1)) / 2
    return median, at(tail + 1), at(total - tail)
