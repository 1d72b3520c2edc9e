"""The cost of signing or checking a message of another length than the measured one, from the blocks of the hash.

A signature scheme hashes the message and then works on the digest, whose length is fixed. So two messages differ in
time by the calls of the compression function between them. What one call takes follows from results of the hash itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from motebench.advise.choice.bounds import Cost
from motebench.advise.choice.model import Origin, SchemeOffer
from motebench.base.interval import Interval
from motebench.base.model import Evidence, Operation
from motebench.catalog import algorithm_of, schemes
from motebench.catalog.schema import InputBlock

_TAKEN_FROM = {"monocypher": "mote"}
"""Whose hash an implementation contains, if not that of its own library: docs/vendor.md, public keys."""


@dataclass(frozen=True, slots=True)
class _Passes:
    """The hash of a signature scheme. Bytes before the message in each pass over it: when signing, and when
    verifying."""

    hash: str
    sign: tuple[int, ...] = (0,)
    verify: tuple[int, ...] = (0,)

    def calls(self, block: InputBlock, operation: str, length: int) -> int:
        """Calls of the compression function for a message of that length, in all passes."""
        before = self.verify if operation == Operation.VERIFY else self.sign
        return sum(block.calls(length + each) for each in before)


_ED25519 = _Passes("sha512", sign=(32, 64), verify=(64,))
"""RFC 8032, 5.1.6 and 5.1.7: SHA-512 of prefix and message, and of R, A and message."""
_ML_DSA = _Passes("shake256", sign=(66,), verify=(66,))
"""FIPS 204, algorithms 2 and 7: SHAKE256 of tr (64 bytes), two bytes before an empty context, and message."""


def _passes(scheme: str) -> _Passes | None:
    known = schemes()[scheme]
    if known.algorithm in ("rsa", "ecdsa"):
        return _Passes(scheme.rpartition("-")[2])
    return {"ed25519": _ED25519, "ml-dsa": _ML_DSA}.get(known.algorithm)


def hashing_of(offer: SchemeOffer, offers: Sequence[SchemeOffer]) -> Iterator[SchemeOffer]:
    """Results of the hash in a signature: by its library, or by all implementations if its library has none."""
    passes = _passes(offer.scheme) if schemes()[offer.scheme].signing else None
    if passes is None:
        return
    there = [each for each in offers if each.scheme == passes.hash and len(each.sizes(Operation.DIGEST)) > 1]
    library = _TAKEN_FROM.get(offer.library, offer.library)
    yield from [each for each in there if each.library == library] or there


def with_length(offer: SchemeOffer, operation: Operation, length: int) -> Cost | None:
    """The cost of the operation on a message of ``length`` bytes; None without a result from which it follows."""
    sizes = offer.sizes(operation)
    if not sizes:
        return None
    known = min(sizes, key=lambda size: abs(size - length))
    point = offer.points[operation, known]
    measured = Cost(point.seconds, point.memory, offer.evidence, (point.origin,))
    if known == length:
        return measured
    passes = _passes(offer.scheme)
    name = schemes().get(passes.hash) if passes else None
    block = algorithm_of(name).input_block_of(name) if name else None
    if passes is None or block is None:
        return None
    more = passes.calls(block, operation, length) - passes.calls(block, operation, known)
    if more == 0:
        note = f"as many blocks of {passes.hash} as the {known} bytes that were measured"
        return Cost(point.seconds, point.memory, Evidence.MODELLED, (point.origin,), note)
    calls = [_call(each, block) for each in offer.hashing]
    if not calls:
        return None
    each = Interval(
        min(call.low for call, _ in calls),
        median(call.typical for call, _ in calls),
        max(call.high for call, _ in calls),
    )
    # One call more or fewer bounds what else grows with the message: bytes that are copied and padded.
    ends = [count * call for count in (more - 1, more + 1) for call in (each.low, each.high)]
    seconds = Interval(
        max(point.seconds.low + min(ends), 0.0),
        point.seconds.typical + more * each.typical,
        point.seconds.high + max(ends),
    )
    blocks = f"{abs(more)} {'block' if abs(more) == 1 else 'blocks'} of {passes.hash}"
    note = f"{known} bytes were measured; {blocks} {'more' if more > 0 else 'fewer'}"
    origins = (point.origin, *(origin for _, used in calls for origin in used))
    return Cost(seconds, point.memory, Evidence.MODELLED, origins, note)


def _call(offer: SchemeOffer, block: InputBlock) -> tuple[Interval, tuple[Origin, ...]]:
    """Seconds of one call of the compression function, from the shortest and the longest digest."""
    sizes = offer.sizes(Operation.DIGEST)
    short, long = (offer.points[Operation.DIGEST, size] for size in (sizes[0], sizes[-1]))
    count = block.calls(sizes[-1]) - block.calls(sizes[0])
    if count < 1:
        return Interval(0.0, long.seconds.typical, long.seconds.high), (long.origin,)
    spread = Interval(
        max(long.seconds.low - short.seconds.high, 0.0) / count,
        max(long.seconds.typical - short.seconds.typical, 0.0) / count,
        max(long.seconds.high - short.seconds.low, 0.0) / count,
    )
    return spread, (short.origin, long.origin)
