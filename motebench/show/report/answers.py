"""The answers of a run: the fastest implementation of each operation, its lead, and the objections to its scheme.

A difference is claimed only if the data show it (`motebench.results.presentation.pairing`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from motebench.base.model import Kind, Scheme
from motebench.catalog import schemes as known_schemes
from motebench.results.presentation.pairing import Relation, relate
from motebench.results.presentation.rows import Row, listed, operation_words, size_words
from motebench.results.presentation.security import SchemeStatus

WEAK_BITS = 112
"""Security strength below which NIST SP 800-131A Rev. 2 disallows protection."""
_LOUD = {"none": 0, "good": 0, "bad": 1, "worst": 2}
_FIRST = (
    "encrypt-message", "encrypt", "digest", "mac", "sign", "verify", "agree", "encapsulate", "decapsulate", "keygen",
    "encrypt-file",
)  # fmt: skip
"""Operations in the order of their interest to readers; the others follow."""

_SIMILAR = 1.1
"""A lead that exceeds another by less than this factor is shown once."""


@dataclass(frozen=True, slots=True)
class SchemeMark:
    """A few words after a scheme's name; ``level`` is their severity: ``good``, ``none``, ``bad`` or ``worst``."""

    level: str
    words: str


@dataclass(frozen=True, slots=True)
class RatedRow:
    """A row as ``scheme · implementation`` with the objections to its scheme."""

    label: str
    marks: tuple[SchemeMark, ...]


@dataclass(frozen=True, slots=True)
class ReportAnswer:
    """The fastest at one operation and one size: ``best`` if ``certain``, else one of several.

    ``value`` has its unit and interval. ``lead`` is the lead as text. ``sound`` is the best one with fewer objections
    than ``best``, and how far behind it is; None if there is none. ``also`` describes another size.
    """

    question: str
    best: RatedRow
    value: str
    lead: str
    certain: bool
    sound: RatedRow | None
    behind: str
    also: str
    evidence: str


def times(value: float) -> str:
    """A ratio as text: ``1.31 times``; in percent if it is close to 1."""
    if value < 1.1:
        return f"{(value - 1) * 100:.1f} %"
    return f"{value:.3g} times" if value < 1000 else f"{value:,.0f} times"


def ratio(best: Row, other: Row) -> float | None:
    """How many times better ``best`` is; None if a median is not positive."""
    if best.median <= 0 or other.median <= 0:
        return None
    return best.median / other.median if best.better == "higher" else other.median / best.median


def without_variants(rows: Sequence[Row]) -> list[Row]:
    """Variants have their own section; here they would be compared with their implementation again. Disturbed rows are
    not compared either."""
    plain = {row.implementation for row in rows}
    return [row for row in rows if row.quotable and not (row.is_variant and row.plain in plain)]


def answers(rows: Sequence[Row], verdicts: Mapping[str, SchemeStatus]) -> list[ReportAnswer]:
    """One answer per operation, target, evidence and other dimensions of a case, in the order of interest to readers.

    The largest size gives the answer; the smallest is added if another implementation wins there. ``verdicts``: the
    security status by scheme.
    """
    groups: dict[Any, list[Row]] = defaultdict(list)
    for row in without_variants(rows):
        if not row.is_copy and not row.is_floor:
            groups[row.without("scheme", "implementation", "input_bytes"), row.evidence].append(row)
    several = len({row.target for row in rows}) > 1
    operations = list(_FIRST)
    found: list[tuple[int, ReportAnswer]] = []
    for (of, _), members in groups.items():
        races = _races(members)
        if not races:
            continue
        sizes = sorted(races)
        answer = _answer(races[sizes[-1]], verdicts)
        if len(sizes) > 1:
            answer = replace(answer, also=_also(races[sizes[0]], races[sizes[-1]]))
        where = f", on {of.target}" if several else ""
        beside = f", {members[0].beside_words}" if members[0].beside_words else ""
        answer = replace(answer, question=f"{answer.question}{beside}{where}")
        name = str(of.operation)
        found.append((operations.index(name) if name in operations else len(operations), answer))
    return [answer for _, answer in sorted(found, key=lambda each: each[0])]


def _races(members: Sequence[Row]) -> dict[int, list[Row]]:
    """By size, the competing rows, best first; only sizes with two or more."""
    metric = _metric(members)
    sizes: dict[int, list[Row]] = defaultdict(list)
    for row in members:
        if row.metric == metric:
            sizes[row.size].append(row)
    return {size: _better_first(there) for size, there in sizes.items() if len(there) > 1}


def _metric(members: Sequence[Row]) -> str:
    """The metric of the comparison: cycles of a simulated board, else throughput if there is any, else time."""
    there = {row.metric for row in members}
    if "cycles" in there and all(row.exact for row in members if row.metric in ("cycles", "time")):
        return "cycles"
    return "throughput" if "throughput" in there and not members[0].public_key else "time"


def _better_first(rows: Sequence[Row]) -> list[Row]:
    return sorted(rows, key=lambda row: -row.median if row.better == "higher" else row.median)


