"""The documents of ``motebench doctor``: what is installed, and what is wrong with a store."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from motebench.shapes import Count, one_of

DOCTOR: Literal["motebench-doctor-1"] = "motebench-doctor-1"
STORE: Literal["motebench-store-check-1"] = "motebench-store-check-1"


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckEntry:
    """One checked item."""

    id: str
    group: str
    title: str
    status: Annotated[str, one_of(("ok", "missing", "optional"))]
    """optional: missing, and only its own purpose needs it."""
    found: str
    """The version, or what is wrong."""
    needed_for: str
    remedy: str | None
    """The line to type; null where there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AdviceEntry:
    """One source of noise."""

    id: str
    severity: Annotated[str, one_of(("warning", "info"))]
    """warning: results suffer; info: worth knowing when results are read."""
    what: str
    why: str
    remedy: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DoctorEntry:
    """What `motebench doctor --json` prints."""

    schema: Literal["motebench-doctor-1"] = DOCTOR
    healthy: bool
    """Nothing is missing that measuring needs."""
    checks: tuple[CheckEntry, ...]
    noise: tuple[AdviceEntry, ...]
    environment: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class DamageEntry:
    """One thing that is wrong with a store."""

    table: str
    row: str
    """As a reader finds it: series 5, round 3; empty for a whole table."""
    column: str
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreCheckEntry:
    """What `motebench doctor --store FILE --json` prints."""

    schema: Literal["motebench-store-check-1"] = STORE
    store: str
    whole: Mapping[str, Count]
    """Intact rows, by table."""
    findings: tuple[DamageEntry, ...]
    repaired: str | None
    """The new store with the intact rows; null without --repair."""
