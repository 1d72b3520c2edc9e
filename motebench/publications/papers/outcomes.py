"""Outcomes of comparisons, with the numbers behind each, and their common verdict: a claim holds,
does not hold, or cannot be told.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
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
from motebench.publications.papers.values import ClaimRatio, ClaimValue, label, library
from motebench.stats import EQUIVALENT
from motebench.stats.shape import Bounded, scaling

_FEW = 2
"""Counterexamples or comparisons that a reason names."""
_MANY = 4
"""Implementations that a reason names."""


_AGAIN = 2.0
"""Factor of the samples where there are too few for an interval."""
_LEAST_MORE = 1.25
"""The least that is worth another look."""
_MOST_MORE = 1000.0
"""Largest number of samples that is requested: an interval without an end gives no number."""
_SMALLEST = 1e-12
"""Substitute for a ratio of 0, which has no logarithm."""
_NS = 1e9
_LONGEST = 255
"""Bytes of the longest LoRa payload."""


class ClaimVerdict(StrEnum):
    """The words of a verdict."""

    HOLDS = "holds"
    FAILS = "does not hold"
    PARTLY = "holds in part"
    """The claim holds with some implementations, and not with others."""
    NEAR = "not distinguishable"
    """Too near to the bound: the samples exclude a larger distance than the resolution."""
    OPEN = "cannot be told"


@dataclass(frozen=True, slots=True)
class CheckOutcome:
    """One comparison of a check: the numbers behind the verdict, and the library of both sides
    (empty: of two, or none is known).

    ``tests``: ratios that were looked at for it. Of one that is open, ``cells``: more samples of
    them decide it, ``more``: how many times those there are, and ``against``: its value contradicts
    the claim, its interval does not. ``sides``: -1 for ratios that are below what the check allows,
    1 for those above.
    """

    verdict: ClaimVerdict
    words: str
    who: str = ""
    tests: int = 1
    cells: tuple[ClaimValue, ...] = ()
    more: float = 1.0
    against: bool = False
    sides: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class JudgedClaim:
    """The verdict on a claim with its reason, and how many comparisons were decided in which way.

    ``lacking``: the comparisons that keep it open, where more samples would decide them.
    """

    verdict: ClaimVerdict
    reason: str
    outcomes: tuple[CheckOutcome, ...] = ()
    lacking: tuple[CheckOutcome, ...] = ()

    @property
    def told(self) -> bool:
        """True if the values decide."""
        return self.verdict is not ClaimVerdict.OPEN

    def count(self, verdict: ClaimVerdict) -> int:
        """Comparisons with that verdict."""
        return sum(outcome.verdict is verdict for outcome in self.outcomes)


def yes(sentence: str, who: str = "") -> CheckOutcome:
    """The comparison agrees with the claim."""
    return CheckOutcome(ClaimVerdict.HOLDS, sentence, who)


def no(sentence: str, who: str = "") -> CheckOutcome:
    """The comparison contradicts the claim."""
    return CheckOutcome(ClaimVerdict.FAILS, sentence, who)


def unknown(sentence: str, who: str = "") -> CheckOutcome:
    """The values do not decide the comparison."""
    return CheckOutcome(ClaimVerdict.OPEN, sentence, who)


def within(
    low: float, high: float, least: float | None, most: float | None, sentence: str, who: str = ""
) -> CheckOutcome:
    """Check whether an interval (``least`` to ``most``) lies in the range, outside of it, or across
    one of its ends.
    """
    if least is None or most is None:
        return unknown(f"{sentence}, with too few values for an interval", who)
    if low <= least and most <= high:
        return yes(sentence, who)
    if most < low or least > high:
        return no(sentence, who)
    return unknown(f"{sentence}, an interval that crosses the bound", who)


def decided(
    low: float,
    high: float,
    ratio: Bounded,
    sentence: str,
    cells: Sequence[ClaimValue],
    who: str = "",
) -> CheckOutcome:
    """`within`, for a ratio of ``cells``; one that is open says how many more samples decide it.

    A contradiction needs the level of the family, agreement that of a comparison alone.

    Samples that place it within the resolution of the bound show that it is not distinguishable
    from it.
    """
    outcome = within(low, high, ratio.low, ratio.high, sentence, who)
    if outcome.verdict is ClaimVerdict.FAILS:
        outcome = replace(outcome, sides=frozenset({-1 if ratio.value < low else 1}))
    if any(cell.samples is None for cell in cells):
        return outcome
    if ratio.low is None or ratio.high is None:
        return replace(outcome, cells=tuple(cells), more=_AGAIN)
    border = min((low, high), key=lambda end: abs(_log(end / ratio.value)) if ratio.value else end)
    if border <= 0 or ratio.low == ratio.high:  # counts have no noise
        return outcome
    return _by_samples(outcome, ratio, _Border(low, high, border), cells)


@dataclass(frozen=True, slots=True)
class _Border:
    """Bounds of a check, and the bound that is nearer to the ratio."""

    low: float
    high: float
    at: float

    def has(self, low: float, high: float) -> bool:
        """True if all of an interval is allowed."""
        return self.low <= low and high <= self.high


def _by_samples(
    outcome: CheckOutcome, ratio: Bounded, border: _Border, cells: Sequence[ClaimValue]
) -> CheckOutcome:
    """The outcome of a ratio that has noise."""
    alone = _alone(ratio)
    least, middle, most = (_log(end / border.at) for end in (alone[0], ratio.value, alone[1]))
    # An order is reported only for values that lie apart by the resolution, however sure it is.
    crosses = outcome.verdict is ClaimVerdict.OPEN and not border.has(*alone)
    apart = max(cell.resolution for cell in cells) if crosses or border.at == 1 else EQUIVALENT
    equal = math.log1p(apart)
    if -equal <= least and most <= equal:
        sentence = f"{outcome.words}, within {apart:.0%} of the bound {border.at:.3g}"
        return CheckOutcome(ClaimVerdict.NEAR, sentence, outcome.who)
    # A value this side of the resolution waits for samples: else noise would choose between both
    # words.
    waits = border.at == 1 and apart > EQUIVALENT and abs(middle) <= equal
    if not waits and not crosses:
        return (
            outcome if outcome.verdict is not ClaimVerdict.OPEN else yes(outcome.words, outcome.who)
        )
    against = not border.has(ratio.value, ratio.value)
    more = _more(
        ratio.value,
        _of_family(ratio) if against and not waits else alone,
        border.at,
        equal,
        waits=waits,
    )
    return CheckOutcome(
        ClaimVerdict.OPEN,
        outcome.words,
        outcome.who,
        cells=tuple(cells),
        more=more,
        against=against,
    )


def _more(
    value: float, ends: tuple[float, float], border: float, equal: float, *, waits: bool
) -> float:
    """Factor of the samples until an interval is on one side, or within the resolution ``equal``:
    it narrows with the root of their number."""
    distance = abs(_log(value / border))
    reach = max(
        _log(value / border) - _log(ends[0] / border), _log(ends[1] / border) - _log(value / border)
    )
    margin = max(equal / 4 if waits else distance, equal - distance)
    return min(max(_LEAST_MORE, (reach / margin) ** 2), _MOST_MORE)


def _of_family(ratio: Bounded) -> tuple[float, float]:
    """The interval at the level of the family."""
    assert ratio.low is not None and ratio.high is not None
    return ratio.low, ratio.high


def _alone(ratio: Bounded) -> tuple[float, float]:
    """The interval at the level of a comparison alone, where it is known."""
    if isinstance(ratio, ClaimRatio) and ratio.least is not None and ratio.most is not None:
        return ratio.least, ratio.most
    return _of_family(ratio)


def _log(ratio: float) -> float:
    return math.log(max(ratio, _SMALLEST))


def overall(outcomes: Sequence[CheckOutcome]) -> JudgedClaim:
    """A claim holds if every comparison does. One clear contradiction is enough against it.

    Where several libraries were measured, each gives a verdict; if these differ, the claim is one
    about an implementation, and holds in part, or cannot be told before all of them are decided.
    """
    libraries = list(dict.fromkeys(outcome.who for outcome in outcomes if outcome.who))
    if len(libraries) < 2:
        return _one(tuple(outcomes))
    shared = [outcome for outcome in outcomes if not outcome.who]
    by_library = {
        name: _one((*(o for o in outcomes if o.who == name), *shared)) for name in libraries
    }
    if len({judged.verdict for judged in by_library.values()}) == 1:
        return _one(tuple(outcomes))
    return _differing(by_library, tuple(outcomes))


def _differing(
    by_library: Mapping[str, JudgedClaim], outcomes: tuple[CheckOutcome, ...]
) -> JudgedClaim:
    """The verdict where libraries differ."""
    parts = [
        f"{verdict} with {_names(names)}"
        for verdict in ClaimVerdict
        if (names := _with(by_library, verdict))
    ]
    against = [judged for judged in by_library.values() if judged.verdict is not ClaimVerdict.HOLDS]
    example = min(against, key=lambda judged: judged.verdict is not ClaimVerdict.FAILS)
    sentence = f"it depends on the implementation: {'; '.join(parts)}; {example.reason}"
    if _in_part({judged.verdict for judged in by_library.values()}):
        return JudgedClaim(ClaimVerdict.PARTLY, sentence, outcomes)
    lacking = tuple(outcome for judged in by_library.values() for outcome in judged.lacking)
    return JudgedClaim(ClaimVerdict.OPEN, sentence, outcomes, tuple(dict.fromkeys(lacking)))


def _in_part(kinds: Collection[ClaimVerdict]) -> bool:
    """True if verdicts that differ say that it depends, whatever is still open."""
    return ClaimVerdict.OPEN not in kinds or (
        ClaimVerdict.HOLDS in kinds and ClaimVerdict.FAILS in kinds
    )


def _with(by_library: Mapping[str, JudgedClaim], verdict: ClaimVerdict) -> list[str]:
    return [name for name, judged in by_library.items() if judged.verdict is verdict]


def _names(names: Sequence[str]) -> str:
    return ", ".join(names[:_MANY]) + (
        f" and {len(names) - _MANY} more" if len(names) > _MANY else ""
    )


def _one(outcomes: tuple[CheckOutcome, ...]) -> JudgedClaim:
    if not outcomes:
        return JudgedClaim(ClaimVerdict.OPEN, "there are no values to compare")
    failed, left, partly, near = (
        [outcome for outcome in outcomes if outcome.verdict is verdict]
        for verdict in (
            ClaimVerdict.FAILS,
            ClaimVerdict.OPEN,
            ClaimVerdict.PARTLY,
            ClaimVerdict.NEAR,
        )
    )
    if failed:
        return JudgedClaim(
            ClaimVerdict.FAILS, _words(failed, len(outcomes), "contradict it"), outcomes
        )
    if left:
        agree = next(
            (outcome for outcome in outcomes if outcome.verdict is ClaimVerdict.HOLDS), None
        )
        also = f"; but {agree.words}" if agree is not None and len(outcomes) == 2 else ""
        lacking = tuple(outcome for outcome in left if outcome.cells)
        return JudgedClaim(
            ClaimVerdict.OPEN,
            _words(left, len(outcomes), "are not decided") + also,
            outcomes,
            lacking,
        )
    if partly:
        return JudgedClaim(
            ClaimVerdict.PARTLY,
            _words(partly, len(outcomes), "depend on the implementation"),
            outcomes,
        )
    if near:
        return JudgedClaim(
            ClaimVerdict.NEAR, _words(near, len(outcomes), "are too near to the bound"), outcomes
        )
    return JudgedClaim(ClaimVerdict.HOLDS, _words(list(outcomes), len(outcomes), "agree"), outcomes)


def _words(shown: Sequence[CheckOutcome], total: int, predicate: str) -> str:
    if total == 1:
        return shown[0].words
    texts = list(dict.fromkeys(item.words for item in shown))
    more = "; ..." if len(texts) > _FEW else ""
    return f"{len(shown)} of {total} comparisons {predicate}: {'; '.join(texts[:_FEW])}{more}"


def in_regime(
    outcome: CheckOutcome, low: float, high: float, published: Bounded | None
) -> CheckOutcome:
    """The outcome at smaller sizes than the paper's; open where it is another one there.
    ``published``: what is compared, at the paper's sizes.

    A start of a program, or a signature, that is most of a small file's time is nothing beside a
    large one's.
    """
    if outcome.verdict not in (ClaimVerdict.HOLDS, ClaimVerdict.FAILS) or published is None:
        return outcome
    at_paper = within(low, high, published.low, published.high, "").verdict
    if at_paper in (outcome.verdict, ClaimVerdict.OPEN):
        return outcome
    sentence = (
        f"{outcome.words}, but {bounds(published)} at the paper's size by a line through the sizes "
        "that were measured"
    )
    return replace(outcome, verdict=ClaimVerdict.OPEN, words=sentence, sides=frozenset())


def at_paper(top: ClaimValue, bottom: ClaimValue) -> Bounded | None:
    """The quotient of two values at the paper's sizes; None where neither is at another one, or it
    is not known.
    """
    values = [cell.there if cell.scaled else cell.value for cell in (top, bottom)]
    if not (top.scaled or bottom.scaled) or values[0] is None or values[1] is None:
        return None
    return values[0].over(values[1])


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
    return [
        (name if several else "", [cell for cell in cells if cell.implementation == name])
        for name in names
    ]


def by_library(cells: Sequence[ClaimValue]) -> list[tuple[str, list[ClaimValue]]]:
    """The cells of each library that has several subjects; all of them where none has."""
    cells_of: dict[str, list[ClaimValue]] = {}
    for cell in cells:
        cells_of.setdefault(library(cell.implementation), []).append(cell)
    whole = {cell.subject for cell in cells}
    groups = {
        name: group for name, group in cells_of.items() if {cell.subject for cell in group} == whole
    }
    several = len(groups) > 1
    return [(name if several else "", group) for name, group in groups.items()] or [
        ("", list(cells))
    ]


def pair(
    where: str, cells: Sequence[ClaimValue], lower: str, higher: str, *, rises: bool
) -> Iterator[CheckOutcome]:
    """Check whether every implementation of one subject is below (``rises``) or above every one of
    the other, by library.

    Undecided where one of them has no value; nothing where both have none, as in an operation that
    is not theirs.
    """
    missing = [name for name in (lower, higher) if not of_subject(cells, name)]
    if len(missing) == 1:
        yield unknown(f"{where}: there is no value of {missing[0]}")
    for who, pairs in matched(of_subject(cells, lower), of_subject(cells, higher)).items():
        yield merged([_ordered(where, left, other, who, rises=rises) for left, other in pairs])


def merged(outcomes: Sequence[CheckOutcome]) -> CheckOutcome:
    """One outcome for all pairs of implementations: in part where they differ, undecided if one of
    them is."""
    tests = sum(item.tests for item in outcomes)
    cells = tuple(dict.fromkeys(cell for item in outcomes for cell in item.cells))
    sides = frozenset().union(*(item.sides for item in outcomes))
    more = max((item.more for item in outcomes if item.cells), default=1.0)
    kinds = {outcome.verdict for outcome in outcomes}
    if len(kinds) == 1:
        return replace(outcomes[0], tests=tests, cells=cells, more=more, sides=sides)
    agree = sum(outcome.verdict is ClaimVerdict.HOLDS for outcome in outcomes)
    order = (
        ClaimVerdict.FAILS,
        ClaimVerdict.OPEN,
        ClaimVerdict.PARTLY,
        ClaimVerdict.NEAR,
        ClaimVerdict.HOLDS,
    )
    example = min(outcomes, key=lambda outcome: order.index(outcome.verdict))
    sentence = f"{agree} of {len(outcomes)} pairs of implementations agree, not {example.words}"
    if _in_part(kinds):
        return CheckOutcome(ClaimVerdict.PARTLY, sentence, example.who, tests)
    return CheckOutcome(ClaimVerdict.OPEN, sentence, example.who, tests, cells, more)


def fastest(cells: Sequence[ClaimValue]) -> list[ClaimValue]:
    """Implementation with the lowest value for each subject, case by case."""
    quickest: dict[tuple[object, ...], ClaimValue] = {}
    for cell in cells:
        key = (cell.subject, cell.operation, cell.size, cell.device, cell.mode, cell.metric)
        if key not in quickest or cell.value.value < quickest[key].value.value:
            quickest[key] = cell
    return list(quickest.values())


def _ordered(
    where: str, first: ClaimValue, second: ClaimValue, who: str, *, rises: bool
) -> CheckOutcome:
    ratio = second.over(first) if rises else first.over(second)
    sentence = f"{where}: {named(first)} {first.words}, {named(second)} {second.words}"
    if ratio.low == ratio.high == 1:
        return no(f"{sentence}, the same", who)
    outcome = decided(1.0, math.inf, ratio, sentence, (first, second), who)
    if outcome.verdict is ClaimVerdict.OPEN and ratio.known:
        return replace(outcome, words=f"{sentence}, intervals overlap")
    return in_regime(
        outcome, 1.0, math.inf, at_paper(second, first) if rises else at_paper(first, second)
    )


def matched(
    a: Sequence[ClaimValue], b: Sequence[ClaimValue]
) -> dict[str, list[tuple[ClaimValue, ClaimValue]]]:
    """Pairs that may be compared: of one implementation, else of one library, else of any two."""
    every = [(left, other) for left in a for other in b]
    same = {
        left.implementation for left, other in every if left.implementation == other.implementation
    }
    pairs: dict[str, list[tuple[ClaimValue, ClaimValue]]] = {}
    for left, other in every:
        who = library(left.implementation)
        if who != library(other.implementation):
            continue
        if (
            left.implementation != other.implementation
            and {left.implementation, other.implementation} & same
        ):
            continue
        pairs.setdefault(who, []).append((left, other))
    return pairs or ({"": every} if every else {})


def named(cell: ClaimValue) -> str:
    """The subject of a cell, with its implementation."""
    return f"{cell.subject} by {cell.implementation}" if cell.implementation else cell.subject


def scale(
    check: ScalingCheck | GrowthCheck, where: str, cells: Sequence[ClaimValue]
) -> CheckOutcome:
    """Check whether values follow the size as a check says."""
    points = sorted(cells, key=_bytes)
    fit = scaling([_bytes(cell) for cell in points], [cell.value for cell in points])
    steps = [
        _step(left, other) for left, other in pairwise(points) if _bytes(left) != _bytes(other)
    ]
    if fit is None or not steps:
        return unknown(f"{where}: fewer than two sizes")
    least, most = (pick(steps, key=_exponent) for pick in (min, max))
    who = library(cells[0].implementation)
    ends = f"from step to step {_exponent(least):.3f} to {_exponent(most):.3f}"
    sentence = f"{where}: exponent {_number(fit.exponent)}, {ends}"
    low, high = (0.0, math.inf) if isinstance(check, GrowthCheck) else check.exponent
    ended = [_of_step(low, high, step, sentence, who) for step in (least, most)]
    verdicts = (ClaimVerdict.FAILS, ClaimVerdict.OPEN, ClaimVerdict.NEAR, ClaimVerdict.HOLDS)
    return replace(min(ended, key=lambda end: verdicts.index(end.verdict)), tests=len(steps))


def _bytes(cell: ClaimValue) -> int:
    return cell.measured_size or cell.size


_Step = tuple[Bounded, ClaimValue, ClaimValue]


def _step(first: ClaimValue, second: ClaimValue) -> _Step:
    """Ratio from one size to the next, and the values of both."""
    return second.over(first), first, second


def _exponent(step: _Step) -> float:
    """The exponent of the size that a step has."""
    ratio, left, other = step
    return _log(ratio.value) / math.log(_bytes(other) / _bytes(left))


def _of_step(low: float, high: float, step: _Step, sentence: str, who: str) -> CheckOutcome:
    """Check whether a step has an exponent in the range: as a ratio of values, as which it was
    tested.
    """
    ratio, left, other = step
    grown = _bytes(other) / _bytes(left)
    outcome = decided(grown**low, _power(grown, high), ratio, sentence, (left, other), who)
    published = other.size / left.size if left.size else grown
    return in_regime(outcome, published**low, _power(published, high), at_paper(other, left))


def _power(grown: float, exponent: float) -> float:
    return grown**exponent if exponent < math.inf else exponent


def _number(bounded: Bounded) -> str:
    if bounded.low is None or bounded.high is None or bounded.high - bounded.low < 5e-4:
        return f"{bounded.value:.3f}"
    return f"{bounded.value:.3f} ({bounded.low:.3f} to {bounded.high:.3f})"


def constant(check: ConstantCheck, where: str, cells: Sequence[ClaimValue]) -> CheckOutcome:
    """Check whether the largest value is near enough to the smallest."""
    if len(cells) < 2:
        return unknown(f"{where}: fewer than two values")
    least, most = (pick(cells, key=lambda cell: cell.value.value) for pick in (min, max))
    ratio = most.over(least)
    sentence = (
        f"{where}: {_along(check, least)} {least.words}, {_along(check, most)} {most.words} "
        f"({ratio.value - 1:+.1%})"
    )
    both = {library(cell.implementation) for cell in cells}
    who = both.pop() if len(both) == 1 else ""
    outcome = decided(0.0, 1 + check.within, ratio, sentence, (least, most), who)
    outcome = in_regime(outcome, 0.0, 1 + check.within, at_paper(most, least))
    return replace(outcome, tests=math.comb(len(cells), 2))


def _along(check: ConstantCheck, cell: ClaimValue) -> str:
    return label({name: cell.part(name) for name in check.over}, [cell]) or cell.implementation


def approaches(check: ApproachCheck, where: str, cells: Sequence[ClaimValue]) -> CheckOutcome:
    """Check whether two subjects are nearer to each other at the largest size than at the
    smallest.
    """
    sizes = sorted({cell.size for cell in cells if cell.subject in (check.a, check.b)})
    if len(sizes) < 2:
        return unknown(f"{where}: fewer than two sizes")
    ends = [_pair_at(check, cells, size) for size in (sizes[0], sizes[-1])]
    if None in ends:
        return unknown(f"{where}: {check.a} or {check.b} is missing")
    pairs = [end for end in ends if end is not None]
    first, last = (a.over(b) for a, b in pairs)
    small, large = _distance(first), _distance(last)
    sentence = f"{where}: {check.a} / {check.b} is {bounds(first)}, then {bounds(last)}"
    outcome = decided(
        1.0, math.inf, small.over(large), sentence, [cell for pair in pairs for cell in pair]
    )
    ends_there = [at_paper(a, b) for a, b in pairs]
    if ends_there[0] is not None and ends_there[1] is not None:
        outcome = in_regime(
            outcome, 1.0, math.inf, _distance(ends_there[0]).over(_distance(ends_there[1]))
        )
    return replace(outcome, tests=len(pairs))


def _pair_at(
    check: ApproachCheck, cells: Sequence[ClaimValue], size: int
) -> tuple[ClaimValue, ClaimValue] | None:
    """First values of both subjects at a size; None if one of them has none."""
    a, b = (
        [cell for cell in of_subject(cells, name) if cell.size == size]
        for name in (check.a, check.b)
    )
    return (a[0], b[0]) if a and b else None


def _distance(ratio: Bounded) -> Bounded:
    """Distance of a ratio from 1, as a factor of at least 1."""
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
    """Seconds of a packet of ``payload`` bytes with the usual settings: 8 symbols, 4/5, header and
    CRC."""
    return lora(Modulation(sf, Fraction(str(bandwidth_khz))), payload, RADIOS.find(name)).seconds


def against_airtime(check: AirtimeCheck, where: str, cell: ClaimValue) -> Iterator[CheckOutcome]:
    """Time of a case over the time on air of a payload of its size, for each spreading factor that
    can carry it."""
    if cell.metric != "time" or cell.size > _LONGEST:
        return
    for sf in check.sf:
        air = seconds_on_air(check.radio, sf, check.bandwidth_khz, cell.size)
        ratio = cell.value.over(Bounded.exact(air * _NS))
        named = f"{where} by {cell.implementation}" if cell.implementation else where
        sentence = f"{named}, SF{sf}: {cell.words} / {air * 1000:.1f} ms on air = {ratio.value:.3g}"
        yield decided(check.low, check.high, ratio, sentence, (cell,))


def airtime_steps(check: AirtimeStepsCheck) -> Iterator[CheckOutcome]:
    """Share of lengths at which one more byte makes the packet longer."""
    for sf in check.sf:
        times = [
            seconds_on_air(check.radio, sf, check.bandwidth_khz, size)
            for size in range(1, check.most + 1)
        ]
        longer = [after - before for before, after in pairwise(times) if after > before]
        share = len(longer) / (len(times) - 1)
        low, high = check.share
        step = f", each step {longer[0] * 1000:.1f} ms" if longer else ""
        sentence = f"SF{sf}: {share:.0%} of increments by one byte lengthen the packet{step}"
        yield yes(sentence) if low <= share <= high else no(sentence)
