"""The cost of an operation on n bytes, estimated from results on other sizes.

Assumption: a longer message never takes less time. So the results on the two neighbouring sizes are bounds. Beyond the
longest size, an implementation works in pieces of a limited size that all take the same time: two results give bounds
for one piece. The pieces of a hash function are those of its standard, so they are counted. With one result only, a
message takes at most as long as several shorter messages of the same total length.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from motebench.catalog import algorithm_of, schemes
from motebench.catalog.schema import InputBlock
from motebench.choice.model import Offer, Origin
from motebench.choice.policies import choice
from motebench.interval import Interval
from motebench.model import Evidence, Operation


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds and memory of one operation, with the measurements behind them."""

    seconds: Interval
    memory: Mapping[str, Interval]
    evidence: Evidence
    origins: tuple[Origin, ...]
    note: str = ""


def cost(offer: Offer, operation: str, size: int) -> Cost | None:
    """The cost of the operation on ``size`` bytes; None if the offer has no result of it on any size."""
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
        longest, piece, block = sizes[-1], choice().pieces.of(operation), _block(offer.scheme, operation)
        memory = points[longest].memory
        if block is None:
            shorter = max((known for known in sizes if longest - known >= piece), default=None)
        else:
            shorter = max((known for known in sizes if block.calls(known) < block.calls(longest)), default=None)
        if shorter is None:
            seconds = _repeated(points[longest].seconds, longest, size)
            note = f"more than the {longest} bytes that were measured: at most {math.ceil(size / longest)} times that"
            used = [longest]
        elif block is not None:
            seconds = _counted(points[shorter].seconds, points[longest].seconds, shorter, longest, size, block)
            note = f"beyond {shorter} and {longest} bytes, by blocks of {block.bytes} bytes"
            used = [shorter, longest]
        else:
            seconds = _beyond(points[shorter].seconds, points[longest].seconds, shorter, longest, size, piece)
            note = f"beyond {shorter} and {longest} bytes, in pieces of at most {piece}"
            used = [shorter, longest]
    return Cost(
        Interval(min(seconds.low, seconds.typical), seconds.typical, max(seconds.typical, seconds.high)),
        memory,
        Evidence.MODELLED,
        tuple(points[known].origin for known in used),
        note,
    )


def _block(scheme: str, operation: str) -> InputBlock | None:
    """The block of a hash function; None for ciphers and for what the catalog does not have."""
    known = schemes().get(scheme) if operation in (Operation.DIGEST, Operation.MAC) else None
    return algorithm_of(known).input_block_of(known) if known is not None else None


def _counted(short: Interval, long: Interval, shorter: int, longest: int, size: int, block: InputBlock) -> Interval:
    """Beyond the longest size by counted calls of the compression function; one call more or less bounds the rest,
    which copies and pads bytes."""
    known, more = block.calls(longest) - block.calls(shorter), block.calls(size) - block.calls(longest)
    usual = max(long.typical - short.typical, 0.0) / known
    least, most = max(long.low - short.high, 0.0) / known, max(long.high - short.low, 0.0) / known
    return Interval(long.low + least * max(more - 1, 0), long.typical + usual * more, long.high + most * (more + 1))


def _repeated(seconds: Interval, longest: int, size: int) -> Interval:
    """Bounds from the longest measured message: at least its cost, at most the cost of as many of them as needed."""
    return Interval(seconds.low, seconds.typical * size / longest, seconds.high * math.ceil(size / longest))


def _beyond(short: Interval, long: Interval, shorter: int, longest: int, size: int, piece: int) -> Interval:
    """Bounds beyond the longest size, from whole pieces: one more or one fewer if lengths are not multiples of a piece.

    Pieces shorter than ``piece`` only narrow the bounds. The cost of several messages stays an upper bound.
    """
    known, more = longest - shorter, size - longest
    least = max(long.low - short.high, 0.0) * (more // piece) / math.ceil(known / piece)
    usual = max(long.typical - short.typical, 0.0) * more / known
    most = max(long.high - short.low, 0.0) * math.ceil(more / piece) / (known // piece)
    high = min(long.high + most, _repeated(long, longest, size).high)
    return Interval(long.low + least, min(long.typical + usual, high), high)
