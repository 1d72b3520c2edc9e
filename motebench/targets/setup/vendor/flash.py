"""Copies of library files whose constant tables are in flash: ``avr-gcc`` copies constants to RAM otherwise.

The change is one word in a table's declaration, ``MOTE_FLASH`` (core/include/mote/flash.h); ``source.toml`` has the
names of the tables.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from motebench.base.errors import InputError
from motebench.targets.setup.vendor.source import PinnedImplementation, PinnedSource

_FOLDER = ".flash"


def prepare(source: PinnedSource) -> None:
    """Write the copies of every implementation of the source that has tables in flash."""
    for name, implementation in source.implementation.items():
        for file, tables in implementation.flash.items():
            text = (source.folder / file).read_text(encoding="utf-8")
            path = flash_folder(source, name) / file
            changed = in_flash(text, tables, f"{source.wrappers / 'source.toml'}: {name}: {file}")
            if not path.is_file() or path.read_text(encoding="utf-8") != changed:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(changed, encoding="utf-8")


def flash_folder(source: PinnedSource, name: str) -> Path:
    """The folder with the copies of an implementation."""
    return source.folder / _FOLDER / name


def files(source: PinnedSource, name: str, implementation: PinnedImplementation) -> list[Path]:
    """The library's files of an implementation, with the changed copies instead of the originals."""
    base = source.implementation[implementation.like] if implementation.like else implementation
    copies = flash_folder(source, name)
    return [
        copies / path.relative_to(source.folder)
        if str(path.relative_to(source.folder)) in implementation.flash
        else path
        for path in source.files(base)
    ]


def in_flash(text: str, tables: Iterable[str], where: str) -> str:
    """C text with ``MOTE_FLASH`` in the declarations of these constant tables. InputError if one is not declared."""
    for table in tables:
        declaration = rf"\bconst\b[\w\s]*?\b(?={table}\s*(?:\[[^]]*\]\s*)+[=;])"
        text, found = re.subn(declaration, lambda match: f"{match[0]}MOTE_FLASH ", text)
        if found == 0:
            raise InputError(f"the sources declare no constant table {table!r}", where=where)
    return text
