"""The cost of an operation on n bytes, estimated from results on other sizes, and a candidate's
figures from it.

Assumption: an implementation works in pieces of a limited size that all take the same time, so two
results give bounds for a length between, before and after them. The pieces of a hash function are
those of its standard, so they are counted; of others the size is a power of two, and a share lies
between those of all sizes that a piece may have. A part of a block may take more than a whole one:
as much as results show, and some per cent. With one result only, a message takes at most as long as
several shorter messages of the same total length.

A signature scheme hashes the message and then works on the digest, whose length is fixed. So two
messages differ in time by the calls of the compression function between them. What one call takes
follows from results of the hash itself.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from statistics import median

from motebench.advise.choice.candidate import (
    Candidate,
    Cost,
    Estimate,
    Origin,
    Point,
    SchemeOffer,
    SentBytes,
    Standing,
)
from motebench.base.model import Evidence, Operation
from motebench.base.quantities import Interval, total
from motebench.catalog import algorithm_of, schemes
from motebench.catalog.lookup import block_bits_of
from motebench.catalog.policies import choice
from motebench.catalog.schema import InputBlock


@dataclass(frozen=True, slots=True)
class Steps:
    """The pieces of an operation: ``block`` of a hash function, else any of ``sizes`` in bytes."""

    block: InputBlock | None
    sizes: tuple[int, ...]

    def shares(self, size: int, start: int, end: int) -> tuple[float, float, float]:
        """Least, typical and largest share of the difference between ``start`` and ``end`` at
        ``size``; below 0 before ``start``."""
        straight = (size - start) / (end - start)
        if self.block is not None:
            calls = self.block.calls
            by_calls = (
                [(calls(size) - calls(start)) / (calls(end) - calls(start))]
                if calls(end) > calls(start)
                else []
            )
            ends = [*by_calls, straight]
            return min(ends), ends[0], max(ends)
        pieces = [(-(-size // step), -(-start // step), -(-end // step)) for step in self.sizes]
        ends = [(at - first) / (last - first) for at, first, last in pieces if last > first]
        return min(ends), straight, max(ends)


@cache
def steps_of(scheme: str, operation: str) -> Steps:
    """The pieces of an operation of a scheme."""
    longest = largest(scheme, operation)
    powers = [1 << bits for bits in range(longest.bit_length()) if 1 << bits < longest]
    return Steps(block_of(scheme, operation), (*powers, longest))


def largest(scheme: str, operation: str) -> int:
    """The largest piece in bytes; MACs of block ciphers work in their blocks."""
    scheme_known = schemes().get(scheme) if operation == Operation.MAC else None
    ciphers = (
        scheme_known is not None
        and block_bits_of(algorithm_of(scheme_known), scheme_known) is not None
    )
    return choice().pieces.of(Operation.ENCRYPT_MESSAGE if ciphers else operation)


def block_of(scheme: str, operation: str) -> InputBlock | None:
    """Block of a hash function; None for ciphers and schemes without such an entry."""
    scheme_known = schemes().get(scheme) if operation in (Operation.DIGEST, Operation.MAC) else None
    return (
        algorithm_of(scheme_known).input_block_of(scheme_known)
        if scheme_known is not None
        else None
    )


def fall(values: Sequence[float]) -> float:
    """The most by which a longer message takes less than the next shorter one: 0 if none does."""
    return max((0.0, *(short - long for short, long in itertools.pairwise(values))))


def over_places(cost: Cost, points: Iterable[Point]) -> Cost:
    """The cost with the bounds that places of the code give it: of all points that it follows from.

    They are applied to the whole cost, not to each point: a place moves all lengths of an
    operation, and the difference of two lengths is no difference of two places.
    """
    points = list(points)
    chips = {point.of_chip for point in points}
    chip = chips.pop() if len(chips) == 1 else cost.of_chip
    bounds = [point.places for point in points if point.places is not None]
    if not bounds:
        return cost if chip == cost.of_chip else replace(cost, of_chip=chip)
    factor = Interval(
        min(bound.factor.low for bound in bounds), 1.0, max(bound.factor.high for bound in bounds)
    )
    reason = "; ".join(dict.fromkeys(bound.words for bound in bounds))
    return replace(cost, seconds=cost.seconds * factor, places=reason, of_chip=chip)


def cost_at(offer: SchemeOffer, operation: str, size: int) -> Cost:
    """The cost of an operation on a size that has a result."""
    point = offer.points[operation, size]
    return over_places(Cost(point.seconds, point.memory, offer.evidence, (point.origin,)), [point])


def cost(offer: SchemeOffer, operation: str, size: int) -> Cost | None:
    """The cost of the operation on ``size`` bytes; None if the offer has no result of it on any
    size.
    """
    key = (operation, size)
    if key not in offer.known:
        offer.known[key] = _computed(offer, operation, size)
    return offer.known[key]


def _computed(offer: SchemeOffer, operation: str, size: int) -> Cost | None:
    sizes = offer.sizes(operation)
    if not sizes:
        return None
    if size in sizes:
        return cost_at(offer, operation, size)
    estimate = _below_longest if size < sizes[-1] else _beyond_longest
    seconds, used, note = estimate(offer, operation, size)
    estimated = Cost(
        Interval(
            min(seconds.low, seconds.typical), seconds.typical, max(seconds.typical, seconds.high)
        ),
        offer.points[
            operation, min((length for length in sizes if length > size), default=sizes[-1])
        ].memory,
        Evidence.MODELLED,
        tuple(offer.points[operation, length].origin for length in used),
        note,
    )
    return over_places(estimated, [offer.points[operation, length] for length in used])


_Estimated = tuple[Interval, Sequence[int], str]
"""Seconds, the sizes whose results were used, and how."""


def _below_longest(offer: SchemeOffer, operation: str, size: int) -> _Estimated:
    """The time for a length before or between measured ones."""
    sizes = offer.sizes(operation)
    above = min(length for length in sizes if length > size)
    if len(sizes) == 1:
        most = offer.points[operation, above].seconds
        return (
            Interval(0.0, size / above * most.typical, most.high),
            [above],
            f"at most that of {above} bytes",
        )
    below = max((length for length in sizes if length < size), default=None)
    if below is None:
        return _within(offer, operation, size, sizes[:2]), sizes[:2], f"less than {above} bytes"
    used = [below, above]
    return _within(offer, operation, size, used), used, f"between {below} and {above} bytes"


def _beyond_longest(offer: SchemeOffer, operation: str, size: int) -> _Estimated:
    """The time for a length beyond all measured ones."""
    sizes = offer.sizes(operation)
    longest, piece, block = (
        sizes[-1],
        largest(offer.scheme, operation),
        block_of(offer.scheme, operation),
    )
    if block is None:
        shorter = max((length for length in sizes if longest - length >= piece), default=None)
    else:
        shorter = max(
            (length for length in sizes if block.calls(length) < block.calls(longest)), default=None
        )
    long = offer.points[operation, longest].seconds
    if shorter is None:
        note = (
            f"more than the {longest} bytes that were measured: at most "
            f"{math.ceil(size / longest)} times that"
        )
        return _repeated(long, longest, size), [longest], note
    short, beyond = (
        offer.points[operation, shorter].seconds,
        f"beyond {shorter} and {longest} bytes",
    )
    if block is not None:
        seconds = _counted(short, long, shorter, longest, size, block)
        return seconds, [shorter, longest], f"{beyond}, by blocks of {block.bytes} bytes"
    seconds = _beyond(short, long, shorter, longest, size, piece)
    return seconds, [shorter, longest], f"{beyond}, in pieces of at most {piece}"


def _within(offer: SchemeOffer, operation: str, size: int, used: Sequence[int]) -> Interval:
    """The cost at a length between two measured ones, or before both."""
    start, end = (offer.points[operation, length].seconds for length in used)
    least, usual, most = steps_of(offer.scheme, operation).shares(size, *used)
    low = min(start.low + share * (end.low - start.low) for share in (least, most))
    high = max(start.high + share * (end.high - start.high) for share in (least, most))
    typical = start.typical + usual * (end.typical - start.typical)
    partial = choice().partial
    if size % partial.multiple_bytes:
        high += fall(
            [offer.points[operation, length].seconds.high for length in offer.sizes(operation)]
        )
        low, high = low * (1 - partial.share), high * (1 + partial.share)
    return Interval(max(low, 0.0), max(typical, 0.0), high)


def _counted(
    short: Interval, long: Interval, shorter: int, longest: int, size: int, block: InputBlock
) -> Interval:
    """Beyond the longest size by counted calls of the compression function; one call more or less
    bounds the rest, which copies and pads bytes."""
    measured, more = (
        block.calls(longest) - block.calls(shorter),
        block.calls(size) - block.calls(longest),
    )
    usual = max(long.typical - short.typical, 0.0) / measured
    least, most = (
        max(long.low - short.high, 0.0) / measured,
        max(long.high - short.low, 0.0) / measured,
    )
    return Interval(
        long.low + least * max(more - 1, 0),
        long.typical + usual * more,
        long.high + most * (more + 1),
    )


def _repeated(seconds: Interval, longest: int, size: int) -> Interval:
    """Bounds from the longest measured message: at least its cost, at most the cost of as many of
    them as needed.
    """
    return Interval(
        seconds.low, seconds.typical * size / longest, seconds.high * math.ceil(size / longest)
    )


def _beyond(
    short: Interval, long: Interval, shorter: int, longest: int, size: int, piece: int
) -> Interval:
    """Bounds beyond the longest size, from whole pieces: one more or one fewer if lengths are not
    multiples of a piece.

    Pieces shorter than ``piece`` only narrow the bounds. The cost of several messages stays an
    upper bound.
    """
    measured, more = longest - shorter, size - longest
    least = max(long.low - short.high, 0.0) * (more // piece) / math.ceil(measured / piece)
    usual = max(long.typical - short.typical, 0.0) * more / measured
    most = max(long.high - short.low, 0.0) * math.ceil(more / piece) / (measured // piece)
    high = min(long.high + most, _repeated(long, longest, size).high)
    return Interval(long.low + least, min(long.typical + usual, high), high)


_TAKEN_FROM = {"monocypher": "mote", "micro-ecc": "mote", "p256-cortex-m4": "mote"}
"""Library that contains the hash of an implementation, if not its own library:
docs/reference/libraries.md, public keys.
"""


@dataclass(frozen=True, slots=True)
class _Passes:
    """The hash of a signature scheme. Bytes before the message in each pass over it: when signing,
    and when verifying."""

    hash: str
    sign: tuple[int, ...] = (0,)
    verify: tuple[int, ...] = (0,)

    def calls(self, block: InputBlock, operation: str, length: int) -> int:
        """Calls of the compression function for a message of that length, in all passes."""
        before = self.verify if operation == Operation.VERIFY else self.sign
        return sum(block.calls(length + prefix) for prefix in before)


_ED25519 = _Passes("sha512", sign=(32, 64), verify=(64,))
"""RFC 8032, 5.1.6 and 5.1.7: SHA-512 of prefix and message, and of R, A and message."""
_ML_DSA = _Passes("shake256", sign=(66,), verify=(66,))
"""FIPS 204, algorithms 2 and 7: SHAKE256 of tr (64 bytes), two bytes before an empty context, and
message.
"""


def _passes(scheme: str) -> _Passes | None:
    entry = schemes()[scheme]
    if entry.algorithm in ("rsa", "ecdsa"):
        return _Passes(scheme.rpartition("-")[2])
    return {"ed25519": _ED25519, "ml-dsa": _ML_DSA}.get(entry.algorithm)


def hashing_of(offer: SchemeOffer, offers: Sequence[SchemeOffer]) -> Iterator[SchemeOffer]:
    """Results of the hash in a signature: by its library, or by all implementations if its library
    has none.
    """
    passes = _passes(offer.scheme) if schemes()[offer.scheme].signing else None
    if passes is None:
        return
    with_digests = [
        other
        for other in offers
        if other.scheme == passes.hash
        and other.level == offer.level
        and len(other.sizes(Operation.DIGEST)) > 1
    ]
    library = _TAKEN_FROM.get(offer.library, offer.library)
    yield from [other for other in with_digests if other.library == library] or with_digests


def with_length(offer: SchemeOffer, operation: Operation, length: int) -> Cost | None:
    """The cost of the operation on a message of ``length`` bytes; None without a result from which
    it follows.
    """
    sizes = offer.sizes(operation)
    if not sizes:
        return None
    nearest = min(sizes, key=lambda size: abs(size - length))
    point = offer.points[operation, nearest]
    if nearest == length:
        return cost_at(offer, operation, nearest)
    passes = _passes(offer.scheme)
    hashed = schemes().get(passes.hash) if passes else None
    block = algorithm_of(hashed).input_block_of(hashed) if hashed else None
    if passes is None or block is None:
        return None
    more = passes.calls(block, operation, length) - passes.calls(block, operation, nearest)
    if more == 0:
        note = f"as many blocks of {passes.hash} as the {nearest} bytes that were measured"
        return over_places(
            Cost(point.seconds, point.memory, Evidence.MODELLED, (point.origin,), note), [point]
        )
    calls = [_call(digest, block) for digest in offer.hashing]
    if not calls:
        return None
    note = f"{nearest} bytes were measured; {_blocks_words(more)} of {passes.hash}"
    used = [point, *(digested for _, points in calls for digested in points)]
    seconds = _with_calls(point.seconds, [call for call, _ in calls], more)
    origins = tuple(used_point.origin for used_point in used)
    return over_places(Cost(seconds, point.memory, Evidence.MODELLED, origins, note), used)


def _blocks_words(more: int) -> str:
    """``3 more blocks``, which the name of a hash follows."""
    return (
        f"{abs(more)} {'more' if more > 0 else 'fewer'} {'block' if abs(more) == 1 else 'blocks'}"
    )


def _with_calls(seconds: Interval, calls: Sequence[Interval], more: int) -> Interval:
    """The time with so many more calls of the compression function, or fewer."""
    of_one = Interval(
        min(call.low for call in calls),
        median(call.typical for call in calls),
        max(call.high for call in calls),
    )
    # One call more or fewer bounds what else grows with the message: bytes that are copied and
    # padded.
    ends = [count * call for count in (more - 1, more + 1) for call in (of_one.low, of_one.high)]
    return Interval(
        max(seconds.low + min(ends), 0.0),
        seconds.typical + more * of_one.typical,
        seconds.high + max(ends),
    )


def _call(offer: SchemeOffer, block: InputBlock) -> tuple[Interval, tuple[Point, ...]]:
    """Seconds of one call of the compression function, from the shortest and the longest digest."""
    sizes = offer.sizes(Operation.DIGEST)
    short, long = (offer.points[Operation.DIGEST, size] for size in (sizes[0], sizes[-1]))
    count = block.calls(sizes[-1]) - block.calls(sizes[0])
    if count < 1:
        return Interval(0.0, long.seconds.typical, long.seconds.high), (long,)
    spread = Interval(
        max(long.seconds.low - short.seconds.high, 0.0) / count,
        max(long.seconds.typical - short.seconds.typical, 0.0) / count,
        max(long.seconds.high - short.seconds.low, 0.0) / count,
    )
    return spread, (short, long)


def candidate(
    offers: tuple[SchemeOffer, ...],
    sent: SentBytes,
    standing: Standing,
    costs: Sequence[Cost],
    lacking: tuple[str, ...] = (),
) -> Candidate:
    """The candidate with the figures that follow from the cost of each part; without costs they are
    unknown.
    """
    latency = _latency(costs) if costs else None
    head = schemes()[offers[0].scheme]
    shares = tuple(cost.share for cost in costs)
    return Candidate(
        offers, head, sent, standing, latency, _flash(costs), _ram(costs), lacking, shares
    )


def _latency(costs: Sequence[Cost]) -> Estimate:
    return Estimate(
        total(cost.seconds for cost in costs), "s", _weakest(costs), _origins(costs), _note(costs)
    )


def _weakest(costs: Sequence[Cost]) -> Evidence:
    kinds = {cost.evidence for cost in costs}
    return kinds.pop() if len(kinds) == 1 else Evidence.MODELLED


def _origins(costs: Sequence[Cost]) -> tuple[Origin, ...]:
    return tuple(origin for cost in costs for origin in cost.origins)


def _note(costs: Sequence[Cost]) -> str:
    """Derivation of the costs from others, then the effects that move them."""
    notes = (*(cost.note for cost in costs), *(cost.places for cost in costs))
    return "; ".join(dict.fromkeys(note for note in notes if note))


def _flash(costs: Sequence[Cost]) -> Estimate | None:
    """Flash of two parts: at least that of the larger one, at most the sum (they may share
    code).
    """
    flashes = [cost.memory["flash"] for cost in costs if "flash" in cost.memory]
    if not flashes or len(flashes) < len(costs):
        return None
    both = total(flashes)
    value = Interval(max(part.low for part in flashes), both.typical, both.high)
    return Estimate(value, "B", _weakest(costs), _origins(costs), _bounded(value, flashes))


def _ram(costs: Sequence[Cost]) -> Estimate | None:
    """State and static RAM of all parts, and the deepest stack, because the parts run one after
    another.
    """
    if costs and all("ram" in cost.memory for cost in costs):
        value = total(cost.memory["ram"] for cost in costs)
        return Estimate(
            value,
            "B",
            _weakest(costs),
            _origins(costs),
            "peak memory that the operation adds to its process",
        )
    if not costs or not all({"stack", "state"} <= set(cost.memory) for cost in costs):
        return None
    stacks = [cost.memory["stack"] for cost in costs]
    deepest = Interval(
        *(max(getattr(stack, end) for stack in stacks) for end in ("low", "typical", "high"))
    )
    lasting = [
        cost.memory[name]
        for cost in costs
        for name in ("state", "static_ram", "buffers")
        if name in cost.memory
    ]
    value = total([deepest, *lasting])
    return Estimate(value, "B", _weakest(costs), _origins(costs), _bounded(value, lasting))


def _bounded(value: Interval, parts: Sequence[Interval]) -> str:
    if any(part.low != part.high for part in parts):
        return "bounds: what the mode takes, or the probe's own part of the firmware, is not known"
    return "bounds: what both parts share" if value.low != value.high else ""
