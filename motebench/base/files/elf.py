"""ELF files (elf(5)): sections and symbols of objects, source lines and loaded part of programs,
smallest program.

pyelftools reads. `keep_only` renames symbols for machines that this machine's objcopy does not
know: the result is as good as one with local symbols, as no other object has these names. Only the
table of names and the entries of the symbol table change.
"""

from __future__ import annotations

import struct
from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from motebench.base.errors import InputError

if TYPE_CHECKING:
    from elftools.elf.elffile import ELFFile
    from elftools.elf.sections import Section, SymbolTableSection

TRIAL_STATUS = 7
"""Exit status of the smallest program."""
_BASE = 0x400000
"""Address at which the smallest program is loaded."""
_OBJECT, _PROGRAM = "an ELF object", "an ELF program with symbols"
_WRITABLE, _ALLOCATED, _EXECUTED = 1, 2, 4
"""Flags of sections."""


class ObjectError(InputError):
    """The file is not an object that can be read or changed."""


def sections(path: Path) -> set[str]:
    """Names of the sections of an object. ObjectError if the file is something else."""
    with _reading(path.read_bytes(), path.name, _OBJECT) as file:
        return {section.name for section in file.iter_sections()}


def keep_only(path: Path, exported: Collection[str], suffix: str) -> bytes:
    """The object with ``suffix`` at the name of each global symbol it defines, except ``exported``.

    ObjectError if the file is something else.
    """
    data = bytearray(path.read_bytes())
    with _reading(data, path.name, _OBJECT) as file:
        for table in _symbol_tables(file):
            names = file.get_section(table["sh_link"], ("SHT_STRTAB",)).header
            texts = data[names["sh_offset"] : names["sh_offset"] + names["sh_size"]]
            for number, symbol in enumerate(table.iter_symbols()):
                start = symbol["st_name"]
                name = bytes(texts[start : texts.index(0, start)])
                if symbol["st_info"]["bind"] == "STB_LOCAL" or symbol["st_shndx"] == "SHN_UNDEF":
                    continue
                if not name or name.decode("latin-1") in exported:
                    continue
                # A symbol begins with the place of its name.
                place = file.structs.Elf_word("").build(len(texts))
                _overwrite(data, table["sh_offset"] + number * table["sh_entsize"], place)
                texts += name + suffix.encode() + b"\0"
            names["sh_offset"], names["sh_size"] = len(data), len(texts)
            place_of_header = file["e_shoff"] + table["sh_link"] * file["e_shentsize"]
            _overwrite(data, place_of_header, file.structs.Elf_Shdr.build(names))
            data += texts
        return bytes(data)


def bytes_by_symbol(path: Path) -> dict[tuple[str, str], int]:
    """Bytes of each function and object of a firmware, by memory (``flash`` or ``RAM``) and name;
    equal names are added. Initial values of variables are in both memories. ObjectError if the file
    is no firmware.
    """
    sizes: dict[tuple[str, str], int] = {}
    with _reading(path.read_bytes(), path.name, _PROGRAM) as file:
        memories = dict(enumerate(map(_memories, file.iter_sections())))
        for table in _symbol_tables(file):
            for symbol in table.iter_symbols():
                if symbol["st_info"]["type"] in ("STT_OBJECT", "STT_FUNC") and symbol["st_size"]:
                    # The place of a symbol may be no section (SHN_ABS).
                    for memory in memories.get(symbol["st_shndx"], ()):
                        key = memory, symbol.name
                        sizes[key] = sizes.get(key, 0) + symbol["st_size"]
    return sizes


def object_bytes(path: Path) -> tuple[int, int, int]:
    """Bytes of an object in ``.text`` (code and constants), ``.data`` and ``.bss``, as ``size``
    adds its sections up. ObjectError if the file is something else.
    """
    text = data = bss = 0
    with _reading(path.read_bytes(), path.name, _OBJECT) as file:
        for section in file.iter_sections():
            memories = _memories(section)
            size = section["sh_size"]
            text += size if memories == ["flash"] else 0
            data += size if memories == ["flash", "RAM"] else 0
            bss += size if memories == ["RAM"] else 0
    return text, data, bss


def _memories(section: Section) -> list[str]:
    """The memories that a section takes on a board."""
    no_bits, flags = section["sh_type"] == "SHT_NOBITS", section["sh_flags"]
    if not flags & _ALLOCATED:
        return []
    return [*([] if no_bits else ["flash"]), *(["RAM"] if no_bits or flags & _WRITABLE else [])]


@dataclass(frozen=True, slots=True, order=True)
class SourceLine:
    """A line of a source file."""

    file: str
    number: int


@dataclass(frozen=True, slots=True, order=True)
class CodeFunction:
    """A function of a program: its addresses from ``start`` to below ``end``."""

    start: int
    end: int
    name: str


@dataclass(frozen=True, slots=True)
class SourceMap:
    """Functions and source lines of a program, by address.

    ``rows``: the first address of each piece of code that belongs to one line, with that line;
    None: to none.
    """

    functions: tuple[CodeFunction, ...]
    rows: tuple[tuple[int, SourceLine | None], ...]

    def function(self, address: int) -> CodeFunction | None:
        """The function at an address."""
        number = bisect_right(self.functions, address, key=lambda function: function.start) - 1
        if number < 0 or address >= self.functions[number].end:
            return None
        return self.functions[number]

    def line(self, address: int) -> SourceLine | None:
        """The line of the instruction at an address; None if the program does not say it."""
        number = bisect_right(self.rows, address, key=lambda row: row[0]) - 1
        return None if number < 0 else self.rows[number][1]


