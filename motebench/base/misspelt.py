"""What a user is told who names something that is not there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from motebench.base.errors import InputError
from motebench.base.naming import COMPILER, grouped, is_variant, plain

_SAID = 3
"""Names that are suggested at most."""
_WORSE = 0.15
"""How much less like the given word than the nearest one a suggestion may be, as a ratio of equal characters."""
_BEGINNING = 3
"""Characters of a word that tell more than that it is short."""
_NEAREST = 6
"""Names that come first because they are most like the one that was given."""
_SIMILAR = 0.5
"""How like it they are at least, as `difflib` counts: 1 is equal."""


def did_you_mean(word: str, known: Iterable[str]) -> str | None:
    """``did you mean 'x' or 'y'?`` for at most three close words, closest first; None if nothing is close.

    Words that begin as ``word`` does are close, too (``sim:atmega``), if they are few.
    """
    from difflib import SequenceMatcher, get_close_matches

    folded = {name.casefold(): name for name in known}
    wanted = word.strip().casefold()

    def closeness(name: str) -> tuple[float, int]:
        same = next((i for i, pair in enumerate(zip(name, wanted, strict=False)) if pair[0] != pair[1]), len(wanted))
        return (round(SequenceMatcher(None, name, wanted).ratio(), 2), same)

    longer = [name for name in folded if name.startswith(wanted)] if len(wanted) >= _BEGINNING else []
    close = sorted(get_close_matches(wanted, folded, n=12, cutoff=0.6), key=closeness, reverse=True)[:_SAID]
    if close:
        best = closeness(close[0])[0]
        close = [name for name in close if closeness(name)[0] >= best - _WORSE]
    if 0 < len(longer) <= _SAID:
        close = [*sorted(longer), *(name for name in close if name not in longer)][:_SAID]
    return f"did you mean {' or '.join(repr(folded[name]) for name in close)}?" if close else None


def no_implementation(
    name: str, available: Sequence[str], target: str, *, where: str | None = None, otherwise: str | None = None
) -> InputError:
    """The mistake: every name once, those most like ``name`` first, and how variants are written.

    ``otherwise`` is the hint where no name is like it.
    """
    names = set(map(plain, available))
    base = plain(name)
    near = sorted(
        (entry for entry in names if _alike(base, entry) >= _SIMILAR), key=lambda entry: (-_alike(base, entry), entry)
    )[:_NEAREST]
    hint = did_you_mean(base, names) or otherwise or "motebench list implementations"
    if base != name and base in names:
        of_base = sorted(entry for entry in available if plain(entry) == base and entry != base)
        hint = f"{base} has the variants {', '.join(of_base)}" if of_base else f"{base} has no variants"
    return InputError(
        f"unknown implementation {name!r} on target {target!r}",
        where=where,
        valid=", ".join([*near, *grouped(names - set(near))]) + _variants(available),
        hint=hint,
    )


def _alike(name: str, entry: str) -> float:
    from difflib import SequenceMatcher

    return SequenceMatcher(None, name.casefold(), entry.casefold()).ratio()


def _variants(available: Iterable[str]) -> str:
    """How variants and compilers are written, by the last one there is of one name; empty if there is none."""
    there = sorted(entry for entry in available if is_variant(entry))
    if not there:
        return ""
    ends = {entry[len(plain(entry)) :].partition(COMPILER) for entry in there}
    marks = sorted({level for level, _, _ in ends if level}), sorted({plus + word for _, plus, word in ends if word})
    words = [f"{what} ({', '.join(each)})" for what, each in zip(("variants", "compilers"), marks, strict=True) if each]
    example = [entry for entry in there if plain(entry) == plain(there[0])][-1]
    return f"; {' and '.join(words)} as {example}"
