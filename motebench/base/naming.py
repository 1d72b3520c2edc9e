"""The syntax of names (patterns, labels of implementations, variants), and hints for names that do
not exist.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase

from motebench.base.errors import InputError

SIMULATED = "sim:"
"""Prefix of the name of a simulated board, followed by its device: ``sim:nrf52840``."""
SERIAL = "serial:"
"""Prefix of the name of a board on a serial port, followed by the port."""
EMULATED = "emu:"
"""Begins the name of an emulated processor."""
SSH = "ssh:"
"""Begins the name of a Linux board that SSH reaches: ``ssh:pi@raspberrypi``."""
BOARD = "board="
"""Setting in the name of a target: the board, if several carry the same device:
``sim:nrf52840+board=rak4631``.
"""
VARIANT = "@"
"""Separates an implementation and its variant."""
COMPILER = "+"
"""Precedes the compiler of firmware if it is not the default one: ``mote/aes@O2+clang``."""

PLACE = "+place="
"""Setting in the name of a simulated board: its firmware has its code elsewhere,
``sim:nrf52840+place=2``. Comes last.
"""

_SUGGESTIONS = 3
"""Names that are suggested at most."""
_WORSE = 0.15
"""Largest difference in likeness, as a ratio of equal characters, between the nearest name and
another suggestion.
"""
_CLOSE = 0.6
"""Least likeness of a close name, as `difflib` counts: 1 is equal."""
_BEGINNING = 3
"""Characters of a word that tell more than that it is short."""
_NEAREST = 6
"""Number of suggested names, the most similar first."""
_SIMILAR = 0.5
"""Least likeness of a suggestion, counted in the same way."""


def unplaced(target: str) -> str:
    """The name of the target whose code is at the usual place."""
    return target.partition(PLACE)[0]


def usual(targets: Iterable[str]) -> set[str]:
    """Targets without those whose code is elsewhere, if the same target is there with its code at
    the default place.
    """
    names = set(targets)
    return {name for name in names if unplaced(name) == name or unplaced(name) not in names}


def squeezed(name: str) -> str:
    """Name in lower case, without spaces, hyphens and underscores, for comparison with what users
    type.
    """
    return re.sub("[-_ ]", "", name.strip().casefold())


def is_pattern(text: str) -> bool:
    """True if the text is a pattern (``aes-*``) and not a name."""
    return any(char in text for char in "*?[")


def chooses(pattern: str, implementation: str) -> bool:
    """True if a name or glob selects that implementation.

    Only a pattern with an ``@`` selects a variant (``openssl@no-aes``), so that ``*`` keeps its
    meaning. Only a pattern with a ``+`` selects another compiler.
    """
    marked = all(mark not in implementation or mark in pattern for mark in (VARIANT, COMPILER))
    return marked and fnmatchcase(implementation, pattern)


def is_variant(implementation: str) -> bool:
    """True if the name is that of a variant, or of code from another compiler."""
    return plain(implementation) != implementation


def plain(implementation: str) -> str:
    """The implementation without its variant and its compiler: ``mote/aes`` of
    ``mote/aes@O2+clang``.
    """
    return implementation.partition(COMPILER)[0].partition(VARIANT)[0]


def variant_marks(implementation: str) -> str:
    """The variant and the compiler with the marks before them: ``@O2+clang`` of
    ``mote/aes@O2+clang``; empty for the plain name.
    """
    return implementation.removeprefix(plain(implementation))


def baseline(implementation: str) -> str:
    """The implementation with which a variant is compared: the same by the default compiler, else
    without the variant.

    ``mote/aes@O2`` of ``mote/aes@O2+clang``, ``mote/aes`` of ``mote/aes@O2``.
    """
    return (
        implementation.rpartition(COMPILER if COMPILER in implementation else VARIANT)[0]
        or implementation
    )


def probe_key(target: str, implementation: str) -> str:
    """The key of a probe in a run's environment: its implementation; on other targets than
    ``host``, also the target."""
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
    ends = {
        group: rest[0] if len(rest) == 1 else f"{{{', '.join(rest)}}}"
        for group, rest in groups.items()
    }
    return [f"{group}{end}" for group, end in ends.items()]


def folded(implementations: Iterable[str]) -> dict[tuple[str, ...], list[str]]:
    """Implementations without their variants, by the variants of each: ``("@O1", "@O2")``; those
    without variants first.

    So an implementation with several optimisation levels and compilers is one name.
    """
    ends: dict[str, list[str]] = {}
    for name in implementations:
        base = plain(name)
        endings = ends.setdefault(base, [])
        if name != base:
            endings.append(name[len(base) :])
    by_ends: dict[tuple[str, ...], list[str]] = {}
    for base, variants in sorted(ends.items()):
        by_ends.setdefault(tuple(sorted(variants)), []).append(base)
    return dict(sorted(by_ends.items(), key=lambda item: (len(item[0]), item[0])))


def _letters_alike(name: str, word: str) -> bool:
    """True if two names are close without their digits, too: many names end with a year, or have
    the length of a key.
    """
    from difflib import SequenceMatcher

    of_name, of_word = (re.sub(r"\d", "", text) for text in (name, word))
    if not of_name or not of_word:
        return True
    return SequenceMatcher(None, of_name, of_word).ratio() >= _CLOSE


def did_you_mean(word: str, names: Iterable[str]) -> str | None:
    """``did you mean 'x' or 'y'?`` for at most three close words, closest first; None if nothing is
    close.

    Words that begin as ``word`` does are close, too (``sim:atmega``), if they are few.
    """
    from difflib import SequenceMatcher, get_close_matches

    folded = {name.casefold(): name for name in names}
    folded_word = word.strip().casefold()

    def closeness(name: str) -> tuple[float, int]:
        same = next(
            (
                i
                for i, pair in enumerate(zip(name, folded_word, strict=False))
                if pair[0] != pair[1]
            ),
            len(folded_word),
        )
        return (round(SequenceMatcher(None, name, folded_word).ratio(), 2), same)

    longer = (
        [name for name in folded if name.startswith(folded_word)]
        if len(folded_word) >= _BEGINNING
        else []
    )
    like = get_close_matches(folded_word, folded, n=12, cutoff=_CLOSE)
    alike = [name for name in like if _letters_alike(name, folded_word)]
    close = sorted(alike, key=closeness, reverse=True)[:_SUGGESTIONS]
    if close:
        best = closeness(close[0])[0]
        close = [name for name in close if closeness(name)[0] >= best - _WORSE]
    if 0 < len(longer) <= _SUGGESTIONS:
        close = [*sorted(longer), *(name for name in close if name not in longer)][:_SUGGESTIONS]
    return f"did you mean {' or '.join(repr(folded[name]) for name in close)}?" if close else None


def no_implementation(
    name: str,
    available: Sequence[str],
    target: str,
    *,
    where: str | None = None,
    otherwise: str | None = None,
    compiler: str | None = None,
) -> InputError:
    """The mistake: every name once, those most like ``name`` first, and how variants are written.

    ``otherwise`` is the hint where no name is like it, ``compiler`` that where only its compiler is
    unknown.
    """
    names = set(map(plain, available))
    base = plain(name)
    near = sorted(
        (entry for entry in names if _alike(base, entry) >= _SIMILAR),
        key=lambda entry: (-_alike(base, entry), entry),
    )[:_NEAREST]
    hint = did_you_mean(base, names) or otherwise or "motebench list implementations"
    if base != name and base in names:
        of_base = sorted(entry for entry in available if plain(entry) == base and entry != base)
        hint = (
            f"{base} has the variants {', '.join(of_base)}"
            if of_base
            else f"{base} has no variants"
        )
        if compiler and all(name.partition(COMPILER)[2] not in entry for entry in of_base):
            hint = compiler
    return InputError(
        f"unknown implementation {name!r} on "
        f"{f'target {target!r}' if target else 'any of these targets'}",
        where=where,
        valid=", ".join([*near, *grouped(names - set(near))]) + _variants(available),
        hint=hint,
    )


def _alike(name: str, entry: str) -> float:
    from difflib import SequenceMatcher

    return SequenceMatcher(None, name.casefold(), entry.casefold()).ratio()


def _variants(available: Iterable[str]) -> str:
    """Clause on the spelling of variants and compilers, with an example from the names; empty if
    none has a variant.
    """
    variants = sorted(entry for entry in available if is_variant(entry))
    if not variants:
        return ""
    ends = {variant_marks(entry).partition(COMPILER) for entry in variants}
    marks = (
        sorted({level for level, _, _ in ends if level}),
        sorted({plus + word for _, plus, word in ends if word}),
    )
    phrases = [
        f"{kind} ({', '.join(marks_of_kind)})"
        for kind, marks_of_kind in zip(("variants", "compilers"), marks, strict=True)
        if marks_of_kind
    ]
    example = [entry for entry in variants if plain(entry) == plain(variants[0])][-1]
    return f"; {' and '.join(phrases)} as {example}"