def _answer(ranked: Sequence[Row], verdicts: Mapping[str, SchemeStatus]) -> ReportAnswer:
    best = ranked[0]
    lead, certain = _lead(ranked)
    question = operation_words(best.operation)
    if best.size and not best.public_key:
        question += f", {size_words(best.size)}".replace(" ", "\u00a0").replace(",\u00a0", ", ", 1)
    named = _named(best, verdicts)
    sound = _sounder(ranked, named, verdicts)
    return ReportAnswer(
        question=question,
        best=named,
        value=_value(best),
        lead=lead,
        certain=certain,
        sound=_named(sound, verdicts) if sound else None,
        behind=_behind(best, sound) if sound else "",
        also="",
        evidence=best.evidence,
    )


def _named(row: Row, verdicts: Mapping[str, SchemeStatus]) -> RatedRow:
    return RatedRow(row.label, marks(row.scheme, verdicts.get(row.scheme)))


def _value(row: Row) -> str:
    if row.exact:
        return f"{row.median:,.0f} cycles" if row.metric == "cycles" else row.text
    return f"{row.text} {row.spread}" if row.half_width is not None else f"{row.text} (no interval)"


def _sounder(ranked: Sequence[Row], best: RatedRow, verdicts: Mapping[str, SchemeStatus]) -> Row | None:
    """The best row whose scheme has the fewest objections, if the winner has more."""
    loud = {row.scheme: loudness(marks(row.scheme, verdicts.get(row.scheme))) for row in ranked}
    least = min(loud.values())
    if loudness(best.marks) == least:
        return None
    return next(row for row in ranked if loud[row.scheme] == least)


def _behind(best: Row, other: Row) -> str:
    if relate(best, other) is not Relation.DIFFERENT:
        return "not distinguishable from it"
    factor = ratio(best, other)
    if factor is None:
        return ""
    return f"{times(factor)} the {'time' if best.better == 'higher' else best.metric}" if factor >= 1.1 else (
        f"{times(factor)} behind"
    )  # fmt: skip


def _lead(ranked: Sequence[Row]) -> tuple[str, bool]:
    """The lead of the first as text, and whether it leads."""
    best, rest = ranked[0], ranked[1:]
    if not best.exact and (best.ci_low is None or all(row.ci_low is None for row in rest)):
        return "has the best median; there are too few samples to distinguish it from the others", False
    relations = [relate(best, row) for row in rest]
    equal = [row for row, found in zip(rest, relations, strict=True) if found is not Relation.DIFFERENT]
    if equal:
        others = listed([row.label for row in equal[:2]])
        more = f" and {len(equal) - 2} more" if len(equal) > 2 else ""
        few = Relation.TOO_FEW in relations
        why = "too few samples to tell it from" if few else "not distinguishable from"
        last = max(place for place, found in enumerate(relations) if found is not Relation.DIFFERENT)
        behind = f"; {_faster(best, rest[last + 1])}" if last + 1 < len(rest) else ""
        return f"{why} {others}{more}{behind}", False
    return _faster(best, rest[0]), True


def _faster(best: Row, other: Row) -> str:
    factor = ratio(best, other)
    if factor is None:
        return f"ahead of {other.label}"
    return f"{times(factor)} {'as fast as' if factor >= 1.1 else 'faster than'} {other.label}"


def _also(smallest: Sequence[Row], largest: Sequence[Row]) -> str:
    """Differences at the smallest size; empty if the same one wins with a similar lead."""
    at = size_words(smallest[0].size)
    lead, certain = _lead(smallest)
    if smallest[0].label == largest[0].label:
        leads = sorted((ratio(*smallest[:2]) or 1.0, ratio(*largest[:2]) or 1.0))
        same = smallest[1].label == largest[1].label and leads[1] / leads[0] < _SIMILAR
        if same and certain == _lead(largest)[1]:
            return ""
        return f"at {at}: {lead}" if certain else f"at {at} {lead}"
    if certain:
        return f"at {at}, {smallest[0].label} is {lead}"
    return f"at {at}, {smallest[0].label} is first, but {lead}"


@cache
def _catalog() -> Mapping[str, Scheme]:
    return known_schemes()


def marks(name: str, status: SchemeStatus | None) -> tuple[SchemeMark, ...]:
    """What a reader must know before choosing a scheme: objections, or else its security status."""
    scheme, found = _catalog().get(name), []
    if status is not None and status.level in ("bad", "worst"):
        found.append(SchemeMark(status.level, status.words))
    if status is not None and status.strength_bits is not None and status.strength_bits < WEAK_BITS:
        found.append(SchemeMark("bad", f"{status.strength_bits} bits of strength"))
    if scheme is not None and scheme.mode == "ecb":
        found.append(SchemeMark("worst", "ECB: equal blocks show"))
    elif scheme is not None and scheme.kind in (Kind.CIPHER, Kind.STREAM):
        found.append(SchemeMark("bad", "not authenticated"))
    if found:
        return tuple(found)
    if status is None or status.verdict in ("none", "unknown"):
        return (SchemeMark("none", "status not known"),)
    return (SchemeMark(status.level, status.words),)


def loudness(found: tuple[SchemeMark, ...]) -> int:
    """0 without an objection, 1 with a mild one, 2 if the scheme should not be used in new designs."""
    return max((_LOUD[mark.level] for mark in found), default=0)
