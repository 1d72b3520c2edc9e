"""How a paper's words and round numbers are read: one rule for all papers, fixed before anything is compared.

``docs/papers.md`` says the rule. A number stands for everything that rounds to it; a word stands for a factor.
"""

from __future__ import annotations

import re
from fractions import Fraction

from motebench.base import dimensions
from motebench.base.units import format_value

INFINITE = float("inf")
WORDS: dict[str, tuple[float, float]] = {
    "the same": (1 / 1.05, 1.05),
    "nearly the same": (1 / 1.1, 1.1),
    "more or less the same": (0.5, 2.0),
    "more": (1.0, INFINITE),
    "less": (0.0, 1.0),
    "much more": (2.0, INFINITE),
    "proportional": (0.95, 1.05),
}
"""Bounds of a ratio, by the word; ``proportional`` bounds the exponent over the size."""
_NUMBER = re.compile(r"(\d{1,15}(?:\.\d{1,15})?)(?:\s*(?:to|-)\s*(\d{1,15}(?:\.\d{1,15})?))?\s*(\S.*)?", re.ASCII)
_VALID = f"a number (3, 7.9, 60 %, 15 to 25 %), or one of: {', '.join(WORDS)}"


def bounds(said: str, unit: str = "1") -> tuple[float, float]:
    """What ``said`` stands for, in ``unit``: ``3`` is 2.5 to 3.5, ``60 %`` is 0.55 to 0.65.

    ValueError for anything that is neither a number with a known unit of that dimension nor a word.
    """
    if said in WORDS:
        return WORDS[said]
    found = _NUMBER.fullmatch(said.strip())
    of, own = (dimensions.unit(found[3] or unit) if found else None), dimensions.unit(unit)
    if found is None or of is None or own is None or of.dimension != own.dimension:
        raise ValueError(f"{said!r} is no number in {unit} and no word with a meaning; valid: {_VALID}")
    low, high = found[1], found[2] or found[1]
    factor = of.factor / own.factor
    return float((Fraction(low) - half(low)) * factor), float((Fraction(high) + half(high)) * factor)


def half(number: str) -> Fraction:
    """Half a unit of the last digit; zeros at the end of a whole number are places, not digits: 500 gives 50."""
    whole, _, places = number.partition(".")
    if places:
        return Fraction(1, 2 * int("1" + "0" * len(places)))
    digits = whole.rstrip("0")
    return Fraction(int("1" + "0" * (len(whole) - len(digits))), 2) if digits else Fraction(1, 2)


def spoken(said: str, low: float, high: float, unit: str = "") -> str:
    """The reading for people: ``"3" is read as 2.5 to 3.5``; empty for words that need none."""
    if said in ("more", "less"):
        return ""
    least, most = (f"{end:.4g}" if unit in ("", "1") else format_value(end, unit, 4) for end in (low, high))
    if low <= 0:
        return f'"{said}" is read as at most {most}'
    if high == INFINITE:
        return f'"{said}" is read as at least {least}'
    return f'"{said}" is read as {least} to {most}'
