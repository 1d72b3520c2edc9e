"""Test of input changes: does an operation take another time when its input changes from call to
call?

Noisy readings of both kinds, taken in turn, are judged by the Mann-Whitney U test (its source is in
`motebench.stats.shift`) and by a least difference: a machine that moves between two requests makes
small ones. Readings of boards repeat; there each pair of readings has one difference, and all of
them must agree.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from motebench.stats.shift import rank_sum

CHANGING = "with inputs that change from call to call "
"""Beginning of the note on a case whose time they change."""
LEVEL = 0.001
"""Most probable p of readings that do not differ. Only cases that look different are judged, each
once."""
LEAST = 0.05
"""Least difference of noisy readings, as a share of the smaller median."""
LEAST_EXACT = 0.01
"""Least difference on boards: a request that is one byte longer than the previous one takes some
cycles more.
"""


def look_different(same: Sequence[float], changing: Sequence[float]) -> int:
    """Kind of the few readings that look longer, as a reason to take more: 1 those with changing
    inputs, -1 those with the same input, 0 neither. Their least ones are compared: noise only adds.
    """
    fixed, changed = min(same), min(changing)
    return 0 if not _apart(fixed, changed) else 1 if changed > fixed else -1


def differ(same: Sequence[float], changing: Sequence[float]) -> bool:
    """True if readings with changing inputs differ from those with the same input, by more than
    both scatter.
    """
    if not same or not changing or not _apart(median(same), median(changing)):
        return False
    above = sum(
        (changed > fixed) + (changed == fixed) / 2 for changed in changing for fixed in same
    )
    fewer = min(above, len(same) * len(changing) - above)
    return 2 * rank_sum(len(same), len(changing)).tail(round(fewer)) <= LEVEL


def repeated(differences: Sequence[float], time: float) -> bool:
    """True if the differences of pairs of readings agree that an operation of that ``time`` takes
    longer after another input: each is larger than `LEAST_EXACT` of it, and their median larger
    than their range.
    """
    if not differences:
        return False
    scatter = max(differences) - min(differences)
    return min(differences) > LEAST_EXACT * time and median(differences) > scatter


def _apart(fixed: float, changed: float) -> bool:
    return abs(changed - fixed) > LEAST * min(fixed, changed)
