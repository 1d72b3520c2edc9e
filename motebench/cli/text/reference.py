"""Reference results as rows, and their changes as lines."""

from __future__ import annotations

from typing import Any

from motebench.reference.make import Change
from motebench.reference.table import METRICS_KEPT, Entry


def row(entry: Entry) -> dict[str, Any]:
    """One entry: what it is of, its metrics, or why there are none."""
    key = dict(zip(("scheme", "implementation", "operation", "input_bytes"), entry.key, strict=True))
    failure = f"{entry.failure}: {entry.message}" if entry.failure else None
    return {**key, **{name: entry.values.get(name) for name in METRICS_KEPT}, "failure": failure}


def change_entry(change: Change) -> dict[str, Any]:
    """A change as plain data: both sides, None where there is none."""
    sides = {"kept": change.kept, "now": change.now}
    return {"target": change.target, **{name: entry and row(entry) for name, entry in sides.items()}}


def change_line(change: Change) -> str:
    """A change as a line."""
    return f"{change.target} {' '.join(map(str, change.key))}: {_words(change.kept)} -> {_words(change.now)}"


def _words(entry: Entry | None) -> str:
    if entry is None:
        return "not there"
    return entry.failure or ", ".join(f"{value} {name}" for name, value in entry.values.items())
