"""Pure functions on arrays of samples. Methods and their sources: ``docs/methods.md`` and the modules themselves."""

from motebench.stats.describe import Description, converged, describe, half_width, median_ranks
from motebench.stats.outliers import Outliers, outliers

__all__ = ["Description", "Outliers", "converged", "describe", "half_width", "median_ranks", "outliers"]
