"""A mean with what is known of the instrument: types A and B combined.

Source: JCGM 100:2008, *Guide to the expression of uncertainty in measurement* (GUM): 4.2.3 (s / sqrt(n) of the mean), 4.3.7
(limits as a rectangular distribution), 5.1.2 (in quadrature), G.4.1 (effective degrees of freedom by Welch and
Satterthwaite, cut off to a whole number) and G.6.4 (the interval).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

CONFIDENCE = 0.95

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Expanded:
    """A mean and its interval. ``type_a``, ``type_b`` and ``standard`` (both) are standard uncertainties in the unit of the
    values; ``freedom`` the effective degrees of freedom (inf: type B alone), ``factor`` what the interval takes."""

    mean: float
    type_a: float
    type_b: float
    standard: float
    freedom: float
    factor: float
    low: float
    high: float


def combine(values: ArrayLike, type_b: ArrayLike, confidence: float = CONFIDENCE) -> dict[str, Any]:
    """The fields of `Expanded` for each row of ``values``, at least two in a row; arrays of one entry a row."""
    from scipy.stats import norm
    from scipy.stats import t as student

    table = np.asarray(values, dtype=np.float64)
    n = table.shape[-1]
    if n < 2:
        raise ValueError("one value has no spread")
    mean = table.mean(axis=-1)
    type_a = table.std(axis=-1, ddof=1) / np.sqrt(n)
    systematic = np.broadcast_to(np.asarray(type_b, dtype=np.float64), mean.shape)
    standard = np.hypot(type_a, systematic)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        freedom = np.where(type_a > 0, np.floor((n - 1) * (standard / type_a) ** 4 * (1 + 1e-12)), np.inf)
    tail = (1 + confidence) / 2
    finite = np.isfinite(freedom)
    factor = np.where(finite, student.ppf(tail, np.where(finite, freedom, 1.0)), norm.ppf(tail))
    half = factor * standard
    return {
        "mean": mean, "type_a": type_a, "type_b": systematic, "standard": standard, "freedom": freedom,
        "factor": factor, "low": mean - half, "high": mean + half,
    }  # fmt: skip


def expanded(values: ArrayLike, type_b: float, confidence: float = CONFIDENCE) -> Expanded | None:
    """The mean of one set of values, each with that standard uncertainty of type B, which all of them share.

    None for fewer than two values: their spread is not known.
    """
    table = np.asarray(values, dtype=np.float64)
    if table.size < 2:
        return None
    found = combine(table, type_b, confidence)
    return Expanded(**{name: float(value) for name, value in found.items()})
