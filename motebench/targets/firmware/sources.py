"""The sources of firmware: the probe, own implementations, pinned libraries (``core/vendor``),
built-in requests.
"""

from __future__ import annotations

import hashlib
import os
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType

from motebench.base.model import Kind, Scheme
from motebench.base.paths import OWN, data_root
from motebench.catalog.devices import Device
from motebench.targets.firmware.architecture import architecture, folder, port
from motebench.targets.setup.vendor.source import (
    PinnedImplementation,
    PinnedSource,
    files,
    flash_folder,
    implementations,
)

_KINDS = {Kind.CIPHER: 1, Kind.STREAM: 2, Kind.AEAD: 4, Kind.HASH: 8}
_QUIET = "-w"
"""We do not correct the library's warnings."""
_INCLUDE = re.compile(r'^\s*#\s*include "([^"]+)"', re.MULTILINE)
_DECLARED = re.compile(r"^extern const mote_implementation mote_(\w+);", re.MULTILINE)
_LINE = re.compile(r"^MOTE_(?:IMPLEMENTATION|ADAPTER)\(([a-z0-9_]+)\)", re.MULTILINE)


def core_dir() -> Path:
    """The folder of the C sources."""
    return data_root() / "core"


def declared(*groups: str) -> list[Path]:
    """The sources of these groups of ``core/sources.txt``, which CMake reads too."""
    core = core_dir()
    lines = (core / "sources.txt").read_text(encoding="utf-8").splitlines()
    pairs = (line.partition(" ")[::2] for line in lines)
    return [core / path for group, path in pairs if group in groups]


@cache
def own_implementations(core: Path | None = None) -> Mapping[str, Path]:
    """motebench's own implementations by name (``mote/aes-small``), each with its file.

    That is one in ``core/ciphers``, or of an algorithm with public keys its adapter in
    ``core/mote/public``. Empty without the sources in ``core``.
    """
    core = core or core_dir()
    symbols = {}
    for path in (*sorted((core / "ciphers").glob("*/*.c")), *sorted(_public(core).glob("*.c"))):
        for symbol in _LINE.findall(path.read_text(encoding="utf-8")):
            symbols[f"{OWN}/{symbol.replace('_', '-')}"] = path
    return MappingProxyType(symbols)


def _public(core: Path) -> Path:
    return core / "mote" / "public"


def is_public(implementation: str) -> bool:
    """True if that own implementation has public keys: its file is an adapter itself."""
    return own_implementations()[implementation].parent == _public(core_dir())


def symbol_of(implementation: str) -> str:
    """The C symbol of an own implementation: ``mote_aes_small`` of ``mote/aes-small``."""
    return implementation.replace("/", "_").replace("-", "_")


def headers() -> list[Path]:
    """Every header, and every separate table file, that a source may include."""
    files = (path for pattern in ("*.h", "*.inc") for path in core_dir().rglob(pattern))
    return sorted(path for path in files if "adapters" not in path.parts)


def probe_sources(device: Device) -> list[Path]:
    """The probe itself and its port."""
    core = core_dir()
    shared = architecture(device.architecture).shares
    names = ("small", *shared, device.architecture, *port(device.port).shares, device.port)
    folders = [core / "ports" / name for name in names if name]
    sources = [
        path for folder in folders for path in sorted([*folder.glob("*.c"), *folder.glob("*.S")])
    ]
    return [*declared("bytes", "probe", "main"), *sources]


def mark_sources() -> list[Path]:
    """Additional sources of firmware that marks secrets for a simulator."""
    return declared("marks")


def support_sources() -> list[Path]:
    """The other sources that adapters need; they are part of what is measured."""
    return declared("support")


def library_sources(device: Device) -> list[Path]:
    """Sources that replace functions of the C library."""
    names = (*architecture(device.architecture).shares, device.architecture)
    return [path for name in names for path in sorted((folder(name) / "library").glob("*.c"))]


def identity_source() -> Path:
    """The identity of the firmware, compiled for each one."""
    (path,) = declared("identity")
    return path


def main_source() -> Path:
    """The main function of a probe that answers requests from a host."""
    (path,) = declared("main")
    return path


