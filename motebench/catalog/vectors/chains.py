"""Hash chains: how many of their steps verification takes. The signed hash decides that, so it is another number for
each message."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True, slots=True)
class Signed:
    """A signature and its public key; ``steps`` of hash chains are left to whoever verifies it."""

    public: bytes
    signature: bytes
    steps: int


_TRIES = 256
"""Randomisers among which a typical one is looked for."""


def typical(aim: float | None, steps_of: Callable[[int], int]) -> int:
    """The number of the randomiser with which a message takes steps closest to ``aim``; 0 without one."""
    return 0 if aim is None else min(range(_TRIES), key=lambda number: abs(steps_of(number) - aim))


@cache
def expected_steps(digits: int, bits: int, shift: int) -> float:
    """The mean over all hashes of ``digits`` digits of that many bits, with the checksum's digits; ``shift``: bits by
    which the checksum is shifted in its 16."""
    most = (1 << bits) - 1
    chances = [1.0]  # of a sum of what is left of the chains of the hash, which is the checksum
    for _ in range(digits):
        window, following = 0.0, []
        for total in range(len(chances) + most):
            window += chances[total] if total < len(chances) else 0.0
            window -= chances[total - most - 1] if total > most else 0.0
            following.append(window / (most + 1))
        chances = following
    count = (16 - shift) // bits

    def left(checksum: int) -> int:
        field = checksum << shift
        return sum(most - (field >> 16 - bits * (at + 1) & most) for at in range(count))

    return sum(chance * (total + left(total)) for total, chance in enumerate(chances))
