"""Implementations of libraries whose sources are pinned (``core/vendor``), as parts of a firmware."""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from motebench.base.model import Kind, Scheme
from motebench.targets.firmware import sources
from motebench.targets.setup.vendor import PinnedImplementation, PinnedSource, implementations
from motebench.targets.setup.vendor.flash import files, flash_folder

_KINDS = {Kind.CIPHER: 1, Kind.STREAM: 2, Kind.AEAD: 4, Kind.HASH: 8}
_QUIET = "-w"
"""We do not correct the library's warnings."""


@cache
def offered(architecture: str) -> Mapping[str, tuple[PinnedSource, PinnedImplementation]]:
    """Implementations for boards of that architecture whose sources are present."""
    return {
        name: entry
        for name, entry in implementations().items()
        if not entry[1].architectures or architecture in entry[1].architectures
    }


def offers_of(implementation: str) -> str:
    """The implementation whose host probe says what this one offers: itself, or the one that it resembles."""
    source, found = implementations().get(implementation, (None, None))
    return f"{source.name}/{found.like}" if source and found and found.like else implementation


def parts(implementation: str, scheme: Scheme, architecture: str) -> list[tuple[Path, Sequence[str]]]:
    """The sources of firmware with that scheme, each with its own flags."""
    source, entry = implementations()[implementation]
    base = source.implementation[entry.like] if entry.like else entry
    name = implementation.partition("/")[2]
    copies = flash_folder(source, name)
    folders = [copies / folder for folder in source.includes if entry.flash]
    folders += [source.folder / folder for folder in source.includes]
    mode = scheme.mode or "none"
    extra = entry.definitions if entry.like else ()
    definitions = [text.format(mode=mode) for text in (*source.definitions, *base.definitions, *extra)]
    config = ("-include", str(source.wrappers / source.config)) if source.config else ()
    library = (*(f"-I{folder}" for folder in folders), *(f"-D{text}" for text in definitions), *config)
    moved = zlib.crc32(repr(sorted(entry.flash.items())).encode())
    # The digest makes other objects if other tables move: headers of the library may have changed, too.
    tables = ("-include", "mote/flash.h", f"-DMOTE_TABLES={moved}") if entry.flash else ()
    picked = ("-DMOTE_PICKED", *(f"-DMOTE_PICK_{pick}=1" for pick in picks(scheme)))
    wrapped = wrapper(source, entry.like or name)
    symbol = sources.symbol_of(f"{source.name}/{entry.like or name}")
    adapter = (
        f"-DMOTE_SYMBOL=mote_{symbol}",
        f'-DMOTE_NAME="{implementation}"',
        f'-DMOTE_LIBRARY_VERSION="{source.library} {source.version}"',
        f"-DMOTE_KINDS={_KINDS.get(scheme.kind, 0)}",
        "-DMOTE_MODES=",
        "-DMOTE_AEAD_MODES=",
    )
    return [
        *((path, (*library, *tables, _QUIET)) for path in files(source, name, entry)),
        (wrapped, (*library, *picked, *adapter)),
        *((path, ()) for path in sources.shared_sources(architecture)),
        *((sources.core_dir() / path, ()) for path in dict.fromkeys((*base.own, *entry.own))),
        *((path, adapter) for path in _adapter(wrapped)),
    ]


def _adapter(wrapped: Path) -> list[Path]:
    """The sources that turn a wrapper into an adapter: only DER if it is an adapter itself."""
    if "MOTE_ADAPTER(" in wrapped.read_text(encoding="utf-8"):
        return [sources.core_dir() / "support" / "der.c"]
    return sources.adapter_sources()


def wrapper(source: PinnedSource, name: str) -> Path:
    """motebench's file around an implementation: the one with its line ``MOTE_IMPLEMENTATION`` or
    ``MOTE_ADAPTER``."""
    return source.wrappers / f"{name.replace('-', '_')}.c"


def picks(scheme: Scheme) -> list[str]:
    """See core/vendor/pick.h."""
    whole = re.sub(r"[^a-z0-9]", "_", scheme.name)
    if scheme.mode is None or not whole.endswith(f"_{scheme.mode}"):
        return [whole]
    return [whole, whole.removesuffix(f"_{scheme.mode}"), scheme.mode]
