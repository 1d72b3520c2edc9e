"""From offers to candidates: a scheme alone or a cipher with a MAC, and the cost of a message with each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from motebench.advise.choice import publickeys
from motebench.advise.choice.bounds import Cost, cost
from motebench.advise.choice.judging import PUBLIC_KEY, SERVING, Judge, Need
from motebench.advise.choice.limits import CostLimits, broken, data_limit, doubts
from motebench.advise.choice.model import Broken, Candidate, Estimate, SchemeOffer, SentBytes
from motebench.advise.choice.scene import OnAir, Scene
from motebench.advise.choice.sketching import MessageForm, Sketch, sketch
from motebench.advise.energy.battery import Life, life
from motebench.advise.energy.budget import EnergyPart, cipher
from motebench.advise.radio.message import Nonce, protect
from motebench.base.errors import InputError
from motebench.base.interval import Interval, total
from motebench.base.model import Evidence, Kind, Operation, Scheme
from motebench.catalog import algorithm_of
from motebench.catalog.derive import block_bits_of
from motebench.catalog.policies import profile_of
from motebench.results import formulas

_OPERATION = {Kind.MAC: Operation.MAC, Kind.HASH: Operation.DIGEST}
BARE = (Kind.CIPHER, Kind.STREAM)
"""Kinds that protect a message only together with a MAC."""
UNPREDICTABLE = ("cbc", "cfb", "cfb8")
"""Modes that encrypt the counter to get an initialisation vector if it is not sent: one more block."""


def candidates(
    offers: Sequence[SchemeOffer], scene: Scene, judge: Judge, limits: CostLimits, form: MessageForm
) -> list[Candidate]:
    """Every possible candidate, with the limits that it breaks. InputError for an impossible battery or data rate."""
    return [finished(one, scene, limits) for one in sketches(offers, scene.message_bytes, judge, form)]


def sketches(offers: Sequence[SchemeOffer], message_bytes: int, judge: Judge, form: MessageForm) -> Iterator[Sketch]:
    """Every possible candidate for a message of that length.

    A MAC is added to ciphers of the same library. Not combined are ciphers and MACs that break a limit by themselves,
    MACs that are worse than another in every respect, and MACs with a nonce of their own (GMAC: an AEAD has it inside).
    """
    need = judge.demands.need
    if need in PUBLIC_KEY:
        yield from publickeys.sketches(offers, message_bytes, judge, form)
        return
    for offer in offers:
        scheme = judge.scheme(offer.scheme)
        if scheme is None or scheme.mode == "ecb":
            continue
        if scheme.kind in SERVING[need] or (need is Need.AEAD and scheme.kind in BARE):
            yield from _made((offer,), message_bytes, judge, form)
    if need is Need.AEAD:
        for pair in _pairs(offers, message_bytes, judge):
            yield from _made(pair, message_bytes, judge, form)


def _pairs(
    offers: Sequence[SchemeOffer], message_bytes: int, judge: Judge
) -> Iterator[tuple[SchemeOffer, SchemeOffer]]:
    sound = [
        (offer, scheme.kind)
        for offer in offers
        if (scheme := judge.scheme(offer.scheme)) is not None
        and scheme.mode != "ecb"
        and scheme.kind in (*BARE, Kind.MAC)
        and not offer.failure
        and not judge.standing((offer,)).broken
    ]
    joining = [offer for offer, kind in sound if kind is Kind.MAC and joins(offer, judge)]
    macs = _worthwhile(joining, message_bytes, judge)
    for offer, kind in sound:
        if kind in BARE:
            yield from ((offer, mac) for mac in macs if mac.library == offer.library)


def joins(mac: SchemeOffer, judge: Judge) -> bool:
    """Whether that MAC can be added to a cipher: it takes no nonce of its own."""
    scheme = judge.scheme(mac.scheme)
    return scheme is not None and not scheme.nonce_bytes


def _worthwhile(macs: Sequence[SchemeOffer], message_bytes: int, judge: Judge) -> list[SchemeOffer]:
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
            if macs[rival].library == macs[index].library
        )
        if not beaten:
            kept.append(macs[index])
    return kept


def _made(offers: tuple[SchemeOffer, ...], message_bytes: int, judge: Judge, form: MessageForm) -> Iterator[Sketch]:
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
    lone = judge.demands.need is Need.AEAD and head.kind in BARE and mac is None
    short = judge.short_tag(mac or head, sent.tag_bytes)
    against = (
        *([short] if short else []),
        *([Broken("need", "nothing protects the message against changes", option="--need encryption")] if lone else []),
        *(Broken("result", words) for words in failures),
        *standing.broken,
        *sent.broken,
    )
    yield sketch(offers, head, sent, standing, costs or [], against)


def _sent(head: Scheme, mac: Scheme | None, size: int, form: MessageForm) -> SentBytes:
    broken: list[Broken] = []
    if head.kind is Kind.HASH:
        return SentBytes(size, 0, 0, 0)
    try:
        message = protect(head, size, nonce=form.nonce, tag_bytes=form.tag_bytes, mac=mac)
    except InputError as error:
        # Not every scheme allows every tag length, and a scheme without a tag cannot have a shorter one.
        if form.tag_bytes is not None and (mac or head).tag_bytes:
            words = f"{error.what}; valid: {error.valid}"
            broken.append(Broken("tag", words, option="--tag"))
        message = protect(head, size, nonce=form.nonce, mac=mac)
    profile = profile_of((mac or head).name, message.tag_bytes)
    return SentBytes(
        size,
        message.padding_bytes,
        message.nonce_bytes,
        message.tag_bytes,
        broken=tuple(broken),
        notes=(*message.notes, *(profile.words if profile else ())),
    )


def _costs(
    offers: Sequence[SchemeOffer], head: Scheme, mac: Scheme | None, sent: SentBytes, form: MessageForm
) -> list[Cost] | None:
    """The cost of each part: the cipher on the message, the MAC on nonce and ciphertext (encrypt-then-MAC)."""
    operation = operation_of(head)
    first = cost(offers[0], operation, sent.plaintext_bytes)
    if first is not None and form.nonce is Nonce.COUNTER and head.mode in UNPREDICTABLE:
        first = _one_block_more(offers[0], head, first, operation, sent.plaintext_bytes)
    if mac is None:
        return None if first is None else [first]
    second = cost(offers[1], Operation.MAC, head.nonce_bytes + sent.plaintext_bytes + sent.padding_bytes)
    return None if first is None or second is None else [first, second]


def operation_of(scheme: Scheme) -> Operation:
    """The operation that protects a whole message."""
    return _OPERATION.get(scheme.kind, Operation.ENCRYPT_MESSAGE)


def _one_block_more(offer: SchemeOffer, head: Scheme, first: Cost, operation: str, size: int) -> Cost:
    more = cost(offer, operation, size + (block_bits_of(algorithm_of(head), head) or 128) // 8)
    if more is None:
        return first
    seconds = Interval(first.seconds.low, max(more.seconds.typical, first.seconds.typical), more.seconds.high)
    return replace(
        more, seconds=seconds, evidence=Evidence.MODELLED, note="one block more, in which the counter is encrypted"
    )


def finished(drawn: Sketch, scene: Scene, limits: CostLimits) -> Candidate:
    """The candidate on a scene whose message has the length of the sketch, with all limits that it breaks."""
    air = scene.on_air(drawn.sent.total_bytes, drawn.sent.received_bytes)
    sent = replace(
        drawn.sent,
        frames=air.frames,
        seconds=air.seconds,
        received_seconds=air.received_seconds,
        broken=(*drawn.sent.broken, *air.broken),
    )
    found = Candidate(drawn.offers, sent, drawn.standing, drawn.latency, drawn.flash, drawn.ram)
    busy = _busy(drawn, air, scene)
    if busy:  # no life follows from messages that take longer than the interval
        scene = replace(scene, battery=None)
    if drawn.latency is not None and scene.active is not None:
        energy, span, warnings = _energy(drawn, drawn.latency, sent, scene)
        found = replace(found, energy=energy, life=span, warnings=warnings)
    against = [*drawn.against, *air.broken, *busy, *broken(found, limits)]
    bits = block_bits_of(algorithm_of(drawn.head), drawn.head)
    over, doubt = data_limit(bits, drawn.head, sent, found.life, scene.every_s)
    return replace(found, broken=(*against, *over), doubts=(*doubts(found, limits), *doubt))


def _busy(drawn: Sketch, air: OnAir, scene: Scene) -> list[Broken]:
    """Whether computing, sending and receiving take longer on average than the time between two messages."""
    if scene.every_s is None or drawn.latency is None:
        return []
    seconds = drawn.latency.value.typical + sum(part.seconds * part.times for part in air.parts)
    if seconds <= scene.every_s:
        return []
    words = f"it keeps the device busy for {seconds:,.1f} s, and --every is {scene.every_s:g} s"
    return [Broken("interval", words, scene.every_s, seconds, "s", "--every")]


def _energy(
    of: Sketch, latency: Estimate, sent: SentBytes, scene: Scene
) -> tuple[dict[str, Estimate], Estimate | None, tuple[str, ...]]:
    """Joules of each part of a message, the life of the battery in years, and warnings about the battery."""
    drawn = scene.active
    if drawn is None:
        raise AssertionError("asked only where there is a current")
    working = cipher(latency.value.typical, drawn, _stretch(latency.value))
    air = scene.on_air(sent.total_bytes, sent.received_bytes)
    beside = [part for offer in of.offers for part in offer.drawing(sent.plaintext_bytes)]
    parts = [working, *beside, *air.parts]
    energy: dict[str, Estimate] = {}
    for part in parts:
        # A cipher and a MAC of one secure element are two parts of one name.
        joules = energy[part.name].value + part.energy_j if part.name in energy else part.energy_j
        energy[part.name] = Estimate(joules, "J", Evidence.MODELLED, latency.origins if part is working else ())
    if scene.sleeping and scene.every_s:
        asleep = total(drawn.amps * formulas.energy(scene.every_s, drawn.volts, 1.0) for drawn in scene.sleeping)
        energy["sleep"] = Estimate(asleep, "J", Evidence.MODELLED)
    sendable = not scene.link or not scene.sends or air.frames > 0
    if scene.battery is None or scene.every_s is None or not sendable:
        return energy, None, ()
    answer = lasting(scene, parts)
    return energy, Estimate(answer.years, "years", Evidence.MODELLED, latency.origins), answer.warnings


def _stretch(seconds: Interval) -> Interval:
    if seconds.typical <= 0:
        return Interval.exact(1.0)
    return Interval(seconds.low / seconds.typical, 1.0, seconds.high / seconds.typical)


def lasting(scene: Scene, parts: Sequence[EnergyPart]) -> Life:
    """How long the battery of the scene lasts with messages of these parts."""
    if scene.battery is None or scene.every_s is None:
        raise AssertionError("asked only where there are a battery and a rate")
    return life(scene.battery, scene.sleeping, parts, scene.every_s)
