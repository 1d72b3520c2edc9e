"""Small programs for the simulated Cortex-M, as ELF files made by hand."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field

STACK = 0x20004000
BASE = 0x2000


@dataclass
class Image:
    """Halfwords for behind the vector table, and symbols: name to address, size and kind (2 is a
    function).
    """

    code: list[int]
    symbols: dict[str, tuple[int, int, int]] = field(default_factory=dict)
    machine: int = 40
    base: int = BASE

    @property
    def start(self) -> int:
        """Address of the first instruction."""
        return self.base + 64

    def elf(self) -> bytes:
        """The file: one segment, and sections for code, symbols and names."""
        words = [STACK, self.start | 1] + [self.start | 1] * 14
        text = struct.pack("<16I", *words) + struct.pack(f"<{len(self.code)}H", *self.code)
        text += bytes(-len(text) % 4)
        names, table = b"\0", bytes(16)
        for name, (address, size, kind) in self.symbols.items():
            table += struct.pack("<IIIBBH", len(names), address, size, 0x10 | kind, 0, 1)
            names += name.encode() + b"\0"
        at_text = 52 + 32
        at_table = at_text + len(text)
        at_names = at_table + len(table)
        names += bytes(-len(names) % 4)
        at_sections = at_names + len(names)
        header = bytes([0x7F]) + b"ELF\1\1\1" + bytes(9)
        header += struct.pack(
            "<HHIIIIIHHHHHH",
            2,
            self.machine,
            1,
            self.start | 1,
            52,
            at_sections,
            0,
            52,
            32,
            1,
            40,
            4,
            0,
        )
        segment = struct.pack("<8I", 1, at_text, self.base, self.base, len(text), len(text), 5, 4)
        sections = bytes(40)
        sections += struct.pack("<10I", 0, 1, 6, self.base, at_text, len(text), 0, 0, 4, 0)
        sections += struct.pack("<10I", 0, 2, 0, 0, at_table, len(table), 3, 0, 4, 16)
        sections += struct.pack("<10I", 0, 3, 0, 0, at_names, len(names), 0, 0, 1, 0)
        return header + segment + text + table + names + sections
