"""Which implementations of a target patterns mean, and having them ready."""

from __future__ import annotations

from collections.abc import Sequence

from motebench.errors import MotebenchError, SetupError
from motebench.misspelt import no_implementation
from motebench.naming import chooses, is_variant, plain
from motebench.targets.base import Target

HOST = "host"
EVERY = "*"
"""What is meant where nobody names an implementation: all that are built. What other patterns choose gets built."""


def there(target: Target, patterns: Sequence[str]) -> list[str]:
    """The implementations of a target. What is fetched first has a name that begins as one of the patterns does."""
    from motebench.targets.building import fetch_named

    fetch_named(patterns)
    return target.implementations()


def chosen(target: Target, patterns: Sequence[str]) -> list[str]:
    """The implementations that patterns mean, built if they were not; what fails in that, `Target.open` says.

    Says on standard error what is left out: an answer about all there are must not hide that some are not built.
    """
    from motebench.targets.building import say

    ready = set(target.ready())
    names = [
        name
        for name in target.implementations()
        if any(chooses(pattern, name) and (pattern != EVERY or name in ready) for pattern in patterns)
    ]
    target.prepare(names)
    left = left_out(target, patterns)
    if left:
        shown = ", ".join(left[:4]) + (", ..." if len(left) > 4 else "")
        words = f"{len(left)} implementations are not built yet and take no part: {shown}"
        say(f"{words}; name the ones you want, or build all: make setup")
    return names


def usual(target: Target) -> list[str]:
    """The implementations that are measured where a study names none: those of `Place.usual` that are built.

    All that are built if none of these is. Says on standard error what is left out because it is not built.
    """
    from motebench.targets.building import say

    there = [name for name in target.implementations() if not is_variant(name)]
    known = [name for name in there if target.place.usual(name)]
    ready = set(target.ready())
    if left := [name for name in known if name not in ready]:
        say(f"not built yet, so not measured: {', '.join(left)}; name the ones you want, or build all: make setup")
    return [name for name in known if name in ready] or [name for name in there if name in ready]


def none_such(name: str, target: Target, *, where: str | None = None, otherwise: str | None = None) -> MotebenchError:
    """What is said of an implementation that the target has not: what its probe lacks, else that there is none."""
    from motebench.targets.building import lacking

    needed = lacking(plain(name)) if target.name == HOST else None
    if needed:
        return SetupError(f"{name} cannot be measured yet: {needed}", where=where, hint="motebench doctor")
    return no_implementation(name, target.implementations(), target.name, where=where, otherwise=otherwise)


def left_out(target: Target, patterns: Sequence[str]) -> list[str]:
    """What `chosen` leaves out because it is not built and nobody names it."""
    ready = set(target.ready())
    return [name for name in target.implementations() if EVERY in patterns and name not in ready]
