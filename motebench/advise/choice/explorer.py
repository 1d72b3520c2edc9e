"""The question with one input moved at a time: the answer of ``choose`` at every stop of a slider.

The page of a choice looks the answers up. An input is moved from the question as it stands, because
all stops of all inputs together are too many answers. Weights are moved by criteria alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from motebench.advise.choice.candidate import Candidate, Judged, RankedCandidate, SchemeOffer
from motebench.advise.choice.combining import candidates
from motebench.advise.choice.judging import fixed_limits, judge, within
from motebench.advise.choice.names import bounded
from motebench.advise.choice.question import ChoiceQuestion, Chosen, CostLimits, Need
from motebench.advise.choice.ranking import figure_of, rank
from motebench.advise.choice.reasons import why_later
from motebench.advise.choice.standings import Standings
from motebench.advise.choice.variations import Trial, VariedQuestion, spell_rate
from motebench.base.errors import InputError
from motebench.base.quantities import Interval
from motebench.base.units import DAY_S

STRENGTHS = (0, 112, 128, 192, 256)
"""Valid values of `--strength`, in bits."""
_LONGEST = 1024
_SHORTEST_IMAGE = 1024
_IMAGE = 256 * 1024
_FASTEST_S = 10.0
_RATES, _TIMES, _SIZES = 9, 7, 7
"""Stops of a slider, beside that of the question."""
_RANKED, _REJECTED = 8, 3
"""Candidates of an answer."""
_UNITS = {"life": "years", "energy": "J", "latency": "s", "flash": "B", "ram": "B"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ExploredCandidate:
    """A candidate of an answer. ``rank``: with ``=`` where it is tied; empty if it breaks a limit.
    ``figures``: typical ones, by criterion, empty
    if unknown. ``reason``: why it does not come first."""

    rank: str
    scheme: str
    implementation: str
    figures: Sequence[str]
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ExploredAnswer:
    """The first candidates of an answer, then rejected ones. ``words``: the answer in short."""

    words: str
    candidates: Sequence[ExploredCandidate]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExploredInput:
    """Input with its possible values, in words, and the number of the answer at each. ``asked``:
    the place of the question's value.
    """

    name: str
    title: str
    stops: Sequence[str]
    answers: Sequence[int]
    asked: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Exploration:
    """All inputs with all answers. ``criteria``: names of a candidate's figures."""

    criteria: Sequence[str]
    inputs: Sequence[ExploredInput]
    answers: Sequence[ExploredAnswer]


Stops = Mapping[str, ChoiceQuestion]
"""The question at each stop of an input, by the value in words."""


def exploration(chosen: Chosen) -> Exploration | None:
    """The answers at every stop; None if no candidate is left without numeric limits."""
    varied = _Varied(chosen.offers)
    if not varied.judged(chosen.question):
        return None
    numbers: dict[tuple[str, tuple[ExploredCandidate, ...]], int] = {}
    inputs = []
    for name, title, value, stops in moved(chosen.question, varied.latencies(chosen.question)):
        answers = []
        for question in stops.values():
            answer = varied.answer(question)
            key = (answer.words, tuple(answer.candidates))
            answers.append(numbers.setdefault(key, len(numbers)))
        if len(stops) > 1:
            place = list(stops).index(value)
            inputs.append(
                ExploredInput(
                    name=name, title=title, stops=list(stops), answers=answers, asked=place
                )
            )
    return Exploration(
        criteria=[*_UNITS, "sent"],
        inputs=inputs,
        answers=[ExploredAnswer(words=text, candidates=rows) for text, rows in numbers],
    )


def moved(
    question: ChoiceQuestion, latencies: Sequence[float]
) -> Iterator[tuple[str, str, str, Stops]]:
    """Name and title of each input, the question's value in words, and the stops. ``latencies``:
    typical seconds of candidates, between which the limit of time moves."""
    scene = question.scene
    if scene.every_s is not None:
        yield _rates(question, scene.every_s)
    sizes = lengths(question)
    yield (
        "length",
        "Image" if question.demands.need is Need.UPDATE else "Length",
        _bytes(scene.message_bytes),
        {_bytes(size): question.with_scene(message_bytes=size) for size in sizes},
    )

    yield from _most_sizes(question)
    if latencies:
        yield _most_time(question, latencies)
    bits = question.demands.strength_bits
    yield (
        "strength",
        "Strength",
        _strength(bits),
        {
            _strength(least): replace(
                question, demands=replace(question.demands, strength_bits=least)
            )
            for least in sorted({*STRENGTHS, bits})
        },
    )
    yield "order", "Order", _order(question), dict(_orders(question))


