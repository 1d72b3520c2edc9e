"""From offers to candidates: a scheme alone or a cipher with a MAC, and the cost of a message with each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from motebench.advise.choice import public_keys
from motebench.advise.choice.candidate import Broken, Candidate, SchemeOffer, SentBytes
from motebench.advise.choice.estimates import Cost, candidate, cost
from motebench.advise.choice.judging import BARE
from motebench.advise.choice.question import PUBLIC_KEY, SERVING, ChoiceQuestion, MessageForm, Need
from motebench.advise.choice.standings import Standings
from motebench.advise.radio.message import Nonce, protect
from motebench.base.errors import InputError
from motebench.base.model import Evidence, Kind, Operation, Scheme
from motebench.base.quantities import Interval
from motebench.catalog import algorithm_of
from motebench.catalog.derive import block_bits_of
from motebench.catalog.policies import profile_of

_OPERATION = {Kind.MAC: Operation.MAC, Kind.HASH: Operation.DIGEST}
UNPREDICTABLE = ("cbc", "cfb", "cfb8")
"""Modes that encrypt the counter to get an initialisation vector if it is not sent: one more block."""


def candidates(
    offers: Sequence[SchemeOffer], question: ChoiceQuestion, standings: Standings | None = None
) -> Iterator[Candidate]:
    """Every possible candidate for a message of the question's length; ``standings``: computed before.

    A MAC is added to ciphers of the same library. Not combined are ciphers and MACs that break a limit by themselves,
    MACs that are worse than another in every respect, and MACs with a nonce of their own (GMAC: an AEAD has it inside).
    """
    if standings is None:
        standings = Standings(question.demands, [offer.scheme for offer in offers])
    need, size = question.demands.need, question.scene.message_bytes
    if need in PUBLIC_KEY:
        yield from public_keys.candidates(offers, question, standings)
        return
    for offer in offers:
        scheme = standings.scheme(offer.scheme)
        if scheme is None or scheme.mode == "ecb":
            continue
        if scheme.kind in SERVING[need] or (need is Need.AEAD and scheme.kind in BARE):
            yield from _made((offer,), size, standings, question.form)
    if need is Need.AEAD:
        for pair in _pairs(offers, size, standings):
            yield from _made(pair, size, standings, question.form)


def _pairs(offers: Sequence[SchemeOffer], size: int, standings: Standings) -> Iterator[tuple[SchemeOffer, SchemeOffer]]:
    sound = [
        (offer, scheme.kind)
        for offer in offers
        if (scheme := standings.scheme(offer.scheme)) is not None
        and scheme.mode != "ecb"
        and scheme.kind in (*BARE, Kind.MAC)
        and not offer.failure
        and not standings.standing((offer,)).broken
    ]
    joining = [offer for offer, kind in sound if kind is Kind.MAC and joins(offer, standings)]
    macs = _worthwhile(joining, size, standings)
    for offer, kind in sound:
        if kind in BARE:
            yield from ((offer, mac) for mac in macs if mac.library == offer.library)


def joins(mac: SchemeOffer, standings: Standings) -> bool:
    """Whether that MAC can be added to a cipher: it takes no nonce of its own."""
    scheme = standings.scheme(mac.scheme)
    return scheme is not None and not scheme.nonce_bytes


def _worthwhile(macs: Sequence[SchemeOffer], size: int, standings: Standings) -> list[SchemeOffer]:
    """MACs that no other MAC of their library beats in time, memory and tag."""
    costs: dict[int, tuple[float, ...]] = {}
    for index, mac in enumerate(macs):
        scheme, found = standings.scheme(mac.scheme), cost(mac, Operation.MAC, size)
        if scheme is not None and found is not None:
            sizes = (found.memory[name].high for name in ("flash", "static_ram", "stack", "state", "ram")
                     if name in found.memory)  # fmt: skip
            tier = standings.standing((mac,)).tier
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


def _made(offers: tuple[SchemeOffer, ...], size: int, standings: Standings, form: MessageForm) -> Iterator[Candidate]:
    """The candidate from one or two offers; none if there are no results for the needed operation."""
    head = standings.scheme(offers[0].scheme)
    mac = standings.scheme(offers[1].scheme) if len(offers) > 1 else None
    if head is None:
        return
    sent = _sent(head, mac, size, form)
    failures = tuple(offer.failure for offer in offers if offer.failure)
    costs = None if failures else _costs(offers, head, mac, sent, form)
    if costs is not None or failures:
        yield candidate(offers, sent, standings.standing(offers), costs or [], failures)


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
