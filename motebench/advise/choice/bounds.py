"""The cost of an operation on n bytes, estimated from results on other sizes.

Assumption: an implementation works in pieces of a limited size that all take the same time, so two results give bounds
for a length between, before and after them. The pieces of a hash function are those of its standard, so they are
counted. A part of a block may take more than a whole one: as much as results show, and some per cent. With one result
only, a message takes at most as long as several shorter messages of the same total length.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from motebench.advise.choice.model import Origin, SchemeOffer
from motebench.advise.choice.policies import choice
from motebench.advise.choice.steps import block_of, fall, largest, steps_of
from motebench.base.interval import Interval
from motebench.base.model import Evidence
from motebench.catalog.schema import InputBlock


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds and memory of one operation, with the measurements behind them."""

    seconds: Interval
    memory: Mapping[str, Interval]
    evidence: Evidence
    origins: tuple[Origin, ...]
    note: str = ""


def cost(offer: SchemeOffer, operation: str, size: int) -> Cost | None:
    """The cost of the operation on ``size`` bytes; None if the offer has no result of it on any size."""
    sizes = offer.sizes(operation)
    if not sizes:
        return None
    points = {known: offer.points[operation, known] for known in sizes}
    if size in points:
        point = points[size]
        return Cost(point.seconds, point.memory, offer.evidence, (point.origin,))
    above = min((known for known in sizes if known > size), default=None)
    if above is not None and len(sizes) == 1:
        most = points[above].seconds
        seconds, note = Interval(0.0, size / above * most.typical, most.high), f"at most that of {above} bytes"
        used, memory = [above], points[above].memory
    elif above is not None:
        below = max((known for known in sizes if known < size), default=None)
        used = [below, above] if below is not None else list(sizes[:2])
        seconds = _within(offer, operation, size, used)
        note = f"between {below} and {above} bytes" if below is not None else f"less than {above} bytes"
        memory = points[above].memory
    else:
        longest, piece, block = sizes[-1], largest(offer.scheme, operation), block_of(offer.scheme, operation)
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


def _within(offer: SchemeOffer, operation: str, size: int, used: Sequence[int]) -> Interval:
    """The cost at a length between two measured ones, or before both."""
    start, end = (offer.points[operation, known].seconds for known in used)
    least, usual, most = steps_of(offer.scheme, operation).shares(size, *used)
    low = min(start.low + share * (end.low - start.low) for share in (least, most))
    high = max(start.high + share * (end.high - start.high) for share in (least, most))
    typical = start.typical + usual * (end.typical - start.typical)
    partial = choice().partial
    if size % partial.multiple_bytes:
        high += fall([offer.points[operation, known].seconds.high for known in offer.sizes(operation)])
        low, high = low * (1 - partial.share), high * (1 + partial.share)
    return Interval(max(low, 0.0), max(typical, 0.0), high)


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