def _rates(question: ChoiceQuestion, every_s: float) -> tuple[str, str, str, Stops]:
    """The stops of messages a day."""
    day = DAY_S / every_s
    least, most = min(1.0, day), max(DAY_S / _FASTEST_S, day)
    rates = sorted({day, *_spread(least, most, _RATES)})
    stops = {spell_rate(rate): question.with_scene(every_s=DAY_S / rate) for rate in rates}
    stops[spell_rate(day)] = question
    return "rate", "Rate", spell_rate(day), stops


def _limited(
    question: ChoiceQuestion,
    name: str,
    values: Iterable[float | None],
    say: Callable[[float], str],
) -> Stops:
    """The question with each value of a limit; None is no limit."""
    return {
        "no limit" if value is None else f"at most {say(value)}": replace(
            question, limits=_changed(question.limits, name, value)
        )
        for value in values
    }


def _most_sizes(question: ChoiceQuestion) -> Iterator[tuple[str, str, str, Stops]]:
    """The stops of limits of flash and RAM."""
    device, limits = question.scene.device, question.limits
    for name, title, now, most_bytes in (
        ("flash", "Flash", limits.flash, device.flash_bytes),
        ("ram", "RAM", limits.ram, device.ram_bytes),
    ):
        top = now if name in limits.of_device else max(now or 0, most_bytes) or None
        if top is not None:
            halves = {top >> step for step in range(_SIZES)} - {0}
            values = [*sorted(halves | ({now} if now else set())), *([] if now else [None])]
            current = "no limit" if now is None else f"at most {_bytes(now)}"
            yield name, title, current, _limited(question, name, values, _bytes)


def _most_time(question: ChoiceQuestion, latencies: Sequence[float]) -> tuple[str, str, str, Stops]:
    """The stops of the limit of time."""
    now = question.limits.latency_s
    seconds = {*_spread(min(latencies), max(latencies), _TIMES)}
    if now is not None:
        seconds.add(now)
    current = "no limit" if now is None else f"at most {_time(now)}"
    stops = _limited(question, "latency_s", [*sorted(seconds), None], _time)
    return "latency", "Time", current, stops


def _orders(question: ChoiceQuestion) -> Iterator[tuple[str, ChoiceQuestion]]:
    """Question in its own order, then in the order of each criterion that applies."""
    yield _order(question), question
    for name in _UNITS:
        computed = name not in ("life", "energy") or question.scene.active is not None
        alone = replace(question, order={name: 1.0})
        lasting = question.scene.battery is not None and question.scene.every_s is not None
        if computed and (name != "life" or lasting) and _order(alone) != _order(question):
            yield _order(alone), alone


def _order(question: ChoiceQuestion) -> str:
    parts = [
        f"{name} {weight:g}" if len(question.order) > 1 else name
        for name, weight in question.order.items()
    ]
    return ", ".join(parts)


def lengths(question: ChoiceQuestion) -> list[int]:
    """Lengths of the slider: that of the question, and powers of two; only that of the question
    without a message.
    """
    need, scene = question.demands.need, question.scene
    now = scene.message_bytes
    if need in (Need.AGREEMENT, Need.KEM):
        return [now]
    if need is Need.UPDATE:
        room = scene.device.flash_bytes - scene.device.boot_loader_bytes or _IMAGE
        low, high = min(_SHORTEST_IMAGE, now), max(room, now)
    else:
        link = scene.link
        longest = link.longest if link is not None and not link.fragment else None
        low, high = 1, max(now, min(_LONGEST, longest or _LONGEST))
    powers = {1 << step for step in range(high.bit_length())}
    return sorted({now, low, high} | {size for size in powers if low <= size <= high})


def _spread(low: float, high: float, count: int) -> list[float]:
    """Values with equal ratios, to two digits, the last not below ``high``."""
    if not 0 < low < high:
        return [high]
    ratio = (high / low) ** (1 / (count - 1))
    values = [float(f"{low * ratio**step:.2g}") for step in range(count - 1)]
    return [*values, high]


def _changed(limits: CostLimits, name: str, value: float | None) -> CostLimits:
    """Limits with another value, which is the user's unless it is the device's already."""
    if getattr(limits, name) == value:
        return limits
    of_device = limits.of_device - {name}
    if name == "latency_s":
        return replace(limits, latency_s=value, of_device=of_device)
    size = None if value is None else round(value)
    if name == "flash":
        return replace(limits, flash=size, of_device=of_device)
    return replace(limits, ram=size, of_device=of_device)


def _bytes(size: float) -> str:
    return f"{size:,.0f} B"


