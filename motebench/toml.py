"""TOML files, read so that every complaint can name the file, the line and the key.

``tomllib`` forgets where a value stood. A second, small scanner finds it again; it runs only when something has to be
reported, and only on text that ``tomllib`` has already accepted.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from motebench.errors import InputError

if TYPE_CHECKING:
    from pydantic import BaseModel

    ModelT = TypeVar("ModelT", bound=BaseModel)

KeyPath = tuple[str | int, ...]
"""Where a value stands: keys, and indices into arrays. ``("status", 0, "date")``."""

MAX_BYTES = 4 * 2**20
_AT = re.compile(r"\s*\(at (?:line (\d+), column (\d+)|end of document)\)$")


@dataclass(frozen=True)
class Document:
    """A TOML file that was read: its path, its text and its data."""

    path: Path
    text: str
    data: dict[str, Any]
    name: str = field(default="")

    def __post_init__(self) -> None:
        if not self.name:
            object.__setattr__(self, "name", str(self.path))

    @cached_property
    def _lines(self) -> dict[KeyPath, int]:
        return key_lines(self.text)

    def line_of(self, path: KeyPath) -> int:
        """The line (from 1) on which the key or array element at ``path`` starts.

        Where it does not exist (a missing key) the line of the nearest table around it; 1 for the file itself.
        """
        for length in range(len(path), 0, -1):
            line = self._lines.get(tuple(path[:length]))
            if line is not None:
                return line
        return 1

    def where(self, path: KeyPath) -> str:
        """``file:line: key`` for messages."""
        place = f"{self.name}:{self.line_of(path)}"
        return f"{place}: {spell(path)}" if path else place


def spell(path: KeyPath) -> str:
    """A key path as people write it: ``status[0].date``; indices count from 0."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            text += f".{part}" if text else part
    return text


def load(path: Path | str) -> Document:
    """Read a TOML file. InputError where it is missing, unreadable, no text, or no TOML (file:line:column)."""
    path = Path(path)
    name = str(path)
    try:
        if path.is_dir():
            raise InputError("this is a folder, not a file", where=name, hint="name one .toml file")
        with path.open("rb") as stream:
            raw = stream.read(MAX_BYTES + 1)
    except FileNotFoundError:
        hint = None if path.suffix == ".toml" or not path.with_suffix(".toml").exists() else f"{name}.toml exists"
        raise InputError("there is no such file", where=name, hint=hint) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"cannot be read: {reason}", where=name) from None
    if len(raw) > MAX_BYTES:
        raise InputError("is too long to be a hand-written file", where=name, valid=f"at most {MAX_BYTES} bytes")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"byte 0x{raw[error.start]:02x} is not UTF-8 text", where=f"{name}:{line}", valid="TOML files are UTF-8"
        ) from None
    return parse(text, path)


