"""The fill stream: the same pseudo-random bytes on every target, so that inputs need not be transferred."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_MASK = 0xFFFFFFFF


def _step(state: int) -> int:
    """One step of xorshift32 (Marsaglia, Journal of Statistical Software 8(14), 2003, triple 13, 17, 5)."""
    state ^= (state << 13) & _MASK
    state ^= state >> 17
    return state ^ ((state << 5) & _MASK)


def _apply(columns: list[int], states: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """The linear map over GF(2) with these images of the 32 unit vectors, on every state: four byte-wise tables."""
    import numpy as np

    out = np.zeros_like(states)
    for byte in range(4):
        table = np.zeros(256, dtype=np.uint32)
        for bit in range(8):
            table[1 << bit : 2 << bit] = table[: 1 << bit] ^ np.uint32(columns[8 * byte + bit])
        out ^= table[(states >> np.uint32(8 * byte)) & np.uint32(0xFF)]
    return out


def _compose(columns: list[int]) -> list[int]:
    """The map applied twice."""
    import numpy as np

    return [int(column) for column in _apply(columns, np.array(columns, dtype=np.uint32))]


@lru_cache(maxsize=4)
def fill(seed: int, length: int) -> bytes:
    """``length`` bytes of the fill stream: the low byte of each state after ``seed``.

    A step is linear over GF(2), so n known states give the next n by one map. Raises ValueError for seed 0, which is a
    fixed point.
    """
    import numpy as np

    if not 0 < seed <= _MASK:
        raise ValueError(f"seed {seed} is not in 1..2^32-1")
    columns = [_step(1 << bit) for bit in range(32)]
    states = np.array([_step(seed)], dtype=np.uint32)
    while len(states) < length:
        states = np.concatenate([states, _apply(columns, states)])
        columns = _compose(columns)
    return (states[:length] & np.uint32(0xFF)).astype(np.uint8).tobytes()
