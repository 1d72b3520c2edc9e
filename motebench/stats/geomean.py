"""The geometric mean of ratios, which does not depend on which side is called A.

Fleming and Wallace, "How not to lie with statistics: the correct way to summarize benchmark results", Communications of
the ACM 29 (1986) 218-221. The interval is Student's t on the logarithms over cases: it shows how much the cases differ
from each other, not how precise each is.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

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
    """The geometric mean of positive ratios; None if there is none."""
    if not ratios:
        return None
    logs = np.log(np.asarray(ratios, dtype=np.float64))
    n, mean = len(ratios), float(np.mean(logs))
    if n == 1:
        return GeometricMean(math.exp(mean), None, None, confidence, n)
    from scipy.stats import t

    reach = float(t.ppf((1 + confidence) / 2, n - 1)) * float(np.std(logs, ddof=1)) / math.sqrt(n)
    return GeometricMean(math.exp(mean), math.exp(mean - reach), math.exp(mean + reach), confidence, n)
