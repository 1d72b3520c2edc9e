"""The question with other inputs, and its answers, quickly: only candidates that can come first are
computed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from motebench.advise.choice.candidate import Candidate, Judged, Name, OnAir, SchemeOffer
from motebench.advise.choice.combining import candidates
from motebench.advise.choice.judging import fixed_limits, judge, limited
from motebench.advise.choice.question import ChoiceQuestion, Demands, MessageForm, Need, Scene, Way
from motebench.advise.choice.ranking import leaders, lesser
from motebench.advise.choice.standings import Standings
from motebench.advise.choice.ways import SHORT_TAG, recommending
from motebench.advise.radio.lorawan import LorawanLink
from motebench.advise.radio.message import Nonce
from motebench.base.errors import InputError
from motebench.base.quantities import Interval, total
from motebench.base.units import DAY_S, format_value
from motebench.catalog.currents import Drawn


@dataclass(frozen=True, slots=True)
class Adjusted(Scene):
    """A scene in which the radio draws given currents (A) by part of a message: ``transmit``,
    ``receive``, ``download``."""

    amps: Mapping[str, float] = field(default_factory=dict)

    def on_air(self, length: int, received: int = 0) -> OnAir:
        """A message of ``length`` bytes, without header, and ``received`` bytes that come to the
        device; without a radio they take nothing.
        """
        air = self.known.get((length, received))
        if air is None:
            sent = Scene.on_air(self, length, received)
            parts = tuple(
                replace(part, drawn=replace(part.drawn, amps=Interval.exact(self.amps[part.name])))
                if part.name in self.amps
                else part
                for part in sent.parts
            )
            air = self.known[length, received] = replace(sent, parts=parts)
        return air


@dataclass(frozen=True, slots=True)
class VariedQuestion:
    """Question with other inputs. ``slower``: factors of the times of the first watched candidate
    and of all others by its implementation, as another compiler would cause.
    """

    question: ChoiceQuestion
    slower: float = 1.0


@dataclass(frozen=True, slots=True)
class TrialOutcome:
    """``leaders``: rank 1 in its order, of the candidates that can come first; ``admitted``: those
    of them that keep all limits; ``rejected``: the others. ``ways``: options that admit a
    recommended candidate, without which nothing leads."""

    question: ChoiceQuestion
    leaders: tuple[Judged, ...]
    admitted: tuple[Judged, ...]
    rejected: tuple[Judged, ...]
    ways: tuple[Way, ...] = ()

    @property
    def first(self) -> Judged | None:
        """The first candidate; None if none keeps all limits."""
        return self.leaders[0] if self.leaders else None

    def of(self, name: Name) -> Judged | None:
        """The candidate of that name, if it was computed."""
        return next(
            (candidate for candidate in (*self.admitted, *self.rejected) if candidate.name == name),
            None,
        )


class Trial:
    """Answers to variations of a question. ``watched``: candidates that are always computed;
    ``VariedQuestion.slower`` changes the time of the first. ``made``: all candidates of the
    question, if they were made before.
    """

    def __init__(
        self,
        offers: Sequence[SchemeOffer],
        question: ChoiceQuestion,
        watched: Sequence[Name] = (),
        made: Sequence[Candidate] = (),
    ) -> None:
        self._standings = Standings.of(question, offers)
        self._offers = [
            offer
            for offer in offers
            if not offer.failure and not self._standings.standing((offer,)).broken
        ]
        self._watched = watched
        self._pair_watched = any(" + " in scheme for scheme, _ in watched)
        self._kept: dict[tuple[int, MessageForm, bool], list[Candidate]] = {}
        if made:
            self._kept[self._key(question, alone=False)] = self._worthwhile(made, question)

    def answer(self, variation: VariedQuestion) -> TrialOutcome:
        """Outcome equal to that of ``choose`` for this question. It has no candidate if the
        question contradicts itself: a message takes longer than the time between messages.
        """
        outcome = self.led(variation)
        if outcome.first is None or not outcome.first.standing.tier:
            return outcome
        ways = self.ways(variation)
        return replace(outcome, leaders=(), ways=ways) if ways else outcome

    def ways(self, variation: VariedQuestion) -> tuple[Way, ...]:
        """The options that admit a recommended candidate."""
        slower = variation.slower
        return recommending(
            variation.question, lambda changed: self.led(VariedQuestion(changed, slower)).first
        )

    def led(self, variation: VariedQuestion) -> TrialOutcome:
        """Outcome with less recommended candidates among the leaders, if it has no others."""
        question = variation.question
        if self._alone_may_lead(question):
            # A cipher with a MAC comes after every scheme alone of the first group.
            outcome = self._judged(variation, self._candidates(question, alone=True))
            first = outcome.first
            if first is not None and not first.standing.group and not first.unsure:
                return outcome
        return self._judged(variation, self._candidates(question))

    def _alone_may_lead(self, question: ChoiceQuestion) -> bool:
        """True if candidates with a MAC are not made yet, and may not be needed."""
        return (
            question.demands.need is Need.AEAD
            and not self._pair_watched
            and set(question.order) <= _ALWAYS_KNOWN
            and self._key(question, alone=False) not in self._kept
        )

    def _judged(self, variation: VariedQuestion, among: Sequence[Candidate]) -> TrialOutcome:
        question = variation.question
        try:
            judged = [
                judge(self._slower(candidate, variation.slower), question) for candidate in among
            ]
            admitted = tuple(candidate for candidate in judged if not candidate.broken)
            first = tuple(leaders(admitted, question))
        except InputError:
            return TrialOutcome(question, (), (), ())
        rejected = tuple(candidate for candidate in judged if candidate.broken)
        return TrialOutcome(question, first, admitted, rejected)

    def _slower(self, candidate: Candidate, factor: float) -> Candidate:
        latency = candidate.latency
        if factor == 1.0 or latency is None or not self._watched:
            return candidate
        if candidate.implementation != self._watched[0][1]:
            return candidate
        shares = tuple(replace(share, seconds=share.seconds * factor) for share in candidate.shares)
        return replace(
            candidate, latency=replace(latency, value=latency.value * factor), shares=shares
        )

    def _candidates(self, question: ChoiceQuestion, *, alone: bool = False) -> list[Candidate]:
        key = self._key(question, alone=alone)
        if key not in self._kept:
            every = list(candidates(self._offers, question, self._standings, alone=alone))
            self._kept[key] = self._worthwhile(every, question)
        return self._kept[key]

    @staticmethod
    def _key(question: ChoiceQuestion, *, alone: bool) -> tuple[int, MessageForm, bool]:
        return question.scene.message_bytes, question.form, alone

    def _worthwhile(self, every: Sequence[Candidate], question: ChoiceQuestion) -> list[Candidate]:
        """The watched candidates, and those that can come first."""
        watched = [candidate for candidate in every if candidate.name in self._watched]
        others = [
            candidate
            for candidate in every
            if candidate.name not in self._watched and not fixed_limits(candidate, question)
        ]
        return [*watched, *_undominated(others, question.demands)]


_ALWAYS_KNOWN = {"life", "energy", "latency", "throughput"}
"""Criteria that are known of every candidate with results, if of one."""


def _undominated(candidates: Sequence[Candidate], demands: Demands) -> list[Candidate]:
    """Candidates that can come first. A candidate is left out if another one precedes it wherever
    it is admitted: the other is as good in every criterion and limit, and comes first among equals.
    """
    places = {id(contender): lesser(contender, demands) for contender in candidates}
    front: list[tuple[Candidate, tuple[float, ...]]] = []
    for contender in sorted(candidates, key=lambda candidate: places[id(candidate)]):
        own = _costs(contender)
        if not any(_precedes(other, costs, contender, own) for other, costs in front):
            front.append((contender, own))
    return [contender for contender, _ in front]


def _costs(candidate: Candidate) -> tuple[float, ...]:
    """Everything of which less is never worse, for ranks and limits."""
    sizes, sent = (candidate.latency, candidate.flash, candidate.ram), candidate.sent
    ends = [
        getattr(size.value, end) if size else -1.0
        for size in sizes
        for end in ("low", "typical", "high")
    ]
    beside = total(
        part.charge_c for offer in candidate.offers for part in offer.drawing(sent.plaintext_bytes)
    )
    own = (beside.low, beside.typical, beside.high)
    groups = (candidate.standing.group, candidate.standing.unmaintained)
    return (*groups, len(candidate.offers), sent.total_bytes, sent.received_bytes, *own, *ends)


def _precedes(
    a: Candidate, costs: tuple[float, ...], b: Candidate, other: tuple[float, ...]
) -> bool:
    if any(own > its for own, its in zip(costs, other, strict=True)):
        return False
    unknown = any(
        (getattr(a, name) is None) != (getattr(b, name) is None)
        for name in ("latency", "flash", "ram")
    )
    return not unknown and not limited(a)


_FASTEST_S = 10.0
"""Seconds: thresholds of the rate are sought up to one message in this time."""
_LONGEST = 256
"""Bytes: thresholds of the length are sought up to it, without a radio whose frames limit it."""
_DECIBELS = 3.0
_TENFOLD = 10.0
_DEVICE_BOUNDS, _CHOSEN, _OPTIONS = "bounds", "chosen", "options"


@dataclass(frozen=True, slots=True)
class VariedInput:
    """One input.

    ``basis``: ``bounds`` of its source, ``chosen`` by the user and varied from half to double, or
    the other ``options`` there are. ``low`` and ``high``: the ends of what its effect is shown for.
    ``least`` and ``most``: where thresholds are sought. ``steps``: how many values are looked at on
    the way; ``whole``: only whole numbers have a meaning.
    """

    name: str
    words: str
    unit: str
    basis: str
    typical: float
    low: float
    high: float
    vary: Callable[[float], VariedQuestion]
    spell: Callable[[float], str]
    least: float
    most: float
    steps: int = 5
    whole: bool = False


def inputs(question: ChoiceQuestion, first: Judged) -> Iterator[VariedInput]:
    """All inputs of the question that can be varied; ``first``: the candidate whose cipher time
    is."""
    scene = question.scene
    yield from _rate(question)
    if question.demands.need not in (Need.AGREEMENT, Need.KEM):
        yield _length(question)
    yield from _radio(question)
    if scene.battery is not None:
        yield from _battery(question)
    yield from _currents(question)
    yield _time(question, first)
    yield from _tag(question, first)
    yield from _nonce(question)


def _at(question: ChoiceQuestion, slower: float = 1.0, **changes: Any) -> VariedQuestion:
    """The question with a changed scene."""
    return VariedQuestion(question.with_scene(**changes), slower)


def _rate(question: ChoiceQuestion) -> Iterator[VariedInput]:
    every = question.scene.every_s
    if every is None or question.scene.battery is None:
        return
    day = DAY_S / every
    yield VariedInput(
        "rate",
        "rate of messages",
        "1/day",
        _CHOSEN,
        day,
        day / 2,
        day * 2,
        lambda value: _at(question, every_s=DAY_S / value),
        spell_rate,
        least=min(1.0, day / 2),
        most=max(DAY_S / _FASTEST_S, day * 2),
        steps=16,
    )


def spell_rate(day: float) -> str:
    """Messages a day in words."""
    if day >= 24 * 60:
        return f"{day / 24 / 60:.3g} messages a minute"
    return f"{day / 24:.3g} messages an hour" if day >= 24 else f"{day:.3g} messages a day"


def _length(question: ChoiceQuestion) -> VariedInput:
    scene = question.scene
    size, longest = scene.message_bytes, _LONGEST
    if scene.link is not None and not scene.link.fragment:
        longest = scene.link.longest or _LONGEST
    return VariedInput(
        "length",
        "length of a message",
        "B",
        _CHOSEN,
        size,
        max(size // 2, 1),
        size * 2,
        lambda value: _at(question, message_bytes=round(value)),
        lambda value: f"{value:.0f} B",
        least=1,
        most=max(longest, size * 2),
        steps=7,
        whole=True,
    )


def _data_rate(question: ChoiceQuestion, link: LorawanLink) -> VariedInput:
    rates = sorted(rate.dr for rate in link.region.data_rates)
    by_number = {rate.dr: rate for rate in link.region.data_rates}
    return VariedInput(
        "data-rate",
        "data rate",
        "DR",
        _OPTIONS,
        link.rate.dr,
        rates[0],
        rates[-1],
        lambda value: _at(question, link=replace(link, rate=by_number[round(value)])),
        lambda value: f"DR{value:.0f} ({by_number[round(value)].words})",
        least=rates[0],
        most=rates[-1],
        steps=len(rates),
        whole=True,
    )


def _radio(question: ChoiceQuestion) -> Iterator[VariedInput]:
    scene, link = question.scene, question.scene.link
    if link is None:
        return
    if isinstance(link, LorawanLink):
        yield _data_rate(question, link)
    powers = [draw.power_dbm or 0.0 for draw in link.radio.transmitting]
    power = link.power_dbm
    if power is not None and powers and scene.active is not None:
        low, high = max(power - _DECIBELS, min(powers)), min(power + _DECIBELS, max(powers))
        yield VariedInput(
            "power",
            "output power",
            "dBm",
            _CHOSEN,
            power,
            min(low, power),
            max(high, power),
            lambda value: _at(question, link=replace(link, power_dbm=value)),
            lambda value: f"{value:.3g} dBm",
            least=min(low, power),
            most=max(high, power),
            steps=7,
        )
    sends = link.transmissions
    if not link.repeatable:
        return
    yield VariedInput(
        "transmissions",
        "transmissions of a frame",
        "",
        _CHOSEN,
        sends,
        max(sends / 2, 1.0),
        sends * 2,
        lambda value: _at(question, link=replace(link, transmissions=value)),
        lambda value: f"{value:.3g}",
        least=1.0,
        most=max(sends * 2, 8.0),
        steps=7,
    )


def _battery(question: ChoiceQuestion) -> Iterator[VariedInput]:
    battery = question.scene.battery
    if battery is None:
        raise AssertionError("called without a battery")

    def varied(name: str, value: float) -> VariedQuestion:
        part = getattr(battery, name)
        exact = part.model_copy(update={"minimum": value, "typical": value, "maximum": value})
        return _at(question, battery=battery.model_copy(update={name: exact}))

    for name, label, unit in (
        ("capacity", "capacity", "Ah"),
        ("usable", "usable share of the capacity", ""),
        ("self_discharge", "self-discharge a year", ""),
    ):
        part = getattr(battery, name)
        yield VariedInput(
            name.replace("_", "-"),
            label,
            unit,
            _DEVICE_BOUNDS,
            part.typical,
            part.minimum,
            part.maximum,
            lambda value, name=name: varied(name, value),  # type: ignore[misc]
            (lambda value: format_value(value, "Ah"))
            if unit
            else (lambda value: f"{value * 100:.3g} %"),
            least=part.minimum,
            most=part.maximum,
        )


def _spell_amps(value: float) -> str:
    return format_value(value, "A")


def _currents(question: ChoiceQuestion) -> Iterator[VariedInput]:
    scene = question.scene
    if scene.sleeping:
        yield _sleep(question)
    if scene.active is not None:
        drawn = scene.active
        yield _current(
            "processor-current",
            "current of the processor",
            drawn.amps,
            lambda value: _at(question, active=replace(drawn, amps=Interval.exact(value))),
        )
    for part in scene.parts() if scene.active is not None else ():
        yield _current(
            f"{part.name}-current",
            f"{part.name} current of the radio",
            part.drawn.amps,
            lambda value, name=part.name: VariedQuestion(  # type: ignore[misc]
                replace(question, scene=_adjusted(scene, {name: value}))
            ),
        )


def _adjusted(scene: Scene, amps: dict[str, float]) -> Adjusted:
    same = {
        entry.name: getattr(scene, entry.name)
        for entry in fields(Scene)
        if entry.init and entry.name != "known"
    }
    return Adjusted(**same, amps=amps)


def _current(
    name: str, label: str, amps: Interval, vary: Callable[[float], VariedQuestion]
) -> VariedInput:
    """A current over its bounds; from half to double if it was given."""
    bounded = amps.low < amps.high
    low, high = (amps.low, amps.high) if bounded else (amps.typical / 2, amps.typical * 2)
    return VariedInput(
        name,
        label,
        "A",
        _DEVICE_BOUNDS if bounded else _CHOSEN,
        amps.typical,
        low,
        high,
        vary,
        _spell_amps,
        least=low,
        most=high,
    )


def _sleep(question: ChoiceQuestion) -> VariedInput:
    """All currents of sleep, from all at their least to all at their most."""
    sleeping = question.scene.sleeping
    ends = Interval(
        *(
            sum(getattr(current.amps, end) for current in sleeping)
            for end in ("low", "typical", "high")
        )
    )

    def at(drawn: Drawn, value: float) -> Drawn:
        if ends.low == ends.high:
            return replace(drawn, amps=Interval.exact(drawn.amps.typical * value / ends.typical))
        side, of_all = (
            (drawn.amps.low, ends.low) if value <= ends.typical else (drawn.amps.high, ends.high)
        )
        share = (value - ends.typical) / (of_all - ends.typical) if of_all != ends.typical else 0.0
        return replace(
            drawn, amps=Interval.exact(drawn.amps.typical + share * (side - drawn.amps.typical))
        )

    return _current(
        "sleep-current",
        "current during sleep",
        ends,
        lambda value: _at(question, sleeping=tuple(at(drawn, value) for drawn in sleeping)),
    )


def _time(question: ChoiceQuestion, first: Judged) -> VariedInput:
    """The time of the first candidate, of which another compiler or version may take half or
    double."""
    if first.latency is None:
        raise AssertionError("a ranked candidate has a time")
    value = first.latency.value
    typical = value.typical
    return VariedInput(
        "cipher-time",
        "time of the first candidate",
        "s",
        _CHOSEN,
        typical,
        typical / 2,
        typical * 2,
        lambda seconds: VariedQuestion(question, seconds / typical if typical else 1.0),
        lambda seconds: format_value(seconds * 1e9, "ns"),
        least=typical / _TENFOLD,
        most=typical * _TENFOLD,
        steps=9,
    )


def _tag(question: ChoiceQuestion, first: Judged) -> Iterator[VariedInput]:
    now = question.form.tag_bytes
    if question.demands.need not in (Need.AEAD, Need.MAC) or (
        now is None and first.sent.tag_bytes <= SHORT_TAG
    ):
        return
    other = SHORT_TAG if now is None else None
    usual = float(first.sent.tag_bytes)
    full = 16.0 if now is None else max(usual, 16.0)

    def vary(value: float) -> VariedQuestion:
        tag = now if value == usual else other
        return VariedQuestion(replace(question, form=replace(question.form, tag_bytes=tag)))

    alternative = float(SHORT_TAG) if now is None else full
    if alternative != usual:
        yield VariedInput(
            "tag",
            "length of the tag",
            "B",
            _OPTIONS,
            usual,
            min(usual, alternative),
            max(usual, alternative),
            vary,
            lambda value: f"{value:.0f} B",
            least=usual,
            most=usual,
            steps=1,
            whole=True,
        )


def _nonce(question: ChoiceQuestion) -> Iterator[VariedInput]:
    if question.demands.need not in (Need.AEAD, Need.ENCRYPTION):
        return
    kinds = (Nonce.COUNTER, Nonce.CARRIED)

    def vary(value: float) -> VariedQuestion:
        return VariedQuestion(
            replace(question, form=replace(question.form, nonce=kinds[round(value)]))
        )

    yield VariedInput(
        "nonce",
        "nonce",
        "",
        _OPTIONS,
        kinds.index(question.form.nonce),
        0,
        1,
        vary,
        lambda value: ("from a counter", "sent")[round(value)],
        least=0,
        most=0,
        steps=1,
        whole=True,
    )
