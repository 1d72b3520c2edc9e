"""From offers to candidates: a scheme alone or a cipher with a MAC, and the cost of a message with each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from motebench.catalog import algorithm_of
from motebench.catalog.derive import block_bits_of
from motebench.choice.bounds import Cost, cost
from motebench.choice.judging import SERVING, Judge, Need
from motebench.choice.limits import Limits, broken, data_limit, doubts
from motebench.choice.model import Broken, Candidate, Figure, Offer, Origin, Sent, Standing
from motebench.choice.scene import Scene
from motebench.energy import formulas
from motebench.energy.battery import Life, life
from motebench.energy.budget import Part, cipher
from motebench.errors import InputError
from motebench.interval import Interval, total
from motebench.message import Nonce, protect
from motebench.model import Evidence, Kind, Operation, Scheme

_OPERATION = {Kind.MAC: Operation.MAC, Kind.HASH: Operation.DIGEST}
_BARE = (Kind.CIPHER, Kind.STREAM)
_UNPREDICTABLE = ("cbc", "cfb", "cfb8")
"""Modes that encrypt the counter to get an initialisation vector if it is not sent: one more block."""


@dataclass(frozen=True, slots=True)
class Form:
    """How a message is protected, independent of the cipher."""

    nonce: Nonce = Nonce.CARRIED
    tag_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class Sketch:
    """A candidate for a message of one length, before it is sent: the same for every rate, radio and battery."""

    offers: tuple[Offer, ...]
    head: Scheme
    sent: Sent
    """Without frames and time on air."""
    standing: Standing
    latency: Figure | None
    flash: Figure | None
    ram: Figure | None
    against: tuple[Broken, ...]
    """Broken limits that depend on nothing else."""


def candidates(offers: Sequence[Offer], scene: Scene, judge: Judge, limits: Limits, form: Form) -> list[Candidate]:
    """Every possible candidate, with the limits that it breaks. InputError for an impossible battery or data rate."""
    return [finished(one, scene, limits) for one in sketches(offers, scene.message_bytes, judge, form)]


def sketches(offers: Sequence[Offer], message_bytes: int, judge: Judge, form: Form) -> Iterator[Sketch]:
    """Every possible candidate for a message of that length.

    A MAC is added to ciphers of the same library. Not combined are ciphers and MACs that break a limit by themselves,
    and MACs that are worse than another in every respect.
    """
    need = judge.demands.need
    for offer in offers:
        scheme = judge.scheme(offer.scheme)
        if scheme is None or scheme.mode == "ecb":
            continue
        if scheme.kind in SERVING[need] or (need is Need.AEAD and scheme.kind in _BARE):
            yield from _made((offer,), message_bytes, judge, form)
    if need is Need.AEAD:
        for pair in _pairs(offers, message_bytes, judge):
            yield from _made(pair, message_bytes, judge, form)


def _pairs(offers: Sequence[Offer], message_bytes: int, judge: Judge) -> Iterator[tuple[Offer, Offer]]:
    sound = [
        (offer, scheme.kind)
        for offer in offers
        if (scheme := judge.scheme(offer.scheme)) is not None
        and scheme.mode != "ecb"
        and scheme.kind in (*_BARE, Kind.MAC)
        and not offer.failure
        and not judge.standing((offer,)).broken
    ]
    macs = _worthwhile([offer for offer, kind in sound if kind is Kind.MAC], message_bytes, judge)
    for offer, kind in sound:
        if kind in _BARE:
            yield from ((offer, mac) for mac in macs if _library(mac) == _library(offer))


def _library(offer: Offer) -> str:
    return offer.implementation.partition("/")[0]


def _worthwhile(macs: Sequence[Offer], message_bytes: int, judge: Judge) -> list[Offer]:
    """MACs that no other MAC of their library beats in time, memory and tag."""
    costs: dict[int, tuple[float, ...]] = {}
    for index, mac in enumerate(macs):
        scheme, found = judge.scheme(mac.scheme), cost(mac, Operation.MAC, message_bytes)
        if scheme is not None and found is not None:
            sizes = (found.memory[name].high for name in ("flash", "static_ram", "stack", "state", "ram")
                     if name in found.memory)  # fmt: skip
            tier = judge.standing((mac,)).tier
            costs[index] = (tier, found.seconds.typical, scheme.tag_bytes, *sizes)
    kept = []
    for index, own in costs.items():
        beaten = any(
            len(other) == len(own) and other != own and all(a <= b for a, b in zip(other, own, strict=True))
            for rival, other in costs.items()
            if _library(macs[rival]) == _library(macs[index])
        )
        if not beaten:
            kept.append(macs[index])
    return kept


def _made(offers: tuple[Offer, ...], message_bytes: int, judge: Judge, form: Form) -> Iterator[Sketch]:
    """The candidate from one or two offers; none if there are no results for the needed operation."""
    standing = judge.standing(offers)
    head = judge.scheme(offers[0].scheme)
    mac = judge.scheme(offers[1].scheme) if len(offers) > 1 else None
    if head is None:
        return
    sent, costs = _sent(head, mac, message_bytes, form), None
    failures = [offer.failure for offer in offers if offer.failure]
    if not failures:
        costs = _costs(offers, head, mac, sent, form)
        if costs is None:
            return
    lone = judge.demands.need is Need.AEAD and head.kind in _BARE and mac is None
    against = (
        *([Broken("need", "nothing protects the message against changes", option="--need encryption")] if lone else []),
        *(Broken("result", words) for words in failures),
        *standing.broken,
        *sent.broken,
    )
    known = costs or []
    latency = _latency(known) if known else None
    yield Sketch(offers, head, sent, standing, latency, _flash(known), _ram(known), against)


def _sent(head: Scheme, mac: Scheme | None, size: int, form: Form) -> Sent:
    broken: list[Broken] = []
    if head.kind is Kind.HASH:
        return Sent(size, 0, 0, 0)
    try:
        message = protect(head, size, nonce=form.nonce, tag_bytes=form.tag_bytes, mac=mac)
    except InputError as error:
        # Not every scheme allows every tag length, and a scheme without a tag cannot have a shorter one.
        if form.tag_bytes is not None and (mac or head).tag_bytes:
            words = f"{error.what}; valid: {error.valid}"
            broken.append(Broken("tag", words, option="--tag"))
        message = protect(head, size, nonce=form.nonce, mac=mac)
    return Sent(
        size,
        message.padding_bytes,
        message.nonce_bytes,
        message.tag_bytes,
        broken=tuple(broken),
        notes=message.notes,
    )


def _costs(offers: Sequence[Offer], head: Scheme, mac: Scheme | None, sent: Sent, form: Form) -> list[Cost] | None:
    """The cost of each part: the cipher on the message, the MAC on nonce and ciphertext (encrypt-then-MAC)."""
    operation = operation_of(head)
    first = cost(offers[0], operation, sent.plaintext_bytes)
    if first is not None and form.nonce is Nonce.COUNTER and head.mode in _UNPREDICTABLE:
        first = _one_block_more(offers[0], head, first, operation, sent.plaintext_bytes)
    if mac is None:
        return None if first is None else [first]
    second = cost(offers[1], Operation.MAC, head.nonce_bytes + sent.plaintext_bytes + sent.padding_bytes)
    return None if first is None or second is None else [first, second]


def operation_of(scheme: Scheme) -> Operation:
    """The operation that protects a whole message."""
    return _OPERATION.get(scheme.kind, Operation.ENCRYPT_MESSAGE)


def _one_block_more(offer: Offer, head: Scheme, first: Cost, operation: str, size: int) -> Cost:
    more = cost(offer, operation, size + (block_bits_of(algorithm_of(head), head) or 128) // 8)
    if more is None:
        return first
    seconds = Interval(first.seconds.low, max(more.seconds.typical, first.seconds.typical), more.seconds.high)
    return replace(
        more, seconds=seconds, evidence=Evidence.MODELLED, note="one block more, in which the counter is encrypted"
    )


def finished(sketch: Sketch, scene: Scene, limits: Limits) -> Candidate:
    """The candidate on a scene whose message has the length of the sketch, with all limits that it breaks."""
    air = scene.on_air(sketch.sent.total_bytes)
    sent = replace(sketch.sent, frames=air.frames, seconds=air.seconds, broken=(*sketch.sent.broken, *air.broken))
    found = Candidate(sketch.offers, sent, sketch.standing, sketch.latency, sketch.flash, sketch.ram)
    if sketch.latency is not None and scene.active is not None:
        energy, span, warnings = _energy(sketch.latency, sent, scene)
        found = replace(found, energy=energy, life=span, warnings=warnings)
    against = [*sketch.against, *air.broken, *broken(found, limits)]
    bits = block_bits_of(algorithm_of(sketch.head), sketch.head)
    over, doubt = data_limit(bits, sketch.head, sent, found.life, scene.every_s)
    return replace(found, broken=(*against, *over), doubts=(*doubts(found, limits), *doubt))


def _latency(costs: Sequence[Cost]) -> Figure:
    return Figure(total(cost.seconds for cost in costs), "s", _weakest(costs), _origins(costs), _note(costs))


def _weakest(costs: Sequence[Cost]) -> Evidence:
    kinds = {cost.evidence for cost in costs}
    return kinds.pop() if len(kinds) == 1 else Evidence.MODELLED


def _origins(costs: Sequence[Cost]) -> tuple[Origin, ...]:
    return tuple(origin for cost in costs for origin in cost.origins)


def _note(costs: Sequence[Cost]) -> str:
    return "; ".join(dict.fromkeys(cost.note for cost in costs if cost.note))


def _flash(costs: Sequence[Cost]) -> Figure | None:
    """Flash of two parts: at least that of the larger one, at most the sum (they may share code)."""
    known = [cost.memory["flash"] for cost in costs if "flash" in cost.memory]
    if not known or len(known) < len(costs):
        return None
    both = total(known)
    value = Interval(max(part.low for part in known), both.typical, both.high)
    return Figure(value, "B", _weakest(costs), _origins(costs), _bounded(value, known))


def _ram(costs: Sequence[Cost]) -> Figure | None:
    """State and static RAM of all parts, and the deepest stack, because the parts run one after another."""
    if costs and all("ram" in cost.memory for cost in costs):
        value = total(cost.memory["ram"] for cost in costs)
        return Figure(
            value, "B", _weakest(costs), _origins(costs), "peak memory that the operation adds to its process"
        )
    if not costs or not all({"stack", "state"} <= set(cost.memory) for cost in costs):
        return None
    stacks = [cost.memory["stack"] for cost in costs]
    deepest = Interval(*(max(getattr(stack, end) for stack in stacks) for end in ("low", "typical", "high")))
    kept = [cost.memory[name] for cost in costs for name in ("state", "static_ram") if name in cost.memory]
    value = total([deepest, *kept])
    return Figure(value, "B", _weakest(costs), _origins(costs), _bounded(value, kept))


def _bounded(value: Interval, parts: Sequence[Interval]) -> str:
    if any(part.low != part.high for part in parts):
        return "bounds: what the mode takes, or the probe's own part of the firmware, is not known"
    return "bounds: what both parts share" if value.low != value.high else ""


def _energy(latency: Figure, sent: Sent, scene: Scene) -> tuple[dict[str, Figure], Figure | None, tuple[str, ...]]:
    """Joules of each part of a message, the life of the battery in years, and warnings about the battery."""
    drawn = scene.active
    if drawn is None:
        raise AssertionError("asked only where there is a current")
    working = cipher(latency.value.typical, drawn, _stretch(latency.value))
    air = scene.on_air(sent.total_bytes)
    parts = [working, *air.parts]
    energy = {
        part.name: Figure(part.energy_j, "J", Evidence.MODELLED, latency.origins if part is working else ())
        for part in parts
    }
    if scene.sleeping and scene.every_s:
        asleep = total(drawn.amps * formulas.energy(scene.every_s, drawn.volts, 1.0) for drawn in scene.sleeping)
        energy["sleep"] = Figure(asleep, "J", Evidence.MODELLED)
    sendable = not scene.link or air.frames > 0
    if scene.battery is None or scene.every_s is None or not sendable:
        return energy, None, ()
    answer = lasting(scene, parts)
    return energy, Figure(answer.years, "years", Evidence.MODELLED, latency.origins), answer.warnings


def _stretch(seconds: Interval) -> Interval:
    if seconds.typical <= 0:
        return Interval.exact(1.0)
    return Interval(seconds.low / seconds.typical, 1.0, seconds.high / seconds.typical)


def lasting(scene: Scene, parts: Sequence[Part]) -> Life:
    """How long the battery of the scene lasts with messages of these parts."""
    if scene.battery is None or scene.every_s is None:
        raise AssertionError("asked only where there are a battery and a rate")
    return life(scene.battery, scene.sleeping, parts, scene.every_s)