def alone_source() -> Path:
    """The main function of standalone firmware."""
    return core_dir() / "alone" / "alone.c"


def cipher_sources(name: str) -> list[Path]:
    """All own implementations, including assembly for the architecture of that name, and the
    modes.
    """
    return [*_of_algorithms(name), *shared_sources(name)]


def own_sources(implementation: str, name: str) -> list[Path]:
    """Sources that an own implementation may use, for the architecture of that name: the folders of
    its algorithm and of those that it names, and the modes. The linker selects the code that the
    firmware uses.
    """
    folders = _folders(own_implementations()[implementation])
    return [
        *(path for path in _of_algorithms(name) if path.parent in folders),
        *shared_sources(name),
    ]


@cache
def _folders(source: Path) -> frozenset[Path]:
    """The folders in ``core/ciphers`` whose code a source may call: its own, and from file to file
    those that are named."""
    ciphers = core_dir() / "ciphers"
    folders: set[Path] = set()
    waiting = [source.parent] if source.parent.parent == ciphers else list(_named(source))
    while waiting:
        folder_of_code = waiting.pop()
        if folder_of_code not in folders:
            folders.add(folder_of_code)
            waiting += [
                named
                for path in sorted(folder_of_code.iterdir())
                if path.suffix in (".c", ".h", ".S", ".inc")
                for named in _named(path)
            ]
    return frozenset(folders)


def _named(source: Path) -> Iterator[Path]:
    """Folders of algorithms that a file names: by headers that it includes, beside their code or as
    ``mote/ml_kem.h``, and by implementations that it declares.
    """
    ciphers, text = core_dir() / "ciphers", source.read_text(encoding="utf-8")
    for symbol in _DECLARED.findall(text):
        yield own_implementations()[f"{OWN}/{symbol.replace('_', '-')}"].parent
    for header in _INCLUDE.findall(text):
        named = Path(header)
        beside = [
            Path(os.path.normpath(parent / named)).parent for parent in (source.parent, core_dir())
        ]
        names = (named.stem, named.stem.replace("_", "-")) if named.parent.name == OWN else ()
        for path in (*beside, *(ciphers / name for name in names)):
            if path.parent == ciphers and path.is_dir():
                yield path


def shared_sources(name: str) -> list[Path]:
    """The modes, and other code that every implementation may use."""
    return [path for path in declared("mote") if _is_for(path, name)]


def _of_algorithms(name: str) -> list[Path]:
    paths = (core_dir() / "ciphers").glob("*/*.[cS]")
    return sorted(path for path in paths if _is_for(path, name))


def _is_for(path: Path, name: str) -> bool:
    """True if a source is for the architecture of that name: in C, or in its assembly."""
    return path.suffix == ".c" or path.stem.endswith(f"_{architecture(name).assembly}")


def public_sources(implementation: str) -> list[Path]:
    """The adapter of an own implementation with public keys, and what such adapters share."""
    return [own_implementations()[implementation], *declared("der")]


def empty_sources() -> list[Path]:
    """The adapter with a no-op cipher."""
    return [*declared("empty"), *adapter_sources()]


def adapter_sources() -> list[Path]:
    """The adapter, compiled anew for each scheme."""
    return declared("named", "adapter")


@cache
def offered(architecture: str) -> Mapping[str, tuple[PinnedSource, PinnedImplementation]]:
    """Implementations for boards of that architecture whose sources are present."""
    return {
        name: entry
        for name, entry in implementations().items()
        if not entry[1].architectures or architecture in entry[1].architectures
    }


def offers_of(implementation: str) -> str:
    """Implementation whose host probe has the same offers: this one, the one that it resembles, or
    the one that its manifest names.
    """
    source, entry = implementations().get(implementation, (None, None))
    if source is None or entry is None:
        return implementation
    return entry.listed_by or (f"{source.name}/{entry.like}" if entry.like else implementation)


