"""How names are written: patterns, labels of implementations, variants. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase

SERIAL = "serial:"
"""Begins the name of a board on a serial port, before the port."""
VARIANT = "@"
"""Stands between an implementation and its variant."""
COMPILER = "+"
"""Stands before the compiler of a firmware, where it is not the usual one: ``mote/aes@O2+clang``."""


def is_pattern(text: str) -> bool:
    """True if the text selects (``aes-*``) instead of naming."""
    return any(char in text for char in "*?[")


def chooses(pattern: str, implementation: str) -> bool:
    """Whether a name or glob means that implementation.

    A variant (``openssl@no-aes``) is only meant by a pattern that has an ``@`` itself, so that ``*`` stays what it was;
    one of another compiler by a pattern with a ``+``.
    """
    marked = all(mark not in implementation or mark in pattern for mark in (VARIANT, COMPILER))
    return marked and fnmatchcase(implementation, pattern)


def is_variant(implementation: str) -> bool:
    """True if the name is that of a variant, or of what another compiler made."""
    return plain(implementation) != implementation


def plain(implementation: str) -> str:
    """The implementation without its variant and its compiler: ``mote/aes`` of ``mote/aes@O2+clang``."""
    return implementation.partition(COMPILER)[0].partition(VARIANT)[0]


def usual(implementation: str) -> str:
    """What a variant is held against: the same by the usual compiler, else without the variant.

    ``mote/aes@O2`` of ``mote/aes@O2+clang``, ``mote/aes`` of ``mote/aes@O2``.
    """
    return implementation.rpartition(COMPILER if COMPILER in implementation else VARIANT)[0] or implementation


def probe_key(target: str, implementation: str) -> str:
    """What a run's environment calls a probe: by its implementation; on other targets than ``host``, with these."""
    return implementation if target == "host" else f"{target} {implementation}"


def split_probe_key(key: str) -> tuple[str, str]:
    """Target and implementation of a `probe_key`."""
    target, _, implementation = key.rpartition(" ")
    return (target or "host"), implementation


def split_list(entries: Iterable[str]) -> list[str]:
    """The names in entries that may hold several, with commas between."""
    return [part.strip() for entry in entries for part in entry.split(",") if part.strip()]


def split_alias(entry: str) -> tuple[str, str]:
    """``label=implementation`` gives both; a plain name stands for itself."""
    label, _, provider = entry.rpartition("=")
    return (label or provider), provider


def grouped(names: Iterable[str]) -> list[str]:
    """In alphabetical order, those with the same beginning together: ``mote/{aes-ct, des}``."""
    groups: dict[str, list[str]] = {}
    for name in sorted(names):
        first, slash, rest = name.partition("/")
        groups.setdefault(f"{first}{slash}", []).append(rest)
    ends = {group: rest[0] if len(rest) == 1 else f"{{{', '.join(rest)}}}" for group, rest in groups.items()}
    return [f"{group}{end}" for group, end in ends.items()]


def folded(implementations: Iterable[str]) -> dict[tuple[str, ...], list[str]]:
    """Implementations without their variants, by the variants that each has: ``("@O1", "@O2")``; those without first.

    Several optimisation levels and compilers of one implementation thus are one name.
    """
    ends: dict[str, list[str]] = {}
    for name in implementations:
        base = plain(name)
        found = ends.setdefault(base, [])
        if name != base:
            found.append(name[len(base) :])
    by_ends: dict[tuple[str, ...], list[str]] = {}
    for base, variants in sorted(ends.items()):
        by_ends.setdefault(tuple(sorted(variants)), []).append(base)
    return dict(sorted(by_ends.items(), key=lambda item: (len(item[0]), item[0])))
