"""Comparisons within one group of values: each gives an outcome with the numbers behind it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from motebench.publications.papers.cells import ClaimValue, label, library
from motebench.publications.papers.model import ApproachCheck, ConstantCheck, GrowthCheck, ScalingCheck
from motebench.publications.papers.verdict import CheckOutcome, ClaimVerdict, no, unknown, within, yes
from motebench.stats.shape import Bounded, scaling


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


def approaches(check: ApproachCheck, where: str, cells: Sequence[ClaimValue]) -> Iterator[CheckOutcome]:
    """Whether two subjects are nearer to each other at the largest size than at the smallest."""
    sizes = sorted({cell.size for cell in cells if cell.subject in (check.a, check.b)})
    if len(sizes) < 2:
        yield unknown(f"{where}: fewer than two sizes")
        return
    ends = []
    for size in (sizes[0], sizes[-1]):
        a, b = ([cell for cell in of_subject(cells, name) if cell.size == size] for name in (check.a, check.b))
        if not a or not b:
            yield unknown(f"{where}: {check.a} or {check.b} is missing")
            return
        ends.append(a[0].value.over(b[0].value))
    small, large = (_distance(end) for end in ends)
    words = f"{where}: {check.a} / {check.b} is {ends[0].value:.3f}, then {ends[1].value:.3f}"
    if small.low is None or small.high is None or large.low is None or large.high is None:
        yield unknown(f"{words}, too few values for an interval")
    elif large.high < small.low:
        yield yes(words)
    elif large.low >= small.high:
        yield no(words)
    else:
        yield unknown(f"{words}, intervals overlap")


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