def source_map(path: Path) -> SourceMap:
    """Functions and source lines of a firmware. ObjectError if the file is no firmware."""
    with _reading(path.read_bytes(), path.name, _PROGRAM) as file:
        code = [
            range(section["sh_addr"], section["sh_addr"] + section["sh_size"])
            for section in file.iter_sections()
            if section["sh_flags"] & _EXECUTED and section["sh_flags"] & _ALLOCATED
        ]
        # Functions in assembly may have no type: those of the AVR's libgcc do not.
        functions = {
            CodeFunction(
                symbol["st_value"] & ~1, (symbol["st_value"] & ~1) + symbol["st_size"], symbol.name
            )
            for table in _symbol_tables(file)
            for symbol in table.iter_symbols()
            if symbol["st_size"]
            and (
                symbol["st_info"]["type"] == "STT_FUNC"
                or (symbol["st_info"]["type"] == "STT_NOTYPE" and _in(code, symbol["st_value"]))
            )
        }
        rows = dict(sorted(_rows(file, code), key=lambda row: (row[0], row[1] is not None)))
        return SourceMap(tuple(sorted(functions)), tuple(sorted(rows.items(), key=_address)))


def _in(code: Sequence[range], address: int) -> bool:
    return any(address in part for part in code)


def _address(row: tuple[int, SourceLine | None]) -> int:
    return row[0]


def _rows(file: ELFFile, code: list[range]) -> Iterator[tuple[int, SourceLine | None]]:
    """Rows of the tables of lines (DWARF 5, section 6.2) that lie in code. Those of functions that
    the linker left out begin at 0.
    """
    if not file.has_dwarf_info():
        return
    dwarf = file.get_dwarf_info()
    for unit in dwarf.iter_CUs():
        table = dwarf.line_program_for_CU(unit)
        if table is None:
            continue
        names = _file_names(table.header, _folder(unit))
        dropped = False
        fresh = True
        for entry in table.get_entries():
            state = entry.state
            if state is None:
                continue
            if fresh:
                dropped = state.address == 0
            fresh = state.end_sequence
            if not dropped and _in(code, state.address):
                name = names.get(state.file)
                has_line = state.line > 0 and not state.end_sequence
                yield state.address, SourceLine(name, state.line) if has_line and name else None


def _folder(unit: Any) -> str:
    """The folder in which a unit was compiled; a clang names files from there."""
    attribute = unit.get_top_DIE().attributes.get("DW_AT_comp_dir")
    value = b"" if attribute is None else attribute.value
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else ""


def _file_names(header: Any, start: str) -> dict[int, str]:
    """Paths of the files of a table of lines, by their number. ``start``: the folder that relative
    ones begin at.
    """
    first = 0 if header.version >= 5 else 1
    folders = [
        str(Path(start) / folder.decode("utf-8", "replace"))
        for folder in header["include_directory"]
    ]
    if header.version < 5:
        folders.insert(0, start)
    names = {}
    for number, entry in enumerate(header["file_entry"], first):
        folder = folders[entry.dir_index] if entry.dir_index < len(folders) else ""
        name = entry.name.decode("utf-8", "replace")
        names[number] = name if name.startswith("/") or not folder else f"{folder}/{name}"
    return names


def loaded(program: bytes) -> bytes:
    """Loaded part of an ELF program; any other file unchanged."""
    try:
        with _reading(program, "", _PROGRAM) as file:
            if not file.num_segments():
                return program
            ends = [file["e_phoff"] + file["e_phentsize"] * file.num_segments()]
            ends += [part["p_offset"] + part["p_filesz"] for part in file.iter_segments()]
            # There is no table of sections any more.
            for field in ("e_shoff", "e_shentsize", "e_shnum", "e_shstrndx"):
                file.header[field] = 0
            part = bytearray(program[: max(ends)])
            _overwrite(part, 0, file.structs.Elf_Ehdr.build(file.header))
            return bytes(part)
    except ObjectError:
        return program


@contextmanager
def _reading(data: bytes | bytearray, name: str, kind: str) -> Iterator[ELFFile]:
    """pyelftools on the content of the file ``name``. ObjectError if it is not ``kind``."""
    from elftools.common.exceptions import ELFError
    from elftools.construct import ConstructError
    from elftools.elf.elffile import ELFFile

    broken = (ELFError, ConstructError, ValueError, LookupError, OverflowError)
    try:
        yield ELFFile(BytesIO(data))
    except broken as error:
        raise ObjectError(f"{name}: it is not {kind}") from error


def _symbol_tables(file: ELFFile) -> Iterator[SymbolTableSection]:
    from elftools.elf.sections import SymbolTableSection

    for section in file.iter_sections("SHT_SYMTAB"):
        assert isinstance(section, SymbolTableSection)
        yield section


def _overwrite(data: bytearray, start: int, part: bytes) -> None:
    data[start : start + len(part)] = part


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
    ident = b"\x7fELF" + bytes((2 if it.wide else 1, 1, 1)) + bytes(9)
    fields = (2, it.machine, 1, start, header, 0, it.flags, header, segment, 1, 0, 0, 0)
    head = struct.pack("<HHIQQQIHHHHHH" if it.wide else "<HHIIIIIHHHHHH", *fields)
    if it.wide:
        load = struct.pack("<IIQQQQQQ", 1, 5, 0, _BASE, _BASE, size, size, 0x1000)
    else:
        load = struct.pack("<IIIIIIII", 1, 0, _BASE, _BASE, size, size, 5, 0x1000)
    return ident + head + load + it.code
