"""Slips of the pen: the one change of digits that makes a printed number right."""

from __future__ import annotations

from itertools import pairwise

from motebench.base.errors import InputError
from motebench.catalog.published import Printed, printed

_LEAST_DIGITS = 4
"""Shorter numbers are near too many others."""


def _fits(text: str, low: float, high: float) -> bool:
    try:
        number = printed(text)
    except InputError:
        return False
    return float(number.low) <= high and float(number.high) >= low


def slip(number: Printed, low: float, high: float) -> str:
    """What may have happened to a number that should be from ``low`` to ``high``; empty if no single slip does it."""
    text = number.text
    places = [index for index, sign in enumerate(text) if sign.isdigit()]
    if len(places) < _LEAST_DIGITS:
        return ""
    for index in places:
        if _fits(text[:index] + text[index + 1 :], low, high):
            return "one digit too many"
    for one, two in pairwise(places):
        swapped = list(text)
        swapped[one], swapped[two] = swapped[two], swapped[one]
        if text[one] != text[two] and _fits("".join(swapped), low, high):
            return "two digits are exchanged"
    for index in places:
        if any(_fits(f"{text[:index]}{digit}{text[index + 1 :]}", low, high) for digit in "0123456789"):
            return "one digit differs"
    return ""
