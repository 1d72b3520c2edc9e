"""Many tests at once: adjusted p values, so that a long table does not report differences by chance.

Both functions take p values in any order and return adjusted ones in the same order. A difference is reported if its
adjusted value is at most the required level.

- `holm` controls the probability of even one false report (S. Holm, Scandinavian Journal of Statistics 6 (1979) 65-70).
  For gates, which block work.
- `benjamini_hochberg` controls the expected share of false reports among all reports (Y. Benjamini and Y. Hochberg,
  Journal of the Royal Statistical Society B 57 (1995) 289-300). For tables.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

HOLM = "Holm"
BENJAMINI_HOCHBERG = "Benjamini-Hochberg"


def holm(p: Sequence[float]) -> list[float]:
    """Adjusted p values that control the family-wise error rate."""
    values = np.asarray(p, dtype=np.float64)
    order = np.argsort(values, kind="stable")
    raised = np.maximum.accumulate(values[order] * np.arange(values.size, 0, -1))
    return _back(np.minimum(raised, 1.0), order)


def benjamini_hochberg(p: Sequence[float]) -> list[float]:
    """Adjusted p values that control the false discovery rate, for tests that are independent or depend positively."""
    values = np.asarray(p, dtype=np.float64)
    order = np.argsort(values, kind="stable")
    raised = values[order] * values.size / np.arange(1, values.size + 1)
    lowered = np.minimum.accumulate(raised[::-1])[::-1]
    return _back(np.minimum(lowered, 1.0), order)


def _back(adjusted: np.ndarray, order: np.ndarray) -> list[float]:
    out = np.empty_like(adjusted)
    out[order] = adjusted
    return [float(value) for value in out]
