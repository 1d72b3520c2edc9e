"""The fill stream: the same pseudo-random bytes on every target, so that inputs need not travel."""

from __future__ import annotations

from functools import lru_cache

_MASK = 0xFFFFFFFF


@lru_cache(maxsize=8)
def fill(seed: int, length: int) -> bytes:
    """``length`` bytes of xorshift32 (Marsaglia, Journal of Statistical Software 8(14), 2003, triple 13, 17, 5).

    Each byte is the low byte of the next state. Raises ValueError for seed 0, which is a fixed point.
    """
    if not 0 < seed <= _MASK:
        raise ValueError(f"seed {seed} is not in 1..2^32-1")
    state = seed
    out = bytearray(length)
    for index in range(length):
        state ^= (state << 13) & _MASK
        state ^= state >> 17
        state ^= (state << 5) & _MASK
        out[index] = state & 0xFF
    return bytes(out)
