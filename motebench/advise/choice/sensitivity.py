"""Sensitivity of a choice: the input that decides, and the values at which the answer changes.

Each input is varied alone. Its effect is that on the first candidate, between two ends. Flips are
sought over a wider range: between neighbouring values that were looked at and differ, bisection
finds where the first place changes. Two flips between neighbours that cancel each other are not
seen.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from motebench.advise.choice.candidate import Judged, Name
from motebench.advise.choice.question import ChoiceQuestion, Chosen
from motebench.advise.choice.ranking import DECIDERS, lesser, worse
from motebench.advise.choice.variations import (
    Trial,
    TrialOutcome,
    VariedInput,
    VariedQuestion,
    inputs,
)
from motebench.documents.choice import SensitiveEnd, SensitiveFlip, SensitiveInput, SensitivityEntry

_PRECISION = 1e-6
_UNITS = {"life": "years", "energy": "J", "latency": "s"}
_WORDS = {
    "life": "life",
    "energy": "energy a message",
    "latency": "time",
    "throughput": "throughput",
    "flash": "flash",
    "ram": "RAM",
}


@dataclass(frozen=True, slots=True)
class _FirstPlace:
    """The answer at one value: the first candidate, and whether the rival is equal to it."""

    first: Name | None
    equal: bool


def sensitivity(chosen: Chosen) -> SensitivityEntry | None:
    """Sensitivity of the answer to its inputs; None if no candidate keeps all limits."""
    if chosen.first is None:
        return None
    return _Sensitivity(chosen, chosen.first).entry()


_MATTERING = ("data-rate", "rate", "length", "tag", "cipher-time")
"""Inputs of a decision, which are the user's to choose or to measure; the bounds of all others are
in the bounds of the figures."""


def changing(chosen: Chosen) -> tuple[str, str, list[SensitiveInput]]:
    """The criterion, its unit, and the effect of the inputs that matter to a decision: a fast part
    of `sensitivity`, without the values at which the first place changes."""
    first = chosen.first
    if first is None:
        return "", "", []
    varied = _Sensitivity(chosen, first)
    rows = varied.rows(_MATTERING)
    return varied.criterion, _UNITS[varied.criterion], rows


class _Sensitivity:
    def __init__(self, chosen: Chosen, first: Judged) -> None:
        self._question: ChoiceQuestion = chosen.question
        self._first = first
        others = [
            entry.candidate
            for entry in chosen.ranked
            if entry.candidate.scheme != self._first.scheme
        ]
        self._rival = others[0] if others else None
        watched = [place.name for place in (self._first, self._rival) if place is not None]
        made = [*(entry.candidate for entry in chosen.ranked), *chosen.rejected]
        self._trial = Trial(chosen.offers, self._question, watched, made)
        self.criterion = (
            "life" if self._first.life else "energy" if self._first.energy_j else "latency"
        )
        self._seen: dict[tuple[str, float], TrialOutcome] = {}

    def entry(self) -> SensitivityEntry:
        every = list(inputs(self._question, self._first))
        rows = self._sorted_rows(every)
        flips = [flip for varied in every for flip in self._flips(varied)]
        typical = self._value(self._first)
        if typical is None:
            raise AssertionError("the first candidate has its criterion")
        return SensitivityEntry(
            criterion=self.criterion,
            unit=_UNITS[self.criterion],
            first=_said(self._first.name),
            typical=typical,
            rival=_said(self._rival.name) if self._rival else None,
            inputs=tuple(rows),
            flips=tuple(flips),
            looked=tuple(
                f"{varied.words}: {varied.spell(varied.least)} to {varied.spell(varied.most)}"
                for varied in every
                if varied.least < varied.most
            ),
        )

    def rows(self, names: Sequence[str]) -> list[SensitiveInput]:
        """Inputs of these names, the most effective first."""
        varied = [entry for entry in inputs(self._question, self._first) if entry.name in names]
        return self._sorted_rows(varied)

    def _sorted_rows(self, varied: Sequence[VariedInput]) -> list[SensitiveInput]:
        rows = [self._row(entry) for entry in varied]
        return sorted(rows, key=lambda row: (-(row.factor or math.inf), row.input))

    def _answer(self, input_: VariedInput, value: float) -> TrialOutcome:
        key = (input_.name, value)
        if key not in self._seen:
            varied = (
                VariedQuestion(self._question) if value == input_.typical else input_.vary(value)
            )
            self._seen[key] = self._trial.answer(varied)
        return self._seen[key]

    def _value(self, candidate: Judged | None) -> float | None:
        if candidate is None:
            return None
        figure = {
            "life": candidate.life and candidate.life.value,
            "energy": candidate.energy_j,
            "latency": candidate.latency and candidate.latency.value,
        }[self.criterion]
        return None if not figure else figure.typical

    def _row(self, varied: VariedInput) -> SensitiveInput:
        low, high = self._end(varied, varied.low), self._end(varied, varied.high)
        criteria = [
            criterion
            for end in (low, high)
            if (criterion := end.criterion or end.criterion_of_first)
        ]
        base = self._value(self._first)
        if base:
            criteria.append(base)
        first = _said(self._first.name)
        return SensitiveInput(
            input=varied.name,
            words=varied.words,
            basis=varied.basis,
            unit=varied.unit,
            value=varied.typical,
            low=low,
            high=high,
            factor=max(criteria) / min(criteria) if len(criteria) > 1 else None,
            changes=low.first != first or high.first != first,
        )

    def _end(self, varied: VariedInput, value: float) -> SensitiveEnd:
        outcome = self._answer(varied, value)
        first = outcome.first
        same = outcome.of(self._first.name)
        sendable = (
            same
            if same is not None and not any(entry.limit in _UNSENT for entry in same.broken)
            else None
        )
        return SensitiveEnd(
            value=value,
            words=varied.spell(value),
            criterion=self._value(sendable),
            criterion_of_first=self._value(first),
            first=_said(first.name) if first else None,
        )

    def _flips(self, varied: VariedInput) -> Iterator[SensitiveFlip]:
        values = _values(varied)
        for low, high in itertools.pairwise(values):
            yield from self._between(varied, low, high)

    def _between(self, varied: VariedInput, low: float, high: float) -> Iterator[SensitiveFlip]:
        """The flips between two values: one, or several if the answer in the middle is a third
        one.
        """
        before, after = self._state(varied, low), self._state(varied, high)
        if before == after:
            return
        if _near(varied, low, high):
            yield self._flip(varied, low, high)
            return
        middle = _middle(varied, low, high)
        yield from self._between(varied, low, middle)
        yield from self._between(varied, middle, high)

    def _state(self, varied: VariedInput, value: float) -> _FirstPlace:
        outcome = self._answer(varied, value)
        first = outcome.first
        equal = self._rival is not None and any(
            leader.name == self._rival.name for leader in outcome.leaders
        )
        follows = first is not None and first.name == self._first.name
        return _FirstPlace(first.name if first else None, equal and follows)

    def _flip(self, varied: VariedInput, low: float, high: float) -> SensitiveFlip:
        below, above = self._answer(varied, low), self._answer(varied, high)
        value = high if varied.whole else low
        return SensitiveFlip(
            input=varied.name,
            unit=varied.unit,
            value=value,
            below=_said(below.first.name) if below.first else None,
            above=_said(above.first.name) if above.first else None,
            words=self._sentence(varied, value, below, above),
        )

    def _sentence(
        self, varied: VariedInput, value: float, below: TrialOutcome, above: TrialOutcome
    ) -> str:
        others = [outcome.first for outcome in (below, above)]
        if below.first and above.first and below.first.name == above.first.name:
            others = [self._rival, self._rival]
        sides = [
            _side(outcome, other)
            for outcome, other in zip((below, above), reversed(others), strict=True)
        ]
        at = varied.spell(value)
        if varied.name == "data-rate":
            return f"below {at}: {sides[0]}; from there on: {sides[1]}"
        return (
            f"{varied.words}: below {at}, {sides[0]}; "
            f"{'from there on' if varied.whole else 'above'}, {sides[1]}"
        )


_UNSENT = frozenset({"payload", "tag"})


def _side(outcome: TrialOutcome, other: Judged | None) -> str:
    """First candidate, and the reason why it comes before that other one."""
    first = outcome.first
    if outcome.ways:
        options = " or ".join(way.option for way in outcome.ways)
        return (
            f"nothing recommended keeps all limits, and {options} admits "
            f"{_said(outcome.ways[0].first.name)}"
        )
    if first is None:
        limits = sorted(
            {entry.limit for candidate in outcome.rejected for entry in candidate.broken}
        )
        return (
            "no candidate keeps all limits "
            f"({', '.join(limits) or 'a message takes longer than the time between two'})"
        )
    name = _said(first.name)
    return (
        f"{name} is first"
        if other is None
        else f"{name} is first: {_reason(outcome, first, other.name)}"
    )


def _reason(outcome: TrialOutcome, first: Judged, other: Name) -> str:
    """Reason why ``first`` comes before the candidate of that name."""
    other_judged = outcome.of(other)
    scheme = _said(other)
    if other_judged is None:
        return f"{scheme} is not as good in any respect"
    if other_judged.broken:
        return (
            f"{scheme} breaks a limit "
            f"({', '.join(dict.fromkeys(entry.limit for entry in other_judged.broken))})"
        )
    demands = outcome.question.demands
    if any(leader is other_judged for leader in outcome.leaders):
        mine, its = lesser(first, demands), lesser(other_judged, demands)
        decides = next(
            (name for name, a, b in zip(DECIDERS, mine, its, strict=True) if a != b), "the name"
        )
        return f"{scheme} is equal for you, and {decides} decides"
    if other_judged.standing.tier != first.standing.tier:
        return f"{scheme} is less recommended"
    if other_judged.standing.later != first.standing.later:
        return f"{scheme} is post-quantum, and classical schemes come first"
    order = outcome.question.order
    ratio = worse(other_judged, first, outcome.question).typical
    return (
        f"{scheme} is {(ratio - 1) * 100:.3g} % worse in "
        f"{' and '.join(_WORDS[name] for name in order)}"
    )


def _said(name: Name) -> str:
    return f"{name[0]} by {name[1]}"


def _values(varied: VariedInput) -> list[float]:
    """The values that are looked at, with the requested one: even steps, of large ranges even
    ratios.
    """
    least, most = varied.least, varied.most
    if not least < most:
        return [varied.typical]
    ratio = least > 0 and most / least > 4
    values = {varied.typical, least, most}
    for step in range(1, varied.steps):
        share = step / varied.steps
        value = least * (most / least) ** share if ratio else least + (most - least) * share
        values.add(float(round(value)) if varied.whole else value)
    return sorted(values)


def _near(varied: VariedInput, low: float, high: float) -> bool:
    return high - low <= 1 if varied.whole else high - low <= _PRECISION * max(abs(low), abs(high))


def _middle(varied: VariedInput, low: float, high: float) -> float:
    if varied.whole:
        return float((int(low) + int(high)) // 2)
    return math.sqrt(low * high) if low > 0 and high / low > 4 else (low + high) / 2
