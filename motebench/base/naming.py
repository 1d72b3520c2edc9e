"""The syntax of names: patterns, labels of implementations, variants. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase

SERIAL = "serial:"
"""Prefix of the name of a board on a serial port, followed by the port."""
EMULATED = "emu:"
"""Begins the name of an emulated processor."""
SSH = "ssh:"
"""Begins the name of a Linux board that SSH reaches: ``ssh:pi@raspberrypi``."""
BOARD = "board="
"""In the name of a target: the board, where several carry the same device: ``sim:nrf52840+board=rak4631``."""
VARIANT = "@"
"""Separates an implementation and its variant."""
COMPILER = "+"
"""Precedes the compiler of firmware if it is not the default one: ``mote/aes@O2+clang``."""

PLACE = "+place="
"""In the name of a simulated board: its firmware has its code elsewhere, ``sim:nrf52840+place=2``. Comes last."""


def unplaced(target: str) -> str:
    """The name of the target whose code is at the usual place."""
    return target.partition(PLACE)[0]


def usual(targets: Iterable[str]) -> set[str]:
    """Without the targets whose code is elsewhere, where the same target is there with its code at the usual place."""
    there = set(targets)
    return {name for name in there if unplaced(name) == name or unplaced(name) not in there}


def is_pattern(text: str) -> bool:
    """True if the text is a pattern (``aes-*``) and not a name."""
    return any(char in text for char in "*?[")


def chooses(pattern: str, implementation: str) -> bool:
    """Whether a name or glob selects that implementation.

    Only a pattern with an ``@`` selects a variant (``openssl@no-aes``), so that ``*`` keeps its meaning. Only a pattern
    with a ``+`` selects another compiler.
    """
    marked = all(mark not in implementation or mark in pattern for mark in (VARIANT, COMPILER))
    return marked and fnmatchcase(implementation, pattern)


def is_variant(implementation: str) -> bool:
    """Whether the name is that of a variant, or of code from another compiler."""
    return plain(implementation) != implementation


def plain(implementation: str) -> str:
    """The implementation without its variant and its compiler: ``mote/aes`` of ``mote/aes@O2+clang``."""
    return implementation.partition(COMPILER)[0].partition(VARIANT)[0]


def baseline(implementation: str) -> str:
    """The implementation with which a variant is compared: the same by the default compiler, else without the variant.

    ``mote/aes@O2`` of ``mote/aes@O2+clang``, ``mote/aes`` of ``mote/aes@O2``.
    """
    return implementation.rpartition(COMPILER if COMPILER in implementation else VARIANT)[0] or implementation


def probe_key(target: str, implementation: str) -> str:
    """The key of a probe in a run's environment: its implementation; on other targets than ``host``, also
    the target."""
    return implementation if target == "host" else f"{target} {implementation}"


def split_probe_key(key: str) -> tuple[str, str]:
    """Target and implementation from a `probe_key`."""
    target, _, implementation = key.rpartition(" ")
    return (target or "host"), implementation


def split_list(entries: Iterable[str]) -> list[str]:
    """The names in entries that may have several, separated by commas."""
    return [part.strip() for entry in entries for part in entry.split(",") if part.strip()]


def split_alias(entry: str) -> tuple[str, str]:
    """Both parts of ``label=implementation``; a plain name is its own label."""
    label, _, provider = entry.rpartition("=")
    return (label or provider), provider


def grouped(names: Iterable[str]) -> list[str]:
    """Names in alphabetical order, those with the same prefix combined: ``mote/{aes-ct, des}``."""
    groups: dict[str, list[str]] = {}
    for name in sorted(names):
        first, slash, rest = name.partition("/")
        groups.setdefault(f"{first}{slash}", []).append(rest)
    ends = {group: rest[0] if len(rest) == 1 else f"{{{', '.join(rest)}}}" for group, rest in groups.items()}
    return [f"{group}{end}" for group, end in ends.items()]


def folded(implementations: Iterable[str]) -> dict[tuple[str, ...], list[str]]:
    """Implementations without their variants, by the variants of each: ``("@O1", "@O2")``; those without variants
    first.

    So an implementation with several optimisation levels and compilers is one name.
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
