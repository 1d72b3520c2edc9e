"""The choice as a model that a page can compute: candidates by curves of their results, the scene as tables.

The page answers with other rates, lengths, limits, strengths and weights exactly as ``choose`` does. Candidates that
break a limit that no slider moves are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from motebench.advise.choice.candidate import SchemeOffer
from motebench.advise.choice.combining import UNPREDICTABLE, joins, operation_of
from motebench.advise.choice.estimates import cost, fall, steps_of
from motebench.advise.choice.explorer_keys import FIELDS as KEYED
from motebench.advise.choice.explorer_keys import Keyed, ends
from motebench.advise.choice.judging import BARE, short_tag
from motebench.advise.choice.question import PUBLIC_KEY, SERVING, ChoiceQuestion, Chosen, Need
from motebench.advise.choice.standings import Standings
from motebench.advise.energy.battery import raising
from motebench.advise.radio.message import Nonce, protect
from motebench.base.errors import InputError
from motebench.base.interval import Interval
from motebench.base.model import Kind, Operation, Scheme
from motebench.catalog import algorithm_of
from motebench.catalog.currents import assumptions
from motebench.catalog.derive import block_bits_of
from motebench.catalog.lookup import block_limits
from motebench.catalog.policies import choice
from motebench.results import formulas

FIELDS = (
    "s", "i", "tier", "maturity", "claimed", "bits", "curve", "mac", "over", "padding", "nonce", "tag", "extra",
    "block", "passes", "limit", "shared",
)  # fmt: skip
"""What the list of a candidate holds: scheme and implementation of its cipher by number, standing, curve of its
results, MAC by number, bytes of the nonce under the MAC (or of a lone MAC), of a padded block, sent nonce and tag, of
the block more that encrypts a counter, the data limit of a key, and whether the product has a part of its code."""
MOVED = frozenset({"strength"})
"""Reasons against a scheme that a slider moves."""
_LONGEST = 1024
_MEMORY = ("flash", "static_ram", "stack", "state", "ram")
_XTS_LEAST = 16
_ADDED = 64
"""Bytes by which padding, a nonce or a block more lengthen a message, at most."""
Row = dict[str, Any]


def explorer(chosen: Chosen) -> Row | None:
    """The model; None if no candidate is left without numeric limits."""
    question, offers = chosen.question, chosen.offers
    if question.demands.need in PUBLIC_KEY:
        return _keyed(question, offers)
    found = _MessageModel(question, offers)
    rows = list(found.candidates())
    if not rows:
        return None
    return {
        "schemes": found.schemes.texts,
        "implementations": found.implementations.texts,
        "libraries": found.libraries.texts,
        "fields": FIELDS,
        "candidates": rows,
        "macs": found.macs,
        "curves": found.curves(),
        "scene": {
            **_scene(question),
            "air": _air(question, found.reach) if question.scene.link is not None else None,
            "longest": found.reach,
            "fixed": found.fixed,
            "partial": [choice().partial.multiple_bytes, choice().partial.share],
        },
        "now": _now(question),
    }


def _keyed(question: ChoiceQuestion, offers: Sequence[SchemeOffer]) -> Row | None:
    """The model of a need of public keys."""
    keyed, texts = Keyed(question, offers, MOVED), {"schemes": NumberedTexts(), "implementations": NumberedTexts()}
    rows = list(keyed.candidates(texts))
    if not rows:
        return None
    air = None
    if question.scene.link is not None:
        parts = [{"name": part.name, **_draw(question, part.drawn.amps, part.drawn)} for part in question.scene.parts()]
        air = {"entries": keyed.air(), "parts": parts}
    return {
        **{name: found.texts for name, found in texts.items()},
        "fields": KEYED,
        "candidates": rows,
        "lengths": keyed.lengths,
        "patterns": keyed.patterns,
        "strengths": keyed.strengths,
        "scene": {**_scene(question), "air": air, "fixed": len(keyed.lengths) < 2},
        "now": _now(question),
    }


class NumberedTexts:
    """Texts by number, each once: a page names them by their number."""

    def __init__(self) -> None:
        self._places: dict[str, int] = {}

    def __call__(self, text: str) -> int:
        """The number of a text."""
        return self._places.setdefault(text, len(self._places))

    @property
    def texts(self) -> list[str]:
        """All texts, by number."""
        return list(self._places)


class _MessageModel:
    """The candidates of a message, with MACs and curves by number."""

    def __init__(self, question: ChoiceQuestion, offers: Sequence[SchemeOffer]) -> None:
        self._question = question
        self._standings = Standings(question.demands, [offer.scheme for offer in offers])
        # The page has no model of a secure element's current by length.
        plain = [offer for offer in offers if offer.beside_of is None]
        self._sound = [offer for offer in plain if not offer.failure and self._fits(offer)]
        self.schemes, self.implementations, self.libraries = NumberedTexts(), NumberedTexts(), NumberedTexts()
        self.macs: list[Row] = []
        self._offers: list[tuple[SchemeOffer, str]] = []
        self._places: dict[tuple[int, str], int] = {}
        self.longest = _LONGEST

    def _fits(self, offer: SchemeOffer) -> bool:
        """Whether nothing speaks against it but what a slider moves."""
        return all(entry.limit in MOVED for entry in self._standings.standing((offer,)).broken)

    def candidates(self) -> Iterator[list[int | None]]:
        """A list for each; a cipher with a MAC of its library names the MAC by number."""
        need = self._question.demands.need
        known = [(offer, scheme) for offer in self._sound if (scheme := self._standings.scheme(offer.scheme))]
        usable = [(offer, scheme) for offer, scheme in known if scheme.mode != "ecb"]
        for offer, scheme in usable:
            if scheme.kind in SERVING[need]:
                yield from self._row((offer,), scheme, None)
        if need is not Need.AEAD:
            return
        macs = self._joining(usable)
        self.macs += [self._mac(mac) for mac in macs]
        for offer, scheme in usable:
            if scheme.kind in BARE:
                for index, mac in enumerate(macs):
                    if mac.library == offer.library:
                        yield from self._row((offer, mac), scheme, index)

    def _joining(self, usable: Sequence[tuple[SchemeOffer, Scheme]]) -> list[SchemeOffer]:
        """MACs that can be added to a cipher and have results."""
        return [
            offer
            for offer, scheme in usable
            if scheme.kind is Kind.MAC and joins(offer, self._standings) and offer.sizes(Operation.MAC)
        ]

    def _mac(self, offer: SchemeOffer) -> Row:
        standing, scheme = self._standings.standing((offer,)), self._standings.scheme(offer.scheme)
        return {
            "s": self.schemes(offer.scheme),
            "i": self.implementations(offer.implementation),
            "curve": self._curve(offer, Operation.MAC),
            "library": self.libraries(offer.library),
            "tier": standing.tier,
            "tag": scheme.tag_bytes if scheme else 0,
            "bits": standing.strength_bits,
        }

    def _row(self, offers: tuple[SchemeOffer, ...], head: Scheme, mac: int | None) -> Iterator[list[int | None]]:
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
            self.longest = min(self.longest, offers[1].sizes(Operation.MAC)[-1] - head.nonce_bytes - padding)
        standing, (block, limit) = self._standings.standing(offers), _data_limit(bits)
        yield [
            self.schemes(head.name),
            self.implementations(offers[0].implementation),
            standing.tier,
            int(standing.maturity),
            int(standing.constant_time is not None),
            standing.strength_bits,
            self._curve(offers[0], operation),
            mac,
            head.nonce_bytes if second is not None or head.kind is Kind.MAC else 0,
            padding,
            *added,
            extra,
            block,
            2 if head.tag_bytes else 1,
            limit,
            int(any(offer.already for offer in offers)),
        ]

    def _added(self, head: Scheme, mac: Scheme | None) -> tuple[int, int] | None:
        """Bytes of nonce and tag that are sent; None if the schemes do not allow the form of the question."""
        form, nonce, tag = self._question.form, 0, 0
        if head.kind is not Kind.HASH:
            try:
                # Padding depends on the length, nonce and tag do not.
                shape = protect(head, _XTS_LEAST, nonce=form.nonce, tag_bytes=form.tag_bytes, mac=mac)
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
        """Whether only the length of the question can be computed: it is beyond what was measured."""
        return self.longest < self._question.scene.message_bytes

    @property
    def reach(self) -> int:
        """The longest message that the page computes."""
        return self._question.scene.message_bytes if self.fixed else self.most

    def curves(self) -> list[Row]:
        """Each by sizes, with seconds and memory. Where the length is fixed: at the sizes that can be asked for."""
        return [self._drawn(offer, operation) for offer, operation in self._offers]

    def _drawn(self, offer: SchemeOffer, operation: str) -> Row:
        sizes = self._sizes(offer, operation)
        costs = [found for size in sizes if (found := cost(offer, operation, size)) is not None]
        memories: list[Row] = []
        places = []
        for found in costs:
            memory = {name: ends(found.memory[name]) for name in _MEMORY if name in found.memory}
            if memory not in memories:
                memories.append(memory)
            places.append(memories.index(memory))
        steps = steps_of(offer.scheme, operation)
        return {
            "block": [steps.block.bytes, steps.block.padding] if steps.block is not None else None,
            "pieces": steps.sizes,
            "fall": fall([offer.points[operation, size].seconds.high for size in offer.sizes(operation)]),
            "sizes": list(sizes),
            "seconds": [ends(found.seconds) for found in costs],
            "memories": memories,
            "memory": places,
        }

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
    """Bytes of a block, and bytes that one key may encrypt, of a cipher with blocks of so many bits; 0 without a
    limit."""
    rule = next((rule for rule in block_limits() if bits and bits <= rule.block_bits), None)
    return (bits // 8, rule.limit_bytes) if rule is not None and bits else (0, 0)


def _scene(question: ChoiceQuestion) -> Row:
    scene = question.scene
    active = scene.active
    battery = scene.battery
    row: Row = {
        "active": _draw(question, active.amps, active) if active is not None else None,
        "sleep": [_draw(question, drawn.amps, drawn) for drawn in scene.sleeping],
        "spread": assumptions().code_spread,
        "year": formulas.YEAR_S,
        "hour": formulas.HOUR_S,
        "battery": None,
    }
    if battery is not None:
        row["battery"] = {
            name: [part.minimum, part.typical, part.maximum]
            for name, part in (
                ("capacity", battery.capacity),
                ("usable", battery.usable),
                ("loss", battery.self_discharge),
            )
        }
    return row


def _draw(question: ChoiceQuestion, amps: Interval, drawn: Any) -> Row:
    battery = question.scene.battery
    factor = raising(battery, drawn) if battery is not None else 1.0
    return {"amps": [amps.low, amps.typical, amps.high], "volts": drawn.volts, "raising": factor}


def _air(question: ChoiceQuestion, longest: int) -> Row:
    """Frames, seconds and limits by length of the encrypted message, up to what the longest one may add."""
    scene, link = question.scene, question.scene.link
    if link is None:
        raise AssertionError("asked only where there is a radio")
    lengths = range(longest + 16 + 64 + 64)
    frames, seconds, broken, least, fair = [], [], [], [], []
    parts: dict[str, Row] = {}
    for length in lengths:
        air = scene.on_air(length)
        spans = scene.least_intervals(length)
        frames.append(air.frames)
        seconds.append(air.seconds)
        names = {entry.limit for entry in air.broken}
        broken.append("payload" if "payload" in names else "dwell-time" if "dwell-time" in names else "")
        least.append(spans[0])
        fair.append(spans[1])
        for part in air.parts:
            row = parts.setdefault(
                part.name, {**_draw(question, part.drawn.amps, part.drawn), "busy": [0.0] * len(lengths)}
            )
            row["busy"][length] = part.seconds * part.times
    return {
        "frames": frames, "seconds": seconds, "broken": broken, "least": least, "fair": fair,
        "parts": [{"name": name, **row} for name, row in parts.items()],
    }  # fmt: skip


def _now(question: ChoiceQuestion) -> Row:
    """The question as it stands: where the sliders are at first."""
    limits, scene = question.limits, question.scene
    order: Mapping[str, float] = question.order
    return {
        "length": scene.message_bytes,
        "every": scene.every_s,
        "flash": limits.flash,
        "ram": limits.ram,
        "latency": limits.latency_s,
        "ofDevice": sorted(limits.of_device),
        "strength": question.demands.strength_bits,
        "enough": choice().enough.bits,
        "equal": question.equal,
        "order": dict(order),
        "need": str(question.demands.need),
        "sends": scene.sends,
        "deviceFlash": scene.device.flash_bytes - scene.device.boot_loader_bytes,
        "deviceRam": scene.device.ram_bytes,
    }