def parts(
    implementation: str, scheme: Scheme, architecture: str
) -> list[tuple[Path, Sequence[str]]]:
    """The sources of firmware with that scheme of a pinned library, each with its own flags."""
    source, entry = implementations()[implementation]
    base = source.implementation[entry.like] if entry.like else entry
    name = implementation.partition("/")[2]
    library = _library_flags(source, name, scheme)
    moved = zlib.crc32(repr(sorted(entry.flash.items())).encode())
    # The digest makes other objects if other tables move: headers of the library may have changed,
    # too.
    tables = ("-include", "mote/flash.h", f"-DMOTE_TABLES={moved}") if entry.flash else ()
    wrapped = wrapper(source, entry.like or name)
    symbol = symbol_of(f"{source.name}/{entry.like or name}")
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
        (wrapped, (*library, *picked(scheme), *adapter)),
        *((path, ()) for path in shared_sources(architecture)),
        *((core_dir() / path, ()) for path in dict.fromkeys((*base.own, *entry.own))),
        *((path, adapter) for path in _adapter(wrapped)),
    ]


def _library_flags(source: PinnedSource, name: str, scheme: Scheme) -> tuple[str, ...]:
    """Include folders, macros and configuration of a library, for one of its implementations."""
    entry = source.implementation[name]
    folders = [source.folder / folder for folder in source.includes]
    if entry.flash:
        copies = flash_folder(source, name)
        folders = [*(copies / folder for folder in source.includes), *folders]
    definitions = [*source.definitions, *entry.definitions]
    if entry.like:
        definitions = [
            *source.definitions,
            *source.implementation[entry.like].definitions,
            *entry.definitions,
        ]
    macros = [text.format(mode=scheme.mode or "none") for text in definitions]
    config = ("-include", str(source.wrappers / source.config)) if source.config else ()
    return (*(f"-I{folder}" for folder in folders), *(f"-D{macro}" for macro in macros), *config)


def _adapter(wrapped: Path) -> list[Path]:
    """The sources that turn a wrapper into an adapter: only DER if it is an adapter itself."""
    if "MOTE_ADAPTER(" in wrapped.read_text(encoding="utf-8"):
        return declared("der")
    return adapter_sources()


def wrapper(source: PinnedSource, name: str) -> Path:
    """File of motebench around an implementation: the one with its line ``MOTE_IMPLEMENTATION`` or
    ``MOTE_ADAPTER``.
    """
    return source.wrappers / f"{name.replace('-', '_')}.c"


def picked(scheme: Scheme) -> tuple[str, ...]:
    """The macros that select a scheme in a source that has several: see core/vendor/pick.h."""
    return ("-DMOTE_PICKED", *(f"-DMOTE_PICK_{pick}=1" for pick in picks(scheme)))


def picks(scheme: Scheme) -> list[str]:
    """Names of a scheme in core/vendor/pick.h: its own, and those of its parts."""
    whole = re.sub(r"[^a-z0-9]", "_", scheme.name)
    if scheme.mode is None or not whole.endswith(f"_{scheme.mode}"):
        return [whole]
    return [whole, whole.removesuffix(f"_{scheme.mode}"), scheme.mode]


@dataclass(frozen=True, slots=True)
class ScriptStep:
    """A request as bytes, its description, and the CRC-32 that its output (and tag) must have."""

    words: str
    payload: bytes
    crc: int


def write_script(title: str, steps: Iterable[ScriptStep]) -> Path:
    """The header for ``core/alone``, cached under a digest of its content."""
    lines = [f"#define ALONE_TITLE {_literal(title.encode())}", "#define ALONE_STEPS \\"]
    lines += [
        f"    STEP({_literal(step.words.encode())}, {step.crc:#010x}u, {_literal(step.payload)}) \\"
        for step in steps
    ]
    text = "\n".join([*lines, ""])
    path = (
        data_root()
        / "build"
        / "firmware"
        / "scripts"
        / f"{hashlib.sha256(text.encode()).hexdigest()[:32]}.h"
    )
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return path


def _literal(data: bytes) -> str:
    plain = b" -:,.()/+=@_"
    return (
        '"'
        + "".join(
            chr(c) if (chr(c).isalnum() and c < 128) or c in plain else f"\\{c:03o}" for c in data
        )
        + '"'
    )