def _time(seconds: float) -> str:
    return bounded(Interval.exact(seconds), "s")


def _strength(bits: int) -> str:
    return f"{bits} bits at least" if bits else "any"


class _Varied:
    """Answers of questions that share offers; common parts are computed once."""

    def __init__(self, offers: Sequence[SchemeOffer]) -> None:
        self._offers = offers
        self._candidates: dict[tuple[int, int], list[Candidate]] = {}
        self._judged: dict[tuple[int, int, float | None], list[Judged]] = {}
        self._trials: dict[int, Trial] = {}

    def latencies(self, question: ChoiceQuestion) -> list[float]:
        """Typical seconds of the candidates that keep all limits but those of costs."""
        return [
            candidate.latency.value.typical
            for candidate in self.judged(question)
            if candidate.latency is not None
        ]

    def answer(self, question: ChoiceQuestion) -> ExploredAnswer:
        """Answer equal to that of ``choose``."""
        hindered = question.scene.hindered()
        if hindered is not None:
            return ExploredAnswer(
                words=f"Even a message without a cipher breaks a limit: {hindered.words}.",
                candidates=(),
            )
        judged = self.judged(question)
        rejected = [entry for entry in judged if entry.broken]
        admitted = [entry for entry in judged if not entry.broken]
        try:
            ranked = rank(admitted, question, most=_RANKED)
        except InputError as error:
            return ExploredAnswer(words=f"{error.what}.", candidates=())
        if ranked and ranked[0].candidate.standing.tier:
            ways = self._trial(question).ways(VariedQuestion(question))
            if ways:
                options = " or ".join(way.option for way in ways)
                return ExploredAnswer(
                    words="Nothing that is recommended keeps all limits. What admits a recommended "
                    f"candidate: {options}.",
                    candidates=(),
                )
        return _answer(question, ranked, len(admitted), rejected)

    def _trial(self, question: ChoiceQuestion) -> Trial:
        bits = question.demands.strength_bits
        if bits not in self._trials:
            self._trials[bits] = Trial(self._offers, question, ())
        return self._trials[bits]

    def judged(self, question: ChoiceQuestion) -> list[Judged]:
        """Candidates that break no limit but those of costs, of the radio and of the battery."""
        scene = question.scene
        size, bits = scene.message_bytes, question.demands.strength_bits
        key = (size, bits, scene.every_s)
        if key not in self._judged:
            free = replace(question, limits=CostLimits())
            self._judged[key] = [judge(entry, free) for entry in self._sound(question)]
        return [within(entry, question.limits) for entry in self._judged[key]]

    def _sound(self, question: ChoiceQuestion) -> list[Candidate]:
        key = (question.scene.message_bytes, question.demands.strength_bits)
        if key not in self._candidates:
            standings = Standings.of(question, self._offers)
            offers = [
                offer
                for offer in self._offers
                if not offer.failure and not standings.standing((offer,)).broken
            ]
            self._candidates[key] = [
                candidate
                for candidate in candidates(offers, question, standings)
                if not fixed_limits(candidate, question)
            ]
        return self._candidates[key]


def _answer(
    question: ChoiceQuestion,
    ranked: Sequence[RankedCandidate],
    admitted: int,
    rejected: Sequence[Judged],
) -> ExploredAnswer:
    if not ranked:
        summary = "No candidate keeps all limits."
    else:
        first = ranked[0].candidate
        summary = f"First: {first.scheme} by {first.implementation}. {admitted} keep all limits."
    near = sorted(
        rejected, key=lambda entry: (len(entry.broken), entry.standing.group, *entry.name)
    )
    chosen = Chosen(question, (), tuple(ranked), ())
    return ExploredAnswer(
        words=summary,
        candidates=(
            *(
                _row(
                    entry.candidate,
                    f"{entry.rank}{'=' * entry.tied}",
                    why_later(entry, chosen) if entry is not ranked[0] else "first",
                )
                for entry in ranked
            ),
            *(
                _row(entry, "", "; ".join(broken.words for broken in entry.broken))
                for entry in near[:_REJECTED]
            ),
        ),
    )


def _row(candidate: Judged, place: str, reason: str) -> ExploredCandidate:
    return ExploredCandidate(
        rank=place,
        scheme=candidate.scheme,
        implementation=candidate.implementation,
        figures=(
            *(_figure(candidate, name) for name in _UNITS),
            _bytes(candidate.sent.total_bytes),
        ),
        reason=reason,
    )


def _figure(candidate: Judged, name: str) -> str:
    figure = figure_of(candidate, name)
    return "" if figure is None else bounded(Interval.exact(figure.typical), _UNITS[name])
