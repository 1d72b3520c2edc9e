"""The boards of a fleet as a document."""

from __future__ import annotations

from collections.abc import Mapping

from motebench.documents.fleet import BoardEntry, BoardsEntry
from motebench.measuring.fleet.file import Fleet
from motebench.measuring.fleet.looking import Seen


def document(fleet: Fleet, seen: Mapping[str, Seen]) -> BoardsEntry:
    """Every board of the fleet. ``seen``: by name, those that could be looked at."""
    found = []
    for name, board in fleet.boards.items():
        what = seen.get(name)
        found.append(
            BoardEntry(
                board=name,
                target=board.target,
                at=board.at,
                groups=tuple(group for group, members in fleet.groups.items() if name in members),
                instrument=board.instrument,
                reachable=None if what is None else what.problem is None,
                model=None if what is None else what.model,
                problem=None if what is None else what.problem,
            )
        )
    return BoardsEntry(boards=tuple(found))
