"""Outcomes of comparisons, with the numbers behind each, and the verdict that they give together: a claim holds, does
not hold, or cannot be told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import pairwise

from motebench.advise.radio.airtime import Modulation, lora
from motebench.catalog.radios import RADIOS
from motebench.publications.papers.checks import (
    AirtimeCheck,
    AirtimeStepsCheck,
    ApproachCheck,
    ConstantCheck,
    GrowthCheck,
    ScalingCheck,
)
from motebench.publications.papers.values import ClaimValue, label, library
from motebench.stats.shape import Bounded, scaling

_FEW = 2
"""Counterexamples or comparisons that a reason names."""
_MANY = 4
"""Implementations that a reason names."""


_NS = 1e9
_LONGEST = 255
"""Bytes of the longest LoRa payload."""


class ClaimVerdict(StrEnum):
    """The words of a verdict."""

    HOLDS = "holds"
    FAILS = "does not hold"
    OPEN = "cannot be told"


@dataclass(frozen=True, slots=True)
class CheckOutcome:
    """One comparison of a check: the numbers behind the verdict, and the library of both sides (empty: of two, or none
    is known)."""

    verdict: ClaimVerdict
    words: str
    who: str = ""


@dataclass(frozen=True, slots=True)
class JudgedClaim:
    """The verdict on a claim with its reason, and how many comparisons were decided in which way."""

    verdict: ClaimVerdict
    reason: str
    outcomes: tuple[CheckOutcome, ...] = ()

    def count(self, verdict: ClaimVerdict) -> int:
        """Comparisons with that verdict."""
        return sum(outcome.verdict is verdict for outcome in self.outcomes)


def yes(words: str, who: str = "") -> CheckOutcome:
    """The comparison agrees with the claim."""
    return CheckOutcome(ClaimVerdict.HOLDS, words, who)


def no(words: str, who: str = "") -> CheckOutcome:
    """The comparison contradicts the claim."""
    return CheckOutcome(ClaimVerdict.FAILS, words, who)


def unknown(words: str, who: str = "") -> CheckOutcome:
    """The values do not decide the comparison."""
    return CheckOutcome(ClaimVerdict.OPEN, words, who)


def within(low: float, high: float, least: float | None, most: float | None, words: str, who: str = "") -> CheckOutcome:
    """Whether an interval (``least`` to ``most``) lies in the range, outside of it, or across one of its ends."""
    if least is None or most is None:
        return unknown(f"{words}, with too few values for an interval", who)
    if low <= least and most <= high:
        return yes(words, who)
    if most < low or least > high:
        return no(words, who)
    return unknown(f"{words}, an interval that crosses the bound", who)


def overall(outcomes: Sequence[CheckOutcome]) -> JudgedClaim:
    """A claim holds if every comparison does. One clear contradiction is enough against it.

    Where several libraries were measured, each gives a verdict; if these differ, the claim is one about an
    implementation, and cannot be told without the paper's.
    """
    libraries = list(dict.fromkeys(outcome.who for outcome in outcomes if outcome.who))
    if len(libraries) < 2:
        return _one(tuple(outcomes))
    shared = [outcome for outcome in outcomes if not outcome.who]
    each = {name: _one((*(o for o in outcomes if o.who == name), *shared)) for name in libraries}
    kinds = {judged.verdict for judged in each.values()}
    if len(kinds) == 1:
        return _one(tuple(outcomes))
    said = [f"{verdict} with {_names(found)}" for verdict in ClaimVerdict if (found := _with(each, verdict))]
    against = [judged for judged in each.values() if judged.verdict is not ClaimVerdict.HOLDS]
    example = min(against, key=lambda judged: judged.verdict is not ClaimVerdict.FAILS)
    return JudgedClaim(
        ClaimVerdict.OPEN, f"it depends on the implementation: {'; '.join(said)}; {example.reason}", tuple(outcomes)
    )


def _with(each: Mapping[str, JudgedClaim], verdict: ClaimVerdict) -> list[str]:
    return [name for name, judged in each.items() if judged.verdict is verdict]


def _names(found: Sequence[str]) -> str:
    return ", ".join(found[:_MANY]) + (f" and {len(found) - _MANY} more" if len(found) > _MANY else "")


def _one(found: tuple[CheckOutcome, ...]) -> JudgedClaim:
    if not found:
        return JudgedClaim(ClaimVerdict.OPEN, "there are no values to compare")
    failed = [outcome for outcome in found if outcome.verdict is ClaimVerdict.FAILS]
    left = [outcome for outcome in found if outcome.verdict is ClaimVerdict.OPEN]
    if failed:
        return JudgedClaim(ClaimVerdict.FAILS, _words(failed, len(found), "contradict it"), found)
    if left:
        agree = next((outcome for outcome in found if outcome.verdict is ClaimVerdict.HOLDS), None)
        also = f"; but {agree.words}" if agree is not None and len(found) == 2 else ""
        return JudgedClaim(ClaimVerdict.OPEN, _words(left, len(found), "are not decided") + also, found)
    return JudgedClaim(ClaimVerdict.HOLDS, _words(list(found), len(found), "agree"), found)


def _words(shown: Sequence[CheckOutcome], total: int, what: str) -> str:
    if total == 1:
        return shown[0].words
    said = list(dict.fromkeys(item.words for item in shown))
    more = "; ..." if len(said) > _FEW else ""
    return f"{len(shown)} of {total} comparisons {what}: {'; '.join(said[:_FEW])}{more}"


def of_subject(cells: Sequence[ClaimValue], subject: str) -> list[ClaimValue]:
    """The cells of a subject."""
    return [cell for cell in cells if cell.subject == subject]


def joined(where: str, implementation: str) -> str:
    """A place and, where there is one, an implementation."""
    return ", ".join(part for part in (where, implementation) if part)


def by_implementation(cells: Sequence[ClaimValue]) -> list[tuple[str, list[ClaimValue]]]:
    """The cells of each implementation, with its name where there are several."""
    names = list(dict.fromkeys(cell.implementation for cell in cells))
    several = len(names) > 1
    return [(name if several else "", [cell for cell in cells if cell.implementation == name]) for name in names]


def by_library(cells: Sequence[ClaimValue]) -> list[tuple[str, list[ClaimValue]]]:
    """The cells of each library that has several subjects; all of them where none has."""
    found: dict[str, list[ClaimValue]] = {}
    for cell in cells:
        found.setdefault(library(cell.implementation), []).append(cell)
    whole = {cell.subject for cell in cells}
    groups = {name: group for name, group in found.items() if {cell.subject for cell in group} == whole}
    several = len(groups) > 1
    return [(name if several else "", group) for name, group in groups.items()] or [("", list(cells))]


def pair(where: str, cells: Sequence[ClaimValue], lower: str, higher: str, *, rises: bool) -> Iterator[CheckOutcome]:
    """Whether every implementation of one subject is below (``rises``) or above every one of the other, by library.

    Undecided where one of them has no value; nothing where both have none, as in an operation that is not theirs.
    """
    missing = [name for name in (lower, higher) if not of_subject(cells, name)]
    if len(missing) == 1:
        yield unknown(f"{where}: there is no value of {missing[0]}")
    for who, pairs in matched(of_subject(cells, lower), of_subject(cells, higher)).items():
        yield merged([_ordered(where, one, other, who, rises=rises) for one, other in pairs])


def merged(found: Sequence[CheckOutcome]) -> CheckOutcome:
    """One outcome for all pairs of implementations: undecided where they differ."""
    if len({outcome.verdict for outcome in found}) == 1:
        return found[0]
    agree = sum(outcome.verdict is ClaimVerdict.HOLDS for outcome in found)
    against = next((item for item in found if item.verdict is ClaimVerdict.FAILS), None)
    example = against or next(item for item in found if item.verdict is ClaimVerdict.OPEN)
    return unknown(f"{agree} of {len(found)} pairs of implementations agree, not {example.words}", example.who)


def fastest(cells: Sequence[ClaimValue]) -> list[ClaimValue]:
    """Of each subject the implementation with the lowest value, case by case."""
    found: dict[tuple[object, ...], ClaimValue] = {}
    for cell in cells:
        key = (cell.subject, cell.operation, cell.size, cell.device, cell.mode, cell.metric)
        if key not in found or cell.value.value < found[key].value.value:
            found[key] = cell
    return list(found.values())


def _ordered(where: str, one: ClaimValue, other: ClaimValue, who: str, *, rises: bool) -> CheckOutcome:
    ratio = other.value.over(one.value) if rises else one.value.over(other.value)
    words = f"{where}: {named(one)} {one.words}, {named(other)} {other.words}"
    if ratio.low is None or ratio.high is None:
        return unknown(f"{words}, too few values for an interval", who)
    if ratio.low > 1:
        return yes(words, who)
    return no(words, who) if ratio.high < 1 else unknown(f"{words}, intervals overlap", who)


def matched(a: Sequence[ClaimValue], b: Sequence[ClaimValue]) -> dict[str, list[tuple[ClaimValue, ClaimValue]]]:
    """Pairs that may be compared: of one implementation, else of one library, else of any two."""
    every = [(one, other) for one in a for other in b]
    same = {one.implementation for one, other in every if one.implementation == other.implementation}
    found: dict[str, list[tuple[ClaimValue, ClaimValue]]] = {}
    for one, other in every:
        who = library(one.implementation)
        if who != library(other.implementation):
            continue
        if one.implementation != other.implementation and {one.implementation, other.implementation} & same:
            continue
        found.setdefault(who, []).append((one, other))
    return found or ({"": every} if every else {})


def named(cell: ClaimValue) -> str:
    """The subject of a cell, with its implementation."""
    return f"{cell.subject} by {cell.implementation}" if cell.implementation else cell.subject


def scale(check: ScalingCheck | GrowthCheck, where: str, cells: Sequence[ClaimValue]) -> CheckOutcome:
    """Whether values follow the size as a check says."""
    found = scaling([cell.measured_size or cell.size for cell in cells], [cell.value for cell in cells])
    if found is None:
        return unknown(f"{where}: fewer than two sizes")
    least, most = found.least, found.most
    who = library(cells[0].implementation)
    words = f"{where}: exponent {_number(found.exponent)}, from step to step {least.value:.3f} to {most.value:.3f}"
    if isinstance(check, GrowthCheck):
        return within(0.0, float("inf"), least.low, least.high, words, who)
    low, high = check.exponent
    ends = [within(low, high, step.low, step.high, words, who) for step in (least, most)]
    return next(
        (end for end in ends if end.verdict is ClaimVerdict.FAILS),
        max(ends, key=lambda end: end.verdict is ClaimVerdict.OPEN),
    )


def _number(found: Bounded) -> str:
    if found.low is None or found.high is None or found.high - found.low < 5e-4:
        return f"{found.value:.3f}"
    return f"{found.value:.3f} ({found.low:.3f} to {found.high:.3f})"


def constant(check: ConstantCheck, where: str, cells: Sequence[ClaimValue]) -> CheckOutcome:
    """Whether the largest value is near enough to the smallest."""
    if len(cells) < 2:
        return unknown(f"{where}: fewer than two values")
    least, most = (pick(cells, key=lambda cell: cell.value.value) for pick in (min, max))
    ratio = most.value.over(least.value)
    words = (
        f"{where}: {_along(check, least)} {least.words}, {_along(check, most)} {most.words} ({ratio.value - 1:+.1%})"
    )
    both = {library(cell.implementation) for cell in cells}
    return within(0.0, 1 + check.within, ratio.low, ratio.high, words, both.pop() if len(both) == 1 else "")


def _along(check: ConstantCheck, cell: ClaimValue) -> str:
    return label({name: cell.part(name) for name in check.over}, [cell]) or cell.implementation


def approaches(check: ApproachCheck, where: str, cells: Sequence[ClaimValue]) -> CheckOutcome:
    """Whether two subjects are nearer to each other at the largest size than at the smallest."""
    sizes = sorted({cell.size for cell in cells if cell.subject in (check.a, check.b)})
    if len(sizes) < 2:
        return unknown(f"{where}: fewer than two sizes")
    first, last = (_ratio_at(check, cells, size) for size in (sizes[0], sizes[-1]))
    if first is None or last is None:
        return unknown(f"{where}: {check.a} or {check.b} is missing")
    small, large = _distance(first), _distance(last)
    words = f"{where}: {check.a} / {check.b} is {first.value:.3f}, then {last.value:.3f}"
    if small.low is None or small.high is None or large.low is None or large.high is None:
        return unknown(f"{words}, too few values for an interval")
    if large.high < small.low:
        return yes(words)
    return no(words) if large.low >= small.high else unknown(f"{words}, intervals overlap")


def _ratio_at(check: ApproachCheck, cells: Sequence[ClaimValue], size: int) -> Bounded | None:
    """The first value of one subject at a size over that of the other; None if one of them has none."""
    a, b = ([cell for cell in of_subject(cells, name) if cell.size == size] for name in (check.a, check.b))
    return a[0].value.over(b[0].value) if a and b else None


def _distance(ratio: Bounded) -> Bounded:
    """How far a ratio is from 1, as a factor of at least 1."""
    if ratio.low is None or ratio.high is None:
        return Bounded(max(ratio.value, 1 / ratio.value))
    ends = sorted((max(ratio.low, 1 / ratio.low), max(ratio.high, 1 / ratio.high)))
    low = 1.0 if ratio.low <= 1 <= ratio.high else ends[0]
    return Bounded(max(ratio.value, 1 / ratio.value), low, ends[1])


def bounds(ratio: Bounded) -> str:
    """A ratio with its interval, where that is wide enough to be seen."""
    if ratio.low is None or ratio.high is None or ratio.high / ratio.low < 1.002:
        return f"{ratio.value:.3g}"
    return f"{ratio.value:.3g} ({ratio.low:.3g} to {ratio.high:.3g})"


def seconds_on_air(name: str, sf: int, bandwidth_khz: float, payload: int) -> float:
    """Seconds of a packet of ``payload`` bytes with the usual settings: 8 symbols, 4/5, header and CRC."""
    return lora(Modulation(sf, Fraction(str(bandwidth_khz))), payload, RADIOS.find(name)).seconds


def against_airtime(check: AirtimeCheck, where: str, cell: ClaimValue) -> Iterator[CheckOutcome]:
    """Time of a case over the time on air of a payload of its size, for each spreading factor that can carry it."""
    if cell.metric != "time" or cell.size > _LONGEST:
        return
    for sf in check.sf:
        air = seconds_on_air(check.radio, sf, check.bandwidth_khz, cell.size)
        value = cell.value
        ratio = value.value / _NS / air
        ends = [None if end is None else end / _NS / air for end in (value.low, value.high)]
        named = f"{where} by {cell.implementation}" if cell.implementation else where
        words = f"{named}, SF{sf}: {cell.words} / {air * 1000:.1f} ms on air = {ratio:.3g}"
        yield within(check.low, check.high, ends[0], ends[1], words)


def airtime_steps(check: AirtimeStepsCheck) -> Iterator[CheckOutcome]:
    """Of all lengths, how often one more byte makes the packet longer."""
    for sf in check.sf:
        times = [seconds_on_air(check.radio, sf, check.bandwidth_khz, size) for size in range(1, check.most + 1)]
        longer = [after - before for before, after in pairwise(times) if after > before]
        share = len(longer) / (len(times) - 1)
        low, high = check.share
        step = f", each step {longer[0] * 1000:.1f} ms" if longer else ""
        words = f"SF{sf}: {share:.0%} of increments by one byte lengthen the packet{step}"
        yield yes(words) if low <= share <= high else no(words)
