"""Number-theoretic transform in integers, for the arithmetic of ML-KEM and ML-DSA."""

from __future__ import annotations

from collections.abc import Sequence


def transformed(p: Sequence[int], zetas: Sequence[int], q: int) -> list[int]:
    """The transform of a polynomial: FIPS 203, algorithm 9; FIPS 204, algorithm 41. ``zetas``: the
    factors modulo ``q``, of which the first is not used; there are as many layers as they last.
    """
    values, place, length = list(p), 1, len(p) // 2
    while place < len(zetas):
        for start in range(0, len(values), 2 * length):
            for j in range(start, start + length):
                product = zetas[place] * values[j + length]
                values[j], values[j + length] = (values[j] + product) % q, (values[j] - product) % q
            place += 1
        length //= 2
    return values
