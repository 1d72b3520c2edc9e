"""``core/vendor/<name>/source.toml``: the origin of a library's sources, and the implementations from them.

``core/adapters/<name>/source.toml``: the same for a whole library that is built here or for other machines; no
implementations.

``avr-gcc`` copies constants to RAM. Some implementations are therefore built from copies of library files whose
constant tables are in flash. The change is one word in a table's declaration, ``MOTE_FLASH``
(core/include/mote/flash.h); ``source.toml`` has the names of the tables.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from pydantic import Field

from motebench.base.errors import InputError
from motebench.base.files import toml
from motebench.base.paths import data_root
from motebench.catalog.schema import Identifier, Record, Text

_FLASH = ".flash"
"""Folder of such copies in an unpacked folder."""
DONE = ".sha256"
"""File in an unpacked folder: the hash of the unpacked archive."""


class PinnedImplementation(Record):
    """What one implementation is built of. Paths are those inside the archive; ``*`` and ``?`` may stand in them.

    ``own``: files of motebench's own that it needs, inside ``core``. ``architectures``: of devices it is offered for;
    none: all. ``like``: the implementation that offers the same, and whose wrapper and own files are used; then
    ``flash`` says which tables lie in flash instead of RAM: names by file. ``definitions`` go to the library's files:
    ``{mode}`` stands for the mode of the scheme that is built.
    """

    sources: tuple[Text, ...] = ()
    own: tuple[Text, ...] = ()
    definitions: tuple[Text, ...] = ()
    architectures: tuple[Text, ...] = ()
    like: Identifier | None = None
    flash: Mapping[Text, tuple[Text, ...]] = Field(default_factory=dict)


class PinnedSource(Record):
    """A library, the archive that has its sources, and where that is to be had.

    ``registry``: ``debian`` (a source package of ``release``, fetched by apt), ``pypi`` (a source distribution,
    fetched by pip) or ``crates`` (a crate, fetched by cargo); ``package`` is its name there, ``file`` that of the
    archive. ``version`` is the library's own. ``config`` is a header beside the manifest that is included before all
    else.
    """

    name: Identifier
    library: Text
    version: Text
    licence: Text
    url: Text
    registry: Literal["debian", "pypi", "crates"]
    package: Text
    release: Text
    file: Text
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    includes: tuple[Text, ...] = ()
    definitions: tuple[Text, ...] = ()
    config: Text | None = None
    implementation: Mapping[Identifier, PinnedImplementation] = Field(default_factory=dict)

    @property
    def wrappers(self) -> Path:
        """The folder of motebench's own files around the library."""
        return (vendor_dir() if self.implementation else adapters_dir()) / self.name

    @property
    def folder(self) -> Path:
        """The folder of the unpacked sources."""
        return unpacked_dir() / f"{self.name}-{self.version}"

    @property
    def fetched(self) -> bool:
        """Whether the pinned sources are present."""
        stamp = self.folder / DONE
        return stamp.is_file() and stamp.read_text(encoding="utf-8").strip() == self.sha256

    def files(self, implementation: PinnedImplementation) -> list[Path]:
        """The library's own files of an implementation. InputError if a pattern matches none."""
        found: list[Path] = []
        for pattern in implementation.sources:
            paths = sorted(self.folder.glob(pattern))
            if not paths:
                where = str(self.wrappers / "source.toml")
                raise InputError(f"{self.library} {self.version} has no {pattern}", where=where)
            found += paths
        return found


def vendor_dir() -> Path:
    """The folder with one folder per library."""
    return data_root() / "core" / "vendor"


def adapters_dir() -> Path:
    """The folder with one folder per adapter."""
    return data_root() / "core" / "adapters"


def unpacked_dir() -> Path:
    """The folder of archives and unpacked sources."""
    return data_root() / "build" / "vendor"


def source_files() -> list[Path]:
    """Every ``source.toml``; none if motebench is installed without its sources."""
    return sorted(vendor_dir().glob("*/source.toml"))


def read_source(path: Path) -> PinnedSource:
    """One library. InputError with file, line and key."""
    document = toml.load(path)
    source = toml.validate(document, PinnedSource)
    if source.name != path.parent.name:
        raise InputError(
            "name differs from the name of the folder", where=document.where(("name",)), valid=path.parent.name
        )
    for name, implementation in source.implementation.items():
        if implementation.like is not None and implementation.like not in source.implementation:
            where = document.where(("implementation", name, "like"))
            raise InputError(f"unknown implementation {implementation.like!r}", where=where)
    return source


@cache
def sources() -> Mapping[str, PinnedSource]:
    """Every library by name."""
    return MappingProxyType({source.name: source for source in map(read_source, source_files())})


@cache
def libraries() -> Mapping[str, PinnedSource]:
    """Every library by name that can be built whole for other machines: it has a script ``cross.sh``. InputError if a
    file is wrong. The sources of some are those of `sources`."""
    found = {}
    for script in sorted(adapters_dir().glob("*/cross.sh")):
        manifest = script.with_name("source.toml")
        found[script.parent.name] = read_source(manifest) if manifest.is_file() else sources()[script.parent.name]
    return MappingProxyType(found)


@cache
def built() -> Mapping[str, PinnedSource]:
    """Every library by name that is built whole for this machine, if a user asks: it has a script ``build.sh``.
    InputError if a file is wrong."""
    scripts = sorted(adapters_dir().glob("*/build.sh"))
    return MappingProxyType({script.parent.name: read_source(script.with_name("source.toml")) for script in scripts})


@cache
def implementations() -> Mapping[str, tuple[PinnedSource, PinnedImplementation]]:
    """Every implementation by name (``bearssl/aes-small``) whose sources are present."""
    return MappingProxyType(
        {
            f"{source.name}/{name}": (source, implementation)
            for source in sources().values()
            if source.fetched
            for name, implementation in source.implementation.items()
        }
    )


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
    return source.folder / _FLASH / name


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