def parse(text: str, path: Path | str) -> Document:
    """Read TOML from ``text``; ``path`` is named in messages. InputError (file:line:column) for bad syntax."""
    path = Path(path)
    try:
        return Document(path, text, tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        found = _AT.search(message)
        if found and found[1]:
            line, column = int(found[1]), int(found[2])
        else:
            line, column = text.count("\n") + 1, len(text) - text.rfind("\n")
        what = _AT.sub("", message)
        raise InputError(
            f"{what[:1].lower()}{what[1:]}",
            where=f"{path}:{line}:{column}",
            valid='TOML 1.0, as in: key = "text", key = 1, key = [1, 2], [table]',
        ) from None
    except RecursionError:
        raise InputError("is nested too deeply", where=str(path)) from None


def validate(document: Document, model: type[ModelT]) -> ModelT:
    """The data as an instance of ``model``.

    Raises InputError for the first thing in the file that does not fit, with file, line, key, what would be valid
    and, for a misspelt key or value, what may have been meant.
    """
    found = check(document, model)
    if isinstance(found, list):
        first = found[0]
        if len(found) > 1:
            more = f"{len(found) - 1} more in this file"
            first.hint = f"{first.hint}; {more}" if first.hint else more
        raise first
    return found


def check(document: Document, model: type[ModelT]) -> ModelT | list[InputError]:
    """The data as an instance of ``model``, or everything that does not fit, in the order of the file."""
    from pydantic import ValidationError

    from motebench.tomlerrors import explain

    try:
        return model.model_validate(document.data)
    except ValidationError as error:
        return explain(error, document, model)


def did_you_mean(word: str, known: Iterable[str]) -> str | None:
    """``did you mean 'x' or 'y'?`` for at most three close words, closest first; None if nothing is close."""
    from difflib import SequenceMatcher, get_close_matches

    folded = {name.casefold(): name for name in known}
    wanted = word.strip().casefold()

    def closeness(name: str) -> tuple[float, int]:
        same = next((i for i, pair in enumerate(zip(name, wanted, strict=False)) if pair[0] != pair[1]), len(wanted))
        return (round(SequenceMatcher(None, name, wanted).ratio(), 2), same)

    close = sorted(get_close_matches(wanted, folded, n=12, cutoff=0.6), key=closeness, reverse=True)[:3]
    return f"did you mean {' or '.join(repr(folded[name]) for name in close)}?" if close else None


# --- where keys stand ---------------------------------------------------------------------------------------------


def key_lines(text: str) -> dict[KeyPath, int]:
    """The line (from 1) of every key, table header and array element of a *valid* TOML text."""
    scanner = _Scanner(text)
    try:
        return scanner.scan()
    except RecursionError:  # hundreds of brackets in each other: what was found so far has to do
        return scanner.lines


_BARE = re.compile(r"[A-Za-z0-9_-]+")
_SCALAR = re.compile(r"[^\s,\]}#][^,\]}#\n]*")
_ESCAPES = {"b": "\b", "t": "\t", "n": "\n", "f": "\f", "r": "\r", '"': '"', "\\": "\\"}


class _Scanner:
    """Walks the text once. Trusts the syntax, and gives up quietly (keeping what it has) where it is surprised."""

    def __init__(self, text: str) -> None:
        self.text = text.replace("\r\n", "\n")
        self.at = 0
        self.lines: dict[KeyPath, int] = {}
        self.counts: dict[KeyPath, int] = {}
        """Elements so far of each array of tables."""

    def scan(self) -> dict[KeyPath, int]:
        table: KeyPath = ()
        while self._skip(newlines=True):
            if self._take("[["):
                path = self._resolve(self._key())
                index = self.counts.get(path, 0)
                self.counts[path] = index + 1
                self._note(path)
                table = (*path, index)
                self._note(table)
                self._to(" ]")
            elif self._take("["):
                table = self._resolve(self._key())
                self._note_all(table)
                self._to(" ]")
            else:
                start = self.at
                self._pair(table)
                if self.at == start:
                    break
        return self.lines

    def _line(self) -> int:
        return self.text.count("\n", 0, self.at) + 1

    def _note(self, path: KeyPath) -> None:
        self.lines.setdefault(path, self._line())

    def _note_all(self, path: KeyPath) -> None:
        for length in range(1, len(path) + 1):
            self._note(path[:length])

    def _resolve(self, key: tuple[str, ...]) -> KeyPath:
        """A header's key with the index of the newest element after each array of tables but the last part."""
        path: KeyPath = ()
        for i, part in enumerate(key):
            path = (*path, part)
            if i < len(key) - 1 and path in self.counts:
                path = (*path, self.counts[path] - 1)
        return path

    def _peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def _take(self, token: str) -> bool:
        if self.text.startswith(token, self.at):
            self.at += len(token)
            return True
        return False

    def _to(self, accepted: str) -> None:
        while self._peek() and self._peek() in accepted:
            self.at += 1

    def _skip(self, *, newlines: bool) -> bool:
        """Pass blanks, comments and perhaps line ends; False at the end of the text."""
        blanks = " \t\n\r" if newlines else " \t"
        while True:
            self._to(blanks)
            if self._peek() != "#":
                return self.at < len(self.text)
            end = self.text.find("\n", self.at)
            self.at = len(self.text) if end < 0 else end

    def _key(self) -> tuple[str, ...]:
        parts = []
        while True:
            self._skip(newlines=False)
            if self._peek() in ('"', "'") and self._peek():
                parts.append(self._string())
            elif bare := _BARE.match(self.text, self.at):
                parts.append(bare[0])
                self.at = bare.end()
            self._skip(newlines=False)
            if not self._take("."):
                return tuple(parts)

    def _pair(self, table: KeyPath) -> None:
        start = self._line()
        path = (*table, *self._key())
        for length in range(len(table) + 1, len(path) + 1):
            self.lines.setdefault(path[:length], start)
        self._skip(newlines=False)
        if self._take("="):
            self._skip(newlines=False)
            self._value(path)

    def _value(self, path: KeyPath) -> None:
        if self._take("["):
            self._items("]", lambda index: self._element((*path, index)))
        elif self._take("{"):
            self._items("}", lambda _: self._pair(path))
        elif self._peek() in ('"', "'") and self._peek():
            self._string()
        elif scalar := _SCALAR.match(self.text, self.at):
            self.at = scalar.end()

    def _element(self, path: KeyPath) -> None:
        self._note(path)
        self._value(path)

    def _items(self, close: str, one: Callable[[int], None]) -> None:
        index = 0
        while self._skip(newlines=True) and not self._take(close):
            start = self.at
            one(index)
            index += 1
            self._skip(newlines=True)
            self._take(",")
            if self.at == start:
                return

    def _string(self) -> str:
        quote = self._peek()
        if self._take(quote * 3):
            end = self._find_end(quote * 3, escapes=quote == '"')
            # Up to two quotes may stand directly before the closing three.
            while self.text[end + 3 : end + 4] == quote:
                end += 1
            inner, self.at = self.text[self.at : end], end + 3
            return inner
        self.at += 1
        end = self._find_end(quote, escapes=quote == '"')
        inner, self.at = self.text[self.at : end], end + 1
        return _unescape(inner) if quote == '"' else inner

    def _find_end(self, close: str, *, escapes: bool) -> int:
        at = self.at
        while at < len(self.text) and not self.text.startswith(close, at):
            at += 2 if escapes and self.text[at] == "\\" else 1
        return at


def _unescape(text: str) -> str:
    def one(found: re.Match[str]) -> str:
        code = found[1]
        return chr(int(code[1:], 16)) if code[0] in "uUx" else _ESCAPES.get(code, code)

    return re.sub(r"\\(u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)", one, text)
