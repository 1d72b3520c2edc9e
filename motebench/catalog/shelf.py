"""Parts of the catalog to which users can add: devices, radios, LoRaWAN regions, batteries,
libraries; a file each.

A user's own files are in a folder of the same layout (`FOLDERS`), which ``--catalog`` or
``MOTEBENCH_CATALOG`` names. An own file with the id of another replaces it. Files of ``libraries/``
are taken from ``MOTEBENCH_CATALOG`` only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Generic, TypeVar

from motebench.base.errors import InputError
from motebench.base.files import toml
from motebench.base.naming import did_you_mean, squeezed
from motebench.base.paths import catalog_dir, own_catalogs
from motebench.catalog.schema import Identifier, Record, Text

FOLDERS = (
    "devices", "radios", "lorawan", "batteries", "elements", "converters", "protocols", "libraries",
)  # fmt: skip


class CatalogEntry(Record):
    """The base of every entry. ``id`` is the name of the file."""

    id: Identifier
    name: Text
    note: Text | None = None
    aliases: tuple[Text, ...] = ()
    """Short names that people type for it, in lower case without spaces and hyphens: ``uno``."""

    @property
    def called(self) -> tuple[str, ...]:
        """Names of the entry besides its id."""
        return (self.name,)


EntryT = TypeVar("EntryT", bound=CatalogEntry)


@dataclass(frozen=True)
class Shelf(Generic[EntryT]):
    """Kind of entry: its folder, its name in messages, its model, and further checks of a file."""

    folder: str
    word: str
    plural: str
    model: type[EntryT]
    check: Callable[[EntryT, toml.TomlDocument], None] | None = None
    missing: Callable[[str], str | None] | None = None
    """Message for a common name that has no entry; None without a message."""

    def files(self, catalog: Path) -> list[Path]:
        """The files of a catalog folder, by id."""
        return sorted((catalog / self.folder).glob("*.toml"))

    def read(self, path: Path) -> EntryT:
        """One entry. InputError with file, line and key."""
        document = toml.load(path)
        entry = toml.validate(document, self.model)
        if entry.id != path.stem:
            raise InputError(
                "id differs from the name of the file",
                where=document.where(("id",)),
                valid=path.stem,
            )
        if self.check is not None:
            self.check(entry, document)
        return entry

    def all(self, own: Path | None = None) -> Mapping[str, EntryT]:
        """Every entry by id; ``own`` is a user's folder that comes before the others. InputError
        for a bad file.
        """
        return _read(self, _folders(own))

    def entry(self, name: str) -> EntryT | None:
        """Entry of that id; None for an unknown id. No other file is read."""
        return _entry(self, _folders(None), name)

    def words(self, own: Path | None = None, *, array: str = "") -> set[str]:
        """Ids and aliases of all entries, and the ids in the array of tables ``array``, as the
        files have them: nothing else of a file is read, nor checked. InputError for a file that is
        no TOML."""
        first = {
            path.stem: path for folder in reversed(_folders(own)) for path in self.files(folder)
        }
        names = set(first)
        for data in (toml.load(path).data for path in first.values()):
            tables = [
                table.get("id") for table in _list(data.get(array)) if isinstance(table, dict)
            ]
            names |= {
                word for word in (*_list(data.get("aliases")), *tables) if isinstance(word, str)
            }
        return names

    def get(self, name: str, own: Path | None = None) -> EntryT | None:
        """Entry of that id or alias, in upper or lower case; None for an unknown one."""
        folded = name.strip().casefold()
        if own is None and not own_catalogs() and (entry := self.entry(folded)) is not None:
            return entry
        entries = self.all(own)
        entry_found = entries.get(folded)
        short = squeezed(name)
        return entry_found or next(
            (entry for entry in entries.values() if short in entry.aliases), None
        )

    def _words(self, own: Path | None) -> list[str]:
        return [word for entry in self.all(own).values() for word in (entry.id, *entry.aliases)]

    def find(self, name: str, own: Path | None = None, *, where: str | None = None) -> EntryT:
        """Entry of that id or alias, in upper or lower case. InputError that lists the entries for
        an unknown one.
        """
        entry = self.get(name, own)
        if entry is None:
            entries = self.all(own)
            near = self.missing(name) if self.missing is not None else None
            near = near or _called(name, entries.values()) or did_you_mean(name, self._words(own))
            listing = f"`motebench list {self.plural}` lists them; own files: --catalog"
            raise InputError(
                f"unknown {self.word} {name!r}",
                where=where,
                valid=", ".join(entries),
                hint=f"{near} {listing}" if near else listing,
            )
        return entry


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _called(name: str, entries: Iterable[CatalogEntry]) -> str | None:
    """``Arduino Uno is 'atmega328p'.``; None if no entry is called like it."""
    name_parts = re.findall("[a-z0-9]+", name.casefold())
    for entry in entries if name_parts else ():
        for other in entry.called:
            other_parts = re.findall("[a-z0-9]+", other.casefold())
            if set(name_parts) <= set(other_parts) or "".join(name_parts) == "".join(other_parts):
                return f"{other}: {entry.id!r}."
    return None


def _folders(own: Path | None) -> tuple[Path, ...]:
    """Folders to read; the first one wins. InputError if a user's folder does not exist, or is no
    catalog.
    """
    named = [(own, "--catalog")] if own is not None else []
    named += [(path, "MOTEBENCH_CATALOG") for path in own_catalogs()]
    for path, where in named:
        if not any((path / folder).is_dir() for folder in FOLDERS):
            problem = "has none of the folders of a catalog" if path.is_dir() else "is not a folder"
            raise InputError(
                f"{path} {problem}",
                where=where,
                valid=f"a folder with {', '.join(f'{name}/' for name in FOLDERS[:-1])} or "
                f"{FOLDERS[-1]}/ in it",
            )
    return (*(path for path, _ in named), catalog_dir())


@cache
def _entry(shelf: Shelf[EntryT], folders: tuple[Path, ...], name: str) -> EntryT | None:
    paths = [path for folder in folders for path in shelf.files(folder) if path.stem == name]
    return shelf.read(paths[0]) if paths else None


@cache
def _read(shelf: Shelf[EntryT], folders: tuple[Path, ...]) -> Mapping[str, EntryT]:
    entries: dict[str, EntryT] = {}
    for folder in reversed(folders):
        entries |= {entry.id: entry for entry in map(shelf.read, shelf.files(folder))}
    return MappingProxyType(dict(sorted(entries.items())))
