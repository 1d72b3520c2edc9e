"""Selects implementations of a target by patterns, and prepares them."""

from __future__ import annotations

from collections.abc import Sequence

from motebench.base.errors import MotebenchError, SetupError
from motebench.base.naming import chooses, is_variant, no_implementation, plain
from motebench.targets.base import Target

HOST = "host"
EVERY = "*"
"""The pattern without a name: all built implementations. Other patterns build what they select."""


def there(target: Target, patterns: Sequence[str]) -> list[str]:
    """The implementations of a target. Sources are fetched first if an implementation begins like one of
    the patterns."""
    from motebench.targets.setup.building import fetch_named

    fetch_named(patterns)
    return target.implementations()


def chosen(target: Target, patterns: Sequence[str]) -> list[str]:
    """The implementations that patterns select, built if necessary; `Target.open` reports failures.

    Prints on standard error what is left out: an answer about all implementations must not hide that some are not
    built.
    """
    from motebench.targets.setup.building import say

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
        say(f"{words}; {_how(target)}")
    return names


def usual(target: Target) -> list[str]:
    """The implementations that are measured by default: those of `Place.usual` that are built.

    If none of these is built, all that are built. Prints on standard error what is left out because it is not built.
    """
    from motebench.targets.setup.building import say

    there = [name for name in target.implementations() if not is_variant(name)]
    known = [name for name in there if target.place.usual(name)]
    ready = set(target.ready())
    if left := [name for name in known if name not in ready]:
        say(f"not built yet, so not measured: {', '.join(left)}; {_how(target)}")
    return [name for name in known if name in ready] or [name for name in there if name in ready]


def _how(target: Target) -> str:
    return f"name the ones you want{', or build all: make setup' if target.name == HOST else ''}"


def none_such(name: str, target: Target, *, where: str | None = None, otherwise: str | None = None) -> MotebenchError:
    """The message for an implementation that the target does not have: what its probe needs, or that it
    does not exist."""
    from motebench.targets.setup.building import lacking

    needed = lacking(plain(name)) if target.name == HOST else None
    if needed:
        return SetupError(f"{name} cannot be measured yet: {needed}", where=where, hint="motebench doctor")
    return no_implementation(name, target.implementations(), target.name, where=where, otherwise=otherwise)


def left_out(target: Target, patterns: Sequence[str]) -> list[str]:
    """The implementations that `chosen` leaves out because they are not built and not named."""
    ready = set(target.ready())
    return [name for name in target.implementations() if EVERY in patterns and name not in ready]
