"""Renames the symbols of an object that it does not export, for machines that this machine's objcopy does not know.

The result is as good as one with local symbols: no other object has these names. Only the table of names and the
entries of the symbol table change; see elf(5).
"""

from __future__ import annotations

import struct
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

_SYMTAB, _STRTAB = 2, 3
_UNDEFINED, _LOCAL = 0, 0
_NO_OBJECT = "it is not a little-endian relocatable ELF object"


class ObjectError(Exception):
    """The file is not an object that can be changed."""


@dataclass(frozen=True, slots=True)
class _Layout:
    """Formats of struct, by class of ELF: header from ``e_type``, section header, symbol. ``info``, ``index``:
    where a symbol has them."""

    header: str
    section: str
    symbol: str
    info: int
    index: int


_LAYOUTS = {
    1: _Layout("<HHIIIIIHHHHHH", "<IIIIIIIIII", "<IIIBBH", 3, 5),
    2: _Layout("<HHIQQQIHHHHHH", "<IIQQQQIIQQ", "<IBBHQQ", 1, 3),
}


def keep_only(path: Path, kept: Collection[str], suffix: str) -> bytes:
    """The object with ``suffix`` at the name of each global symbol that it defines, except those in ``kept``.

    ObjectError if the file is something else.
    """
    data, layout = _read(path)
    try:
        return _renamed(data, layout, kept, suffix.encode())
    except (struct.error, ValueError, IndexError, OverflowError) as error:
        raise ObjectError(f"{path.name}: {_NO_OBJECT}") from error


def sections(path: Path) -> set[str]:
    """Names of the sections of an object. ObjectError if the file is something else."""
    data, layout = _read(path)
    try:
        found, _ = _sections(data, layout)
        names = found[struct.unpack_from(layout.header, data, 16)[12]]
        texts = bytes(data[names[4] : names[4] + names[5]])
        return {texts[section[0] : texts.index(b"\0", section[0])].decode("latin-1") for section in found}
    except (struct.error, ValueError, IndexError, OverflowError) as error:
        raise ObjectError(f"{path.name}: {_NO_OBJECT}") from error


def _read(path: Path) -> tuple[bytearray, _Layout]:
    data = bytearray(path.read_bytes())
    if len(data) < 52 or data[:4] != b"\x7fELF" or data[4] not in _LAYOUTS or data[5] != 1:
        raise ObjectError(f"{path.name}: {_NO_OBJECT}")
    return data, _LAYOUTS[data[4]]


def _sections(data: bytearray, layout: _Layout) -> tuple[list[list[int]], int]:
    """The section headers, and where the first one is."""
    header = struct.unpack_from(layout.header, data, 16)
    start, size, count = header[5], header[10], header[11]
    return [list(struct.unpack_from(layout.section, data, start + at * size)) for at in range(count)], start


def _renamed(data: bytearray, layout: _Layout, kept: Collection[str], suffix: bytes) -> bytes:
    found, start = _sections(data, layout)
    size = struct.calcsize(layout.section)
    for table in [section for section in found if section[1] == _SYMTAB]:
        names = found[table[6]]
        if names[1] != _STRTAB:
            raise ValueError
        texts = bytearray(data[names[4] : names[4] + names[5]])
        step = struct.calcsize(layout.symbol)
        for at in range(table[4], table[4] + table[5], step):
            symbol = list(struct.unpack_from(layout.symbol, data, at))
            name = bytes(texts[symbol[0] : texts.index(b"\0", symbol[0])])
            if symbol[layout.info] >> 4 == _LOCAL or symbol[layout.index] == _UNDEFINED or not name:
                continue
            if name.decode("latin-1") in kept:
                continue
            symbol[0] = len(texts)
            texts += name + suffix + b"\0"
            struct.pack_into(layout.symbol, data, at, *symbol)
        names[4], names[5] = len(data), len(texts)
        struct.pack_into(layout.section, data, start + table[6] * size, *names)
        data += texts
    return bytes(data)
