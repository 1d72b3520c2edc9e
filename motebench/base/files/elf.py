"""ELF files (elf(5)): the symbols of objects, the loaded part of programs, and a smallest program.

Only little-endian files. `keep_only` renames symbols for machines that this machine's objcopy does
not know: the result is as good as one with local symbols, as no other object has these names. Only
the table of names and the entries of the symbol table change.
"""

from __future__ import annotations

import struct
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from motebench.base.errors import InputError

TRIAL_STATUS = 7
"""Exit status of the smallest program."""
_MAGIC = b"\x7fELF"
_LITTLE_ENDIAN = 1
_LOADED = 1
_SYMTAB, _STRTAB = 2, 3
_UNDEFINED, _LOCAL = 0, 0
_BASE = 0x400000
"""Address at which the smallest program is loaded."""
_NO_OBJECT = "it is not a little-endian relocatable ELF object"


class ObjectError(InputError):
    """The file is not an object that can be changed."""


@dataclass(frozen=True, slots=True)
class _Layout:
    """Formats of struct, by class of ELF.

    ``header``: from ``e_type``. ``segment``: offset and length in the file, from a
    program header. ``info``, ``index``, ``size``: where a symbol has them.
    """

    header: str
    section: str
    segment: str
    symbol: str
    info: int
    index: int
    size: int


_LAYOUTS = {
    1: _Layout("<HHIIIIIHHHHHH", "<IIIIIIIIII", "<4xI8xI", "<IIIBBH", 3, 5, 2),
    2: _Layout("<HHIQQQIHHHHHH", "<IIQQQQIIQQ", "<8xQ16xQ", "<IBBHQQ", 1, 3, 5),
}
_HEADER_AT = 16
"""Offset of ``e_type`` in a file, in bytes."""
_SEGMENT_TABLE, _SECTION_TABLE, _SEGMENT_SIZE, _SEGMENTS = 4, 5, 8, 9
_SECTION_SIZE, _SECTIONS, _SECTION_NAMES = 10, 11, 12
"""Positions in the header."""


def sections(path: Path) -> set[str]:
    """Names of the sections of an object. ObjectError if the file is something else."""
    data, layout = _read(path)
    try:
        headers, _ = _section_headers(data, layout)
        names = headers[struct.unpack_from(layout.header, data, _HEADER_AT)[_SECTION_NAMES]]
        texts = bytes(data[names[4] : names[4] + names[5]])
        starts = [header[0] for header in headers]
        return {texts[start : texts.index(b"\0", start)].decode("latin-1") for start in starts}
    except (struct.error, ValueError, IndexError, OverflowError) as error:
        raise ObjectError(f"{path.name}: {_NO_OBJECT}") from error


def keep_only(path: Path, exported: Collection[str], suffix: str) -> bytes:
    """The object with ``suffix`` at the name of each global symbol it defines, except ``exported``.

    ObjectError if the file is something else.
    """
    data, layout = _read(path)
    try:
        return _renamed(data, layout, exported, suffix.encode())
    except (struct.error, ValueError, IndexError, OverflowError) as error:
        raise ObjectError(f"{path.name}: {_NO_OBJECT}") from error


_OBJECT, _FUNCTION = 1, 2
"""Types of symbols."""
_WRITABLE, _ALLOCATED = 1, 2
"""Flags of sections."""
_NO_BITS = 8


def bytes_by_symbol(path: Path) -> dict[tuple[str, str], int]:
    """Bytes of each function and object of a firmware, by memory (``flash`` or ``RAM``) and name;
    those of one name are added. Initial values of variables are in both memories. ObjectError if
    the file is something else.
    """
    data, layout = _read(path)
    try:
        headers, _ = _section_headers(data, layout)
        sizes: dict[tuple[str, str], int] = {}
        for table in [header for header in headers if header[1] == _SYMTAB]:
            texts, step = headers[table[6]][4], struct.calcsize(layout.symbol)
            for at in range(table[4], table[4] + table[5], step):
                symbol = struct.unpack_from(layout.symbol, data, at)
                if symbol[layout.info] & 15 not in (_OBJECT, _FUNCTION) or symbol[
                    layout.index
                ] >= len(headers):
                    continue
                start = texts + symbol[0]
                name = data[start : data.index(b"\0", start)].decode("utf-8", "replace")
                for memory in _memories(headers[symbol[layout.index]]):
                    sizes[memory, name] = sizes.get((memory, name), 0) + symbol[layout.size]
        return {key: size for key, size in sizes.items() if size}
    except (struct.error, ValueError, IndexError, OverflowError) as error:
        raise ObjectError(
            f"{path.name}: it is not a little-endian ELF program with symbols"
        ) from error


def _memories(section: list[int]) -> list[str]:
    """The memories that a section takes on a board."""
    kind, flags = section[1], section[2]
    if not flags & _ALLOCATED:
        return []
    return [
        *(["flash"] if kind != _NO_BITS else []),
        *(["RAM"] if flags & _WRITABLE or kind == _NO_BITS else []),
    ]


