"""Frames on a byte stream: CBOR payload, CRC-16, COBS, zero-delimited
(``docs/reference/probe-protocol.md``, "Frames").

A damaged or invalid piece of the stream is dropped; the receiver resynchronises at the next zero
byte.
"""

from __future__ import annotations

import binascii
import io
from collections.abc import Iterator, Mapping

CRC_BYTES = 2
SUM = "sum"
_SUM_KEY = b"csum"
"""CBOR of the key `SUM`: a text of three bytes."""
_MAX_DEPTH = 6
_MAX_PARTS = 1 << 20
_MAX_INT = 2**64


class ReceivedMessage(dict[object, object]):
    """A received message, and its payload."""

    def __init__(self, content: Mapping[object, object], payload: bytes) -> None:
        super().__init__(content)
        self.payload = payload

    def answers(self, request: bytes) -> bool | None:
        """True if ``sum`` shows that this is the whole reply to that payload; None if the probe
        sends no sums.
        """
        if SUM not in self:
            return None
        body = self.payload[1 : self.payload.rfind(_SUM_KEY)]
        return bool(self[SUM] == binascii.crc32(body, binascii.crc32(request)))


def payload_of(message: Mapping[str, object]) -> bytes:
    """The payload of a message, without check and stuffing."""
    import cbor2  # here: most commands have no message to send

    return cbor2.dumps(message)


def encode(message: Mapping[str, object]) -> bytes:
    """One frame, delimiters included."""
    from cobs import cobs

    payload = payload_of(message)
    check = binascii.crc_hqx(payload, 0xFFFF).to_bytes(CRC_BYTES, "big")
    return b"\0" + bytes(cobs.encode(payload + check)) + b"\0"


def payload_bytes(message: Mapping[str, object]) -> int:
    """Length of payload and check, the quantity that a probe's ``max_frame`` limits."""
    return len(payload_of(message)) + CRC_BYTES


def _refuse(*_: object) -> None:
    raise ValueError("the protocol has no tags")


# Tags that the decoder would interpret: unlimited numbers, parts that contain themselves, patterns.
_TAGS = dict.fromkeys(
    (*range(6), 25, 28, 29, 30, 35, 36, 37, 100, 256, 258, 260, 261, 1004), _refuse
)


def _plain(value: object, depth: int = _MAX_DEPTH) -> int:
    """The number of parts of a message. ValueError for anything outside the protocol: deep nesting,
    long numbers, other types."""
    if isinstance(value, Mapping | list):
        if not depth:
            raise ValueError("it is nested too deeply")
        inner = value.values() if isinstance(value, Mapping) else value
        return 1 + sum(_plain(item, depth - 1) for item in inner)
    if isinstance(value, int):
        if not -_MAX_INT <= value < _MAX_INT:
            raise ValueError("an integer does not fit 64 bits")
    elif value is not None and not isinstance(value, str | bytes | float):
        raise ValueError(f"{type(value).__name__} is not a type of the protocol")
    return 1


def decode(piece: bytes) -> ReceivedMessage | None:
    """The map between two delimiters, or None if it is damaged or invalid."""
    from cobs import cobs

    try:
        raw = bytes(cobs.decode(piece))
    except cobs.DecodeError:
        return None
    if len(raw) <= CRC_BYTES:
        return None
    payload, check = raw[:-CRC_BYTES], int.from_bytes(raw[-CRC_BYTES:], "big")
    if binascii.crc_hqx(payload, 0xFFFF) != check:
        return None
    try:
        message, used = _loads(payload)
        if _plain(message) > _MAX_PARTS:
            return None
    except Exception:  # whatever the decoder raised: these bytes are not a message
        return None
    if used != len(payload) or not isinstance(message, dict):
        return None
    return ReceivedMessage(message, payload)


def _loads(payload: bytes) -> tuple[object, int]:
    import cbor2

    stream = io.BytesIO(payload)
    decoder = cbor2.CBORDecoder(
        stream,
        read_size=1,
        max_depth=_MAX_DEPTH + 1,
        semantic_decoders=_TAGS,
        strict_hashable_types=True,
    )
    message = decoder.decode()
    return message, stream.tell()


class Receiver:
    """Splits a byte stream into messages. ``limit`` is the longest piece that is kept before its
    delimiter arrives."""

    def __init__(self, limit: int = 4 << 20) -> None:
        self._limit = limit
        self._buffer = bytearray()
        self._overlong = False
        self.dropped = 0
        """Number of pieces that did not decode."""

    def feed(self, data: bytes) -> Iterator[ReceivedMessage]:
        """The messages completed by ``data``."""
        start = 0
        while (end := data.find(b"\0", start)) >= 0:
            self._take(data[start:end])
            piece, overlong = bytes(self._buffer), self._overlong
            self._buffer.clear()
            self._overlong = False
            start = end + 1
            if not piece and not overlong:
                continue
            message = None if overlong else decode(piece)
            if message is None:
                self.dropped += 1
            else:
                yield message
        self._take(data[start:])

    def _take(self, data: bytes) -> None:
        if self._overlong or len(self._buffer) + len(data) > self._limit:
            self._overlong = True
            self._buffer.clear()
        else:
            self._buffer += data
