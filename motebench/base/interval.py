"""A positive figure with its bounds. A result is at its bounds when all inputs are at theirs (interval arithmetic)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Interval:
    """``low <= typical <= high``, not negative."""

    low: float
    typical: float
    high: float

    @classmethod
    def exact(cls, value: float) -> Interval:
        """A figure without uncertainty."""
        return cls(value, value, value)

    def __add__(self, other: Interval) -> Interval:
        return Interval(self.low + other.low, self.typical + other.typical, self.high + other.high)

    def __mul__(self, factor: float | Interval) -> Interval:
        by = factor if isinstance(factor, Interval) else Interval.exact(factor)
        return Interval(self.low * by.low, self.typical * by.typical, self.high * by.high)


def total(parts: Iterable[Interval]) -> Interval:
    """The sum of all; 0 for an empty list."""
    return sum(parts, Interval.exact(0.0))
