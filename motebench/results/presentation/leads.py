"""Leads of one row of a run over another, in words: only a verdict gives one
(`motebench.results.verdicts`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from motebench.base.units import Better
from motebench.results.presentation.rows import Row, listed
from motebench.stats import Outcome

_CLOSE = 1.1
"""Smaller leads are told in per cent."""


@dataclass(frozen=True, slots=True)
class Lead:
    """Ratio by which one row is better than another, with the interval of the verdict; an exact one
    has none. ``of_places``: low and high are the range over places of the code."""

    ratio: float
    low: float
    high: float
    of_places: bool = False

    @property
    def exact(self) -> bool:
        """True if the values have no noise."""
        return self.low == self.high or self.of_places

    @property
    def inverse(self) -> Lead:
        """The other way round: ``0.5 times`` of ``2 times``."""
        return Lead(1 / self.ratio, 1 / self.high, 1 / self.low, self.of_places)


def lead(best: Row, other: Row) -> Lead | None:
    """The lead of one row; None where no verdict shows one."""
    verdict = other.verdict(best)
    if verdict is None or not verdict.different or verdict.ratio is None:
        return None
    ratio = verdict.ratio
    low = ratio if verdict.low is None else verdict.low
    high = ratio if verdict.high is None else verdict.high
    ahead = (
        Lead(ratio, low, high)
        if verdict.span is None
        else Lead(ratio, *verdict.span, of_places=True)
    )
    if min(ahead.low, ratio) <= 0:
        return None
    return ahead.inverse if best.better == Better.HIGHER else ahead


def differ(a: Row, b: Row) -> bool:
    """True if the samples show that the two differ."""
    verdict = b.verdict(a)
    return verdict is not None and verdict.different


def too_few(a: Row, b: Row) -> bool:
    """True if more samples may decide which of the two is ahead, or if they cannot be compared at
    all.
    """
    verdict = b.verdict(a)
    return verdict is None or verdict.outcome is Outcome.TOO_FEW


def by_processor_time(rows: Sequence[Row], every: Iterable[Row]) -> list[Row]:
    """The processor times of these cases, the least first; empty unless each of them has one with
    an interval.

    They rank implementations whose elapsed times were disturbed: other programs take the processor
    away, and the time that a process had it stays nearly the same. ``every``: rows of every metric.
    """
    cases = {row.case for row in rows}
    times = [row for row in every if row.metric == "cpu_time" and row.case in cases and row.ranks]
    return sorted(times, key=lambda row: row.median) if len(times) == len(cases) > 1 else []


def processor_words(times: Sequence[Row], name: Callable[[Row], str]) -> str:
    """Names with the least of these processor times, the least first, as a clause; empty without
    names. ``name``: of a row.
    """
    if not times:
        return ""
    least = times[0]
    equal = [row for row in times[1:] if not differ(least, row)]
    if equal:
        few = any(too_few(least, row) for row in equal)
        names = listed([name(row) for row in (least, *equal)])
        return f"by processor time {names} " + (
            "have too few samples" if few else "are not distinguishable"
        )
    ahead = lead(least, times[1])
    behind = "" if ahead is None else f", {times_over([ahead.inverse], 'that of')} {name(times[1])}"
    return f"by processor time {name(least)} takes the least{behind}"


def beside_best(rows: Sequence[Row]) -> list[str]:
    """Ratio of each row to the best of them; ``=`` where it is not distinguishable from the best,
    ``?`` where there are too few samples to tell. Empty for fewer than two rows, and where no
    direction is better.
    """
    if len(rows) < 2 or rows[0].better == Better.NEITHER:
        return []
    best = min(rows, key=lambda row: -row.median if row.better == Better.HIGHER else row.median)
    return ["1.00" if row is best else times_best(best, row) for row in rows]


WITHOUT_DISTURBED = "the best of those that are not disturbed; a disturbed one may be better"
"""Note to `beside_best` if disturbed rows are left out."""
BESIDE_BEST = "= is not distinguishable from it, ? too few samples to tell"
"""Explanation of the marks of `beside_best`."""


def times_best(best: Row, row: Row) -> str:
    """Ratio of the row to the best, with as many digits as the interval supports; ``=`` or ``?`` as
    in `beside_best`.
    """
    ahead = lead(best, row)
    if ahead is None:
        return "?" if too_few(best, row) else "="
    digits = 2 if ahead.ratio < 100 else 0
    if ahead.of_places:
        return _range(f"{ahead.low:,.{digits}f}", f"{ahead.high:,.{digits}f}")
    if not ahead.exact:
        return with_its_digits(ahead.ratio, ahead.low, ahead.high)[0]
    return f"{ahead.ratio:,.{digits}f}"


def times(ahead: Lead, comparison: str = "as fast as") -> str:
    """A lead as text with the digits that its interval carries:
    ``2.3 times (2.1 to 2.5) as fast as``; close to 1 ``3.2 % (2.9 to 3.5 %) faster than``. Over
    places of the code it is ``1.99 to 2.11 times as fast as``.
    """
    if ahead.of_places:
        return _times_of_places(ahead, comparison)
    if 1 <= ahead.ratio < _CLOSE and comparison == "as fast as":
        value, low, high = (100 * (number - 1) for number in (ahead.ratio, ahead.low, ahead.high))
        text, low_text, high_text = with_its_digits(value, low, high)
        return f"{text} %{'' if ahead.exact else f' ({low_text} to {high_text} %)'} faster than"
    text, low_text, high_text = with_its_digits(ahead.ratio, ahead.low, ahead.high)
    return f"{text} times{'' if ahead.exact else f' ({low_text} to {high_text})'} {comparison}"


def _times_of_places(ahead: Lead, comparison: str) -> str:
    if ahead.low >= 1 and ahead.high < _CLOSE and comparison == "as fast as":
        return (
            f"{_range(*(f'{100 * (end - 1):.3g}' for end in (ahead.low, ahead.high)))} % faster "
            "than"
        )
    return f"{_range(*(f'{end:.3g}' for end in (ahead.low, ahead.high)))} times {comparison}"


def _range(low: str, high: str) -> str:
    return low if low == high else f"{low} to {high}"


def times_over(leads: Sequence[Lead], comparison: str = "as fast as") -> str:
    """Several leads as text: from the lowest end of their intervals to the highest, to two
    digits.
    """
    if len(leads) == 1:
        return times(leads[0], comparison)
    digits = 3 if all(lead.exact for lead in leads) else 2
    ends = min(lead.low for lead in leads), max(lead.high for lead in leads)
    first, last = (f"{round(end, digits - 1 - _exponent(end)):,.{max(digits, 4)}g}" for end in ends)
    return f"{first if first == last else f'{first} to {last}'} times {comparison}"


def with_its_digits(value: float, low: float, high: float) -> tuple[str, str, str]:
    """A value and the ends of its interval, rounded to the first digit of half its width; an exact
    value to three.
    """
    half = (high - low) / 2
    if half > abs(value):  # no digit is carried: two say how large it is
        wide = [f"{float(f'{number:.2g}'):,g}" for number in (value, low, high)]
        return wide[0], wide[1], wide[2]
    most = 2 - _exponent(value)
    places = most if half <= 0 else min(-_exponent(half), most)
    texts = [f"{round(number, places):,.{max(places, 0)}f}" for number in (value, low, high)]
    if half <= 0:
        texts = [text.rstrip("0").rstrip(".") if "." in text else text for text in texts]
    return texts[0], texts[1], texts[2]


def _exponent(value: float) -> int:
    """The power of ten of the first digit."""
    return math.floor(math.log10(abs(value))) if value else 0
