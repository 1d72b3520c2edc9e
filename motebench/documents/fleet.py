"""The document of ``motebench fleet boards``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardEntry:
    """A board of the fleet."""

    board: str
    target: str
    at: str | None
    """The lab host it hangs on; null for the machine that is asked."""
    groups: tuple[str, ...]
    instrument: str | None
    reachable: bool | None
    """Whether it answers; null if its lab host has no worker."""
    model: str | None
    """What it says it is."""
    problem: str | None
    """Why it does not answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardsEntry:
    """The boards of a fleet. See docs/fleet.md."""

    schema: Literal["motebench-fleet-1"] = "motebench-fleet-1"
    boards: tuple[BoardEntry, ...]
