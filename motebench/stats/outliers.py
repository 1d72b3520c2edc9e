"""Outliers by Tukey's fences: marked, never removed.

Mild: beyond 1.5 interquartile ranges from the nearer quartile (the inner fences); severe: beyond 3 (the outer fences).
Tukey, *Exploratory Data Analysis* (1977), 2C. Quartiles interpolate linearly between order statistics (definition 7 of
Hyndman and Fan, The American Statistician 50 (1996) 361-365).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_MILD = 1.5
_SEVERE = 3.0
_FEWEST = 4
"""Fewer samples have no meaningful quartiles."""


@dataclass(frozen=True, slots=True)
class Outliers:
    """Positions of the outliers in the given samples; a severe one is not also a mild one."""

    mild: tuple[int, ...] = ()
    severe: tuple[int, ...] = ()

    @property
    def count(self) -> int:
        """How many there are of both kinds."""
        return len(self.mild) + len(self.severe)


def outliers(values: NDArray[np.float64]) -> Outliers:
    """The outliers among the samples; none of fewer than four."""
    if values.size < _FEWEST:
        return Outliers()
    first, third = np.quantile(values, (0.25, 0.75))
    # How far outside the box, in the samples' unit; 0 inside.
    distance = np.maximum(first - values, values - third)
    spread = third - first
    severe = distance > _SEVERE * spread
    mild = (distance > _MILD * spread) & ~severe
    return Outliers(_places(mild), _places(severe))


def _places(marked: NDArray[np.bool_]) -> tuple[int, ...]:
    return tuple(int(place) for place in np.flatnonzero(marked))
