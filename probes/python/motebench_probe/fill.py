"""The fill stream: xorshift32 (Marsaglia 2003; ``docs/reference/probe-protocol.md``), without a
loop over its bytes.
"""

from __future__ import annotations

from collections import deque
from io import BytesIO

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_MASK = 0xFFFFFFFF
_LONGEST = 1 << 16
"""Longest piece in bytes: longer ones gain nothing, and their copies would show as peak memory."""
_ORDER = 32
_TAPS = (0, 6, 9, 14, 15, 17, 18, 19, 20, 21)
"""b[n + 32] is the XOR of b[n + tap] over these: the characteristic polynomial of a step, which is
a linear map of 32 bits and therefore obeys it (Cayley and Hamilton)."""


def _step(state: int) -> int:
    state ^= state << 13 & _MASK
    state ^= state >> 17
    return state ^ (state << 5 & _MASK)


def fill(seed: int, length: int) -> bytes:
    """``length`` bytes of the stream of ``seed`` (1 to 2^32-1).

    Squaring a polynomial over GF(2) squares its variable, so the recurrence holds for every 2^j-th
    element as well: of pieces of 2^j bytes, each is the XOR of the same earlier ones, taken as
    whole numbers.
    """
    known = bytearray()
    state = seed
    for _ in range(_ORDER):
        state = _step(state)
        known.append(state & 0xFF)
    size = 1
    while len(known) < length and size < _LONGEST:
        known += b"".join(_following(_pieces(known, size), size, _ORDER))
        size *= 2
    if len(known) >= length:
        return bytes(known[:length])
    # Its buffer becomes the result: the stream is in memory once.
    whole = BytesIO()
    whole.write(known)
    rest = length - len(known)
    for piece in _following(_pieces(known, size), size, -(-rest // size)):
        whole.write(piece[:rest])
        rest -= size
    return whole.getvalue()


def _pieces(known: bytearray, size: int) -> list[int]:
    return [int.from_bytes(known[at : at + size], "little") for at in range(0, len(known), size)]


def _following(pieces: list[int], size: int, count: int) -> Iterator[bytes]:
    """The ``count`` pieces that follow upon 32 of ``size`` bytes."""
    last = deque(pieces, _ORDER)
    for _ in range(count):
        piece = 0
        for tap in _TAPS:
            piece ^= last[tap]
        last.append(piece)
        yield piece.to_bytes(size, "little")
