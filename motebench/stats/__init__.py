"""Pure functions on arrays of samples. Methods and their sources: ``docs/methods.md`` and the modules themselves."""

from motebench.stats.compare import (
    ALPHA,
    MARGIN_PAIRED,
    MARGIN_UNPAIRED,
    Outcome,
    Verdict,
    compare_paired,
    compare_unpaired,
)
from motebench.stats.describe import Description, converged, describe, half_width, median_ranks
from motebench.stats.geomean import GeometricMean, geometric_mean
from motebench.stats.outliers import Outliers, outliers
from motebench.stats.steady import agree, steady_from

__all__ = [
    "ALPHA",
    "MARGIN_PAIRED",
    "MARGIN_UNPAIRED",
    "Description",
    "GeometricMean",
    "Outcome",
    "Outliers",
    "Verdict",
    "agree",
    "compare_paired",
    "compare_unpaired",
    "converged",
    "describe",
    "geometric_mean",
    "half_width",
    "median_ranks",
    "outliers",
    "steady_from",
]
