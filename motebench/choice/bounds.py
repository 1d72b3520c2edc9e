"""What an operation on n bytes takes, from results on other sizes.

Assumed: a longer message never takes less. So the results on the two neighbouring sizes bound it; beyond the longest
one, a message takes no more than several messages that make it up.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from motebench.choice.model import Offer, Origin
from motebench.energy.interval import Interval
from motebench.model import Evidence


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds and memory of one operation, with the measurements behind them."""

    seconds: Interval
    memory: Mapping[str, Interval]
    evidence: Evidence
    origins: tuple[Origin, ...]
    note: str = ""


def cost(offer: Offer, operation: str, size: int) -> Cost | None:
    """What the operation takes on ``size`` bytes; None where the offer has no result of it on any size."""
    sizes = offer.sizes(operation)
    if not sizes:
        return None
    points = {known: offer.points[operation, known] for known in sizes}
    if size in points:
        point = points[size]
        return Cost(point.seconds, point.memory, offer.evidence, (point.origin,))
    below = max((known for known in sizes if known < size), default=None)
    above = min((known for known in sizes if known > size), default=None)
    if above is not None:
        low = points[below].seconds if below is not None else Interval.exact(0.0)
        high, start = points[above].seconds, below or 0
        share = (size - start) / (above - start)
        note = f"between {below} and {above} bytes" if below is not None else f"at most that of {above} bytes"
        seconds = Interval(low.low, low.typical + share * (high.typical - low.typical), max(high.high, low.high))
        used = [known for known in (below, above) if known is not None]
        memory = points[above].memory
    else:
        longest = sizes[-1]
        seconds = _beyond(points[longest].seconds, longest, size)
        note = f"more than the {longest} bytes that were measured: at most {math.ceil(size / longest)} times that"
        used, memory = [longest], points[longest].memory
    return Cost(
        Interval(min(seconds.low, seconds.typical), seconds.typical, max(seconds.typical, seconds.high)),
        memory,
        Evidence.MODELLED,
        tuple(points[known].origin for known in used),
        note,
    )


def _beyond(seconds: Interval, longest: int, size: int) -> Interval:
    """Not less than the longest that was measured, not more than as many of them as are needed."""
    return Interval(seconds.low, seconds.typical * size / longest, seconds.high * math.ceil(size / longest))
