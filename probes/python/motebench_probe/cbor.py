"""The part of CBOR (RFC 8949) that the protocol uses: definite lengths, shallow maps, 64-bit
integers, floats.

Written here because importing a complete library takes longer than starting the interpreter.
"""

from __future__ import annotations

from struct import pack, unpack

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAX_DEPTH = 6
"""Deepest nesting taken."""

_UINT, _NEGATIVE, _BYTES, _TEXT, _ARRAY, _MAP, _SIMPLE = 0, 1, 2, 3, 4, 5, 7
_SIMPLE_VALUES = {20: False, 21: True, 22: None}
_FLOATS = {25: ">e", 26: ">f", 27: ">d"}


class Malformed(ValueError):  # noqa: N818 - names what the bytes are
    """The bytes are no item of this part of CBOR."""


def dumps(value: Any) -> bytes:
    """The encoding of a value made of dict, list, tuple, str, bytes, int, float, bool and None."""
    out = bytearray()
    _put(out, value)
    return bytes(out)


def _head(out: bytearray, major: int, argument: int) -> None:
    if argument < 24:
        out.append(major << 5 | argument)
        return
    for power in range(4):
        size = 1 << power
        if argument < 1 << 8 * size:
            out.append(major << 5 | 24 + power)
            out += argument.to_bytes(size, "big")
            return
    raise Malformed(f"{argument} does not fit 64 bits")


def _put(out: bytearray, value: Any) -> None:
    if value is None or value is True or value is False:
        out.append({False: 0xF4, True: 0xF5, None: 0xF6}[value])
    elif isinstance(value, int):
        _head(out, *((_UINT, value) if value >= 0 else (_NEGATIVE, -1 - value)))
    elif isinstance(value, float):
        out += b"\xfb" + pack(">d", value)
    elif isinstance(value, str):
        text = value.encode("utf-8", "replace")
        _head(out, _TEXT, len(text))
        out += text
    elif isinstance(value, bytes | bytearray):
        _head(out, _BYTES, len(value))
        out += value
    elif isinstance(value, dict):
        _head(out, _MAP, len(value))
        for key, item in value.items():
            _put(out, key)
            _put(out, item)
    else:
        _head(out, _ARRAY, len(value))
        for item in value:
            _put(out, item)


def loads(data: bytes) -> Any:
    """The one item that ``data`` is. Malformed if it is anything else."""
    value, end = _get(data, 0, MAX_DEPTH)
    if end != len(data):
        raise Malformed("bytes follow the item")
    return value


def _argument(data: bytes, at: int, low: int) -> tuple[int, int]:
    """The number in or behind a head, and where it ends."""
    if low < 24:
        return low, at
    if low > 27:
        raise Malformed("an indefinite or reserved length")
    end = at + (1 << low - 24)
    if end > len(data):
        raise Malformed("the end is missing")
    return int.from_bytes(data[at:end], "big"), end


def _get(data: bytes, at: int, depth: int) -> tuple[Any, int]:
    if depth == 0 or at >= len(data):
        raise Malformed("nested too deep, or cut off")
    major, low = data[at] >> 5, data[at] & 31
    number, at = _argument(data, at + 1, low)
    if major == _UINT:
        return number, at
    if major == _NEGATIVE:
        return -1 - number, at
    if number > len(data) - at and major in (_BYTES, _TEXT, _ARRAY, _MAP):
        raise Malformed("the end is missing")
    if major in (_BYTES, _TEXT):
        raw = data[at : at + number]
        return (raw if major == _BYTES else _text(raw)), at + number
    if major == _ARRAY:
        return _items(data, at, number, depth - 1)
    if major == _MAP:
        return _map(data, at, number, depth - 1)
    if major == _SIMPLE and low in _FLOATS:
        return unpack(_FLOATS[low], data[at - (1 << low - 24) : at])[0], at
    if major == _SIMPLE and low in _SIMPLE_VALUES:
        return _SIMPLE_VALUES[low], at
    raise Malformed("a tag or a value that the protocol does not use")


def _text(raw: bytes) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        raise Malformed("a text that is not UTF-8") from None


def _items(data: bytes, at: int, count: int, depth: int) -> tuple[list[Any], int]:
    items = []
    for _ in range(count):
        item, at = _get(data, at, depth)
        items.append(item)
    return items, at


def _map(data: bytes, at: int, count: int, depth: int) -> tuple[dict[str, Any], int]:
    items: dict[str, Any] = {}
    for _ in range(count):
        key, at = _get(data, at, depth)
        if not isinstance(key, str):
            raise Malformed("a key that is not text")
        # As in the C probe: of equal keys the first counts.
        value, at = _get(data, at, depth)
        items.setdefault(key, value)
    return items, at
