"""Changes of reference results as lines."""

from __future__ import annotations

from motebench.advise.reference.make import Change
from motebench.advise.reference.table import Entry


def change_line(change: Change) -> str:
    """A change as a line."""
    return f"{change.target} {' '.join(map(str, change.key))}: {_words(change.kept)} -> {_words(change.now)}"


def _words(entry: Entry | None) -> str:
    if entry is None:
        return "not there"
    return entry.failure or ", ".join(f"{value} {name}" for name, value in entry.values.items())
