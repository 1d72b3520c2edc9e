"""The folder that a hostile command line finds itself in: ordinary files, and things that are
none.
"""

from __future__ import annotations

import os
import shutil
import socket
from dataclasses import dataclass
from pathlib import Path

from stores import damage, loosen, make


@dataclass(frozen=True)
class Thing:
    """Object at a path. kind: text, link, fifo, socket, folder, sparse, program, store; ``what``:
    its details.
    """

    kind: str
    what: object = None


Things = tuple[tuple[str, Thing], ...]


def text(content: str | bytes) -> Thing:
    """File with that content; text is UTF-8, with lone surrogates unchanged."""
    return Thing(
        "text", content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    )


def program(content: str) -> Thing:
    """A script that may be executed."""
    return Thing("program", content)


def link(to: str) -> Thing:
    """A symbolic link."""
    return Thing("link", to)


def store(*statements: object, loose: bool = True) -> Thing:
    """A store, with statements of SQL or damages ``(table, column, row, value)`` done to it; see
    `stores`.
    """
    return Thing("store", (loose, statements))


FIFO, SOCKET, FOLDER = Thing("fifo"), Thing("socket"), Thing("folder")
COMMON: Things = (
    ("loop", link("loop")),
    ("fifo", FIFO),
    ("socket", SOCKET),
    ("folder", FOLDER),
    ("full", link("/dev/full")),
    ("nowhere", link("no/such/file")),
    ("letter.txt", text("Dear Sir or Madam,\n")),
    ("empty", text("")),
    ("to-store", link("m.db")),
    ("huge", Thing("sparse", 2**31)),
    ("caf\udce9.txt", text("latin-1 in its name\n")),
)
"""Files in every folder, beside ``m.db``."""
_BASE_RECORDING = "r.jsonl"


class Maker:
    """Maker of folders; it caches slow parts."""

    def __init__(self, place: Path) -> None:
        self._stores = {loose: place / f"{loose}.db" for loose in (False, True)}
        for path in self._stores.values():
            make(path)
        loosen(self._stores[True])

    def folder(self, path: Path, things: Things) -> None:
        """New folder with ``m.db``, the common files, and these."""
        path.mkdir()
        shutil.copy(self._stores[False], path / "m.db")
        for name, thing in (*COMMON, *things):
            self._put(path / name, thing)

    def _put(self, path: Path, thing: Thing) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        what = thing.what
        if path.is_symlink() or path.is_file():
            path.unlink()
        if thing.kind == "folder":
            path.mkdir(exist_ok=True)
        elif thing.kind == "link":
            path.symlink_to(str(what))
        elif thing.kind == "fifo":
            os.mkfifo(path)
        elif thing.kind == "socket":
            with socket.socket(socket.AF_UNIX) as made:
                here = Path.cwd()
                os.chdir(path.parent)
                try:
                    made.bind(path.name)
                finally:
                    os.chdir(here)
        elif thing.kind == "sparse":
            with path.open("wb") as file:
                file.truncate(what)  # type: ignore[arg-type]
        elif thing.kind == "store":
            self._store(path, *what)  # type: ignore[misc]
        else:
            path.write_bytes(what.encode() if isinstance(what, str) else what)  # type: ignore[arg-type]
            if thing.kind == "program":
                path.chmod(0o755)

    def _store(self, path: Path, loose: bool, statements: tuple[object, ...]) -> None:
        import sqlite3

        shutil.copy(self._stores[loose], path)
        for statement in statements:
            if callable(statement):
                statement(path)
            elif isinstance(statement, str):
                raw = sqlite3.connect(path)
                raw.executescript(statement)
                raw.commit()
                raw.close()
            else:
                damage(path, *statement)  # type: ignore[misc]
