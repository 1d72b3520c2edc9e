"""How far a length has come from one measured length to another, as shares of the difference of their costs.

An implementation works in pieces: blocks, or several at a time. The size of a piece is known for hash functions; of
others it is a power of two. So the share lies between those of all sizes that a piece may have.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from motebench.advise.choice.policies import choice
from motebench.base.model import Operation
from motebench.catalog import algorithm_of, schemes
from motebench.catalog.derive import block_bits_of
from motebench.catalog.schema import InputBlock


@dataclass(frozen=True, slots=True)
class Steps:
    """The pieces of an operation: ``block`` of a hash function, else any of ``sizes`` in bytes."""

    block: InputBlock | None
    sizes: tuple[int, ...]

    def shares(self, size: int, start: int, end: int) -> tuple[float, float, float]:
        """Least, typical and largest share of the difference between ``start`` and ``end`` at ``size``; below 0 before
        ``start``."""
        straight = (size - start) / (end - start)
        if self.block is not None:
            calls = self.block.calls
            found = [(calls(size) - calls(start)) / (calls(end) - calls(start))] if calls(end) > calls(start) else []
            ends = [*found, straight]
            return min(ends), ends[0], max(ends)
        pieces = [(-(-size // each), -(-start // each), -(-end // each)) for each in self.sizes]
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
    known = schemes().get(scheme) if operation == Operation.MAC else None
    ciphers = known is not None and block_bits_of(algorithm_of(known), known) is not None
    return choice().pieces.of(Operation.ENCRYPT_MESSAGE if ciphers else operation)


def block_of(scheme: str, operation: str) -> InputBlock | None:
    """The block of a hash function; None for ciphers and for what the catalog does not have."""
    known = schemes().get(scheme) if operation in (Operation.DIGEST, Operation.MAC) else None
    return algorithm_of(known).input_block_of(known) if known is not None else None


def fall(values: Sequence[float]) -> float:
    """The most by which a longer message takes less than the next shorter one: 0 if none does."""
    return max((0.0, *(short - long for short, long in itertools.pairwise(values))))
