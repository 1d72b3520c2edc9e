"""A TOML file with the position of each key."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from motebench.base.files.tomllines import KeyPath, key_lines


@dataclass(frozen=True)
class Document:
    """A TOML file: its path, its text and its data."""

    path: Path
    text: str
    data: dict[str, Any]

    @cached_property
    def _lines(self) -> dict[KeyPath, int]:
        return key_lines(self.text)

    def line_of(self, path: KeyPath) -> int:
        """The line (from 1) on which the key or array element at ``path`` starts.

        If it does not exist (a missing key), the line of the nearest enclosing table; 1 for the file itself.
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
