"""A TOML file with the position of each key, which ``tomllib`` does not keep.

The scanner gets only text that ``tomllib`` has accepted, so it assumes valid syntax.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

KeyPath = tuple[str | int, ...]
"""Position of a value: keys, and indices into arrays. ``("status", 0, "date")``."""


@dataclass(frozen=True)
class TomlDocument:
    """A TOML file: its path, its text and its data."""

    path: Path
    text: str
    data: dict[str, Any]

    @cached_property
    def _lines(self) -> dict[KeyPath, int]:
        return key_lines(self.text)

    def line_of(self, path: KeyPath) -> int:
        """The line (from 1) on which the key or array element at ``path`` starts.

        If it does not exist (a missing key), the line of the nearest enclosing table; 1 for the
        file itself.
        """
        for length in range(len(path), 0, -1):
            line = self._lines.get(tuple(path[:length]))
            if line is not None:
                return line
        return 1

    def where(self, path: KeyPath) -> str:
        """``file:line: key`` for messages."""
        place = f"{self.path}:{self.line_of(path)}"
        return f"{place}: {spell(path)}" if path else place


def spell(path: KeyPath) -> str:
    """A key path as people write it: ``status[0].date``; indices start at 0."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            text += f".{part}" if text else part
    return text


def key_lines(text: str) -> dict[KeyPath, int]:
    """The line (from 1) of every key, table header and array element of a *valid* TOML text."""
    scanner = _Scanner(text)
    try:
        return scanner.scan()
    except RecursionError:  # hundreds of nested brackets: return the lines found so far
        return scanner.lines


_BARE = re.compile(r"[A-Za-z0-9_-]+")
_SCALAR = re.compile(r"[^\s,\]}#][^,\]}#\n]*")
_ESCAPES = {"b": "\b", "t": "\t", "n": "\n", "f": "\f", "r": "\r", '"': '"', "\\": "\\"}


class _Scanner:
    """Scanner of the text in one pass. It assumes valid syntax; at anything unexpected it stops and
    keeps its results so far.
    """

    def __init__(self, text: str) -> None:
        self.text = text.replace("\r\n", "\n")
        self._ends = [newline.start() for newline in re.finditer("\n", self.text)]
        self.at = 0
        self.lines: dict[KeyPath, int] = {}
        self.counts: dict[KeyPath, int] = {}
        """Number of elements so far of each array of tables."""

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
        return bisect.bisect_left(self._ends, self.at) + 1

    def _note(self, path: KeyPath) -> None:
        self.lines.setdefault(path, self._line())

    def _note_all(self, path: KeyPath) -> None:
        for length in range(1, len(path) + 1):
            self._note(path[:length])

    def _resolve(self, key: tuple[str, ...]) -> KeyPath:
        """A header's key with the index of the newest element after each array of tables but the
        last part.
        """
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
        """Skip blanks, comments and perhaps line ends; False at the end of the text."""
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

    def _items(self, close: str, read_item: Callable[[int], None]) -> None:
        index = 0
        while self._skip(newlines=True) and not self._take(close):
            start = self.at
            read_item(index)
            index += 1
            self._skip(newlines=True)
            self._take(",")
            if self.at == start:
                return

    def _string(self) -> str:
        quote = self._peek()
        if self._take(quote * 3):
            end = self._find_end(quote * 3, escapes=quote == '"')
            # Up to two quotes may precede the closing three.
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
    def one(match: re.Match[str]) -> str:
        code = match[1]
        return chr(int(code[1:], 16)) if code[0] in "uUx" else _ESCAPES.get(code, code)

    return re.sub(r"\\(u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)", one, text)
