"""The question asked again with other inputs, quickly: only candidates that can come first are computed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from motebench.advise.choice.candidates import finished, sketches
from motebench.advise.choice.choosing import ChoiceQuestion
from motebench.advise.choice.judging import Judge
from motebench.advise.choice.model import Candidate, SchemeOffer
from motebench.advise.choice.ranking import leaders, lesser, stretched
from motebench.advise.choice.scene import OnAir, Scene
from motebench.advise.choice.sketching import MessageForm, Sketch
from motebench.base.errors import InputError
from motebench.base.interval import Interval, total
from motebench.catalog import algorithm_of
from motebench.catalog.derive import block_bits_of
from motebench.catalog.lookup import block_limits

Name = tuple[str, str]
"""Scheme and implementation of a candidate."""


def name_of(one: Candidate | Sketch) -> Name:
    """What tells a candidate from all others."""
    schemes = " + ".join(offer.scheme for offer in one.offers)
    return schemes, " + ".join(dict.fromkeys(offer.implementation for offer in one.offers))


@dataclass(frozen=True, slots=True)
class Adjusted(Scene):
    """A scene in which the radio draws given currents (A) by part of a message: ``transmit``, ``receive``,
    ``download``."""

    amps: Mapping[str, float] = field(default_factory=dict)

    def on_air(self, length: int, received: int = 0) -> OnAir:
        """See ``Scene.on_air``."""
        found = self.known.get((length, received))
        if found is None:
            sent = Scene.on_air(self, length, received)
            parts = tuple(
                replace(part, drawn=replace(part.drawn, amps=Interval.exact(self.amps[part.name])))
                if part.name in self.amps
                else part
                for part in sent.parts
            )
            found = self.known[length, received] = replace(sent, parts=parts)
        return found


@dataclass(frozen=True, slots=True)
class VariedQuestion:
    """The question with other inputs. ``slower``: by what factor the time of the first watched
    candidate grows, and that of all others by its implementation: another compiler does that to each."""

    question: ChoiceQuestion
    slower: float = 1.0


@dataclass(frozen=True, slots=True)
class TrialOutcome:
    """``leaders``: rank 1 in its order, of the candidates that can come first; ``admitted``: those of them that keep
    all limits; ``rejected``: the others."""

    question: ChoiceQuestion
    leaders: tuple[Candidate, ...]
    admitted: tuple[Candidate, ...]
    rejected: tuple[Candidate, ...]

    @property
    def first(self) -> Candidate | None:
        """The first candidate; None if none keeps all limits."""
        return self.leaders[0] if self.leaders else None

    def of(self, name: Name) -> Candidate | None:
        """The candidate of that name, if it was computed."""
        return next((one for one in (*self.admitted, *self.rejected) if name_of(one) == name), None)


class Trial:
    """Answers variations of a question. ``watched``: candidates that are always computed; the time of the first of
    them is what ``VariedQuestion.slower`` changes."""

    def __init__(self, offers: Sequence[SchemeOffer], question: ChoiceQuestion, watched: Sequence[Name]) -> None:
        self._judge = Judge(question.demands, [offer.scheme for offer in offers])
        self._offers = [offer for offer in offers if not offer.failure and not self._judge.standing((offer,)).broken]
        self._watched = watched
        self._every: dict[tuple[int, MessageForm], list[Sketch]] = {}
        self._kept: dict[tuple[int, MessageForm], list[Sketch]] = {}

    def answer(self, variation: VariedQuestion) -> TrialOutcome:
        """The outcome, equal to that of ``choose`` for this question. Without a candidate if the question contradicts
        itself: a message takes longer than the time between messages."""
        question = variation.question
        length = question.scene.message_bytes
        found = self._found(variation, self._sketches(length, question))
        if found.leaders and stretched(found.leaders, question.scene, question.order, question.equal):
            # What was left out may lie between equal candidates, and then ends the rank.
            found = self._found(variation, self._every[length, question.form])
        return found

    def _found(self, variation: VariedQuestion, among: Sequence[Sketch]) -> TrialOutcome:
        question = variation.question
        try:
            found = [
                finished(self._slower(sketch, variation.slower), question.scene, question.limits) for sketch in among
            ]
        except InputError:
            return TrialOutcome(question, (), (), ())
        admitted = tuple(one for one in found if not one.broken)
        first = leaders(admitted, question.scene, question.order, question.equal, question.demands.enough_bits)
        return TrialOutcome(question, tuple(first), admitted, tuple(one for one in found if one.broken))

    def _slower(self, sketch: Sketch, factor: float) -> Sketch:
        if factor == 1.0 or sketch.latency is None or not self._watched or name_of(sketch)[1] != self._watched[0][1]:
            return sketch
        return replace(sketch, latency=replace(sketch.latency, value=sketch.latency.value * factor))

    def _sketches(self, length: int, question: ChoiceQuestion) -> list[Sketch]:
        key = (length, question.form)
        if key not in self._kept:
            every = list(sketches(self._offers, length, self._judge, question.form))
            watched = [one for one in every if name_of(one) in self._watched]
            others = [one for one in every if name_of(one) not in self._watched and not one.against]
            self._every[key] = [*watched, *others]
            self._kept[key] = [*watched, *_undominated(others, question.demands.enough_bits)]
        return self._kept[key]


def _undominated(found: Sequence[Sketch], enough: int) -> list[Sketch]:
    """Sketches that can come first. Left out is what another one precedes wherever it is admitted: the other is as good
    in every criterion and limit, and comes first among equals."""
    places = {id(one): lesser(_bare(one), enough) for one in found}
    kept: list[tuple[Sketch, tuple[float, ...]]] = []
    for one in sorted(found, key=lambda sketch: places[id(sketch)]):
        own = _costs(one)
        if not any(_precedes(other, costs, one, own) for other, costs in kept):
            kept.append((one, own))
    return [one for one, _ in kept]


def _bare(sketch: Sketch) -> Candidate:
    return Candidate(sketch.offers, sketch.sent, sketch.standing, sketch.latency, sketch.flash, sketch.ram)


def _costs(sketch: Sketch) -> tuple[float, ...]:
    """Everything of which less is never worse, for ranks and limits."""
    sizes = (sketch.latency, sketch.flash, sketch.ram)
    ends = [getattr(size.value, end) if size else -1.0 for size in sizes for end in ("low", "typical", "high")]
    beside = total(part.charge_c for offer in sketch.offers for part in offer.drawing(sketch.sent.plaintext_bytes))
    own = (beside.low, beside.typical, beside.high)
    return (sketch.standing.group, sketch.sent.total_bytes, sketch.sent.received_bytes, *own, *ends)


def _precedes(a: Sketch, costs: tuple[float, ...], b: Sketch, other: tuple[float, ...]) -> bool:
    if any(own > its for own, its in zip(costs, other, strict=True)):
        return False
    unknown = any((getattr(a, name) is None) != (getattr(b, name) is None) for name in ("latency", "flash", "ram"))
    return not unknown and not _limited(a)


def _limited(sketch: Sketch) -> bool:
    """Whether its key may encrypt a limited amount of data: then a longer life can break a limit."""
    bits = block_bits_of(algorithm_of(sketch.head), sketch.head)
    return bits is not None and any(bits <= rule.block_bits for rule in block_limits())
