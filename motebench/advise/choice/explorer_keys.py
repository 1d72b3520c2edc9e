"""The choice among schemes with public keys as a model that a page can compute.

What a candidate computes, holds and sends is stored at each length that the slider has, as ``choose`` finds it. The
page adds radio, battery, limits and order. Candidates that break a limit that no slider moves are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from motebench.advise.choice.candidate import Candidate, Name, SchemeOffer
from motebench.advise.choice.combining import candidates, hashes
from motebench.advise.choice.judging import fixed_limits
from motebench.advise.choice.page_model import (
    BesideModel,
    ExchangeCost,
    ExchangeModel,
    KeyedItem,
    NumberedTexts,
    ends,
    three,
)
from motebench.advise.choice.question import ChoiceQuestion, Need, Role
from motebench.advise.choice.ranking import magnitude
from motebench.advise.choice.standings import Standings
from motebench.advise.energy.battery import raising
from motebench.advise.energy.consumption import EnergyPart

STRENGTHS = (0, 112, 128, 192, 256)
"""Bits that can be asked for."""
_LONGEST = 1024
_IMAGE = 256 * 1024
_SHORTEST_IMAGE = 1024
_STEPS = 4
"""Places of the slider in an octave of lengths."""


def lengths(question: ChoiceQuestion) -> list[int]:
    """The places of the slider: the asked length, and others to either side; only that one without a message."""
    need, scene = question.demands.need, question.scene
    asked = scene.message_bytes
    if need in (Need.AGREEMENT, Need.KEM):
        return [asked]
    if need is Need.UPDATE:
        most = scene.device.flash_bytes - scene.device.boot_loader_bytes or _IMAGE
        low, high = min(_SHORTEST_IMAGE, asked), max(most, asked)
    else:
        link = scene.link
        bounded = link is not None and not link.fragment and question.form.role is Role.SIGN
        low, high = 1, max(asked, min(_LONGEST, link.longest) if link and bounded else _LONGEST)
    found = {asked, low, high}
    size = float(max(low, 1))
    while size < high:
        found.add(round(size))
        size *= 2 ** (1 / _STEPS)
    return sorted(found)


class Keyed:
    """The parts of the model. ``moved``: names of limits that a slider moves."""

    def __init__(self, question: ChoiceQuestion, offers: Sequence[SchemeOffer], moved: frozenset[str]) -> None:
        self.lengths = lengths(question)
        self.strengths = sorted({*STRENGTHS, question.demands.strength_bits})
        self.patterns: list[str] = []
        self._question, self._moved = question, moved
        self._air: dict[tuple[int, int], int] = {}
        self._found: dict[Name, dict[int, Candidate]] = {}
        self._there: dict[Name, dict[int, set[int]]] = {}
        self._like: dict[int, int] = {}
        drawn: dict[frozenset[Name], int] = {}
        for bits in self.strengths:
            asked = replace(question, demands=replace(question.demands, strength_bits=bits))
            standings = Standings(asked.demands, [offer.scheme for offer in offers])
            # Of the strength only this depends: which hash functions a signature is combined with.
            sound = self._sound(standings, offers)
            self._like[bits] = drawn.setdefault(sound, bits)
            if self._like[bits] == bits:
                for place, length in enumerate(self.lengths):
                    varied = replace(asked, scene=replace(asked.scene, message_bytes=length))
                    for candidate in candidates(offers, varied, standings):
                        if not self._fixed(candidate, varied):
                            self._take(candidate, place, bits)

    def _sound(self, standings: Standings, offers: Sequence[SchemeOffer]) -> frozenset[Name]:
        if self._question.demands.need is not Need.UPDATE:
            return frozenset()
        sound = [offer for offer in hashes(offers) if not standings.standing((offer,)).broken]
        return frozenset((offer.scheme, offer.implementation) for offer in sound)

    def _fixed(self, candidate: Candidate, question: ChoiceQuestion) -> bool:
        """Whether it breaks a limit that no slider moves, or its time is unknown."""
        limits = fixed_limits(candidate, question)
        return candidate.latency is None or any(entry.limit not in self._moved for entry in limits)

    def _take(self, candidate: Candidate, place: int, bits: int) -> None:
        self._found.setdefault(candidate.name, {})[place] = candidate
        self._there.setdefault(candidate.name, {}).setdefault(bits, set()).add(place)

    def candidates(self, names: NumberedTexts, implementations: NumberedTexts) -> Iterator[KeyedItem]:
        """Every candidate, with numbers of its scheme and implementation."""
        for name, at in self._found.items():
            one = next(iter(at.values()))
            standing = one.standing
            costs: list[ExchangeCost] = []
            places = []
            for place in range(len(self.lengths)):
                cost = self._cost(at[place]) if place in at else None
                if cost is not None and cost not in costs:
                    costs.append(cost)
                places.append(-1 if cost is None else costs.index(cost))
            yield KeyedItem(
                s=names(name[0]),
                i=implementations(name[1]),
                tier=standing.group,
                maturity=int(standing.maturity),
                claimed=int(standing.constant_time is not None),
                bits=standing.strength_bits,
                composed=int(len(one.offers) > 1),
                costs=costs,
                at=places,
                there=[self._pattern(self._there[name], bits) for bits in self.strengths],
                beside=[self._beside(part) for offer in one.offers for part in offer.beside],
                shared=int(any(offer.already for offer in one.offers)),
            )

    def _pattern(self, there: dict[int, set[int]], bits: int) -> int:
        known = there.get(self._like[bits], set())
        pattern = "".join("1" if place in known else "0" for place in range(len(self.lengths)))
        if pattern not in self.patterns:
            self.patterns.append(pattern)
        return self.patterns.index(pattern)

    def _cost(self, candidate: Candidate) -> ExchangeCost:
        sent = candidate.sent
        return ExchangeCost(
            latency=ends(candidate.latency.value) if candidate.latency else None,
            flash=ends(candidate.flash.value) if candidate.flash else None,
            ram=ends(candidate.ram.value) if candidate.ram else None,
            sent=sent.total_bytes,
            received=sent.received_bytes,
            magnitude=magnitude(sent),
            air=self._air.setdefault((sent.total_bytes, sent.received_bytes), len(self._air)),
        )

    def _beside(self, part: EnergyPart) -> BesideModel:
        battery = self._question.scene.battery
        return BesideModel(
            seconds=part.seconds * part.times,
            charge=three(part.charge_c),
            energy=three(part.energy_j),
            volts=part.drawn.volts,
            raising=raising(battery, part.drawn) if battery is not None else 1.0,
        )

    def air(self) -> list[ExchangeModel]:
        """What is sent and received, by number: whether it can be sent, limits that it breaks, intervals, seconds."""
        return [self._on_air(sent, received) for sent, received in self._air]

    def _on_air(self, sent: int, received: int) -> ExchangeModel:
        scene = self._question.scene
        # Limits of the rate move with it: here they are intervals.
        air = replace(scene, every_s=None, known={}).on_air(sent, received)
        least, fair = scene.least_intervals(sent)
        return ExchangeModel(
            sends=not scene.sends or air.frames > 0,
            broken=list(dict.fromkeys(limit.limit for limit in air.broken)),
            least=least,
            fair=fair,
            seconds=air.seconds,
            busy={part.name: part.seconds * part.times for part in air.parts},
        )