def _read(path: Path) -> tuple[bytearray, _Layout]:
    data = bytearray(path.read_bytes())
    layout = _layout(data)
    if len(data) < 52 or layout is None:
        raise ObjectError(f"{path.name}: {_NO_OBJECT}")
    return data, layout


def _layout(data: bytes | bytearray) -> _Layout | None:
    """The layout of a little-endian ELF file; None for anything else."""
    little = data[:4] == _MAGIC and len(data) > 5 and data[5] == _LITTLE_ENDIAN
    return _LAYOUTS.get(data[4]) if little else None


def _section_headers(data: bytearray, layout: _Layout) -> tuple[list[list[int]], int]:
    """The section headers, and where the first one is."""
    header = struct.unpack_from(layout.header, data, _HEADER_AT)
    start, size, count = header[_SECTION_TABLE], header[_SECTION_SIZE], header[_SECTIONS]
    places = (start + at * size for at in range(count))
    return [list(struct.unpack_from(layout.section, data, place)) for place in places], start


def _renamed(data: bytearray, layout: _Layout, exported: Collection[str], suffix: bytes) -> bytes:
    headers, start = _section_headers(data, layout)
    size = struct.calcsize(layout.section)
    for table in [header for header in headers if header[1] == _SYMTAB]:
        names = headers[table[6]]
        if names[1] != _STRTAB:
            raise ValueError
        texts = bytearray(data[names[4] : names[4] + names[5]])
        step = struct.calcsize(layout.symbol)
        for at in range(table[4], table[4] + table[5], step):
            symbol = list(struct.unpack_from(layout.symbol, data, at))
            name = bytes(texts[symbol[0] : texts.index(b"\0", symbol[0])])
            if symbol[layout.info] >> 4 == _LOCAL or symbol[layout.index] == _UNDEFINED or not name:
                continue
            if name.decode("latin-1") in exported:
                continue
            symbol[0] = len(texts)
            texts += name + suffix + b"\0"
            struct.pack_into(layout.symbol, data, at, *symbol)
        names[4], names[5] = len(data), len(texts)
        struct.pack_into(layout.section, data, start + table[6] * size, *names)
        data += texts
    return bytes(data)


def loaded(program: bytes) -> bytes:
    """The part of a little-endian ELF program that is loaded; anything else as it is."""
    layout = _layout(program)
    if layout is None or len(program) < 64:
        return program
    header = list(struct.unpack_from(layout.header, program, _HEADER_AT))
    size = header[_SEGMENT_SIZE]
    end = header[_SEGMENT_TABLE] + size * header[_SEGMENTS]
    if end > len(program):
        return program
    for at in range(header[_SEGMENT_TABLE], end, size):
        offset, length = struct.unpack_from(layout.segment, program, at)
        end = max(end, offset + length)
    part = bytearray(program[:end])
    # There is no table of sections any more.
    for field in (_SECTION_TABLE, _SECTION_SIZE, _SECTIONS, _SECTION_NAMES):
        header[field] = 0
    struct.pack_into(layout.header, part, _HEADER_AT, *header)
    return bytes(part)


@dataclass(frozen=True, slots=True)
class _Processor:
    """``machine`` and ``flags``: ``e_machine`` and ``e_flags``. ``code``: exit(7)."""

    machine: int
    flags: int
    wide: bool
    code: bytes


def _words(*values: int) -> bytes:
    return struct.pack(f"<{len(values)}I", *values)


_PROCESSORS = {
    # mov r0, #7; mov r7, #1; svc 0 (EABI 5)
    "arm": _Processor(40, 0x05000000, False, _words(0xE3A00007, 0xE3A07001, 0xEF000000)),
    # mov x0, #7; mov x8, #93; svc 0
    "aarch64": _Processor(183, 0, True, _words(0xD28000E0, 0xD2800BA8, 0xD4000001)),
    # li a0, 7; li a7, 93; ecall (compressed instructions, double float)
    "riscv": _Processor(243, 5, True, _words(0x00700513, 0x05D00893, 0x00000073)),
    # mov edi, 7; mov eax, 60; syscall
    "x86_64": _Processor(62, 0, True, bytes.fromhex("bf07000000b83c0000000f05")),
}


def trial(architecture: str) -> bytes:
    """A static program of some 100 bytes for Linux that ends with `TRIAL_STATUS`."""
    it = _PROCESSORS[architecture]
    header, segment = (64, 56) if it.wide else (52, 32)
    start, size = _BASE + header + segment, header + segment + len(it.code)
    ident = _MAGIC + bytes((2 if it.wide else 1, _LITTLE_ENDIAN, 1)) + bytes(9)
    layout = _LAYOUTS[2 if it.wide else 1]
    fields = (2, it.machine, 1, start, header, 0, it.flags, header, segment, 1, 0, 0, 0)
    head = ident + struct.pack(layout.header, *fields)
    if it.wide:
        load = struct.pack("<IIQQQQQQ", _LOADED, 5, 0, _BASE, _BASE, size, size, 0x1000)
    else:
        load = struct.pack("<IIIIIIII", _LOADED, 0, _BASE, _BASE, size, size, 5, 0x1000)
    return head + load + it.code
