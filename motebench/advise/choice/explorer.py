"""The choice as a model that a page can compute: candidates by curves of their results, the scene
as tables.

The page answers with other rates, lengths, limits, strengths and weights exactly as ``choose``
does. Candidates that break a limit that no slider moves are left out. Of schemes with public keys,
what a candidate computes, holds and sends is stored at each length that the slider has, as
``choose`` finds it; the page adds radio, battery, limits and order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from motebench.advise.choice.candidate import Candidate, Name, SchemeOffer
from motebench.advise.choice.combining import UNPREDICTABLE, candidates, hashes, joins, operation_of
from motebench.advise.choice.estimates import cost, cost_at, fall, steps_of
from motebench.advise.choice.judging import BARE, fixed_limits, short_tag
from motebench.advise.choice.page_model import (
    AirByExchange,
    AirByLength,
    AirPartModel,
    AskedModel,
    BatteryModel,
    BesideModel,
    CurveModel,
    DrawnModel,
    ExchangeCost,
    ExchangeModel,
    ExplorerModel,
    KeyedItem,
    KeyedModel,
    KeyedScene,
    MacModel,
    MessageItem,
    MessageModel,
    MessageScene,
    NumberedTexts,
    SceneModel,
    TimedPartModel,
    Triple,
    ends,
    three,
)
from motebench.advise.choice.question import PUBLIC_KEY, SERVING, ChoiceQuestion, Chosen, Need, Role
from motebench.advise.choice.ranking import behind, magnitude
from motebench.advise.choice.standings import Standings
from motebench.advise.choice.ways import changes
from motebench.advise.energy.battery import raising
from motebench.advise.energy.consumption import EnergyPart
from motebench.advise.radio.message import Nonce, protect
from motebench.base.errors import InputError
from motebench.base.model import Kind, Operation, Scheme
from motebench.catalog import algorithm_of
from motebench.catalog.currents import Drawn
from motebench.catalog.lookup import block_bits_of, block_limits
from motebench.catalog.parts import Charge
from motebench.catalog.policies import choice
from motebench.catalog.quantities import KnownSpread
from motebench.results import formulas

STRENGTHS = (0, 112, 128, 192, 256)
"""Bits that can be asked for."""
_IMAGE = 256 * 1024
_SHORTEST_IMAGE = 1024
_STEPS = 4
"""Places of the slider in an octave of lengths."""


def lengths(question: ChoiceQuestion) -> list[int]:
    """The places of the slider: the asked length, and others to either side; only that one without
    a message.
    """
    need, scene = question.demands.need, question.scene
    now = scene.message_bytes
    if need in (Need.AGREEMENT, Need.KEM):
        return [now]
    if need is Need.UPDATE:
        most = scene.device.flash_bytes - scene.device.boot_loader_bytes or _IMAGE
        low, high = min(_SHORTEST_IMAGE, now), max(most, now)
    else:
        link = scene.link
        bounded = link is not None and not link.fragment and question.form.role is Role.SIGN
        low, high = 1, max(now, min(_LONGEST, link.longest) if link and bounded else _LONGEST)
    places = {now, low, high}
    size = float(max(low, 1))
    while size < high:
        places.add(round(size))
        size *= 2 ** (1 / _STEPS)
    return sorted(places)


class Keyed:
    """The parts of the model. ``moved``: names of limits that a slider moves."""

    def __init__(
        self, question: ChoiceQuestion, offers: Sequence[SchemeOffer], moved: frozenset[str]
    ) -> None:
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
            of_strength = replace(question, demands=replace(question.demands, strength_bits=bits))
            standings = Standings(of_strength.demands, [offer.scheme for offer in offers])
            # Of the strength only this depends: which hash functions a signature is combined with.
            sound = self._sound(standings, offers)
            self._like[bits] = drawn.setdefault(sound, bits)
            if self._like[bits] == bits:
                for place, length in enumerate(self.lengths):
                    varied = replace(
                        of_strength, scene=replace(of_strength.scene, message_bytes=length)
                    )
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

    def candidates(
        self, names: NumberedTexts, implementations: NumberedTexts
    ) -> Iterator[KeyedItem]:
        """Every candidate, with numbers of its scheme and implementation."""
        for name, at in self._found.items():
            example = next(iter(at.values()))
            standing = example.standing
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
                behind=int(behind(standing, self._question)),
                claimed=int(standing.constant_time is not None),
                bits=standing.strength_bits,
                composed=int(len(example.offers) > 1),
                costs=costs,
                at=places,
                there=[self._pattern(self._there[name], bits) for bits in self.strengths],
                beside=[self._beside(part) for offer in example.offers for part in offer.beside],
            )

    def _pattern(self, places_of: dict[int, set[int]], bits: int) -> int:
        places = places_of.get(self._like[bits], set())
        pattern = "".join("1" if place in places else "0" for place in range(len(self.lengths)))
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
        """Exchanges by number: whether each can be sent, limits that it breaks, intervals,
        seconds.
        """
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


MOVED = frozenset({"strength"})
"""Reasons against a scheme that a slider moves."""
_LONGEST = 1024
_MEMORY = ("flash", "static_ram", "stack", "state", "ram")
_XTS_LEAST = 16
_ADDED = 64
"""Bytes by which padding, a nonce or a block more lengthen a message, at most."""


def explorer(chosen: Chosen) -> ExplorerModel | None:
    """The model; None if no candidate is left without numeric limits."""
    if chosen.question.demands.need in PUBLIC_KEY:
        return _keyed(chosen)
    return _message(chosen)


def _message(chosen: Chosen) -> MessageModel | None:
    """The model of a need of messages."""
    question = chosen.question
    numbered = _Numbered(question, chosen.offers)
    candidates = list(numbered.candidates())
    if not candidates:
        return None
    curves, partial = numbered.curves(), choice().partial
    scene = _scene(question)
    return MessageModel(
        schemes=numbered.schemes.texts,
        implementations=numbered.implementations.texts,
        libraries=numbered.libraries.texts,
        candidates=candidates,
        macs=numbered.macs,
        curves=curves,
        scene=MessageScene(
            active=scene.active,
            sleep=scene.sleep,
            year=scene.year,
            hour=scene.hour,
            battery=scene.battery,
            air=_air(question, numbered.reach) if question.scene.link is not None else None,
            longest=numbered.reach,
            fixed=numbered.fixed,
            partial=(partial.multiple_bytes, partial.share),
        ),
        now=_now(chosen),
    )


def _keyed(chosen: Chosen) -> KeyedModel | None:
    """The model of a need of public keys."""
    question = chosen.question
    keyed, schemes, implementations = (
        Keyed(question, chosen.offers, MOVED),
        NumberedTexts(),
        NumberedTexts(),
    )
    candidates = list(keyed.candidates(schemes, implementations))
    if not candidates:
        return None
    air = None
    if question.scene.link is not None:
        parts = [_part(question, part) for part in question.scene.parts()]
        air = AirByExchange(entries=keyed.air(), parts=parts)
    scene = _scene(question)
    return KeyedModel(
        schemes=schemes.texts,
        implementations=implementations.texts,
        candidates=candidates,
        lengths=keyed.lengths,
        patterns=keyed.patterns,
        strengths=keyed.strengths,
        scene=KeyedScene(
            active=scene.active,
            sleep=scene.sleep,
            year=scene.year,
            hour=scene.hour,
            battery=scene.battery,
            air=air,
            fixed=len(keyed.lengths) < 2,
        ),
        now=_now(chosen),
    )


class _Numbered:
    """The candidates of a message, with MACs and curves by number."""

    def __init__(self, question: ChoiceQuestion, offers: Sequence[SchemeOffer]) -> None:
        self._question = question
        self._standings = Standings(question.demands, [offer.scheme for offer in offers])
        # The page has no model of a secure element's current by length.
        plain = [offer for offer in offers if offer.beside_of is None]
        self._sound = [offer for offer in plain if not offer.failure and self._fits(offer)]
        self.schemes, self.implementations, self.libraries = (
            NumberedTexts(),
            NumberedTexts(),
            NumberedTexts(),
        )
        self.macs: list[MacModel] = []
        self._offers: list[tuple[SchemeOffer, str]] = []
        self._places: dict[tuple[int, str], int] = {}
        self.longest = _LONGEST

    def _fits(self, offer: SchemeOffer) -> bool:
        """Whether its only broken limits are ones that a slider can change."""
        return all(entry.limit in MOVED for entry in self._standings.standing((offer,)).broken)

    def candidates(self) -> Iterator[MessageItem]:
        """Every candidate; a cipher with a MAC of its library names the MAC by number."""
        need = self._question.demands.need
        pairs = [
            (offer, scheme)
            for offer in self._sound
            if (scheme := self._standings.scheme(offer.scheme))
        ]
        usable = [(offer, scheme) for offer, scheme in pairs if scheme.mode != "ecb"]
        for offer, scheme in usable:
            if scheme.kind in SERVING[need]:
                yield from self._item((offer,), scheme, None)
        if need is not Need.AEAD:
            return
        macs = self._joining(usable)
        self.macs += [self._mac(mac) for mac in macs]
        for offer, scheme in usable:
            if scheme.kind in BARE:
                for index, mac in enumerate(macs):
                    if mac.library == offer.library:
                        yield from self._item((offer, mac), scheme, index)

    def _joining(self, usable: Sequence[tuple[SchemeOffer, Scheme]]) -> list[SchemeOffer]:
        """MACs that can be added to a cipher and have results."""
        return [
            offer
            for offer, scheme in usable
            if scheme.kind is Kind.MAC
            and joins(offer, self._standings)
            and offer.sizes(Operation.MAC)
        ]

    def _mac(self, offer: SchemeOffer) -> MacModel:
        standing, scheme = self._standings.standing((offer,)), self._standings.scheme(offer.scheme)
        return MacModel(
            s=self.schemes(offer.scheme),
            i=self.implementations(offer.implementation),
            curve=self._curve(offer, Operation.MAC),
            library=self.libraries(offer.library),
            tier=standing.tier,
            tag=scheme.tag_bytes if scheme else 0,
            bits=standing.strength_bits,
        )

    def _item(
        self, offers: tuple[SchemeOffer, ...], head: Scheme, mac: int | None
    ) -> Iterator[MessageItem]:
        operation = operation_of(head)
        second = self._standings.scheme(offers[1].scheme) if len(offers) > 1 else None
        added = self._added(head, second) if offers[0].sizes(operation) else None
        if added is None:
            return
        bits = block_bits_of(algorithm_of(head), head)
        unpredictable = self._question.form.nonce is Nonce.COUNTER and head.mode in UNPREDICTABLE
        extra = (bits or 128) // 8 if unpredictable else 0
        padding = head.block_bytes if head.kind is not Kind.HASH else 0
        self.longest = min(self.longest, offers[0].sizes(operation)[-1] - extra - padding)
        if second is not None:
            self.longest = min(
                self.longest, offers[1].sizes(Operation.MAC)[-1] - head.nonce_bytes - padding
            )
        standing, (block, limit) = self._standings.standing(offers), _data_limit(bits)
        nonce, tag = added
        yield MessageItem(
            s=self.schemes(head.name),
            i=self.implementations(offers[0].implementation),
            tier=standing.tier,
            maturity=int(standing.maturity),
            behind=int(behind(standing, self._question)),
            claimed=int(standing.constant_time is not None),
            bits=standing.strength_bits,
            curve=self._curve(offers[0], operation),
            mac=mac,
            over=head.nonce_bytes if second is not None or head.kind is Kind.MAC else 0,
            padding=padding,
            nonce=nonce,
            tag=tag,
            extra=extra,
            block=block,
            passes=2 if head.tag_bytes else 1,
            limit=limit,
        )

    def _added(self, head: Scheme, mac: Scheme | None) -> tuple[int, int] | None:
        """Bytes of nonce and tag that are sent; None if the schemes do not allow the form of the
        question.
        """
        form, nonce, tag = self._question.form, 0, 0
        if head.kind is not Kind.HASH:
            try:
                # Padding depends on the length, nonce and tag do not.
                shape = protect(
                    head, _XTS_LEAST, nonce=form.nonce, tag_bytes=form.tag_bytes, mac=mac
                )
            except InputError:
                return None
            nonce, tag = shape.nonce_bytes, shape.tag_bytes
        return None if short_tag(mac or head, tag, self._question.demands.policy) else (nonce, tag)

    def _curve(self, offer: SchemeOffer, operation: str) -> int:
        key = (id(offer), str(operation))
        if key not in self._places:
            self._places[key] = len(self._offers)
            self._offers.append((offer, str(operation)))
        return self._places[key]

    @property
    def most(self) -> int:
        """The longest message of the slider."""
        link = self._question.scene.link
        if link is None or link.fragment:
            return self.longest
        return max(min(self.longest, link.longest), self._question.scene.message_bytes)

    @property
    def fixed(self) -> bool:
        """Whether only the length of the question can be computed: it is beyond what was
        measured.
        """
        return self.longest < self._question.scene.message_bytes

    @property
    def reach(self) -> int:
        """The longest message that the page computes."""
        return self._question.scene.message_bytes if self.fixed else self.most

    def curves(self) -> list[CurveModel]:
        """Each by sizes, with seconds and memory. Where the length is fixed: at the sizes that can
        be asked for.
        """
        return [self._drawn(offer, operation) for offer, operation in self._offers]

    def _drawn(self, offer: SchemeOffer, operation: str) -> CurveModel:
        sizes = self._sizes(offer, operation)
        costs = [point for size in sizes if (point := cost(offer, operation, size)) is not None]
        memories: list[Mapping[str, float | Triple]] = []
        places = []
        for point in costs:
            memory = {name: ends(point.memory[name]) for name in _MEMORY if name in point.memory}
            if memory not in memories:
                memories.append(memory)
            places.append(memories.index(memory))
        steps = steps_of(offer.scheme, operation)
        return CurveModel(
            block=(steps.block.bytes, steps.block.padding) if steps.block is not None else None,
            pieces=steps.sizes,
            fall=fall(
                [cost_at(offer, operation, size).seconds.high for size in offer.sizes(operation)]
            ),
            sizes=list(sizes),
            seconds=[ends(point.seconds) for point in costs],
            memories=memories,
            memory=places,
        )

    def _sizes(self, offer: SchemeOffer, operation: str) -> Sequence[int]:
        """The sizes of a curve."""
        length = self._question.scene.message_bytes
        if self.fixed:
            return range(length, length + _ADDED + 1)
        # The first size beyond everything that can be asked for bounds the last ones.
        sizes = offer.sizes(operation)
        beyond = next((size for size in sizes if size >= self.most + _ADDED), sizes[-1])
        return [size for size in sizes if size <= beyond]


def _data_limit(bits: int | None) -> tuple[int, int]:
    """Bytes of a block, and bytes that one key may encrypt, of a cipher with blocks of so many
    bits; 0 without a limit."""
    rule = next((rule for rule in block_limits() if bits and bits <= rule.block_bits), None)
    return (bits // 8, rule.limit_bytes) if rule is not None and bits else (0, 0)


def _scene(question: ChoiceQuestion) -> SceneModel:
    scene = question.scene
    battery = scene.battery
    return SceneModel(
        active=_draw(question, scene.active) if scene.active is not None else None,
        sleep=[_draw(question, drawn) for drawn in scene.sleeping],
        year=formulas.YEAR_S,
        hour=formulas.HOUR_S,
        battery=None
        if battery is None
        else BatteryModel(
            capacity=_spread(battery.capacity),
            usable=_spread(battery.usable),
            loss=_spread(battery.self_discharge),
        ),
    )


def _spread(figure: Charge | KnownSpread) -> Triple:
    return figure.minimum, figure.typical, figure.maximum


def _draw(question: ChoiceQuestion, drawn: Drawn) -> DrawnModel:
    return DrawnModel(amps=three(drawn.amps), volts=drawn.volts, raising=_raising(question, drawn))


def _part(question: ChoiceQuestion, part: EnergyPart) -> AirPartModel:
    drawn = part.drawn
    return AirPartModel(
        name=part.name, amps=three(drawn.amps), volts=drawn.volts, raising=_raising(question, drawn)
    )


def _raising(question: ChoiceQuestion, drawn: Drawn) -> float:
    battery = question.scene.battery
    return raising(battery, drawn) if battery is not None else 1.0


def _air(question: ChoiceQuestion, longest: int) -> AirByLength:
    """Frames, seconds and limits by length of the encrypted message, up to what the longest one may
    add.
    """
    scene = question.scene
    lengths = range(longest + 16 + 64 + 64)
    frames, seconds, broken, least, fair = [], [], [], [], []
    parts: dict[str, AirPartModel] = {}
    busy: dict[str, list[float]] = {}
    for length in lengths:
        air = scene.on_air(length)
        spans = scene.least_intervals(length)
        frames.append(air.frames)
        seconds.append(air.seconds)
        names = {limit.limit for limit in air.broken}
        broken.append(
            "payload" if "payload" in names else "dwell-time" if "dwell-time" in names else ""
        )
        least.append(spans[0])
        fair.append(spans[1])
        for part in air.parts:
            parts.setdefault(part.name, _part(question, part))
            busy.setdefault(part.name, [0.0] * len(lengths))[length] = part.seconds * part.times
    return AirByLength(
        frames=frames,
        seconds=seconds,
        broken=broken,
        least=least,
        fair=fair,
        parts=[
            TimedPartModel(
                name=name, amps=part.amps, volts=part.volts, raising=part.raising, busy=busy[name]
            )
            for name, part in parts.items()
        ],
    )


def _now(chosen: Chosen) -> AskedModel:
    """The question as it stands: where the sliders are at first."""
    question = chosen.question
    limits, scene = question.limits, question.scene
    return AskedModel(
        length=scene.message_bytes,
        every=scene.every_s,
        flash=limits.flash,
        ram=limits.ram,
        latency=limits.latency_s,
        ofDevice=sorted(limits.of_device),
        strength=question.demands.strength_bits,
        enough=choice().enough.bits,
        equal=question.equal,
        order=question.order,
        need=str(question.demands.need),
        sends=scene.sends,
        deviceFlash=scene.device.flash_bytes - scene.device.boot_loader_bytes,
        deviceRam=scene.device.ram_bytes,
        ways=[option for option, _ in changes(question)],
        sharing=question.demands.sharing,
        settled=not chosen.ways,
    )
