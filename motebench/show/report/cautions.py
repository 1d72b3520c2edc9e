"""Objections to a scheme, in a few words each: the marks after its name wherever a page names a winner."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from motebench.base.model import Kind, Scheme
from motebench.catalog import schemes as known_schemes
from motebench.results.presentation.security import SchemeStatus

WEAK_BITS = 112
"""Security strength below which NIST SP 800-131A Rev. 2 disallows protection."""
_LOUD = {"none": 0, "good": 0, "bad": 1, "worst": 2}


@dataclass(frozen=True, slots=True)
class SchemeMark:
    """A few words after a scheme's name; ``level`` is their severity: ``good``, ``none``, ``bad`` or ``worst``."""

    level: str
    words: str


@cache
def _catalog() -> Mapping[str, Scheme]:
    return known_schemes()


def marks(name: str, status: SchemeStatus | None) -> tuple[SchemeMark, ...]:
    """What a reader must know before choosing a scheme: objections, or else its security status."""
    scheme, found = _catalog().get(name), []
    if status is not None and status.level in ("bad", "worst"):
        found.append(SchemeMark(status.level, status.words))
    if status is not None and status.strength_bits is not None and status.strength_bits < WEAK_BITS:
        found.append(SchemeMark("bad", f"{status.strength_bits} bits of strength"))
    if scheme is not None and scheme.mode == "ecb":
        found.append(SchemeMark("worst", "ECB: equal blocks show"))
    elif scheme is not None and scheme.kind in (Kind.CIPHER, Kind.STREAM):
        found.append(SchemeMark("bad", "not authenticated"))
    if found:
        return tuple(found)
    if status is None or status.verdict in ("none", "unknown"):
        return (SchemeMark("none", "status not known"),)
    return (SchemeMark(status.level, status.words),)


def loudness(found: tuple[SchemeMark, ...]) -> int:
    """0 without an objection, 1 with a mild one, 2 if the scheme should not be used in new designs."""
    return max((_LOUD[mark.level] for mark in found), default=0)
