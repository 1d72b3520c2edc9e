"""Programs as Linux loads them: without what is not loaded, and the smallest one of a processor."""

from __future__ import annotations

import struct
from dataclasses import dataclass

TRIAL_STATUS = 7
"""Exit status of the smallest program."""
_BASE = 0x400000
_LOADED = 1


@dataclass(frozen=True, slots=True)
class _Processor:
    """``machine`` and ``flags``: ``e_machine`` and ``e_flags`` of elf(5). ``code``: exit(7)."""

    machine: int
    flags: int
    wide: bool
    code: bytes


def _words(*words: int) -> bytes:
    return struct.pack(f"<{len(words)}I", *words)


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
    ident = b"\x7fELF" + bytes((2 if it.wide else 1, 1, 1)) + bytes(9)
    words = "QQQ" if it.wide else "III"
    head = struct.pack(
        f"<16sHHI{words}IHHHHHH",
        ident, 2, it.machine, 1, start, header, 0, it.flags, header, segment, 1, 0, 0, 0,
    )  # fmt: skip
    if it.wide:
        load = struct.pack("<IIQQQQQQ", _LOADED, 5, 0, _BASE, _BASE, size, size, 0x1000)
    else:
        load = struct.pack("<IIIIIIII", _LOADED, 0, _BASE, _BASE, size, size, 5, 0x1000)
    return head + load + it.code


@dataclass(frozen=True, slots=True)
class _Places:
    """Where a header of elf(5) has what: format and offset. ``segment``: offset and length within a program header."""

    table: tuple[str, int]
    segments: tuple[str, int]
    sections: tuple[str, int]
    section_counts: tuple[str, int]
    segment: tuple[tuple[str, int], tuple[str, int]]


_PLACES = {
    1: _Places(("<I", 28), ("<HH", 42), ("<I", 32), ("<HHH", 46), (("<I", 4), ("<I", 16))),
    2: _Places(("<Q", 32), ("<HH", 54), ("<Q", 40), ("<HHH", 58), (("<Q", 8), ("<Q", 32))),
}


def loaded(program: bytes) -> bytes:
    """The part of a little-endian ELF program that is loaded, which is less to send; anything else as it is."""
    if program[:4] != b"\x7fELF" or len(program) < 64 or program[5] != 1 or program[4] not in _PLACES:
        return program
    places = _PLACES[program[4]]
    (table,) = struct.unpack_from(places.table[0], program, places.table[1])
    size, count = struct.unpack_from(places.segments[0], program, places.segments[1])
    end = table + size * count
    if end > len(program):
        return program
    for at in range(table, end, size):
        (offset,), (length,) = (struct.unpack_from(kind, program, at + place) for kind, place in places.segment)
        end = max(end, offset + length)
    kept = bytearray(program[:end])
    # There is no table of sections any more.
    struct.pack_into(places.sections[0], kept, places.sections[1], 0)
    struct.pack_into(places.section_counts[0], kept, places.section_counts[1], 0, 0, 0)
    return bytes(kept)
