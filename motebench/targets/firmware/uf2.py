"""UF2 files, which boot loaders take as if they were a USB drive (https://github.com/microsoft/uf2)."""

from __future__ import annotations

import struct
from collections.abc import Iterator

_BEGIN, _SECOND, _END = 0x0A324655, 0x9E5D5157, 0x0AB16F30
_FAMILY = 0x2000
"""The flag: the block names a family of chips."""
_PAGE = 256
"""Bytes of a block, and what its address is a multiple of: boot ROMs of Raspberry Pi's chips take no others."""
_DATA, _SEGMENT, _HIGH = 0, 2, 4
"""Kinds of lines of an Intel HEX file: data; bits 4 to 19 of what is added to addresses; bits 16 to 31 of it."""


def uf2_of(ihex: str, family: int) -> bytes:
    """The contents of an Intel HEX file as UF2 for that family. Gaps within a page are zero."""
    pages: dict[int, bytearray] = {}
    for address, data in _pieces(ihex):
        for place, byte in enumerate(data, address):
            pages.setdefault(place - place % _PAGE, bytearray(_PAGE))[place % _PAGE] = byte
    blocks = (
        struct.pack("<8I476sI", _BEGIN, _SECOND, _FAMILY, address, _PAGE, number, len(pages), family, bytes(page), _END)
        for number, (address, page) in enumerate(sorted(pages.items()))
    )
    return b"".join(blocks)


def _pieces(ihex: str) -> Iterator[tuple[int, bytes]]:
    """The data in the lines of an Intel HEX file, each with its address."""
    base = 0
    for line in ihex.split():
        length, offset, kind = struct.unpack(">BHB", bytes.fromhex(line[1:9]))
        data = bytes.fromhex(line[9 : 9 + 2 * length])
        if kind == _DATA:
            yield base + offset, data
        elif kind in (_SEGMENT, _HIGH):
            base = int.from_bytes(data, "big") << (4 if kind == _SEGMENT else 16)
