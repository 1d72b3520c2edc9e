"""Frames (``docs/reference/probe-protocol.md``): CBOR payload, CRC-16, COBS, a zero byte before and
after.
"""

from __future__ import annotations

from binascii import crc_hqx

from cobs import cobs

from motebench_probe import cbor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

MAX_FRAME = 1 << 20
"""Longest payload with its check, in bytes, both ways."""
CHECK_BYTES = 2
_MAX_STUFFED = MAX_FRAME + MAX_FRAME // 254 + 1


def encode(payload: bytes) -> bytes:
    """The frame around a payload."""
    stuffed: bytes = cobs.encode(payload + crc_hqx(payload, 0xFFFF).to_bytes(CHECK_BYTES, "big"))
    return b"\0" + stuffed + b"\0"


def decode(piece: bytes) -> dict[str, Any] | None:
    """Map between two delimiters; None if it is damaged, foreign or too long."""
    try:
        raw = cobs.decode(piece)
    except cobs.DecodeError:
        return None
    if not CHECK_BYTES < len(raw) <= MAX_FRAME:
        return None
    payload = raw[:-CHECK_BYTES]
    if crc_hqx(payload, 0xFFFF) != int.from_bytes(raw[-CHECK_BYTES:], "big"):
        return None
    try:
        message = cbor.loads(payload)
    except cbor.Malformed:
        return None
    return message if isinstance(message, dict) else None


class Receiver:
    """Cuts a byte stream at its zero bytes. Holds no more than the longest frame."""

    def __init__(self) -> None:
        self._piece = bytearray()
        self._overlong = False

    def feed(self, data: bytes) -> Iterator[dict[str, Any]]:
        """The messages that ``data`` completes."""
        first, *others = data.split(b"\0")
        self._take(first)
        for part in others:
            piece, overlong = bytes(self._piece), self._overlong
            self._piece.clear()
            self._overlong = False
            message = decode(piece) if piece and not overlong else None
            if message is not None:
                yield message
            self._take(part)

    def _take(self, part: bytes) -> None:
        if self._overlong or len(self._piece) + len(part) > _MAX_STUFFED:
            self._overlong = True
            self._piece.clear()
        else:
            self._piece += part
