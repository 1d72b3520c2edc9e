"""The steady state after a warm-up: medians of consecutive blocks of batches no longer change.

Georges, Buytaert and Eeckhout ("Statistically Rigorous Java Performance Evaluation", OOPSLA 2007)
detect the steady state by the coefficient of variation of consecutive iterations; medians do the
same and tolerate garbage collections.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

BLOCK = 10
"""Batches per block."""
BLOCKS = 3
"""Blocks that must agree."""
WITHIN = 1.03
"""Largest ratio of their medians."""


def agree(medians: Sequence[float]) -> bool:
    """True if the last blocks, given by their medians, are within a few percent of each other."""
    last = medians[-BLOCKS:]
    return len(last) == BLOCKS and max(last) <= WITHIN * min(last)


def steady_from(times: Sequence[float]) -> int | None:
    """Index of the first batch of the steady state after a warm-up.

    It is the first of the earliest block from which on all blocks are within a few percent of each
    other; None if the last ones are not.
    """
    medians = [
        median(times[place : place + BLOCK]) for place in range(0, len(times) - BLOCK + 1, BLOCK)
    ]
    if not agree(medians):
        return None
    first = len(medians) - BLOCKS
    while first > 0 and max(medians[first - 1 :]) <= WITHIN * min(medians[first - 1 :]):
        first -= 1
    return first * BLOCK
